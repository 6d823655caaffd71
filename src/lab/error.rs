//! Why an experiment could not go on.

use crate::graph::GraphError;
use crate::spectral::SpectralError;

/// What went wrong in the lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The tensors refused.
    #[error("the tensors of the experiment: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The spectrum could not be had.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The graph could not be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A number stopped being one.
    #[error(
        "step {step}: the gradient of {parameter} is no number; nothing was moved\n  help: start \
         the experiment anew"
    )]
    Broken {
        /// Which parameter.
        parameter: String,
        /// When.
        step: u64,
    },
    /// There is nothing to do it with.
    #[error("{what}: found {found}, expected {expected}\n  help: {advice}")]
    Nothing {
        /// What it is about.
        what: &'static str,
        /// What there is.
        found: String,
        /// What there should be.
        expected: String,
        /// What to do.
        advice: String,
    },
}
