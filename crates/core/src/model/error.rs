//! Why the model could not be built or computed.

use gesf_spectral::SpectralError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A tensor operation failed.
    #[error("model tensors: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The graph has no split of that name.
    #[error(
        "split: found `{found}`, expected {expected}\n  help: add a node column that says train, \
         validation or test, or pass a table with --split FILE"
    )]
    NoSplit {
        /// The requested split.
        found: String,
        /// The available ones.
        expected: String,
    },
    /// The spectrum could not be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
}
