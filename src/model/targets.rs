//! What the labelled nodes should come out as, and how far off an answer is.

use candle_core::{D, Device, Result, Tensor};

use crate::graph::{ClassId, Graph, LabelKind, Labels, NodeId};

/// The task of a graph: what heads predict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// Which kind of label.
    pub kind: LabelKind,
    /// How many numbers a head gives: one a class, or one.
    pub outputs: usize,
}

impl Task {
    /// The task that a graph's labels make.
    pub fn of(graph: &Graph) -> Self {
        let outputs = match graph.labels() {
            Labels::None => 0,
            Labels::Classes(classes) => classes.names().len(),
            Labels::Numeric(_) => 1,
        };
        Self { kind: graph.labels().kind(), outputs }
    }
}

/// Numeric targets are learned in units of their own spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The mean of the targets seen.
    pub mean: f32,
    /// Their deviation, 1 where they have none.
    pub deviation: f32,
}

impl Units {
    /// The units of the numbers that training sees.
    pub fn of(labels: &Labels, seen: &[NodeId]) -> Self {
        let Labels::Numeric(values) = labels else { return Self { mean: 0.0, deviation: 1.0 } };
        let seen: Vec<f64> = seen
            .iter()
            .filter_map(|node| values.get(node.index()).copied().flatten())
            .map(f64::from)
            .collect();
        let count = seen.len().max(1) as f64;
        let mean = seen.iter().sum::<f64>() / count;
        let spread = seen.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        let deviation = if spread > 0.0 { spread.sqrt() as f32 } else { 1.0 };
        Self { mean: mean as f32, deviation }
    }
}

/// The targets of some nodes.
#[derive(Debug, Clone)]
pub struct Targets {
    wanted: Wanted,
    /// The same where the model lives.
    tensor: Tensor,
}

#[derive(Debug, Clone)]
enum Wanted {
    /// The class of each.
    One(Vec<u32>),
    /// 0 or 1 for each class of each.
    Several(Vec<f32>),
    /// The number of each, in [`Units`].
    Numeric(Vec<f32>),
}

impl Targets {
    /// The targets of nodes that all have a label; `None` without labels.
    pub fn of(
        labels: &Labels,
        nodes: &[NodeId],
        units: Units,
        device: &Device,
    ) -> Result<Option<Self>> {
        let (wanted, tensor) = match labels {
            Labels::None => return Ok(None),
            Labels::Classes(classes) if labels.kind() == LabelKind::One => {
                let first = |node: &NodeId| classes.of(*node).first().map_or(0, |class| class.0);
                let own: Vec<u32> = nodes.iter().map(|node| u32::from(first(node))).collect();
                let tensor = Tensor::from_slice(&own, nodes.len(), device)?;
                (Wanted::One(own), tensor)
            }
            Labels::Classes(classes) => {
                let count = classes.names().len();
                let mut own = vec![0.0_f32; nodes.len() * count];
                for (row, node) in own.chunks_mut(count.max(1)).zip(nodes) {
                    classes.of(*node).iter().for_each(|ClassId(class)| row[*class as usize] = 1.0);
                }
                let tensor = Tensor::from_slice(&own, (nodes.len(), count), device)?;
                (Wanted::Several(own), tensor)
            }
            Labels::Numeric(values) => {
                let of = |node: &NodeId| values.get(node.index()).copied().flatten();
                let scaled = |value: f32| (value - units.mean) / units.deviation;
                let own: Vec<f32> = nodes.iter().map(|node| of(node).map_or(0.0, scaled)).collect();
                let tensor = Tensor::from_slice(&own, (nodes.len(), 1), device)?;
                (Wanted::Numeric(own), tensor)
            }
        };
        Ok(Some(Self { wanted, tensor }))
    }

    /// The loss of what a head gave for these nodes, added up over them.
    pub fn loss(&self, outputs: &Tensor) -> Result<Tensor> {
        match self.wanted {
            Wanted::One(_) => {
                let log = candle_nn::ops::log_softmax(outputs, D::Minus1)?;
                log.gather(&self.tensor.unsqueeze(1)?, 1)?.sum_all()?.neg()
            }
            Wanted::Several(_) => {
                // ln(1 + exp(z)) − z·y, written so that no exponential overflows.
                let tail = (outputs.abs()?.neg()?.exp()? + 1.0)?.log()?;
                let loss = ((outputs.relu()? - (outputs * &self.tensor)?)? + tail)?;
                loss.sum_all()
            }
            Wanted::Numeric(_) => (outputs - &self.tensor)?.sqr()?.sum_all(),
        }
    }

    /// The loss of what a head gave for one of these nodes. What it gave becomes
    /// the derivative of the loss by it.
    pub(crate) fn differentiate(&self, at: usize, outputs: &mut [f32]) -> f64 {
        match &self.wanted {
            Wanted::One(classes) => {
                let class = classes[at] as usize;
                let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let own = outputs[class] - most;
                let mut sum = 0.0;
                for z in &mut *outputs {
                    *z = (*z - most).exp();
                    sum += *z;
                }
                for power in outputs.iter_mut() {
                    *power /= sum;
                }
                outputs[class] -= 1.0;
                f64::from(sum.ln() - own)
            }
            Wanted::Several(wanted) => {
                let wanted = &wanted[at * outputs.len()..][..outputs.len()];
                let mut loss = 0.0;
                for (z, y) in outputs.iter_mut().zip(wanted) {
                    // As above; the same exponential gives the odds.
                    let tail = (-z.abs()).exp();
                    loss += f64::from(z.max(0.0) - *z * y + tail.ln_1p());
                    let odds = if *z >= 0.0 { 1.0 } else { tail };
                    *z = odds / (1.0 + tail) - y;
                }
                loss
            }
            Wanted::Numeric(wanted) => {
                let mut loss = 0.0;
                for (z, y) in outputs.iter_mut().zip(&wanted[at..]) {
                    let apart = *z - y;
                    loss += f64::from(apart * apart);
                    *z = 2.0 * apart;
                }
                loss
            }
        }
    }
}
