//! The search space of the block engine: N × b columns in f64, row-major, and its
//! dense operations.
//!
//! Every large product is divided into tiles that one thread computes with faer's
//! kernel. The tiles depend only on the sizes, so the bits do not depend on the
//! threads; threads never wait for each other inside a product; and a cancelled run
//! stops between two tiles.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;

use super::panels::Step;
use super::progress::{Monitor, Stage};
use super::random::{stream, uniform};
use super::{Sparse, SpectralError};

/// Columns of a sparse product: 128 bytes per row.
pub(super) const PANEL: usize = 16;
/// Rows of a dense product.
const SLAB: usize = 256;
/// Maximum number of partial sums of the Gram matrices, and of the numbers in all
/// of them (half a gibibyte).
const MOST_GROUPS: usize = 8;
const GROUP_NUMBERS: usize = 1 << 26;

/// A panel of the space, as the sparse kernel reads it.
pub(super) type Panel = Vec<[f64; PANEL]>;

/// N × b numbers, one row per node.
pub(super) struct Subspace {
    rows: usize,
    width: usize,
    values: Vec<f64>,
}

impl Subspace {
    /// Random columns; `width` is rounded up to whole panels.
    pub(super) fn random(rows: usize, width: usize, seed: u64) -> Self {
        let width = width.next_multiple_of(PANEL);
        let mut values = vec![0.0; rows * width];
        let row = |(number, row): (usize, &mut [f64])| {
            let mut random = stream(seed, number);
            for value in row {
                *value = uniform(&mut random);
            }
        };
        values.par_chunks_mut(width.max(1)).enumerate().for_each(row);
        Self { rows, width, values }
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..(row + 1) * self.width]
    }

    fn panel(&self, first: usize) -> Panel {
        let lanes = |row: usize| std::array::from_fn(|lane| self.row(row)[first + lane]);
        (0..self.rows).map(lanes).collect()
    }

    /// Replaces every panel by the result of `change`, which gets the panel's
    /// number and a spare panel to work with.
    pub(super) fn change_panels(
        &mut self,
        change: impl Fn(usize, &mut Panel, &mut Panel) -> Result<(), SpectralError> + Sync,
    ) -> Result<(), SpectralError> {
        let (rows, width) = (self.rows, self.width);
        let all = MatMut::from_row_major_slice_mut(&mut self.values, rows, width);
        let spare = || (vec![[0.0; PANEL]; rows], vec![[0.0; PANEL]; rows]);
        all.par_col_chunks_mut(PANEL).enumerate().try_for_each_init(
            spare,
            |(panel, other), (number, mut columns)| {
                for (row, lanes) in panel.iter_mut().enumerate() {
                    for (lane, value) in lanes.iter_mut().enumerate() {
                        *value = columns[(row, lane)];
                    }
                }
                change(number, panel, other)?;
                for (row, lanes) in panel.iter().enumerate() {
                    for (lane, value) in lanes.iter().enumerate() {
                        columns[(row, lane)] = *value;
                    }
                }
                Ok(())
            },
        )
    }

    /// XᵀMX and XᵀX.
    ///
    /// Rows are divided into groups by their number only; each group sums its slabs
    /// in order, then the groups are added in order.
    pub(super) fn gram(
        &self,
        matrix: &Sparse<f64>,
        monitor: &Monitor,
    ) -> Result<Gram, SpectralError> {
        let width = self.width;
        let groups = (GROUP_NUMBERS / (2 * width * width).max(1)).clamp(1, MOST_GROUPS);
        let group = self.rows.div_ceil(groups).next_multiple_of(SLAB).max(SLAB);
        let starts: Vec<usize> = (0..self.rows).step_by(group).collect();
        let sums = starts.par_iter().map(|&first| {
            let zeros = || Mat::zeros(width, width);
            let mut sums = Gram { projected: zeros(), plain: zeros() };
            let mut image = vec![0.0; SLAB * width];
            for start in (first..self.rows.min(first + group)).step_by(SLAB) {
                monitor.check(Stage::Project)?;
                let rows = SLAB.min(self.rows - start);
                matrix.rows_product(start..start + rows, &self.values, width, &mut image);
                let own = &self.values[start * width..][..rows * width];
                let own = MatRef::from_row_major_slice(own, rows, width);
                let image = MatRef::from_row_major_slice(&image[..rows * width], rows, width);
                add_lower(&mut sums.projected, own, image);
                add_lower(&mut sums.plain, own, own);
            }
            Ok(sums)
        });
        let sums: Vec<Gram> = sums.collect::<Result<_, SpectralError>>()?;
        let add = |pick: fn(&Gram) -> &Mat<f64>| {
            Mat::from_fn(width, width, |row, column| {
                let at = (row.max(column), row.min(column));
                sums.iter().map(|sum| pick(sum)[at]).sum()
            })
        };
        Ok(Gram { projected: add(|sums| &sums.projected), plain: add(|sums| &sums.plain) })
    }

    /// X ← X·C.
    pub(super) fn rotate(&mut self, by: &Mat<f64>, monitor: &Monitor) -> Result<(), SpectralError> {
        let width = self.width;
        self.values.par_chunks_mut(SLAB * width.max(1)).try_for_each(|slab| {
            monitor.check(Stage::Project)?;
            let old = slab.to_vec();
            let rows = slab.len() / width;
            let old = MatRef::from_row_major_slice(&old, rows, width);
            let new = MatMut::from_row_major_slice_mut(slab, rows, width);
            matmul(new, Accum::Replace, old, by, 1.0, Par::Seq);
            Ok(())
        })
    }

    /// ‖M·x − θ·x‖ of every column that has a value.
    pub(super) fn residuals(&self, matrix: &Sparse<f64>, values: &[f64]) -> Vec<f64> {
        let value = |column: usize| values.get(column).copied().unwrap_or(0.0);
        let starts: Vec<usize> = (0..self.width).step_by(PANEL).collect();
        let squares = starts.par_iter().map(|&first| {
            let panel = self.panel(first);
            let mut out = vec![[0.0; PANEL]; self.rows];
            matrix.step(Step::PRODUCT, &panel, &mut out);
            let mut sums = [0.0; PANEL];
            for (x, image) in panel.iter().zip(&out) {
                for lane in 0..PANEL {
                    let off = image[lane] - value(first + lane) * x[lane];
                    sums[lane] += off * off;
                }
            }
            sums
        });
        let squares: Vec<[f64; PANEL]> = squares.collect();
        squares.into_iter().flatten().take(values.len()).map(f64::sqrt).collect()
    }

    /// New random columns from `first` on, for a space that lost its rank.
    pub(super) fn refill(&mut self, first: usize, seed: u64) {
        if first >= self.width {
            return;
        }
        for (number, row) in self.values.chunks_mut(self.width.max(1)).enumerate() {
            let mut random = stream(seed, number);
            row[first..].iter_mut().for_each(|value| *value = uniform(&mut random));
        }
    }
}

/// The two matrices of the small problem.
pub(super) struct Gram {
    /// XᵀMX.
    pub projected: Mat<f64>,
    /// XᵀX.
    pub plain: Mat<f64>,
}

/// sum += leftᵀ·right, its lower half.
fn add_lower(sum: &mut Mat<f64>, left: MatRef<'_, f64>, right: MatRef<'_, f64>) {
    triangular::matmul(
        sum,
        BlockStructure::TriangularLower,
        Accum::Add,
        left.transpose(),
        BlockStructure::Rectangular,
        right,
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// The solution of the small problem XᵀMX c = θ XᵀX c.
pub(super) struct Ritz {
    /// θ, ascending.
    pub values: Vec<f64>,
    /// C: X·C has orthonormal columns. Columns past the values are zero.
    pub rotation: Mat<f64>,
}

/// Solves the small problem; numerically dependent directions are left out, so
/// there may be fewer values than columns.
pub(super) fn rayleigh_ritz(gram: &Gram) -> Result<Ritz, SpectralError> {
    let Gram { projected, plain: gram } = gram;
    let failed = |what: &str| {
        SpectralError::fault(
            "the projected problem of the block engine",
            format!("no {what}"),
            "a decomposition",
            "request another number of eigenpairs, or use the dense engine",
        )
    };
    if let Ok(factor) = gram.llt(Side::Lower) {
        let lower = factor.L();
        let size = gram.nrows();
        let pivot = (0..size).map(|n| lower[(n, n)]).fold(f64::INFINITY, f64::min);
        // Below this the columns are dependent in f64.
        if pivot > 1e-7 {
            let par = faer::get_global_parallelism();
            let mut inner = projected.clone();
            solve_lower_triangular_in_place(lower, inner.as_mut(), par);
            let mut inner = inner.transpose().to_owned();
            solve_lower_triangular_in_place(lower, inner.as_mut(), par);
            let eigen = inner.self_adjoint_eigen(Side::Lower).map_err(|_| failed("eigenvalues"))?;
            let mut rotation = eigen.U().to_owned();
            solve_upper_triangular_in_place(lower.transpose(), rotation.as_mut(), par);
            let values = eigen.S().column_vector().iter().copied().collect();
            return Ok(Ritz { values, rotation });
        }
    }
    let spread = gram.self_adjoint_eigen(Side::Lower).map_err(|_| failed("singular values"))?;
    let sizes: Vec<f64> = spread.S().column_vector().iter().copied().collect();
    let largest = sizes.last().copied().unwrap_or(0.0);
    let first = sizes.partition_point(|&size| size <= 1e-13 * largest);
    let kept = spread.U().get(.., first..);
    let basis = Mat::from_fn(kept.nrows(), kept.ncols(), |row, column| {
        kept[(row, column)] / sizes[first + column].sqrt()
    });
    let inner = basis.transpose() * (projected * &basis);
    let eigen = inner.self_adjoint_eigen(Side::Lower).map_err(|_| failed("eigenvalues"))?;
    let rotated = &basis * eigen.U();
    let mut rotation = Mat::zeros(gram.nrows(), gram.ncols());
    rotation.as_mut().get_mut(.., ..rotated.ncols()).copy_from(&rotated);
    let values = eigen.S().column_vector().iter().copied().collect();
    Ok(Ritz { values, rotation })
}

#[cfg(test)]
mod tests {
    use super::super::sparse::tests::symmetric;
    use super::*;

    fn diagonal(size: usize) -> Sparse<f64> {
        let entries: Vec<_> = (0..size).map(|n| (n, n, n as f64)).collect();
        symmetric(size, &entries)
    }

    #[test]
    fn the_full_space_finds_every_eigenvalue() {
        let (matrix, monitor) = (diagonal(32), Monitor::silent());
        let mut space = Subspace::random(32, 32, 1);
        let ritz = rayleigh_ritz(&space.gram(&matrix, &monitor).unwrap()).unwrap();
        space.rotate(&ritz.rotation, &monitor).unwrap();
        for (n, value) in ritz.values.iter().enumerate() {
            assert!((value - n as f64).abs() < 1e-9, "{value} is not {n}");
        }
        let residuals = space.residuals(&matrix, &ritz.values);
        assert!(residuals.iter().all(|&residual| residual < 1e-8), "{residuals:?}");
    }

    #[test]
    fn repeated_columns_are_left_out() {
        let (matrix, monitor) = (diagonal(40), Monitor::silent());
        let mut space = Subspace::random(40, 16, 1);
        for row in space.values.chunks_mut(16) {
            row[5] = row[4];
            row[9] = row[1] + row[2];
        }
        let ritz = rayleigh_ritz(&space.gram(&matrix, &monitor).unwrap()).unwrap();
        assert_eq!(ritz.values.len(), 14);
        space.rotate(&ritz.rotation, &monitor).unwrap();
        let gram = space.gram(&matrix, &monitor).unwrap().plain;
        for row in 0..14 {
            for column in 0..14 {
                let one = if row == column { 1.0 } else { 0.0 };
                assert!((gram[(row, column)] - one).abs() < 1e-6);
            }
        }
        assert!(space.row(3)[14..].iter().all(|&value| value == 0.0));
    }
}
