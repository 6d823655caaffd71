//! Sums over rows of f32, written so that the compiler keeps them in vector
//! registers: a fixed number of partial sums, added in a fixed order. Inlining
//! passes the instruction set on to the loops: see pulp.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::panels::ROWS_A_TASK;
use super::tiles::Rows;

const LANES: usize = 16;

/// Σ_k u_k² ρ_k for each row of `rows`, `weights.len()` numbers per row.
pub(super) fn weighted_squares(rows: &[f32], weights: &[f32], out: &mut [f32]) {
    Arch::new().dispatch(WeightedSquares { rows, weights, out });
}

struct WeightedSquares<'a> {
    rows: &'a [f32],
    weights: &'a [f32],
    out: &'a mut [f32],
}

#[allow(clippy::inline_always)]
impl WithSimd for WeightedSquares<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let (weights, rest_weights) = self.weights.as_chunks::<LANES>();
        for (row, out) in self.rows.chunks(self.weights.len().max(1)).zip(self.out) {
            let (row, rest) = row.as_chunks::<LANES>();
            let mut sums = [0.0_f32; LANES];
            for (u, weight) in row.iter().zip(weights) {
                for lane in 0..LANES {
                    sums[lane] += u[lane] * u[lane] * weight[lane];
                }
            }
            let last: f32 = rest.iter().zip(rest_weights).map(|(u, w)| u * u * w).sum();
            *out = sums.iter().sum::<f32>() + last;
        }
    }
}

/// e_k += Σ_rows u_k² g_row, for k in some columns.
pub(super) fn add_squares(
    rows: Rows<'_>,
    columns: Range<usize>,
    factors: &[f32],
    sums: &mut [f32],
) {
    Arch::new().dispatch(AddSquares { rows, columns, factors, sums });
}

struct AddSquares<'a> {
    rows: Rows<'a>,
    columns: Range<usize>,
    factors: &'a [f32],
    sums: &'a mut [f32],
}

#[allow(clippy::inline_always)]
impl WithSimd for AddSquares<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let rows = self.rows.values.chunks(self.rows.width.max(1));
        for (row, &factor) in rows.zip(self.factors) {
            for (sum, u) in self.sums.iter_mut().zip(&row[self.columns.clone()]) {
                *sum += u * u * factor;
            }
        }
    }
}

/// Σ a·b for each pair of rows of `width` numbers.
pub(super) fn row_dots(a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    Arch::new().dispatch(RowDots { a, b, width, out });
}

struct RowDots<'a> {
    a: &'a [f32],
    b: &'a [f32],
    width: usize,
    out: &'a mut [f32],
}

#[allow(clippy::inline_always)]
impl WithSimd for RowDots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let width = self.width.max(1);
        for ((a, b), out) in self.a.chunks(width).zip(self.b.chunks(width)).zip(self.out) {
            let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
            let mut sums = [0.0_f32; LANES];
            for (a, b) in a.iter().zip(b) {
                for lane in 0..LANES {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            let last: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
            *out = sums.iter().sum::<f32>() + last;
        }
    }
}

/// [`row_dots`] of many rows, in parallel.
pub(super) fn par_row_dots(a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    out.par_chunks_mut(ROWS_A_TASK).enumerate().for_each(|(task, out)| {
        let range = task * ROWS_A_TASK * width..(task * ROWS_A_TASK + out.len()) * width;
        row_dots(&a[range.clone()], &b[range], width, out);
    });
}

/// out −= factor_row · from, row by row.
pub(super) fn subtract_scaled(out: &mut [f32], factors: &[f32], from: &[f32], width: usize) {
    let width = width.max(1);
    for ((out, from), &factor) in out.chunks_mut(width).zip(from.chunks(width)).zip(factors) {
        out.iter_mut().zip(from).for_each(|(out, from)| *out -= factor * from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_agrees_with_the_explicit_one() {
        let width = 37;
        let rows: Vec<f32> = (0..3 * width).map(|n| (n % 7) as f32 - 3.0).collect();
        let weights: Vec<f32> = (0..width).map(|n| (n % 5) as f32 * 0.5).collect();
        let (mut squares, mut dots) = ([0.0; 3], [0.0; 3]);
        weighted_squares(&rows, &weights, &mut squares);
        row_dots(&rows, &rows, width, &mut dots);
        let mut sums = vec![1.0; width - 2];
        let all = Rows { values: &rows, width };
        add_squares(all, 2..width, &[1.0, 2.0, -1.0], &mut sums);
        for n in 0..3 {
            let row = &rows[n * width..][..width];
            let square: f32 = row.iter().zip(&weights).map(|(u, w)| u * u * w).sum();
            assert!((squares[n] - square).abs() < 1e-3);
            assert!((dots[n] - row.iter().map(|u| u * u).sum::<f32>()).abs() < 1e-3);
        }
        let at = |row: usize, column: usize| rows[row * width + column].powi(2);
        assert!((sums[2] - (1.0 + at(0, 4) + 2.0 * at(1, 4) - at(2, 4))).abs() < 1e-3);
    }
}
