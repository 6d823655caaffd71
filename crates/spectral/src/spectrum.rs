//! The result of a decomposition: M ≈ U diag(σ) Uᵀ, and its accuracy.

use std::fmt;
use std::sync::Arc;

use super::block::Pairs;
use super::progress::Monitor;
use super::{Engine, Matrix, Quality, SpectralError};

/// The numbers of U, in a vector or a memory-mapped file. Clones share them.
#[derive(Clone)]
pub struct Vectors(Arc<dyn AsRef<[f32]> + Send + Sync>);

impl Vectors {
    /// Shares the numbers of any container.
    pub fn new(holder: impl AsRef<[f32]> + Send + Sync + 'static) -> Self {
        Self(Arc::new(holder))
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[f32] {
        (*self.0).as_ref()
    }
}

impl fmt::Debug for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vectors({} numbers)", self.as_slice().len())
    }
}

/// Some or all eigenpairs of a matrix, highest eigenvalue first.
#[derive(Debug, Clone)]
pub struct Spectrum {
    nodes: usize,
    values: Vec<f64>,
    vectors: Vectors,
    quality: Quality,
    engine: Engine,
}

impl Spectrum {
    /// Builds a spectrum from stored parts; `vectors` is row-major, one row per
    /// node. `None` if the sizes do not fit.
    pub fn from_parts(
        nodes: usize,
        values: Vec<f64>,
        vectors: Vectors,
        quality: Quality,
        engine: Engine,
    ) -> Option<Self> {
        let fits = vectors.as_slice().len() == nodes * values.len()
            && quality.residuals.len() == values.len()
            && values.is_sorted_by(|a, b| a >= b);
        fits.then_some(Self { nodes, values, vectors, quality, engine })
    }

    /// Sorts the result of an engine, measures it, and rejects it if it is
    /// inaccurate.
    pub(super) fn checked(
        matrix: &Matrix,
        pairs: Pairs,
        engine: Engine,
        tolerance: f64,
        monitor: &Monitor,
    ) -> Result<Self, SpectralError> {
        let nodes = matrix.size();
        let (values, vectors) = descending(pairs);
        let quality = Quality::measure(matrix, &values, &vectors, monitor)?;
        quality.judge(matrix, &values, engine, tolerance)?;
        Ok(Self { nodes, values, vectors: Vectors::new(vectors), quality, engine })
    }

    /// How many nodes there are: N.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many pairs there are: k.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The eigenvalues σ, highest first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// U, row-major: the k numbers of node 0, those of node 1, …
    pub fn vectors(&self) -> &[f32] {
        self.vectors.as_slice()
    }

    /// The measured residuals and orthogonality.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// The engine that computed it.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// max|σ|, by which eigenvalues are divided before ρ is applied; 1 if every
    /// eigenvalue is 0.
    pub fn scale(&self) -> f64 {
        scale_of(&self.values)
    }

    /// Distinct eigenvalues with their multiplicities, highest first. Values closer
    /// than `apart` · scale count as equal.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use gesf_graph::{Reading, RoleChoice, build, generate::Recipe};
    /// use gesf_spectral::{Cancel, EdgeValues, Matrix, MatrixKind, Request, decompose};
    ///
    /// // A ring is symmetric, so its eigenvectors come in pairs.
    /// let raw = Recipe::Ring { nodes: 7 }.make(0)?;
    /// let (ring, _) = build(raw, &RoleChoice::default(), &mut Reading::default())?;
    /// let matrix = Arc::new(Matrix::of(&ring, MatrixKind::Sym, EdgeValues::Weighted)?);
    /// let spectrum = decompose(&matrix, &Request::default(), &Cancel::default(), &mut |_| {})?;
    /// let counts: Vec<usize> = spectrum.multiplicities(1e-6).iter().map(|pair| pair.1).collect();
    /// assert_eq!(counts, [1, 2, 2, 2]);
    /// # Ok(()) }
    /// ```
    pub fn multiplicities(&self, apart: f64) -> Vec<(f64, usize)> {
        let mut groups: Vec<(f64, usize)> = Vec::new();
        let mut before = f64::INFINITY;
        for &value in &self.values {
            match groups.last_mut() {
                Some(group) if before - value <= apart * self.scale() => group.1 += 1,
                _ => groups.push((value, 1)),
            }
            before = value;
        }
        groups
    }
}

/// max|σ|, or 1 if that is 0.
pub(super) fn scale_of(values: &[f64]) -> f64 {
    let most = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

fn descending(pairs: Pairs) -> (Vec<f64>, Vec<f32>) {
    let count = pairs.values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| pairs.values[b].total_cmp(&pairs.values[a]));
    let mut vectors = pairs.vectors;
    if !order.is_sorted() {
        let mut old = vec![0.0; count];
        for row in vectors.chunks_mut(count) {
            old.copy_from_slice(row);
            row.iter_mut().zip(&order).for_each(|(value, &from)| *value = old[from]);
        }
    }
    (order.iter().map(|&n| pairs.values[n]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spectrum(values: &[f64]) -> Spectrum {
        let count = values.len();
        let quality = Quality { residuals: vec![0.0; count], orthogonality: 0.0 };
        let vectors = Vectors::new(vec![0.0; 3 * count]);
        Spectrum::from_parts(3, values.to_vec(), vectors, quality, Engine::Dense).unwrap()
    }

    #[test]
    fn equal_eigenvalues_are_counted_together() {
        let close = spectrum(&[1.0, 1.0 - 1e-12, 0.5, -2.0]);
        assert_eq!(close.multiplicities(1e-9), [(1.0, 2), (0.5, 1), (-2.0, 1)]);
        assert!((close.scale() - 2.0).abs() < 1e-12);
        assert!((spectrum(&[0.0]).scale() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn parts_with_wrong_sizes_make_no_spectrum() {
        let quality = Quality { residuals: vec![0.0; 2], orthogonality: 0.0 };
        let short = Vectors::new(vec![0.0; 5]);
        let made = Spectrum::from_parts(3, vec![1.0, 0.0], short, quality, Engine::Block);
        assert!(made.is_none());
    }

    #[test]
    fn pairs_in_any_order_are_sorted_with_their_vectors() {
        let pairs = Pairs { values: vec![-1.0, 2.0], vectors: vec![10.0, 20.0, 11.0, 21.0] };
        assert_eq!(descending(pairs), (vec![2.0, -1.0], vec![20.0, 10.0, 21.0, 11.0]));
    }
}
