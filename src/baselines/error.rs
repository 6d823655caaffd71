//! Why a baseline could not answer.

use crate::model::ModelError;
use crate::spectral::SpectralError;
use crate::train::TrainError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The work was cancelled from outside.
    #[error("stopped")]
    Cancelled,
    /// A method that this graph is not made for.
    #[error("{method}: found {found}, expected {expected}\n  help: leave it out of --methods")]
    Unsuited {
        /// Which method.
        method: &'static str,
        /// What the graph has.
        found: String,
        /// What the method needs.
        expected: &'static str,
    },
    /// A method that does not exist.
    #[error(
        "--methods: found `{found}`, expected all, or some of {expected}\n  help: the nearest is `{nearest}`"
    )]
    Unknown {
        /// What was asked for.
        found: String,
        /// What there is.
        expected: String,
        /// The name most like it.
        nearest: &'static str,
    },
    /// The spectrum could not be had.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The tensors refused.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// GESF itself stopped.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl From<candle_core::Error> for BaselineError {
    fn from(error: candle_core::Error) -> Self {
        Self::Model(error.into())
    }
}
