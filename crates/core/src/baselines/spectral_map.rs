//! Spectral embedding: the leading eigenvectors of the graph as coordinates, and
//! a regression on them.

use std::sync::Arc;

use super::vectors::Vectors;
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;
use gesf_spectral::{
    Cache, EdgeValues, Engine, Matrix, MatrixKind, Request, Spectrum, decompose_cached,
};

/// Spectral embedding; the number of eigenvectors is chosen on folds, or at least
/// one per class with few labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpectralMap {
    /// Candidate numbers of eigenvectors.
    pub counts: Vec<usize>,
    /// Whether spectra are cached on disk.
    pub cached: bool,
}

impl Default for SpectralMap {
    fn default() -> Self {
        Self { counts: vec![4, 16, 64, 256, 512], cached: true }
    }
}

/// The number of eigenpairs on graphs too large for more.
const FEW: usize = 64;
/// At most one eigenvector is used for this many nodes.
const SMALL_PART: usize = 4;

impl SpectralMap {
    fn spectrum(&self, graph: &Graph, watch: Watch<'_>) -> Result<Spectrum, BaselineError> {
        let matrix = Arc::new(Matrix::of(graph, MatrixKind::SymLoops, EdgeValues::Weighted)?);
        let most = self.counts.iter().copied().max().unwrap_or(FEW);
        let mut request = Request { count: most, ..Request::default() };
        if request.choice(&matrix).engine == Engine::Chebyshev {
            request = Request { count: FEW, engine: Some(Engine::Block), ..request };
        }
        let cache = if self.cached { Cache::usual() } else { None };
        let mut tell = |progress: gesf_spectral::Progress| {
            (watch.tell)(&progress.stage.to_string());
        };
        let (spectrum, _) =
            decompose_cached(cache.as_ref(), &matrix, &request, watch.cancel, &mut tell)?;
        Ok(spectrum)
    }
}

impl Method for SpectralMap {
    fn name(&self) -> &'static str {
        "spectral"
    }

    fn about(&self) -> &'static str {
        "leading eigenvectors as features, then logistic regression"
    }

    fn fills_cores(&self) -> bool {
        false
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let spectrum = self.spectrum(graph, watch)?;
        let kept = spectrum.count();
        // All eigenvectors together only identify nodes and do not generalise.
        let most = (graph.node_count() / SMALL_PART).clamp(kept.min(1), kept);
        let mut counts: Vec<usize> = self.counts.iter().map(|count| (*count).min(most)).collect();
        counts.dedup();
        let set = |&count: &usize| {
            let rows = spectrum.vectors().chunks(kept.max(1)).flat_map(|row| {
                // Only directions matter, not how much of a node the eigenpairs
                // represent.
                let own = &row[..count];
                let norm = own.iter().map(|x| x * x).sum::<f32>().sqrt();
                let scale = if norm > 1e-6 { norm.recip() } else { 0.0 };
                own.iter().map(move |x| x * scale)
            });
            (rows.collect::<Vec<f32>>(), count)
        };
        Ok(Box::new(Vectors::choice(counts.iter().map(set).collect())))
    }
}
