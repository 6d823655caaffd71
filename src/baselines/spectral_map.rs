//! Spectral embedding: the leading eigenvectors of the graph as coordinates, and
//! a regression on them.

use std::sync::Arc;

use super::vectors::Vectors;
use super::{BaselineError, Method, Ready, Watch};
use crate::graph::Graph;
use crate::spectral::{
    Cache, EdgeValues, Engine, Matrix, MatrixKind, Request, Spectrum, decompose_cached,
};

/// Spectral embedding; how many eigenvectors is chosen on folds, or one a class
/// at least where there are few labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpectralMap {
    /// How many eigenvectors to choose from.
    pub counts: Vec<usize>,
    /// Whether spectra are kept on disk.
    pub cached: bool,
}

impl Default for SpectralMap {
    fn default() -> Self {
        Self { counts: vec![4, 16, 64, 256, 512], cached: true }
    }
}

/// Where eigenpairs would be too many to compute, this many are.
const FEW: usize = 64;
/// At most one eigenvector is taken for so many nodes.
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
        let mut tell = |progress: crate::spectral::Progress| {
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
        "the leading eigenvectors as coordinates, then logistic regression"
    }

    fn fills_cores(&self) -> bool {
        false
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn Ready>, BaselineError> {
        let spectrum = self.spectrum(graph, watch)?;
        let kept = spectrum.count();
        // All eigenvectors together only tell nodes apart, whoever they are.
        let most = (graph.node_count() / SMALL_PART).clamp(kept.min(1), kept);
        let mut counts: Vec<usize> = self.counts.iter().map(|count| (*count).min(most)).collect();
        counts.dedup();
        let set = |&count: &usize| {
            let rows = spectrum.vectors().chunks(kept.max(1)).flat_map(|row| {
                // Directions matter, not how much of a node the kept pairs hold.
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
