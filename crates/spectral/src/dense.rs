//! The dense engine: every eigenpair of a small matrix, by faer in f64.

use faer::{Mat, Side};

use super::block::Pairs;
use super::progress::{Monitor, Stage};
use super::{Matrix, SpectralError, Which};

/// The requested pairs.
pub(super) fn decompose(
    matrix: &Matrix,
    count: usize,
    which: Which,
    monitor: &Monitor,
) -> Result<Pairs, SpectralError> {
    monitor.report(Stage::Dense, 0, 1)?;
    let size = matrix.size();
    let mut full = Mat::<f64>::zeros(size, size);
    for row in 0..size {
        let (columns, values) = matrix.entries().row(row);
        for (&column, &value) in columns.iter().zip(values) {
            full[(row, column as usize)] = value;
        }
    }
    let eigen = full.self_adjoint_eigen(Side::Lower).map_err(|_| {
        SpectralError::fault(
            format!("the dense engine on the {} matrix", matrix.kind()),
            "no convergence",
            "a decomposition",
            "check the edge weights for very large or very small values",
        )
    })?;
    drop(full);
    monitor.report(Stage::Dense, 1, 1)?;
    let all: Vec<f64> = eigen.S().column_vector().iter().copied().collect();
    let wanted: Vec<usize> = which.ranked(&all).into_iter().take(count).collect();
    let from = eigen.U();
    let mut vectors = Vec::with_capacity(size * count);
    for row in 0..size {
        vectors.extend(wanted.iter().map(|&column| from[(row, column)] as f32));
    }
    Ok(Pairs { values: wanted.iter().map(|&n| all[n]).collect(), vectors })
}
