//! Compressed sparse rows of a symmetric matrix, and the one kernel every
//! engine stands on: M times a narrow panel of columns.
//!
//! A panel is N rows of `W` numbers, `W` known when compiled: a row is one or
//! two cache lines and its sum stays in registers. A whole recurrence runs on
//! one panel before the next is touched, so the panel stays in cache however
//! many columns there are in all.

use std::ops::{Add, AddAssign, Mul, Range, Sub};
use std::sync::Arc;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// The two kinds of number the engines compute with.
pub trait Scalar:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + 'static
{
    /// The nearest number of this kind.
    fn of(wide: f64) -> Self;
    /// The same number, wide.
    fn wide(self) -> f64;
}

impl Scalar for f32 {
    #[inline]
    fn of(wide: f64) -> Self {
        wide as Self
    }
    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Scalar for f64 {
    #[inline]
    fn of(wide: f64) -> Self {
        wide
    }
    #[inline]
    fn wide(self) -> f64 {
        self
    }
}

/// A square symmetric matrix by compressed rows. Clones share the pattern.
#[derive(Debug, Clone)]
pub struct Sparse<T> {
    starts: Arc<[usize]>,
    columns: Arc<[u32]>,
    values: Vec<T>,
}

impl<T: Scalar> Sparse<T> {
    /// From the rows of the matrix, each a list of (column, value) in order.
    pub(super) fn from_rows(rows: impl Iterator<Item = Vec<(u32, T)>>) -> Self {
        let mut starts = vec![0];
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for row in rows {
            columns.extend(row.iter().map(|entry| entry.0));
            values.extend(row.iter().map(|entry| entry.1));
            starts.push(columns.len());
        }
        Self { starts: starts.into(), columns: columns.into(), values }
    }

    /// How many rows, and columns, there are.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many entries are stored.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// The columns and values of a row.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The same matrix in another kind of number.
    pub fn cast<S: Scalar>(&self) -> Sparse<S> {
        let values = self.values.iter().map(|value| S::of(value.wide())).collect();
        Sparse { starts: self.starts.clone(), columns: self.columns.clone(), values }
    }

    /// The largest sum of magnitudes in a row: no eigenvalue is larger
    /// (Gershgorin).
    pub fn row_sum_bound(&self) -> f64 {
        let sum = |row| self.row(row).1.iter().map(|value| value.wide().abs()).sum::<f64>();
        (0..self.size()).map(sum).fold(0.0, f64::max)
    }

    /// Rows and columns renumbered: row `order[n]` becomes row `n`.
    pub(super) fn permuted(&self, order: &[u32]) -> Self {
        let mut place = vec![0_u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        Self::from_rows(order.iter().map(|&old| {
            let (columns, values) = self.row(old as usize);
            let moved = columns.iter().map(|&column| place[column as usize]);
            let mut row: Vec<(u32, T)> = moved.zip(values.iter().copied()).collect();
            row.sort_unstable_by_key(|entry| entry.0);
            row
        }))
    }
}

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
    /// A step on one panel, on this thread.
    pub(super) fn step<const W: usize>(&self, step: Step, x: &[[T; W]], out: &mut [[T; W]]) {
        let rows = 0..self.size();
        Arch::new().dispatch(Rows { matrix: self, rows, step, x, out });
    }

    /// A step on one panel, the rows shared out among all threads. Each row is
    /// summed by one thread in a fixed order: the bits do not depend on how
    /// many threads there are.
    pub(super) fn par_step<const W: usize>(&self, step: Step, x: &[[T; W]], out: &mut [[T; W]]) {
        out.par_chunks_mut(ROWS_A_TASK).enumerate().for_each(|(task, out)| {
            let first = task * ROWS_A_TASK;
            let rows = first..first + out.len();
            Arch::new().dispatch(Rows { matrix: self, rows, step, x, out });
        });
    }
}

/// What a recurrence does with every new term besides computing it.
pub(super) struct Gather<'a, T, const W: usize> {
    /// Added to `sum` with this factor.
    pub factor: f64,
    /// Σ_n factor_n · term_n so far.
    pub sum: &'a mut [[T; W]],
    /// Also wanted: the inner product of the term with this panel.
    pub against: Option<&'a [[T; W]]>,
}

impl<T: Scalar> Sparse<T> {
    /// As [`Sparse::par_step`], and the new rows are gathered while they are
    /// still in cache. Returns the inner product, 0 if none is wanted.
    pub(super) fn par_step_gathered<const W: usize>(
        &self,
        step: Step,
        x: &[[T; W]],
        out: &mut [[T; W]],
        gather: Gather<'_, T, W>,
    ) -> f64 {
        let Gather { factor, sum, against } = gather;
        let tasks = out.par_chunks_mut(ROWS_A_TASK).zip(sum.par_chunks_mut(ROWS_A_TASK));
        let parts = tasks.enumerate().map(|(task, (out, sum))| {
            let first = task * ROWS_A_TASK;
            let rows = first..first + out.len();
            let against = against.map(|against| &against[rows.clone()]);
            Arch::new().dispatch(Rows { matrix: self, rows, step, x, out });
            Arch::new().dispatch(Gathered { term: out, factor: T::of(factor), sum, against })
        });
        // Collected first: the order of this sum must not depend on threads.
        parts.collect::<Vec<f64>>().into_iter().sum()
    }
}

/// The first term of a recurrence, gathered like the later ones.
pub(super) fn par_gather<T: Scalar, const W: usize>(
    term: &[[T; W]],
    gather: Gather<'_, T, W>,
) -> f64 {
    let Gather { factor, sum, against } = gather;
    let tasks = term.par_chunks(ROWS_A_TASK).zip(sum.par_chunks_mut(ROWS_A_TASK));
    let parts = tasks.enumerate().map(|(task, (term, sum))| {
        let first = task * ROWS_A_TASK;
        let against = against.map(|against| &against[first..first + term.len()]);
        Arch::new().dispatch(Gathered { term, factor: T::of(factor), sum, against })
    });
    parts.collect::<Vec<f64>>().into_iter().sum()
}

struct Gathered<'a, T, const W: usize> {
    term: &'a [[T; W]],
    factor: T,
    sum: &'a mut [[T; W]],
    against: Option<&'a [[T; W]]>,
}

impl<T: Scalar, const W: usize> WithSimd for Gathered<'_, T, W> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> f64 {
        for (sum, term) in self.sum.iter_mut().zip(self.term) {
            for lane in 0..W {
                sum[lane] += self.factor * term[lane];
            }
        }
        let Some(against) = self.against else { return 0.0 };
        let mut dots = [T::default(); W];
        for (other, term) in against.iter().zip(self.term) {
            for lane in 0..W {
                dots[lane] += other[lane] * term[lane];
            }
        }
        dots.iter().map(|dot| dot.wide()).sum()
    }
}

/// Enough rows that handing out a task costs nothing beside it.
pub(super) const ROWS_A_TASK: usize = 2048;

/// The kernel, in the shape that lets it be compiled once for every
/// instruction set and picked when the program runs.
struct Rows<'a, T, const W: usize> {
    matrix: &'a Sparse<T>,
    rows: Range<usize>,
    step: Step,
    x: &'a [[T; W]],
    out: &'a mut [[T; W]],
}

impl<T: Scalar, const W: usize> WithSimd for Rows<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let (product, shift) = (T::of(self.step.product), T::of(self.step.shift));
        let keep = T::of(self.step.keep);
        for (row, out) in self.rows.zip(self.out) {
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

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A symmetric matrix from the pairs of an edge list.
    pub(crate) fn symmetric(size: usize, entries: &[(usize, usize, f64)]) -> Sparse<f64> {
        let mut rows = vec![std::collections::BTreeMap::new(); size];
        for &(a, b, value) in entries {
            rows[a].insert(b as u32, value);
            rows[b].insert(a as u32, value);
        }
        Sparse::from_rows(rows.into_iter().map(|row| row.into_iter().collect()))
    }

    #[test]
    fn a_step_is_the_written_out_sum() {
        let matrix = symmetric(3, &[(0, 1, 2.0), (1, 2, 3.0), (2, 2, 1.0)]);
        let x = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]];
        let mut out = [[1.0; 2]; 3];
        matrix.step(Step { product: 1.0, shift: 0.5, keep: 2.0 }, &x, &mut out);
        assert_eq!(out, [[6.5, 47.0], [14.0, 122.0], [12.5, 107.0]]);
    }

    #[test]
    fn the_row_sum_bounds_every_eigenvalue() {
        let matrix = symmetric(2, &[(0, 1, -3.0), (0, 0, 1.0)]);
        assert!((matrix.row_sum_bound() - 4.0).abs() < 1e-12);
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

        #[test]
        fn renumbering_there_and_back_is_the_identity(
            entries in prop::collection::vec((0_usize..20, 0_usize..20, -2.0..2.0_f64), 0..60),
            order in Just((0..20_u32).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let matrix = symmetric(20, &entries);
            let mut back = vec![0_u32; 20];
            for (new, &old) in order.iter().enumerate() {
                back[old as usize] = new as u32;
            }
            let again = matrix.permuted(&order).permuted(&back);
            for row in 0..20 {
                prop_assert_eq!(matrix.row(row), again.row(row));
            }
        }
    }
}
