//! The diagonals of T_n(M/scale), which no sparse product gives directly.
//!
//! T_0, T_1 and T_2 are exact: 1, M_ii and 2 Σ_j M_ij² − 1. The others are
//! means of z_i (T_n·z)_i over random sign vectors z, unbiased, with a spread
//! that is measured on the way and stated as an error.

use super::chebyshev::{ChebyshevOptions, PANEL};
use super::panels::Step;
use super::progress::{Monitor, Stage};
use super::random::signs;
use super::{Sparse, SpectralError};

/// Diagonals below this degree are exact.
const EXACT: usize = 3;

/// diag T_n for every n up to the degree.
#[derive(Debug, Clone)]
pub(super) struct Diagonals {
    /// diag T_3, diag T_4, …, one after the other.
    probed: Vec<Vec<f32>>,
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
        let size = matrix.size();
        let count = (options.degree + 1).saturating_sub(EXACT);
        let rounds = options.probes.div_ceil(PANEL).max(1);
        let mut probed = vec![vec![0.0_f32; size]; count];
        let mut squares = vec![0.0_f64; count];
        for round in 0..if count > 0 { rounds } else { 0 } {
            let probe = signs::<f32, PANEL>(size, 0xd1a6 + round as u64);
            let (mut now, mut before) = (probe.clone(), vec![[0.0; PANEL]; size]);
            for n in 1..=options.degree {
                monitor.report(
                    Stage::Probe,
                    round * options.degree + n,
                    rounds * options.degree,
                )?;
                let (twice, keep) = if n == 1 { (1.0, 0.0) } else { (2.0, -1.0) };
                let step = Step { product: twice / scale, shift: 0.0, keep };
                matrix.par_step(step, &now, &mut before);
                std::mem::swap(&mut now, &mut before);
                if n >= EXACT {
                    squares[n - EXACT] += add_round(&probe, &now, &mut probed[n - EXACT]);
                }
            }
        }
        let vectors = (rounds * PANEL) as f64;
        let mut errors = Vec::with_capacity(count);
        for (means, square) in probed.iter_mut().zip(squares) {
            for sum in means.iter_mut() {
                *sum /= vectors as f32;
            }
            let explained: f64 = means.iter().map(|&mean| f64::from(mean).powi(2)).sum();
            let spread = (square / vectors - explained).max(0.0) / (size.max(1) as f64);
            errors.push((spread / (vectors - 1.0)).sqrt());
        }
        Ok(Self { probed, errors })
    }

    /// Σ_n c_n diag T_n.
    pub(super) fn combine(
        &self,
        matrix: &Sparse<f32>,
        scale: f64,
        coefficients: &[f64],
    ) -> Vec<f32> {
        let mut sums: Vec<f32> = (0..matrix.size())
            .map(|row| {
                let known = exact(matrix, scale, row);
                known.iter().zip(coefficients).map(|(d, c)| d * c).sum::<f64>() as f32
            })
            .collect();
        for (diagonal, &factor) in self.probed.iter().zip(coefficients.iter().skip(EXACT)) {
            let factor = factor as f32;
            sums.iter_mut().zip(diagonal).for_each(|(sum, d)| *sum += factor * d);
        }
        sums
    }

    /// Σ_i (diag T_n)_i factor_i for every n.
    pub(super) fn inner(&self, matrix: &Sparse<f32>, scale: f64, factors: &[f32]) -> Vec<f64> {
        let mut known = [0.0; EXACT];
        for (row, &factor) in factors.iter().enumerate() {
            let at = exact(matrix, scale, row);
            known.iter_mut().zip(at).for_each(|(sum, d)| *sum += d * f64::from(factor));
        }
        let probed = self.probed.iter().map(|diagonal| {
            diagonal.iter().zip(factors).map(|(d, f)| f64::from(d * f)).sum::<f64>()
        });
        known.into_iter().chain(probed).collect()
    }

    /// A bound on the root-mean-square error of [`Diagonals::combine`].
    pub(super) fn error(&self, coefficients: &[f64]) -> f64 {
        let probed = coefficients.iter().skip(EXACT).zip(&self.errors);
        probed.map(|(factor, error)| factor.abs() * error).sum()
    }
}

/// Adds z ∘ (T_n·z) of every probe; returns the sum of its squares.
fn add_round(probe: &[[f32; PANEL]], term: &[[f32; PANEL]], sums: &mut [f32]) -> f64 {
    let mut squares = 0.0;
    for ((z, term), sum) in probe.iter().zip(term).zip(sums) {
        let mut row = 0.0_f32;
        let mut square = 0.0_f32;
        for lane in 0..PANEL {
            row += z[lane] * term[lane];
            square += term[lane] * term[lane];
        }
        *sum += row;
        squares += f64::from(square);
    }
    squares
}

/// (T_0)_ii, (T_1)_ii and (T_2)_ii.
fn exact(matrix: &Sparse<f32>, scale: f64, row: usize) -> [f64; EXACT] {
    let (columns, values) = matrix.row(row);
    let own = columns.binary_search(&(row as u32)).map_or(0.0, |at| f64::from(values[at]));
    let square: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    [1.0, own / scale, 2.0 * square / (scale * scale) - 1.0]
}
