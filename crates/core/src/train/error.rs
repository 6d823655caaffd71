//! Why a training run stopped.

use crate::model::ModelError;

/// What went wrong in training.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The model could not be built or computed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A value became NaN or infinite. The state before the step is kept.
    #[error(
        "epoch {epoch}: {term} is {found}, expected a finite number; the state of the \
         previous epoch is kept\n  help: {advice}"
    )]
    Broken {
        /// The epoch.
        epoch: usize,
        /// Which term of the loss, or which parameter.
        term: String,
        /// Its value.
        found: f32,
        /// What to try.
        advice: String,
    },
    /// A saved state that belongs to another model.
    #[error("saved state: found {found}, expected {expected}\n  help: {advice}")]
    State {
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
        /// What to do.
        advice: String,
    },
}

impl From<candle_core::Error> for TrainError {
    fn from(error: candle_core::Error) -> Self {
        Self::Model(error.into())
    }
}
