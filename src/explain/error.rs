//! Why a question could not be answered.

use crate::spectral::SpectralError;
use crate::train::TrainError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The question was withdrawn before the answer was there.
    #[error("the explanation was cancelled")]
    Cancelled,
    /// A row of P could not be had.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The filter could not be computed.
    #[error("the filter: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The model itself could not be computed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A question that this model or graph has no answer to.
    #[error("{place}: found {found}, expected {expected}\n  help: {advice}")]
    Fault {
        /// What was asked about.
        place: String,
        /// What was asked for, or what is there.
        found: String,
        /// What would have been right.
        expected: String,
        /// What the person can do about it.
        advice: String,
    },
}

impl ExplainError {
    /// A fault, said in full.
    pub(super) fn fault(
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

    /// Whether the question was withdrawn rather than refused.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Self::Cancelled => true,
            Self::Spectral(cause) => cause.is_cancelled(),
            Self::Fault { .. } | Self::Train(_) | Self::Tensor(_) => false,
        }
    }
}
