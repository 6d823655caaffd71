//! The ground a model stands on and does not change: the graph it sees, the
//! matrix, and the operator that filters it.

use std::sync::Arc;

use super::ModelError;
use super::settings::{AttributeUse, Eigenpairs, EngineChoice, MatrixChoice, Settings, TypeUse};
use crate::graph::Graph;
use crate::spectral::{
    Cache, Cancel, ChebyshevOperator, ChebyshevOptions, Choice, EigenOperator, Engine, Matrix,
    MatrixKind, Operator, Origin, Progress, RelationWeights, Request, Spectrum, Which,
    decompose_cached,
};

/// A graph made ready for training.
#[derive(Clone)]
pub struct Ground {
    /// The graph, with attributes as nodes where asked for.
    pub graph: Arc<Graph>,
    /// Its matrix.
    pub matrix: Arc<Matrix>,
    /// P as a function of ρ.
    pub operator: Arc<dyn Operator>,
    /// The eigenpairs, where there are any.
    pub spectrum: Option<Arc<Spectrum>>,
    /// Which engine was used, and why.
    pub choice: Choice,
    /// Whether the spectrum came from the cache.
    pub cached: bool,
}

impl MatrixChoice {
    /// The matrix of the spectral room.
    pub fn kind(self) -> MatrixKind {
        match self {
            Self::Adjacency => MatrixKind::Adjacency,
            Self::Sym => MatrixKind::Sym,
            Self::SymLoops => MatrixKind::SymLoops,
            Self::Relations => MatrixKind::Relations(RelationWeights::default()),
        }
    }
}

impl EngineChoice {
    fn engine(self) -> Option<Engine> {
        match self {
            Self::Auto => None,
            Self::Dense => Some(Engine::Dense),
            Self::Block => Some(Engine::Block),
            Self::Chebyshev => Some(Engine::Chebyshev),
        }
    }
}

/// What the settings ask of the spectrum.
pub fn request(settings: &Settings) -> Request {
    let (count, which) = match settings.eigenpairs {
        Eigenpairs::All => (usize::MAX, Which::All),
        Eigenpairs::Count(count) => (count, settings.which),
    };
    let degree = settings.engine_degree;
    Request {
        count,
        which,
        engine: settings.engine.engine(),
        chebyshev: ChebyshevOptions { degree, ..ChebyshevOptions::default() },
        ..Request::default()
    }
}

/// The graph as the settings want the model to see it.
pub fn seen_graph(graph: &Arc<Graph>, settings: &Settings) -> Arc<Graph> {
    let nodes = settings.attributes == AttributeUse::Nodes && graph.attributes().is_some();
    let graph = if nodes { Arc::new(graph.with_attribute_nodes()) } else { graph.clone() };
    let one = settings.node_types == TypeUse::Merge && graph.types().count() > 1;
    let graph = if one { Arc::new(graph.with_one_type()) } else { graph };
    let weighs = settings.rarity && graph.types().count() > 1;
    if weighs { Arc::new(graph.weighed_by_rarity()) } else { graph }
}

impl Ground {
    /// Makes a graph ready: its matrix, and eigenpairs or polynomials of it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use gesf_tui::graph::{LoadOptions, load};
    /// use gesf_tui::model::{Ground, settings::{EngineChoice, Settings}};
    /// use gesf_tui::spectral::Cancel;
    ///
    /// let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
    /// let (graph, cancel) = (Arc::new(graph), Cancel::default());
    /// let ground = Ground::prepare(&graph, &Settings::default(), None, &cancel, &mut |_| {})?;
    /// assert_eq!(ground.spectrum.map(|spectrum| spectrum.count()), Some(34));
    /// // Polynomials stand in for eigenpairs where they are asked for.
    /// let settings = Settings { engine: EngineChoice::Chebyshev, ..Settings::default() };
    /// let ground = Ground::prepare(&graph, &settings, None, &cancel, &mut |_| {})?;
    /// assert!(ground.spectrum.is_none() && ground.operator.nodes() == 34);
    /// # Ok(()) }
    /// ```
    pub fn prepare(
        graph: &Arc<Graph>,
        settings: &Settings,
        cache: Option<&Cache>,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, ModelError> {
        let graph = seen_graph(graph, settings);
        let matrix = Matrix::of(&graph, settings.matrix.kind(), settings.edge_values)?;
        let matrix = Arc::new(matrix);
        let request = request(settings);
        let choice = request.choice(&matrix);
        if choice.engine == Engine::Chebyshev {
            let operator = ChebyshevOperator::new(&matrix, request.chebyshev, cancel, watch)?;
            let operator: Arc<dyn Operator> = Arc::new(operator);
            return Ok(Self { graph, matrix, operator, spectrum: None, choice, cached: false });
        }
        let (spectrum, origin) = decompose_cached(cache, &matrix, &request, cancel, watch)?;
        let spectrum = Arc::new(spectrum);
        let operator: Arc<dyn Operator> = Arc::new(EigenOperator::new(spectrum.clone()));
        let cached = origin == Origin::Cache;
        Ok(Self { graph, matrix, operator, spectrum: Some(spectrum), choice, cached })
    }
}
