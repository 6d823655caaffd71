//! The head outputs for every node, as plain numbers.

use candle_core::{Device, Result, Tensor};

use crate::model::slices::with_numbers;
use crate::model::{Gesf, Groups};
use gesf_graph::{LabelKind, NodeId};

/// The outputs of the heads for all nodes of the types that have one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outputs {
    width: usize,
    of_kinds: Vec<Option<Vec<f32>>>,
}

impl Outputs {
    /// The head outputs for all nodes of each type that has a head.
    pub(super) fn of(model: &Gesf, outputs: &[Option<Tensor>]) -> Result<Self> {
        let numbers =
            |outputs: &Tensor| with_numbers(&outputs.to_device(&Device::Cpu)?, <[f32]>::to_vec);
        let of_kinds = outputs.iter().map(|outputs| outputs.as_ref().map(numbers).transpose());
        Ok(Self { width: model.task().outputs, of_kinds: of_kinds.collect::<Result<_>>()? })
    }

    /// The outputs of any other method, given for every node in graph order,
    /// row-major.
    pub fn from_rows(groups: &Groups, width: usize, rows: &[f32]) -> Self {
        let row = |&node: &u32| {
            let start = node as usize * width;
            rows.get(start..start + width).unwrap_or_default()
        };
        let of_kinds = (0..groups.count())
            .map(|kind| Some(groups.members(kind).iter().flat_map(row).copied().collect()))
            .collect();
        Self { width, of_kinds }
    }

    /// The outputs for one node: logits, or a number in units of its spread.
    pub fn row(&self, groups: &Groups, node: NodeId) -> Option<&[f32]> {
        let (kind, row) = groups.place(node);
        let of_kind = self.of_kinds.get(kind)?.as_ref()?;
        of_kind.get(row * self.width..(row + 1) * self.width)
    }
}

/// Logits as probabilities: softmax over all classes, or a sigmoid for each.
pub fn probabilities(outputs: &[f32], kind: LabelKind) -> Vec<f32> {
    match kind {
        LabelKind::One => {
            let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let powers: Vec<f32> = outputs.iter().map(|z| (z - most).exp()).collect();
            let sum: f32 = powers.iter().sum();
            powers.into_iter().map(|power| power / sum).collect()
        }
        LabelKind::Several => outputs.iter().map(|z| 1.0 / (1.0 + (-z).exp())).collect(),
        LabelKind::None | LabelKind::Numeric => outputs.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_one_class_sum_to_one_however_large_the_logits() {
        let found = probabilities(&[1000.0, 999.0, -1000.0], LabelKind::One);
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(found[0] > 0.7 && found[2] < 1e-6);
    }
}
