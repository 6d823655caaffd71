//! The bounds of the spectrum: a few Lanczos steps with a safety margin.

use faer::{Mat, Side};
use rayon::prelude::*;

use super::panels::{ROWS_A_TASK, Step};
use super::progress::{Monitor, Stage};
use super::random::{stream, uniform};
use super::{Matrix, SpectralError};

/// An interval of the real line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The smallest interval around both.
    pub(super) fn around(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection; empty intervals have their ends swapped.
    pub(super) fn within(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Half its length.
    pub(super) fn half(self) -> f64 {
        ((self.high - self.low) / 2.0).max(0.0)
    }

    /// The largest magnitude in it.
    pub(super) fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

const STEPS: usize = 40;

/// An interval that contains every eigenvalue, close to the outermost ones.
///
/// The outermost Ritz values of Lanczos approach the ends of the spectrum after a
/// few steps; the margin is twice their residuals plus a thousandth of the whole,
/// capped by the matrix's own bound.
pub(super) fn spectrum_bounds(
    matrix: &Matrix,
    monitor: &Monitor,
) -> Result<Interval, SpectralError> {
    let entries = matrix.entries();
    let size = matrix.size();
    if size == 0 {
        return Ok(Interval { low: 0.0, high: 0.0 });
    }
    let mut random = stream(0x01a2_c05e, 0);
    let mut current: Vec<[f64; 1]> = (0..size).map(|_| [uniform(&mut random)]).collect();
    scale_to_unit(&mut current);
    let mut basis: Vec<Vec<[f64; 1]>> = Vec::new();
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut rest = 0.0;
    for step in 0..STEPS.min(size) {
        monitor.report(Stage::Bounds, step, STEPS)?;
        let mut next = vec![[0.0]; size];
        entries.par_step(Step::PRODUCT, &current, &mut next);
        diagonal.push(dot(&current, &next));
        basis.push(current);
        // Orthogonalised against all, twice, so that no ghost eigenvalues appear.
        for _ in 0..2 {
            for known in &basis {
                let share = dot(known, &next);
                next.par_iter_mut().zip(known).for_each(|(n, k)| n[0] -= share * k[0]);
            }
        }
        rest = dot(&next, &next).sqrt();
        if rest <= 1e-12 * matrix.bound() {
            break;
        }
        scale_to_unit(&mut next);
        beside.push(rest);
        current = next;
    }
    let steps = diagonal.len();
    let small = Mat::from_fn(steps, steps, |row, column| match row.abs_diff(column) {
        0 => diagonal[row],
        1 => beside[row.min(column)],
        _ => 0.0,
    });
    let bound = matrix.bound();
    let whole = Interval { low: -bound, high: bound };
    let Ok(ritz) = small.self_adjoint_eigen(Side::Lower) else { return Ok(whole) };
    let Some(last) = steps.checked_sub(1) else { return Ok(whole) };
    // A Ritz pair's residual is the last entry of its vector times `rest`.
    let margin = |n: usize| 2.0 * rest * ritz.U()[(last, n)].abs() + 1e-3 * bound;
    let value = |n: usize| ritz.S().column_vector()[n];
    Ok(Interval { low: value(0) - margin(0), high: value(last) + margin(last) }.within(whole))
}

fn dot(a: &[[f64; 1]], b: &[[f64; 1]]) -> f64 {
    let pieces = a.par_chunks(ROWS_A_TASK).zip(b.par_chunks(ROWS_A_TASK));
    let sums = pieces.map(|(a, b)| a.iter().zip(b).map(|(x, y)| x[0] * y[0]).sum::<f64>());
    // Collected first: the order of this sum must not depend on threads.
    sums.collect::<Vec<f64>>().into_iter().sum()
}

fn scale_to_unit(vector: &mut [[f64; 1]]) {
    let norm = dot(vector, vector).sqrt();
    if norm > 0.0 {
        for x in vector {
            x[0] /= norm;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::tests::symmetric;
    use super::super::{Matrix, MatrixKind};
    use super::*;

    fn bounds(size: usize, entries: &[(usize, usize, f64)]) -> Interval {
        let matrix = Matrix::new(MatrixKind::Adjacency, symmetric(size, entries)).unwrap();
        spectrum_bounds(&matrix, &Monitor::silent()).unwrap()
    }

    #[test]
    fn every_eigenvalue_lies_inside_and_the_ends_are_close() {
        // A star: ±√leaves and zeros.
        let star: Vec<_> = (1..400).map(|leaf| (0, leaf, 1.0)).collect();
        let Interval { low, high } = bounds(400, &star);
        let end = 399_f64.sqrt();
        assert!(low <= -end && high >= end && high < 1.1 * end && low > -1.1 * end);
        // A path: 2 cos, crowded at both ends.
        let path: Vec<_> = (1..2000).map(|n| (n - 1, n, 1.0)).collect();
        let Interval { low, high } = bounds(2000, &path);
        assert!((-2.0..=-1.999).contains(&low) && (1.999..=2.0).contains(&high));
    }

    #[test]
    fn an_empty_matrix_has_an_empty_spectrum_around_zero() {
        assert_eq!(bounds(5, &[]), Interval { low: 0.0, high: 0.0 });
        assert!(bounds(0, &[]).magnitude() < 1e-12);
    }
}
