//! The accuracy of a decomposition, measured on the stored numbers: the residual of
//! every pair and the orthogonality of all, summed in f64.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::panels::Step;
use super::progress::{Monitor, Stage};
use super::spectrum::scale_of;
use super::{Engine, Matrix, SpectralError};

/// Columns whose residuals are measured at once.
const PANEL: usize = 16;
/// Columns of a tile of UᵀU.
const TILE: usize = 128;
/// Rows converted to f64 at once.
const SLAB: usize = 512;
/// Maximum of max|UᵀU − I|: U is stored in f32.
const ORTHOGONALITY: f64 = 1e-5;

/// The measured errors of a decomposition.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// ‖M·u − σ·u‖ of every pair.
    pub residuals: Vec<f64>,
    /// max|UᵀU − I|.
    pub orthogonality: f64,
}

impl Quality {
    /// Measures both; `vectors` is row-major.
    pub(super) fn measure(
        matrix: &Matrix,
        values: &[f64],
        vectors: &[f32],
        monitor: &Monitor,
    ) -> Result<Self, SpectralError> {
        monitor.report(Stage::Check, 0, 2)?;
        let residuals = residuals(matrix, values, vectors, monitor)?;
        monitor.report(Stage::Check, 1, 2)?;
        let orthogonality = orthogonality(values.len(), vectors, monitor)?;
        monitor.report(Stage::Check, 2, 2)?;
        Ok(Self { residuals, orthogonality })
    }

    /// The largest residual.
    pub fn worst_residual(&self) -> f64 {
        self.residuals.iter().copied().fold(0.0, worse)
    }

    /// An error with advice if the pairs are not accurate enough.
    pub(super) fn judge(
        &self,
        matrix: &Matrix,
        values: &[f64],
        engine: Engine,
        tolerance: f64,
    ) -> Result<(), SpectralError> {
        let place = format!("the {engine} engine on the {} matrix", matrix.kind());
        let most = tolerance * scale_of(values);
        let worst = self.worst_residual();
        let advice = match engine {
            Engine::Dense => "check the edge weights for very large or very small values",
            _ => "request another number of eigenpairs, or use the dense or Chebyshev engine",
        };
        if exceeds(worst, most) {
            let found = format!("a residual of {worst:.1e}");
            return Err(SpectralError::fault(place, found, format!("at most {most:.1e}"), advice));
        }
        if exceeds(self.orthogonality, ORTHOGONALITY) {
            let found = format!("eigenvectors {:.1e} from orthonormal", self.orthogonality);
            let expected = format!("at most {ORTHOGONALITY:.0e}");
            return Err(SpectralError::fault(place, found, expected, advice));
        }
        Ok(())
    }
}

/// The larger one; unlike `max` it propagates NaN.
fn worse(one: f64, other: f64) -> f64 {
    if one.is_nan() || other <= one { one } else { other }
}

/// Whether a measured error is too large, or NaN.
fn exceeds(measured: f64, most: f64) -> bool {
    measured.is_nan() || measured > most
}

fn residuals(
    matrix: &Matrix,
    values: &[f64],
    vectors: &[f32],
    monitor: &Monitor,
) -> Result<Vec<f64>, SpectralError> {
    let (size, count) = (matrix.size(), values.len());
    let starts: Vec<usize> = (0..count).step_by(PANEL).collect();
    let sums = starts.par_iter().map(|&first| {
        monitor.check(Stage::Check)?;
        let wide = PANEL.min(count - first);
        let mut panel = vec![[0.0_f64; PANEL]; size];
        for (to, from) in panel.iter_mut().zip(vectors.chunks(count)) {
            let from = &from[first..first + wide];
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = f64::from(from));
        }
        let mut image = vec![[0.0; PANEL]; size];
        matrix.entries().step(Step::PRODUCT, &panel, &mut image);
        let mut sums = vec![0.0; wide];
        for (x, image) in panel.iter().zip(&image) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let off = image[lane] - values[first + lane] * x[lane];
                *sum += off * off;
            }
        }
        Ok(sums)
    });
    let sums = sums.collect::<Result<Vec<Vec<f64>>, SpectralError>>()?;
    Ok(sums.into_iter().flatten().map(f64::sqrt).collect())
}

fn orthogonality(count: usize, vectors: &[f32], monitor: &Monitor) -> Result<f64, SpectralError> {
    let starts: Vec<usize> = (0..count).step_by(TILE).collect();
    let worst = starts.par_iter().map(|&first| {
        let wide = TILE.min(count - first);
        let mut tile = Mat::<f64>::zeros(count - first, wide);
        for slab in vectors.chunks(SLAB * count) {
            monitor.check(Stage::Check)?;
            let rows = slab.len() / count;
            let rest: Vec<f64> =
                slab.chunks(count).flat_map(|row| &row[first..]).map(|&x| f64::from(x)).collect();
            let rest = MatRef::from_row_major_slice(&rest, rows, count - first);
            let own = rest.get(.., ..wide);
            matmul(&mut tile, Accum::Add, rest.transpose(), own, 1.0, Par::Seq);
        }
        let mut worst = 0.0_f64;
        for column in 0..wide {
            for row in column..count - first {
                let one = if row == column { 1.0 } else { 0.0 };
                let off = (tile[(row, column)] - one).abs();
                worst = worse(worst, off);
            }
        }
        Ok(worst)
    });
    let worst = worst.collect::<Result<Vec<f64>, SpectralError>>()?;
    Ok(worst.into_iter().fold(0.0, worse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_error_is_the_worst() {
        for residuals in [vec![0.0, f64::NAN, 1e-9], vec![1e-9, f64::NAN]] {
            let quality = Quality { residuals, orthogonality: 0.0 };
            assert!(quality.worst_residual().is_nan());
        }
        assert!(exceeds(f64::NAN, 1.0) && exceeds(2.0, 1.0) && !exceeds(1.0, 1.0));
    }
}
