//! Errors of spectral computations: where, what was found, what was expected, and
//! what to do.

/// Why a spectral computation failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpectralError {
    /// The work was cancelled.
    #[error("the spectrum was cancelled during: {stage}")]
    Cancelled {
        /// The stage at that time.
        stage: String,
    },
    /// A result that must not be used.
    #[error("{place}: found {found}, expected {expected}\n  help: {advice}")]
    Fault {
        /// The computation and the matrix.
        place: String,
        /// The result, or the request.
        found: String,
        /// What was expected.
        expected: String,
        /// What the user can do about it.
        advice: String,
    },
}

impl SpectralError {
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

    /// A block or response whose size does not fit the operator.
    pub(super) fn size(what: &str, found: usize, expected: usize) -> Self {
        Self::fault(
            what,
            format!("{found} numbers"),
            format!("{expected}"),
            "pass one row for each node, and one response for each point of the operator",
        )
    }

    /// Whether the work was cancelled rather than failed.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled { .. })
    }
}
