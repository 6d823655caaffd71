//! Why an experiment failed.

use gesf_graph::GraphError;
use gesf_spectral::SpectralError;

/// An error of the lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A tensor operation failed.
    #[error("experiment tensors: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The spectrum could not be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The graph could not be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A value became NaN or infinite.
    #[error(
        "step {step}: the gradient of {parameter} is NaN; nothing was updated\n  help: restart \
         the experiment"
    )]
    Broken {
        /// The parameter.
        parameter: String,
        /// The step.
        step: u64,
    },
    /// An invalid input.
    #[error("{what}: found {found}, expected {expected}\n  help: {advice}")]
    Nothing {
        /// The input.
        what: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
        /// What to do.
        advice: String,
    },
}
