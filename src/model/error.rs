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
}
