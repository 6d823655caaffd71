//! A filter as a polynomial of the matrix itself, for a matrix whose eigenvectors
//! nobody has: one row of p(M) by Chebyshev's recurrence, in f64.

use std::f64::consts::PI;

use rayon::prelude::*;

use super::ExplainError;
use crate::graph::NodeId;
use crate::spectral::{Cancel, Matrix};

/// Points at which a filter is sampled.
const SAMPLES: usize = 1024;
/// What the coefficients left out may come to, as a share of all.
const TAIL: f64 = 1e-9;
/// No polynomial is longer: a filter that is cut off where the kept eigenvalues
/// end is followed only so far.
const MOST: usize = 256;
/// Rows that one task multiplies.
const SHARE: usize = 2048;

/// Σ c_n T_n(σ / half) on [-half, half].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polynomial {
    coefficients: Vec<f64>,
    half: f64,
}

impl Polynomial {
    /// The polynomial nearest to a filter of σ on [-half, half].
    pub(super) fn fit(filter: impl Fn(f64) -> f64, half: f64) -> Self {
        let angle = |at: usize| PI * (at as f64 + 0.5) / SAMPLES as f64;
        let values: Vec<f64> = (0..SAMPLES).map(|at| filter(half * angle(at).cos())).collect();
        let mut coefficients = chebyshev_coefficients(&values, MOST);
        let all: f64 = coefficients.iter().map(|c| c.abs()).sum();
        let mut tail = 0.0;
        while let Some(last) = coefficients.last() {
            tail += last.abs();
            if tail > TAIL * all || coefficients.len() == 1 {
                break;
            }
            coefficients.pop();
        }
        Self { coefficients, half }
    }

    /// Its degree.
    pub(super) fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    /// The row of p(M) of a node.
    pub(super) fn row(
        &self,
        matrix: &Matrix,
        node: NodeId,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, ExplainError> {
        let size = matrix.size();
        let (mut before, mut now) = (vec![0.0; size], vec![0.0; size]);
        now[node.index()] = 1.0;
        let mut sum = vec![0.0; size];
        for (n, &factor) in self.coefficients.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(ExplainError::Cancelled);
            }
            if n > 0 {
                // T_1 = y, T_n = 2 y T_n-1 − T_n-2 with y = M / half.
                let (twice, keep) = if n == 1 { (1.0, 0.0) } else { (2.0, 1.0) };
                step(matrix, twice / self.half, keep, &now, &mut before);
                std::mem::swap(&mut now, &mut before);
            }
            sum.iter_mut().zip(&now).for_each(|(sum, t)| *sum += factor * t);
        }
        Ok(sum)
    }
}

/// to ← factor · M·x − keep · to.
fn step(matrix: &Matrix, factor: f64, keep: f64, x: &[f64], to: &mut [f64]) {
    to.par_chunks_mut(SHARE).enumerate().for_each(|(share, rows)| {
        for (at, value) in rows.iter_mut().enumerate() {
            let (columns, entries) = matrix.entries().row(share * SHARE + at);
            let pairs = columns.iter().zip(entries);
            let sum: f64 = pairs.map(|(&column, entry)| entry * x[column as usize]).sum();
            *value = factor * sum - keep * *value;
        }
    });
}

/// c_0 … c_most of the polynomial through values at Chebyshev's nodes.
pub(super) fn chebyshev_coefficients(values: &[f64], most: usize) -> Vec<f64> {
    let count = values.len();
    let angle = |at: usize| PI * (at as f64 + 0.5) / count as f64;
    (0..=most.min(count.saturating_sub(1)))
        .map(|n| {
            let weight = if n == 0 { 1.0 } else { 2.0 } / count as f64;
            let terms = values.iter().enumerate();
            weight * terms.map(|(at, value)| value * (n as f64 * angle(at)).cos()).sum::<f64>()
        })
        .collect()
}

/// Σ c_n T_n(s), by Clenshaw's way, which also holds a little beyond ±1.
pub(super) fn chebyshev_value(coefficients: &[f64], s: f64) -> f64 {
    let (mut one, mut two) = (0.0, 0.0);
    for &c in coefficients.iter().skip(1).rev() {
        (one, two) = (c + 2.0 * s * one - two, one);
    }
    coefficients.first().copied().unwrap_or(0.0) + s * one - two
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{LoadOptions, load};
    use crate::spectral::{EdgeValues, MatrixKind};

    #[test]
    fn the_square_of_a_matrix_is_its_square() {
        let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap();
        let matrix = Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Weighted).unwrap();
        let square = Polynomial::fit(|s| s * s, 1.0);
        assert_eq!(square.degree(), 2);
        let row = square.row(&matrix, NodeId(4), &Cancel::default()).unwrap();
        let entry = |a: usize, b: usize| {
            let (columns, values) = matrix.entries().row(a);
            columns.binary_search(&(b as u32)).map_or(0.0, |at| values[at])
        };
        for (other, found) in row.iter().enumerate() {
            let exact: f64 = (0..34).map(|n| entry(4, n) * entry(n, other)).sum();
            assert!((found - exact).abs() < 1e-12, "{found} {exact}");
        }
    }

    #[test]
    fn a_smooth_filter_is_followed_by_few_terms() {
        let smooth = Polynomial::fit(|s| (2.0 * (s - 1.0)).exp(), 1.0);
        assert!(smooth.degree() < 20, "{}", smooth.degree());
        for s in [-1.0_f64, -0.3, 0.5, 1.0] {
            let found = chebyshev_value(&smooth.coefficients, s);
            assert!((found - (2.0 * (s - 1.0)).exp()).abs() < 1e-8);
        }
    }

    #[test]
    fn cancelled_work_stops() {
        let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap();
        let matrix = Matrix::of(&graph, MatrixKind::Sym, EdgeValues::Weighted).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let found = Polynomial::fit(f64::abs, 1.0).row(&matrix, NodeId(0), &cancel);
        assert!(found.is_err_and(|error| error.is_cancelled()));
    }
}
