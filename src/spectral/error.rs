//! What can go wrong while a spectrum is computed or used: where, what was
//! found, what was expected, and what a person can do about it.

/// Why the spectral room could not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpectralError {
    /// The work was cancelled from outside.
    #[error("the spectrum was cancelled while it was at: {stage}")]
    Cancelled {
        /// What was being done.
        stage: String,
    },
    /// A result that must not be used.
    #[error("{place}: found {found}, expected {expected}\n  help: {advice}")]
    Fault {
        /// Which computation, on which matrix.
        place: String,
        /// What came out, or what was asked for.
        found: String,
        /// What would have been right.
        expected: String,
        /// What the person can do about it.
        advice: String,
    },
}

impl SpectralError {
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
