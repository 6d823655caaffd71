//! Minimises a loss with Adam, one step at a time.

use candle_core::Tensor;

use super::LabError;
use gesf_core::model::Parameters;
use gesf_core::model::settings::{Schedule, Settings};
use gesf_core::model::slices::{change_numbers, with_numbers};
use gesf_core::train::optimiser::{UpdateStep, unusable};
use gesf_core::train::{OptimizerState, learning_rate};

/// The optimizer of one set of parameters.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    settings: Settings,
    memories: Vec<OptimizerState>,
    steps: u64,
}

impl Descent {
    /// Learning rates that fall from `rate` to 0 over `epochs` steps; later steps
    /// change nothing.
    pub(super) fn new(rate: f64, epochs: usize) -> Self {
        let settings = Settings {
            learning_rate: rate,
            schedule: Schedule::Cosine,
            epochs: epochs.max(1),
            ..Settings::default()
        };
        Self { settings, memories: Vec::new(), steps: 0 }
    }

    /// Number of completed steps.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether the learning rate has reached 0.
    pub(super) fn is_done(&self) -> bool {
        self.steps >= self.settings.epochs as u64
    }

    /// One step; returns the loss before it. A loss or gradient with NaN changes
    /// nothing.
    pub(super) fn step(&mut self, parameters: &Parameters, loss: &Tensor) -> Result<f32, LabError> {
        let before = loss.to_scalar::<f32>()?;
        if self.is_done() {
            return Ok(before);
        }
        let gradients = loss.backward()?;
        self.memories.resize_with(parameters.iter().len(), OptimizerState::default);
        let mut moves = Vec::with_capacity(self.memories.len());
        for (name, var) in parameters.iter() {
            let Some(gradient) = gradients.get(var) else { continue };
            if !before.is_finite() || with_numbers(gradient, unusable)?.is_some() {
                return Err(LabError::Broken { parameter: name.to_owned(), step: self.steps });
            }
            moves.push((var, gradient));
        }
        let rate = learning_rate(&self.settings, self.steps as usize, self.settings.epochs);
        let (rule, momentum) = (self.settings.optimiser, self.settings.momentum);
        let step = UpdateStep { rule, momentum, rate, number: self.steps + 1, decay: 0.0 };
        for ((var, gradient), memory) in moves.into_iter().zip(&mut self.memories) {
            with_numbers(gradient, |gradient| {
                change_numbers(var, |values| step.take(values, gradient, memory))
            })??;
        }
        self.steps += 1;
        Ok(before)
    }
}
