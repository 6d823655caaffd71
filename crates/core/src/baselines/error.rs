//! Why a baseline failed.

use crate::model::ModelError;
use crate::train::TrainError;
use gesf_spectral::SpectralError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The work was cancelled.
    #[error("stopped")]
    Cancelled,
    /// The method does not support this graph.
    #[error("{method}: found {found}, expected {expected}\n  help: remove it from --methods")]
    Unsuited {
        /// Which method.
        method: &'static str,
        /// What the graph has.
        found: String,
        /// What the method needs.
        expected: &'static str,
    },
    /// An unknown method.
    #[error(
        "--methods: found `{found}`, expected all, or names from {expected}\n  help: did you mean `{nearest}`?"
    )]
    Unknown {
        /// The given name.
        found: String,
        /// The valid names.
        expected: String,
        /// The most similar name.
        nearest: &'static str,
    },
    /// The spectrum could not be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// A tensor operation failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// GESF failed.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl From<candle_core::Error> for BaselineError {
    fn from(error: candle_core::Error) -> Self {
        Self::Model(error.into())
    }
}
