//! The targets of labelled nodes, and the loss of outputs.

use candle_core::{Device, Result, Tensor};

use gesf_graph::{ClassId, Classes, Graph, LabelKind, Labels, NodeId};

/// The task of a graph: what heads predict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The kind of label.
    pub kind: LabelKind,
    /// The number of outputs of a head: one per class, or one.
    pub outputs: usize,
}

impl Task {
    /// The task of a graph's labels.
    pub fn of(graph: &Graph) -> Self {
        let outputs = match graph.labels() {
            Labels::None => 0,
            Labels::Classes(classes) => classes.names().len(),
            Labels::Numeric(_) => 1,
        };
        Self { kind: graph.labels().kind(), outputs }
    }
}

/// The scale of numeric targets, which are standardised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The mean of the training targets.
    pub mean: f32,
    /// Their standard deviation, 1 if it is 0.
    pub deviation: f32,
}

impl Units {
    /// The units of the training targets.
    pub fn of(labels: &Labels, train: &[NodeId]) -> Self {
        let Labels::Numeric(values) = labels else { return Self { mean: 0.0, deviation: 1.0 } };
        let train: Vec<f64> = train
            .iter()
            .filter_map(|node| values.get(node.index()).copied().flatten())
            .map(f64::from)
            .collect();
        let count = train.len().max(1) as f64;
        let mean = train.iter().sum::<f64>() / count;
        let spread = train.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        let deviation = if spread > 0.0 { spread.sqrt() as f32 } else { 1.0 };
        Self { mean: mean as f32, deviation }
    }
}

/// How many of the given nodes are in each class.
pub fn class_counts(classes: &Classes, nodes: &[NodeId]) -> Vec<f64> {
    let mut counts = vec![0.0; classes.names().len()];
    for class in nodes.iter().flat_map(|node| classes.of(*node)) {
        counts[class.index()] += 1.0;
    }
    counts
}

/// What a class without a label counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// Rare.
    Rare,
    /// As frequent as the most frequent class.
    Frequent,
}

/// The log odds of each class, given the class shares among some nodes; for one
/// class per node up to a constant. An additional count in every class keeps rare
/// ones finite.
pub(crate) fn class_log_odds(
    classes: &Classes,
    kind: LabelKind,
    nodes: &[NodeId],
    unseen: Unseen,
) -> Vec<f32> {
    let mut counts = class_counts(classes, nodes);
    if unseen == Unseen::Frequent {
        let most = counts.iter().copied().fold(0.0, f64::max);
        counts.iter_mut().filter(|count| **count == 0.0).for_each(|count| *count = most);
    }
    let all = nodes.len() as f64;
    let odds = |count| match kind {
        LabelKind::Several => log_odds(count, all),
        _ => ((count + 1.0) / (all + 2.0)).ln() as f32,
    };
    counts.into_iter().map(odds).collect()
}

/// The same as a tensor; a single 0 without classes.
pub fn log_shares(
    labels: &Labels,
    nodes: &[NodeId],
    unseen: Unseen,
    device: &Device,
) -> Result<Tensor> {
    let Labels::Classes(classes) = labels else { return Tensor::new(&[0.0_f32], device) };
    let odds = class_log_odds(classes, labels.kind(), nodes, unseen);
    Tensor::from_vec(odds, classes.names().len(), device)
}

/// The log odds of a class that so many of all nodes have, with an additional count of
/// either kind.
pub(crate) fn log_odds(count: f64, all: f64) -> f32 {
    ((count + 1.0) / (all - count + 1.0)).ln() as f32
}

/// The targets of some nodes.
#[derive(Debug, Clone)]
pub struct Targets {
    kind: LabelKind,
    /// The class of each; or 0 or 1 for each class of each; or the number of each,
    /// in [`Units`].
    tensor: Tensor,
}

impl Targets {
    /// The targets of labelled nodes; `None` without labels.
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

    /// The loss of head outputs for these nodes, summed: cross entropy, its binary
    /// form for each class, or squared error.
    pub fn loss(&self, outputs: &Tensor) -> Result<Tensor> {
        let count = outputs.dim(0)?.max(1) as f64;
        match self.kind {
            LabelKind::One => candle_nn::loss::cross_entropy(outputs, &self.tensor)? * count,
            LabelKind::Several => self.binary_losses(outputs)?.sum_all(),
            LabelKind::None | LabelKind::Numeric => {
                candle_nn::loss::mse(outputs, &self.tensor)? * count
            }
        }
    }

    /// The same for each node.
    pub(crate) fn losses(&self, outputs: &Tensor) -> Result<Vec<f32>> {
        let losses = match self.kind {
            LabelKind::One => {
                let logarithms = candle_nn::ops::log_softmax(outputs, 1)?;
                logarithms.gather(&self.tensor.unsqueeze(1)?, 1)?.neg()?
            }
            LabelKind::Several => self.binary_losses(outputs)?,
            LabelKind::None | LabelKind::Numeric => (outputs - &self.tensor)?.sqr()?,
        };
        losses.sum(1)?.to_device(&Device::Cpu)?.to_vec1()
    }

    /// ln(1 + exp(z)) − z·y of every class in a form without overflow: candle-nn takes
    /// the logarithm of a rounded sigmoid.
    fn binary_losses(&self, outputs: &Tensor) -> Result<Tensor> {
        let tail = (outputs.abs()?.neg()?.exp()? + 1.0)?.log()?;
        (outputs.relu()? - (outputs * &self.tensor)?)? + tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_losses_of_single_nodes_add_up_to_the_loss() {
        let classes = Tensor::new(&[2_u32, 0], &Device::Cpu).unwrap();
        let present = Tensor::new(&[[1.0_f32, 0.0, 1.0], [0.0, 0.0, 0.0]], &Device::Cpu).unwrap();
        let numbers = Tensor::new(&[[0.5_f32], [-2.0]], &Device::Cpu).unwrap();
        let outputs =
            Tensor::new(&[[0.3_f32, -1.0, 2.0], [90.0, -90.0, 0.1]], &Device::Cpu).unwrap();
        for (kind, tensor) in [
            (LabelKind::One, classes),
            (LabelKind::Several, present),
            (LabelKind::Numeric, numbers),
        ] {
            let width = if kind == LabelKind::Numeric { 1 } else { 3 };
            let outputs = outputs.narrow(1, 0, width).unwrap();
            let targets = Targets { kind, tensor };
            let (each, all) = (targets.losses(&outputs).unwrap(), targets.loss(&outputs).unwrap());
            let all = all.to_scalar::<f32>().unwrap();
            assert!(each.len() == 2 && all > 0.0, "{kind:?}");
            assert!(
                (each.iter().sum::<f32>() - all).abs() <= 1e-5 * all,
                "{kind:?} {each:?} {all}"
            );
        }
    }
}
