//! The kernel of every engine: M times a narrow panel of columns.
//!
//! A panel is N rows of `W` numbers, with `W` a compile-time constant: a row is one
//! or two cache lines and its sum stays in registers. A whole recurrence runs on
//! one panel before the next is touched, so the panel stays in cache however many
//! columns there are in total.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::sparse::{Scalar, Sparse};

/// One step of a three-term recurrence:
/// out ← product · M·x + shift · x + keep · out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub product: f64,
    pub shift: f64,
    pub keep: f64,
}

impl Step {
    /// Plain M·x.
    pub(super) const PRODUCT: Self = Self { product: 1.0, shift: 0.0, keep: 0.0 };
}

impl<T: Scalar> Sparse<T> {
    /// A step on one panel, on the calling thread.
    pub(super) fn step<const W: usize>(&self, step: Step, x: &[[T; W]], out: &mut [[T; W]]) {
        let range = 0..self.size();
        Arch::new().dispatch(Rows { matrix: self, range, step, x, out });
    }

    /// M·X for a range of rows and blocks of any width: row-major `x` and `out`,
    /// `width` numbers per row.
    pub(super) fn rows_product(&self, range: Range<usize>, x: &[T], width: usize, out: &mut [T]) {
        Arch::new().dispatch(WideRows { matrix: self, range, x, width, out });
    }

    /// A step on one panel, with the rows distributed over all threads. Each row is
    /// summed by one thread in a fixed order: the bits do not depend on the number
    /// of threads.
    pub(super) fn par_step<const W: usize>(&self, step: Step, x: &[[T; W]], out: &mut [[T; W]]) {
        out.par_chunks_mut(ROWS_A_TASK).enumerate().for_each(|(task, out)| {
            let first = task * ROWS_A_TASK;
            let range = first..first + out.len();
            Arch::new().dispatch(Rows { matrix: self, range, step, x, out });
        });
    }
}

/// Enough rows to make the overhead of a task negligible.
pub(super) const ROWS_A_TASK: usize = 2048;

/// The kernel in a form that is compiled once for every instruction set and
/// selected at run time.
struct Rows<'a, T, const W: usize> {
    matrix: &'a Sparse<T>,
    range: Range<usize>,
    step: Step,
    x: &'a [[T; W]],
    out: &'a mut [[T; W]],
}

// As above.
#[allow(clippy::inline_always)]
impl<T: Scalar, const W: usize> WithSimd for Rows<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let (product, shift) = (T::of(self.step.product), T::of(self.step.shift));
        let keep = T::of(self.step.keep);
        for (row, out) in self.range.zip(self.out) {
            let mut sum = [T::default(); W];
            let (columns, values) = self.matrix.row(row);
            for (&column, &value) in columns.iter().zip(values) {
                let from = &self.x[column as usize];
                for lane in 0..W {
                    sum[lane] += value * from[lane];
                }
            }
            let own = &self.x[row];
            for lane in 0..W {
                out[lane] = product * sum[lane] + shift * own[lane] + keep * out[lane];
            }
        }
    }
}

/// The kernel for whole rows.
struct WideRows<'a, T> {
    matrix: &'a Sparse<T>,
    range: Range<usize>,
    x: &'a [T],
    width: usize,
    out: &'a mut [T],
}

// As above.
#[allow(clippy::inline_always)]
impl<T: Scalar> WithSimd for WideRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (row, out) in self.range.zip(self.out.chunks_mut(self.width.max(1))) {
            out.fill(T::default());
            let (columns, values) = self.matrix.row(row);
            for (&column, &value) in columns.iter().zip(values) {
                let from = &self.x[column as usize * self.width..][..self.width];
                for (out, &from) in out.iter_mut().zip(from) {
                    *out += value * from;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sparse::tests::symmetric;
    use super::*;

    #[test]
    fn a_step_equals_the_explicit_sum() {
        let matrix = symmetric(3, &[(0, 1, 2.0), (1, 2, 3.0), (2, 2, 1.0)]);
        let x = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]];
        let mut out = [[1.0; 2]; 3];
        matrix.step(Step { product: 1.0, shift: 0.5, keep: 2.0 }, &x, &mut out);
        assert_eq!(out, [[6.5, 47.0], [14.0, 122.0], [12.5, 107.0]]);
    }

    #[test]
    fn whole_rows_and_panels_give_the_same_product() {
        let matrix = symmetric(3, &[(0, 1, 2.0), (1, 2, 3.0), (2, 2, 1.0)]);
        let x = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]];
        let (mut panel, mut wide) = ([[0.0; 2]; 3], [7.0; 4]);
        matrix.step(Step::PRODUCT, &x, &mut panel);
        matrix.rows_product(1..3, x.as_flattened(), 2, &mut wide);
        assert_eq!(panel[1..].as_flattened(), wide);
    }

    proptest! {
        #[test]
        fn one_thread_and_many_give_the_same_bits(
            entries in prop::collection::vec((0_usize..60, 0_usize..60, -2.0..2.0_f64), 0..200),
            seed in 0_u64..1000,
        ) {
            let matrix = symmetric(60, &entries).cast::<f32>();
            let x: Vec<[f32; 4]> = (0..60_u64)
                .map(|n| std::array::from_fn(|c| (((n + seed) * 7 + c as u64) % 13) as f32))
                .collect();
            let step = Step { product: 1.5, shift: -0.25, keep: 0.0 };
            let (mut one, mut many) = (vec![[0.0; 4]; 60], vec![[0.0; 4]; 60]);
            matrix.step(step, &x, &mut one);
            matrix.par_step(step, &x, &mut many);
            prop_assert_eq!(one, many);
        }
    }
}
