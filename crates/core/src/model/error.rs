//! Why the model could not be built or computed.

use gesf_spectral::SpectralError;

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A tensor operation failed.
    #[error("model tensors: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The spectrum could not be computed.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
}
