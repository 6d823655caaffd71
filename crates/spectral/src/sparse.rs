//! Compressed sparse rows of a symmetric matrix.

use std::ops::{Add, AddAssign, Mul, Sub};
use std::sync::Arc;

/// The number types of the engines.
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
    /// The nearest number of this type.
    fn of(wide: f64) -> Self;
    /// The same number as f64.
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

    /// The number of rows and columns.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of stored entries.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Whether no entry is below 0.
    pub fn is_nonnegative(&self) -> bool {
        self.values.iter().all(|value| value.wide() >= 0.0)
    }

    /// The columns and values of a row.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The same matrix with another number type.
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
    fn the_row_sum_bounds_every_eigenvalue() {
        let matrix = symmetric(2, &[(0, 1, -3.0), (0, 0, 1.0)]);
        assert!((matrix.row_sum_bound() - 4.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn renumbering_twice_restores_the_matrix(
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
