//! P = U diag(ρ(s)) Uᵀ from eigenvectors: two products with U forward, two
//! backward. Every sum is computed by one thread in a fixed order, so that the bits
//! do not depend on the number of threads.

use std::sync::Arc;

use rayon::prelude::*;

use gesf_graph::NodeId;

use super::lanes::{add_squares, par_row_dots, row_dots, subtract_scaled, weighted_squares};
use super::operator::{fit_node, fit_response};
use super::tiles::{BLOCK, Rows, TILE, add_product, add_transposed_product};
use super::{
    Applied, Diagonal, FilterGradient, ForwardState, Gradients, Operator, SelfTerm, Signal,
};
use super::{SpectralError, Spectrum};

/// Rows of U·T per task.
const SLAB: usize = 8 * TILE;
/// Tasks per thread for the columns of UᵀX: enough that a delayed thread leaves
/// work to the others.
const PARTS: usize = 2;

/// P by eigenvectors: exact for the computed pairs.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_spectral::{EigenOperator, Operator, SelfTerm, Signal};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// use gesf_spectral::{EdgeValues, Matrix, MatrixKind, decompose};
/// let matrix = Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Weighted)?;
/// let spectrum = decompose(&matrix.into(), &Default::default(), &Default::default(), &mut |_| {})?;
/// let spectrum = std::sync::Arc::new(spectrum);
/// let operator = EigenOperator::new(spectrum);
/// // With ρ = 1 and every eigenpair, P is the identity.
/// let values: Vec<f32> = (0..34).map(|node| node as f32).collect();
/// let (ones, signal) = (vec![1.0; operator.points().len()], Signal { values: &values, width: 1 });
/// let kept = operator.apply(&ones, signal, SelfTerm::Keep, &[])?.output;
/// assert!(kept.iter().zip(&values).all(|(z, h)| (z - h).abs() < 1e-3));
/// // Without its diagonal nothing is left.
/// let dropped = operator.apply(&ones, signal, SelfTerm::Drop, &[])?.output;
/// assert!(dropped.iter().all(|z| z.abs() < 1e-3));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct EigenOperator {
    spectrum: Arc<Spectrum>,
    points: Vec<f32>,
}

impl EigenOperator {
    /// The operator of a spectrum; its points are s = σ / max|σ|.
    pub fn new(spectrum: Arc<Spectrum>) -> Self {
        let scale = spectrum.scale();
        let points = spectrum.values().iter().map(|value| (value / scale) as f32).collect();
        Self { spectrum, points }
    }

    /// Its spectrum.
    pub fn spectrum(&self) -> &Arc<Spectrum> {
        &self.spectrum
    }

    fn count(&self) -> usize {
        self.points.len()
    }

    /// UᵀX, row-major k × d; with `factors`, also Σ_i U_ik² factor_i.
    fn project(&self, signal: Signal<'_>, factors: Option<&[f32]>) -> (Vec<f32>, Vec<f32>) {
        let (count, width) = (self.count(), signal.width);
        let vectors = self.spectrum.vectors();
        let (mut sums, mut squares) = (vec![0.0; count * width], vec![0.0; count]);
        let part = count.div_ceil(PARTS * rayon::current_num_threads()).next_multiple_of(TILE);
        let parts = sums.par_chunks_mut((part * width).max(1)).zip(squares.par_chunks_mut(part));
        parts.enumerate().for_each(|(n, (sums, squares))| {
            let columns = n * part..n * part + squares.len();
            for (block, u) in vectors.chunks(BLOCK * count).enumerate() {
                let (first, rows) = (block * BLOCK, u.len() / count);
                let u = Rows { values: u, width: count };
                let x = Rows { values: &signal.values[first * width..][..rows * width], width };
                add_transposed_product(u, columns.clone(), x, sums);
                if let Some(factors) = factors {
                    add_squares(u, columns.clone(), &factors[first..][..rows], squares);
                }
            }
        });
        (sums, squares)
    }

    /// U·(ρ ∘ T), minus diag(P) ∘ `own` if the self term is dropped. `diagonal` is
    /// computed if it is empty and used otherwise.
    fn spread(
        &self,
        response: &[f32],
        projected: &[f32],
        own: Signal<'_>,
        self_term: SelfTerm,
        diagonal: &mut Vec<f32>,
    ) -> Vec<f32> {
        let (count, width, nodes) = (self.count(), own.width, self.nodes());
        let mut weighted = projected.to_vec();
        for (row, &factor) in weighted.chunks_mut(width.max(1)).zip(response) {
            for value in row {
                *value *= factor;
            }
        }
        let weighted = Rows { values: &weighted, width };
        let known = self_term == SelfTerm::Drop && !diagonal.is_empty();
        if self_term == SelfTerm::Drop {
            diagonal.resize(nodes, 0.0);
        }
        let mut unused = vec![0.0; if self_term == SelfTerm::Keep { nodes } else { 0 }];
        let diagonal = if self_term == SelfTerm::Keep { &mut unused } else { diagonal };
        let mut out = vec![0.0; nodes * width];
        let slabs = out.par_chunks_mut((SLAB * width).max(1)).zip(diagonal.par_chunks_mut(SLAB));
        slabs.enumerate().for_each(|(n, (out, diagonal))| {
            let rows = diagonal.len();
            let u = &self.spectrum.vectors()[n * SLAB * count..][..rows * count];
            if self_term == SelfTerm::Drop {
                if !known {
                    weighted_squares(u, response, diagonal);
                }
                let own = &own.values[n * SLAB * width..][..rows * width];
                subtract_scaled(out, diagonal, own, width);
            }
            add_product(Rows { values: u, width: count }, weighted, out);
        });
        out
    }
}

impl Operator for EigenOperator {
    fn nodes(&self) -> usize {
        self.spectrum.nodes()
    }

    fn points(&self) -> &[f32] {
        &self.points
    }

    fn scale(&self) -> f64 {
        self.spectrum.scale()
    }

    fn apply(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        self_term: SelfTerm,
        _watched: &[u32],
    ) -> Result<Applied, SpectralError> {
        fit_response(response, self.count())?;
        signal.fit(self.nodes())?;
        let (projected, _) = self.project(signal, None);
        let mut diagonal = Vec::new();
        let output = self.spread(response, &projected, signal, self_term, &mut diagonal);
        Ok(Applied { output, kept: ForwardState { projected, diagonal } })
    }

    fn differentiate(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: Signal<'_>,
        self_term: SelfTerm,
        filter: FilterGradient,
    ) -> Result<Gradients, SpectralError> {
        fit_response(response, self.count())?;
        signal.fit(self.nodes())?;
        gradient.fit(self.nodes())?;
        let (count, width) = (self.count(), signal.width);
        if gradient.width != width || kept.projected.len() != count * width {
            let expected = count * width;
            return Err(SpectralError::size(
                "the state saved by `apply`",
                kept.projected.len(),
                expected,
            ));
        }
        let wanted = filter == FilterGradient::Wanted;
        let factors = (wanted && self_term == SelfTerm::Drop).then(|| {
            let mut dots = vec![0.0; self.nodes()];
            par_row_dots(signal.values, gradient.values, width, &mut dots);
            dots
        });
        let (projected, squares) = self.project(gradient, factors.as_deref());
        // dρ_k = Σ_c (UᵀH)_kc (UᵀdZ)_kc, minus the part of the dropped diagonal.
        let by_response = wanted.then(|| {
            let mut by_response = vec![0.0; count];
            row_dots(&kept.projected, &projected, width, &mut by_response);
            by_response.iter_mut().zip(&squares).for_each(|(sum, square)| *sum -= square);
            by_response
        });
        // P is symmetric: dH = P·dZ.
        let mut diagonal = kept.diagonal.clone();
        let signal = self.spread(response, &projected, gradient, self_term, &mut diagonal);
        Ok(Gradients { signal, response: by_response })
    }

    fn differentiate_filter(
        &self,
        watched: &[u32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: &[f32],
        self_term: SelfTerm,
    ) -> Result<Vec<f32>, SpectralError> {
        let (count, width) = (self.count(), signal.width);
        if gradient.len() != watched.len() * width || kept.projected.len() != count * width {
            let expected = count * width;
            return Err(SpectralError::size(
                "the state saved by `apply`",
                kept.projected.len(),
                expected,
            ));
        }
        let vectors = self.spectrum.vectors();
        let rows = || watched.iter().zip(gradient.chunks(width.max(1)));
        let row = |node: &u32| &vectors[*node as usize * count..][..count];
        let own: Vec<f32> = watched.iter().flat_map(row).copied().collect();
        let mut projected = vec![0.0; count * width];
        let part = TILE * width.max(1);
        projected.par_chunks_mut(part).enumerate().for_each(|(at, out)| {
            let columns = at * TILE..at * TILE + out.len() / width.max(1);
            let right = Rows { values: gradient, width };
            add_transposed_product(Rows { values: &own, width: count }, columns, right, out);
        });
        let mut by_response = vec![0.0; count];
        row_dots(&kept.projected, &projected, width, &mut by_response);
        if self_term == SelfTerm::Drop {
            for (node, gradient) in rows() {
                let own = &signal.values[*node as usize * width..][..width];
                let dot: f32 = own.iter().zip(gradient).map(|(h, g)| h * g).sum();
                for (sum, u) in by_response.iter_mut().zip(row(node)) {
                    *sum -= u * u * dot;
                }
            }
        }
        Ok(by_response)
    }

    fn diagonal_at(&self, response: &[f32], node: NodeId) -> Result<f32, SpectralError> {
        fit_response(response, self.count())?;
        fit_node(node, self.nodes())?;
        let count = self.count();
        let row = &self.spectrum.vectors()[node.index() * count..][..count];
        let mut own = [0.0];
        weighted_squares(row, response, &mut own);
        Ok(own[0])
    }

    fn diagonal(&self, response: &[f32]) -> Result<Diagonal, SpectralError> {
        fit_response(response, self.count())?;
        let mut values = vec![0.0; self.nodes()];
        let rows = self.spectrum.vectors().par_chunks((SLAB * self.count()).max(1));
        values
            .par_chunks_mut(SLAB)
            .zip(rows)
            .for_each(|(values, rows)| weighted_squares(rows, response, values));
        Ok(Diagonal { values, error: 0.0 })
    }

    fn row(&self, response: &[f32], node: NodeId) -> Result<Vec<f32>, SpectralError> {
        fit_response(response, self.count())?;
        fit_node(node, self.nodes())?;
        let (count, vectors) = (self.count(), self.spectrum.vectors());
        let own = &vectors[node.index() * count..][..count];
        let weighted: Vec<f32> = own.iter().zip(response).map(|(u, rho)| u * rho).collect();
        let mut values = vec![0.0; self.nodes()];
        let rows = vectors.par_chunks((SLAB * count).max(1));
        values.par_chunks_mut(SLAB).zip(rows).for_each(|(values, rows)| {
            for (value, row) in values.iter_mut().zip(rows.chunks(count)) {
                row_dots(row, &weighted, count, std::slice::from_mut(value));
            }
        });
        Ok(values)
    }
}
