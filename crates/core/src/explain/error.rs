//! Why an explanation failed.

use crate::train::TrainError;
use gesf_spectral::SpectralError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The job was cancelled.
    #[error("the explanation was cancelled")]
    Cancelled,
    /// A row of P could not be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The filter could not be computed.
    #[error("the filter: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The model could not be computed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Not defined for this model or graph.
    #[error("{place}: found {found}, expected {expected}\n  help: {advice}")]
    Fault {
        /// The place of the fault.
        place: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
        /// What the user can do about it.
        advice: String,
    },
}

impl ExplainError {
    /// An error with all its parts.
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

    /// Whether the job was cancelled rather than refused.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Self::Cancelled => true,
            Self::Spectral(cause) => cause.is_cancelled(),
            Self::Fault { .. } | Self::Train(_) | Self::Tensor(_) => false,
        }
    }
}
