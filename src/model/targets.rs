//! What the labelled nodes should come out as, and how far off an answer is.

use candle_core::{Device, Result, Tensor};

use crate::graph::{ClassId, Classes, Graph, LabelKind, Labels, NodeId};

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

/// How many of some nodes are in each class.
pub fn class_counts(classes: &Classes, nodes: &[NodeId]) -> Vec<f64> {
    let mut counts = vec![0.0; classes.names().len()];
    for class in nodes.iter().flat_map(|node| classes.of(*node)) {
        counts[class.index()] += 1.0;
    }
    counts
}

/// The log odds that a label is of each class, by the shares of the classes among
/// some nodes: for one class a node up to a constant. A further node in every
/// class keeps the rare ones finite.
pub fn log_shares(labels: &Labels, nodes: &[NodeId], device: &Device) -> Result<Tensor> {
    let Labels::Classes(classes) = labels else { return Tensor::new(&[0.0_f32], device) };
    let counts: Vec<f64> = class_counts(classes, nodes).iter().map(|count| count + 1.0).collect();
    let all = nodes.len() as f64 + 2.0;
    let odds = |count: &f64| match labels.kind() {
        LabelKind::Several => (count / (all - count).max(1.0)).ln() as f32,
        _ => (count / all).ln() as f32,
    };
    let odds: Vec<f32> = counts.iter().map(odds).collect();
    Tensor::from_vec(odds, counts.len(), device)
}

/// The targets of some nodes.
#[derive(Debug, Clone)]
pub struct Targets {
    kind: LabelKind,
    /// The class of each; or 0 or 1 for each class of each; or the number of
    /// each, in [`Units`].
    tensor: Tensor,
}

impl Targets {
    /// The targets of nodes that all have a label; `None` without labels.
    pub fn of(
        labels: &Labels,
        nodes: &[NodeId],
        units: Units,
        device: &Device,
    ) -> Result<Option<Self>> {
        let kind = labels.kind();
        let tensor = match labels {
            Labels::None => return Ok(None),
            Labels::Classes(classes) if kind == LabelKind::One => {
                let first = |node: &NodeId| classes.of(*node).first().map_or(0, |class| class.0);
                let own: Vec<u32> = nodes.iter().map(|node| u32::from(first(node))).collect();
                Tensor::from_vec(own, nodes.len(), device)?
            }
            Labels::Classes(classes) => {
                let count = classes.names().len();
                let mut own = vec![0.0_f32; nodes.len() * count];
                for (row, node) in own.chunks_mut(count.max(1)).zip(nodes) {
                    classes.of(*node).iter().for_each(|ClassId(class)| row[*class as usize] = 1.0);
                }
                Tensor::from_vec(own, (nodes.len(), count), device)?
            }
            Labels::Numeric(values) => {
                let of = |node: &NodeId| values.get(node.index()).copied().flatten();
                let scaled = |value: f32| (value - units.mean) / units.deviation;
                let own: Vec<f32> = nodes.iter().map(|node| of(node).map_or(0.0, scaled)).collect();
                Tensor::from_vec(own, (nodes.len(), 1), device)?
            }
        };
        Ok(Some(Self { kind, tensor }))
    }

    /// The loss of what a head gave for these nodes, added up over them: cross
    /// entropy, its binary form for each class, or squared error.
    pub fn loss(&self, outputs: &Tensor) -> Result<Tensor> {
        let count = outputs.dim(0)?.max(1) as f64;
        match self.kind {
            LabelKind::One => candle_nn::loss::cross_entropy(outputs, &self.tensor)? * count,
            LabelKind::Several => {
                // ln(1 + exp(z)) − z·y, written so that no exponential overflows:
                // candle-nn's form takes the logarithm of a rounded sigmoid.
                let tail = (outputs.abs()?.neg()?.exp()? + 1.0)?.log()?;
                let loss = ((outputs.relu()? - (outputs * &self.tensor)?)? + tail)?;
                loss.sum_all()
            }
            LabelKind::None | LabelKind::Numeric => {
                candle_nn::loss::mse(outputs, &self.tensor)? * count
            }
        }
    }
}
