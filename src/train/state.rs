//! Everything a run needs to go on from where it was, as plain numbers.

use super::OptimizerState;

/// The state of a run between two epochs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// How many epochs are done.
    pub epoch: usize,
    /// How many steps are done.
    pub steps: u64,
    /// The epoch with the best validation score so far, where labels validate.
    pub best: Option<BestEpoch>,
    /// The parameters, in the order of the model.
    pub parameters: Vec<SavedParameter>,
}

/// The epoch that the validation labels prefer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestEpoch {
    /// Which.
    pub epoch: usize,
    /// Its score on the validation labels.
    pub score: f32,
}

/// One parameter and what the optimiser remembers of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SavedParameter {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values, row after row.
    pub values: Vec<f32>,
    /// What the optimiser remembers.
    pub memory: OptimizerState,
}

impl State {
    /// The values of a parameter.
    pub fn values(&self, name: &str) -> Option<&[f32]> {
        self.parameters.iter().find(|own| own.name == name).map(|own| own.values.as_slice())
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        let numbers = |own: &SavedParameter| {
            own.values.len() + own.memory.first.len() + own.memory.second.len()
        };
        self.parameters.iter().map(numbers).sum::<usize>() * size_of::<f32>()
    }
}
