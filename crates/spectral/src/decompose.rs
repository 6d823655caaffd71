//! The entry point: computes a checked spectrum of a matrix.

use std::sync::Arc;

use super::progress::supervise;
use super::{
    Cancel, Choice, Engine, Matrix, Progress, SpectralError, Spectrum, Which, block, choose, dense,
};

/// The requested part of a spectrum.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// How many eigenpairs; more than exist means all.
    pub count: usize,
    /// Which of them.
    pub which: Which,
    /// The engine; chosen by size if `None`.
    pub engine: Option<Engine>,
    /// The largest accepted residual, relative to max|σ|.
    pub tolerance: f64,
}

impl Default for Request {
    fn default() -> Self {
        Self { count: 1000, which: Which::Highest, engine: None, tolerance: 1e-5 }
    }
}

impl Request {
    /// The number of pairs for a matrix of this size.
    pub fn count_for(&self, size: usize) -> usize {
        if self.which == Which::All { size } else { self.count.min(size) }
    }

    /// The engine that will be used, and the reason.
    pub fn choice(&self, matrix: &Matrix) -> Choice {
        match self.engine {
            Some(engine) => Choice { engine, reason: "requested".to_owned() },
            None => choose(matrix, self.count, self.which),
        }
    }
}

/// The block engine aims below the accepted residual, so that rounding the vectors
/// to f32 does not exceed it.
const AIM: f64 = 0.2;

/// Eigenpairs of a matrix, checked before they are returned.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use gesf_graph::{LoadOptions, load};
/// use gesf_spectral::{Cancel, EdgeValues, Matrix, MatrixKind, Request, decompose};
///
/// let (graph, _) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
/// let matrix = Arc::new(Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Weighted)?);
/// let spectrum = decompose(&matrix, &Request::default(), &Cancel::default(), &mut |_| {})?;
/// assert_eq!(spectrum.count(), 34);
/// assert!((spectrum.values()[0] - 1.0).abs() < 1e-12);
/// # Ok(()) }
/// ```
pub fn decompose(
    matrix: &Arc<Matrix>,
    request: &Request,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress),
) -> Result<Spectrum, SpectralError> {
    let engine = request.choice(matrix).engine;
    let count = request.count_for(matrix.size());
    if count == 0 || engine == Engine::Chebyshev {
        let (found, advice) = if count == 0 {
            (format!("{count} eigenpairs of {} nodes", matrix.size()), "request at least one")
        } else {
            (
                format!("the Chebyshev engine for {count} eigenpairs"),
                "it computes no eigenpairs: request fewer, choose another engine, or use the \
                 spectral density",
            )
        };
        return Err(SpectralError::fault("a spectrum", found, "eigenpairs to compute", advice));
    }
    let (matrix, which, tolerance) = (matrix.clone(), request.which, request.tolerance);
    supervise(cancel, watch, move |mut monitor| {
        let pairs = if engine == Engine::Dense {
            dense::decompose(&matrix, count, which, &monitor)?
        } else {
            block::decompose(&matrix, count, which, AIM * tolerance, &mut monitor)?
        };
        Spectrum::checked(&matrix, pairs, engine, tolerance, &monitor)
    })
}
