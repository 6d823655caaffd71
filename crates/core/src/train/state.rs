//! Everything needed to resume a run, as plain numbers.

use super::OptimizerState;
use crate::model::settings::Aggregation;
use crate::model::{OFFSET, aggregation_of};
use gesf_graph::LabelKind;

/// The state of a run between two epochs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainerState {
    /// Number of completed epochs.
    pub epoch: usize,
    /// Number of completed steps.
    pub steps: u64,
    /// The epoch with the best validation score so far, if there are validation
    /// labels.
    pub best: Option<BestEpoch>,
    /// The parameters, in the order of the model.
    pub parameters: Vec<SavedParameter>,
}

/// The epoch with the best validation score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestEpoch {
    /// The epoch.
    pub epoch: usize,
    /// Its score on the validation labels.
    pub score: f32,
}

/// One parameter and its optimizer state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SavedParameter {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values, row-major.
    pub values: Vec<f32>,
    /// Its optimizer state.
    pub memory: OptimizerState,
}

impl TrainerState {
    /// The values of a parameter.
    pub fn values(&self, name: &str) -> Option<&[f32]> {
        self.parameters.iter().find(|own| own.name == name).map(|own| own.values.as_slice())
    }

    /// How the model aggregates messages, given its embedding dimension per type.
    pub fn aggregation(&self, widths: &[usize]) -> Aggregation {
        let named = |name: &str| self.parameters.iter().find(|own| own.name == name);
        aggregation_of(|name| named(name).map(|own| own.shape.as_slice()), widths)
    }

    /// Whether predictions of labels of this kind fall back to the class priors. Log
    /// priors are negative, and have a negative weight where predictions do not.
    pub fn falls_back(&self, kind: LabelKind) -> bool {
        let offset = self.values(OFFSET).unwrap_or_default();
        kind == LabelKind::One && offset.iter().any(|value| *value < 0.0)
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = |own: &SavedParameter| {
            own.values.len() + own.memory.first.len() + own.memory.second.len()
        };
        self.parameters.iter().map(numbers).sum::<usize>() * size_of::<f32>()
    }
}
