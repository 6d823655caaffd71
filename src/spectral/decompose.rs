//! The door of the room: a matrix and a wish in, a checked spectrum out.

use std::sync::Arc;

use super::progress::supervise;
use super::{
    Cancel, Choice, Engine, Matrix, Progress, SpectralError, Spectrum, Which, block, choose, dense,
};

/// What is wanted of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// How many eigenpairs; more than there are means all.
    pub count: usize,
    /// Which of them.
    pub which: Which,
    /// The engine, where it is not to be chosen by size.
    pub engine: Option<Engine>,
    /// The largest residual that is accepted, as a share of max|σ|.
    pub tolerance: f64,
}

impl Default for Request {
    fn default() -> Self {
        Self { count: 1000, which: Which::Highest, engine: None, tolerance: 1e-5 }
    }
}

impl Request {
    /// How many pairs that is for a matrix of this size.
    pub fn count_for(&self, size: usize) -> usize {
        if self.which == Which::All { size } else { self.count.min(size) }
    }

    /// The engine that will be used, and why.
    pub fn choice(&self, matrix: &Matrix) -> Choice {
        match self.engine {
            Some(engine) => Choice { engine, reason: "asked for".to_owned() },
            None => choose(matrix, self.count, self.which),
        }
    }
}

/// The block engine aims below the accepted residual, so that rounding the
/// vectors to f32 does not lift one above it.
const AIM: f64 = 0.2;

/// Eigenpairs of a matrix, measured before they are returned.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use gesf_tui::graph::{LoadOptions, load};
/// use gesf_tui::spectral::{Cancel, EdgeValues, Matrix, MatrixKind, Request, decompose};
///
/// let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
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
            (format!("{count} eigenpairs of {} nodes", matrix.size()), "ask for at least one")
        } else {
            (
                format!("the Chebyshev engine for {count} eigenpairs"),
                "it has no eigenpairs: ask for fewer pairs, force another engine, or use the \
                 density of the spectrum",
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
