//! One term of the Chebyshev recurrence for a block of columns in row-major order:
//! T_n = factor · M·T_n-1 − T_n-2, added to Σ c_n T_n on the way.
//!
//! The sums of a row stay in registers over all its entries, and the new row is
//! fully used before it leaves them.

// Loops with constant bounds, written like this, stay in registers.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::Sparse;

/// Rows per task: few enough that a delayed thread leaves work to the others.
const ROWS: usize = 512;

/// Where T_n-2 is read from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before<'a> {
    /// There is none: n = 1.
    Nothing,
    /// In a separate buffer: n = 2.
    Rows(&'a [f32]),
    /// In the output buffer.
    Output,
}

/// The inputs of a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) matrix: &'a Sparse<f32>,
    /// The factor of M·T_n-1.
    pub(super) factor: f32,
    /// T_n-1.
    pub(super) x: &'a [f32],
    pub(super) width: usize,
    pub(super) before: Before<'a>,
    /// c_n.
    pub(super) coefficient: f32,
    /// For n = 1: the initial value of row v of the sum, as a multiple of row v of
    /// x.
    pub(super) own: Option<&'a [f32]>,
    /// Rows whose inner product with the term is requested.
    pub(super) against: Option<&'a [f32]>,
}

impl Term<'_> {
    /// Computes the term into `out` and adds it to `sum`. Returns the inner
    /// product, 0 if none is requested. Each row is summed by one thread in a fixed
    /// order: the bits do not depend on the number of threads.
    pub(super) fn compute(self, out: &mut [f32], sum: &mut [f32]) -> f64 {
        let task = (ROWS * self.width).max(1);
        let tasks = out.par_chunks_mut(task).zip(sum.par_chunks_mut(task));
        let dots = tasks.enumerate().map(|(at, (out, sum))| {
            let first = at * ROWS;
            let rows = first..first + out.len() / self.width.max(1);
            Arch::new().dispatch(Kernel { term: self, rows, out, sum })
        });
        // Collected first: the order of this sum must not depend on threads.
        dots.collect::<Vec<f64>>().into_iter().sum()
    }
}

struct Kernel<'a, 'b> {
    term: Term<'a>,
    rows: Range<usize>,
    out: &'b mut [f32],
    sum: &'b mut [f32],
}

// Inlining passes the instruction set on to the loops: see pulp.
#[allow(clippy::inline_always)]
impl WithSimd for Kernel<'_, '_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { term, rows, out, sum } = self;
        let width = term.width.max(1);
        let mut dot = 0.0;
        for ((row, out), sum) in rows.zip(out.chunks_mut(width)).zip(sum.chunks_mut(width)) {
            let mut column = 0;
            let mut part = simd.splat_f32s(0.0);
            while column < width {
                let lanes = S::F32_LANES;
                let left = width - column;
                let (cells, inner) = if left >= 8 * lanes {
                    (8 * lanes, cells::<S, 8>(simd, &term, row, column, out, sum))
                } else if left >= 4 * lanes {
                    (4 * lanes, cells::<S, 4>(simd, &term, row, column, out, sum))
                } else if left >= lanes {
                    (lanes, cells::<S, 1>(simd, &term, row, column, out, sum))
                } else {
                    (left, rest(simd, &term, row, column, out, sum))
                };
                part = simd.add_f32s(part, inner);
                column += cells;
            }
            dot += f64::from(simd.reduce_sum_f32s(part));
        }
        dot
    }
}

/// The next vectors of a row. Returns their share of the inner product.
#[allow(clippy::inline_always)]
#[inline(always)]
fn cells<S: Simd, const C: usize>(
    simd: S,
    term: &Term<'_>,
    row: usize,
    column: usize,
    out: &mut [f32],
    sum: &mut [f32],
) -> S::f32s {
    let count = C * S::F32_LANES;
    let mut sums = [simd.splat_f32s(0.0); C];
    let (columns, values) = term.matrix.row(row);
    for (&other, &value) in columns.iter().zip(values) {
        let from = S::as_simd_f32s(&term.x[other as usize * term.width + column..][..count]).0;
        let value = simd.splat_f32s(value);
        for vector in 0..C {
            sums[vector] = simd.mul_add_e_f32s(value, from[vector], sums[vector]);
        }
    }
    let out = S::as_mut_simd_f32s(&mut out[column..][..count]).0;
    let sum = S::as_mut_simd_f32s(&mut sum[column..][..count]).0;
    let factor = simd.splat_f32s(term.factor);
    let here = row * term.width + column;
    for vector in 0..C {
        let product = simd.mul_f32s(factor, sums[vector]);
        let new = match term.before {
            Before::Nothing => product,
            Before::Rows(rows) => {
                let before = S::as_simd_f32s(&rows[here..][..count]).0[vector];
                simd.sub_f32s(product, before)
            }
            Before::Output => simd.sub_f32s(product, out[vector]),
        };
        out[vector] = new;
        sums[vector] = new;
    }
    let coefficient = simd.splat_f32s(term.coefficient);
    for vector in 0..C {
        let start = match term.own {
            Some(own) => {
                let x = S::as_simd_f32s(&term.x[here..][..count]).0[vector];
                simd.mul_f32s(simd.splat_f32s(own[row]), x)
            }
            None => sum[vector],
        };
        sum[vector] = simd.mul_add_e_f32s(coefficient, sums[vector], start);
    }
    let mut dot = simd.splat_f32s(0.0);
    if let Some(against) = term.against {
        let against = S::as_simd_f32s(&against[here..][..count]).0;
        for vector in 0..C {
            dot = simd.mul_add_e_f32s(against[vector], sums[vector], dot);
        }
    }
    dot
}

/// The last numbers of a row, fewer than a vector holds.
#[allow(clippy::inline_always)]
#[inline(always)]
fn rest<S: Simd>(
    simd: S,
    term: &Term<'_>,
    row: usize,
    column: usize,
    out: &mut [f32],
    sum: &mut [f32],
) -> S::f32s {
    let mut sums = simd.splat_f32s(0.0);
    let (columns, values) = term.matrix.row(row);
    let of = |rows: &[f32], row: usize| {
        let start = row * term.width;
        simd.partial_load_f32s(&rows[start + column..start + term.width])
    };
    for (&other, &value) in columns.iter().zip(values) {
        sums = simd.mul_add_e_f32s(simd.splat_f32s(value), of(term.x, other as usize), sums);
    }
    let product = simd.mul_f32s(simd.splat_f32s(term.factor), sums);
    let new = match term.before {
        Before::Nothing => product,
        Before::Rows(rows) => simd.sub_f32s(product, of(rows, row)),
        Before::Output => simd.sub_f32s(product, simd.partial_load_f32s(&out[column..])),
    };
    simd.partial_store_f32s(&mut out[column..], new);
    let start = match term.own {
        Some(own) => simd.mul_f32s(simd.splat_f32s(own[row]), of(term.x, row)),
        None => simd.partial_load_f32s(&sum[column..]),
    };
    let coefficient = simd.splat_f32s(term.coefficient);
    simd.partial_store_f32s(&mut sum[column..], simd.mul_add_e_f32s(coefficient, new, start));
    match term.against {
        Some(against) => simd.mul_f32s(of(against, row), new),
        None => simd.splat_f32s(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::tests::symmetric;
    use super::*;

    #[test]
    fn a_term_equals_the_explicit_sum_at_any_width() {
        let matrix = symmetric(3, &[(0, 1, 2.0), (1, 2, 3.0), (2, 2, 1.0)]).cast::<f32>();
        for width in [1, 3, 8, 21, 64, 77, 130] {
            let wave = |pace: f32| -> Vec<f32> {
                (0..3 * width).map(|n| (n as f32 * pace).sin()).collect()
            };
            let (x, before, own) = (wave(0.3), wave(0.7), [0.5, -1.0, 2.0]);
            let product = |row: usize, column: usize| -> f32 {
                let (columns, values) = matrix.row(row);
                let entries = columns.iter().zip(values);
                entries.map(|(&other, value)| value * x[other as usize * width + column]).sum()
            };
            let term = Term {
                matrix: &matrix,
                factor: 1.5,
                x: &x,
                width,
                before: Before::Rows(&before),
                coefficient: 0.25,
                own: Some(&own),
                against: Some(&before),
            };
            let (mut out, mut sum) = (vec![0.0; 3 * width], vec![f32::NAN; 3 * width]);
            let dot = term.compute(&mut out, &mut sum);
            let mut exact_dot = 0.0;
            for at in 0..3 * width {
                let (row, column) = (at / width, at % width);
                let new = 1.5 * product(row, column) - before[at];
                assert!((out[at] - new).abs() < 1e-5, "{width}: {} {new}", out[at]);
                let total = own[row] * x[at] + 0.25 * new;
                assert!((sum[at] - total).abs() < 1e-5, "{width}: {} {total}", sum[at]);
                exact_dot += f64::from(before[at] * new);
            }
            assert!((dot - exact_dot).abs() < 1e-3, "{width}: {dot} {exact_dot}");
            let again = Term { before: Before::Output, own: None, against: None, ..term };
            let kept = out.clone();
            again.compute(&mut out, &mut sum);
            for at in 0..3 * width {
                let new = 1.5 * product(at / width, at % width) - kept[at];
                assert!((out[at] - new).abs() < 1e-5);
            }
        }
    }
}
