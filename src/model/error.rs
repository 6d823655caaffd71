//! Why the model could not be built or computed.

use crate::spectral::SpectralError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The tensors refused.
    #[error("the tensors of the model: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The spectrum could not be had.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The graph does not give what the settings ask for.
    #[error("{place}: found {found}, expected {expected}\n  help: {advice}")]
    Fault {
        /// Which part of the model.
        place: String,
        /// What was found.
        found: String,
        /// What would have been right.
        expected: String,
        /// What the person can do about it.
        advice: String,
    },
}

impl ModelError {
    /// A fault, said in full.
    pub(crate) fn fault(
        place: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::Fault {
            place: place.into(),
            found: found.into(),
            expected: expected.into(),
            advice: advice.into(),
        }
    }
}
