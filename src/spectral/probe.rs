//! The diagonals of T_n(M/scale), which no sparse product gives directly.
//!
//! T_0, T_1 and T_2 are exact: 1, M_ii and 2 Σ_j M_ij² − 1. The others are
//! means of z_i (T_n·z)_i over random sign vectors z, unbiased, with a spread
//! that is measured on the way and stated as an error.

use rayon::prelude::*;

use super::chebyshev::{ChebyshevOptions, PANEL};
use super::panels::{ROWS_A_TASK, Step};
use super::progress::{Monitor, Stage};
use super::random::signs;
use super::{Sparse, SpectralError};

/// Diagonals below this degree are exact.
const EXACT: usize = 3;

/// diag T_n for every n up to the degree.
#[derive(Debug, Clone)]
pub(super) struct Diagonals {
    /// diag T_0, diag T_1, …
    diagonals: Vec<Vec<f32>>,
    /// The root-mean-square error of each, from its spread over the probes.
    errors: Vec<f64>,
}

impl Diagonals {
    pub(super) fn probe(
        matrix: &Sparse<f32>,
        scale: f64,
        options: ChebyshevOptions,
        monitor: &Monitor,
    ) -> Result<Self, SpectralError> {
        let (size, degree) = (matrix.size(), options.degree);
        let rounds = if degree < EXACT { 0 } else { options.probes.div_ceil(PANEL).max(1) };
        let mut diagonals = vec![vec![0.0_f32; size]; degree + 1];
        let mut squares = vec![0.0_f64; degree + 1];
        for round in 0..rounds {
            let probe = signs::<f32, PANEL>(size, 0xd1a6 + round as u64);
            let (mut now, mut before) = (probe.clone(), vec![[0.0; PANEL]; size]);
            for n in 1..=degree {
                monitor.report(Stage::Probe, round * degree + n, rounds * degree)?;
                let (twice, keep) = if n == 1 { (1.0, 0.0) } else { (2.0, -1.0) };
                let step = Step { product: twice / scale, shift: 0.0, keep };
                matrix.par_step(step, &now, &mut before);
                std::mem::swap(&mut now, &mut before);
                squares[n] += add_round(&probe, &now, &mut diagonals[n]);
            }
        }
        let vectors = (rounds * PANEL) as f64;
        let mut errors = vec![0.0; degree + 1];
        for n in EXACT..=degree {
            for sum in &mut diagonals[n] {
                *sum /= vectors as f32;
            }
            let explained: f64 = diagonals[n].iter().map(|&mean| f64::from(mean).powi(2)).sum();
            let spread = (squares[n] / vectors - explained).max(0.0) / (size.max(1) as f64);
            errors[n] = (spread / (vectors - 1.0)).sqrt();
        }
        for row in 0..size {
            let known = exact(matrix, scale, row);
            for (diagonal, value) in diagonals.iter_mut().zip(known) {
                diagonal[row] = value as f32;
            }
        }
        Ok(Self { diagonals, errors })
    }

    /// Σ_n c_n diag T_n.
    pub(super) fn combine(&self, coefficients: &[f64]) -> Vec<f32> {
        let size = self.diagonals.first().map_or(0, Vec::len);
        let mut sums = vec![0.0; size];
        sums.par_chunks_mut(ROWS_A_TASK).enumerate().for_each(|(task, sums)| {
            for (diagonal, &factor) in self.diagonals.iter().zip(coefficients) {
                let factor = factor as f32;
                let piece = &diagonal[task * ROWS_A_TASK..];
                sums.iter_mut().zip(piece).for_each(|(sum, d)| *sum += factor * d);
            }
        });
        sums
    }

    /// Σ_i (diag T_n)_i factor_i for every n.
    pub(super) fn inner(&self, factors: &[f32]) -> Vec<f64> {
        let dot = |diagonal: &Vec<f32>| -> f64 {
            diagonal.iter().zip(factors).map(|(d, f)| f64::from(d * f)).sum()
        };
        self.diagonals.par_iter().map(dot).collect()
    }

    /// A bound on the root-mean-square error of [`Diagonals::combine`].
    pub(super) fn error(&self, coefficients: &[f64]) -> f64 {
        let terms = coefficients.iter().zip(&self.errors);
        terms.map(|(factor, error)| factor.abs() * error).sum()
    }
}

/// Adds z ∘ (T_n·z) of every probe; returns the sum of its squares.
fn add_round(probe: &[[f32; PANEL]], term: &[[f32; PANEL]], sums: &mut [f32]) -> f64 {
    let rows = probe.par_chunks(ROWS_A_TASK).zip(term.par_chunks(ROWS_A_TASK));
    let squares = rows.zip(sums.par_chunks_mut(ROWS_A_TASK)).map(|((probe, term), sums)| {
        let mut squares = 0.0;
        for ((z, term), sum) in probe.iter().zip(term).zip(sums) {
            let (mut row, mut square) = (0.0_f32, 0.0_f32);
            for lane in 0..PANEL {
                row += z[lane] * term[lane];
                square += term[lane] * term[lane];
            }
            *sum += row;
            squares += f64::from(square);
        }
        squares
    });
    // Collected first: the order of this sum must not depend on threads.
    squares.collect::<Vec<f64>>().into_iter().sum()
}

/// (T_0)_ii, (T_1)_ii and (T_2)_ii.
fn exact(matrix: &Sparse<f32>, scale: f64, row: usize) -> [f64; EXACT] {
    let (columns, values) = matrix.row(row);
    let own = columns.binary_search(&(row as u32)).map_or(0.0, |at| f64::from(values[at]));
    let square: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    [1.0, own / scale, 2.0 * square / (scale * scale) - 1.0]
}
