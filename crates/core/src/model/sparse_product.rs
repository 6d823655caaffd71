//! A sparse matrix times rows of numbers, on all cores.

use rayon::prelude::*;

use gesf_spectral::Sparse;

/// Minimum number of rows per task: fewer would not be worth the overhead.
const ROWS: usize = 256;

/// to = matrix · from, for rows of `width` numbers. Each row is summed by one
/// thread in the order of its entries, so the bits do not depend on threads.
pub(crate) fn sparse_product(matrix: &Sparse<f32>, from: &[f32], width: usize, to: &mut [f32]) {
    let width = width.max(1);
    to.par_chunks_mut(ROWS * width).enumerate().for_each(|(task, rows)| {
        for (at, row) in rows.chunks_mut(width).enumerate() {
            row.fill(0.0);
            let (columns, values) = matrix.row(task * ROWS + at);
            for (&column, &value) in columns.iter().zip(values) {
                let other = &from[column as usize * width..][..width];
                row.iter_mut().zip(other).for_each(|(sum, x)| *sum += value * x);
            }
        }
    });
}
