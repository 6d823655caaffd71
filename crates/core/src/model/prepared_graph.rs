//! The immutable inputs of a model: the graph it sees, the matrix, and the filter
//! operator.

use std::sync::Arc;

use candle_core::Device;

use super::settings::{
    Aggregation, AttributeUse, EigenpairCount, EngineChoice, FeatureUse, MatrixChoice, Settings,
    SplitChoice, Start, TypeUse,
};
use super::{Groups, ModelError, PreparedFeatures};
use gesf_graph::{Graph, LabelKind};
use gesf_spectral::{
    Cache, Cancel, Choice, EigenOperator, Engine, Matrix, MatrixKind, Operator, PolynomialOperator,
    PolynomialOptions, Progress, RelationWeights, Request, Spectrum, Which, decompose_cached,
};

/// A graph prepared for training.
#[derive(Clone)]
pub struct PreparedGraph {
    /// The graph, with attributes as nodes if the settings ask for it.
    pub graph: Arc<Graph>,
    /// Its matrix.
    pub matrix: Arc<Matrix>,
    /// Whether no entry of the matrix is below 0.
    pub is_nonnegative: bool,
    /// P as a function of ρ.
    pub operator: Arc<dyn Operator>,
    /// The eigenpairs, if the filter or the initialization needs them.
    pub spectrum: Option<Arc<Spectrum>>,
    /// Which engine was used, and why.
    pub choice: Choice,
    /// The node features, if the graph has any and the settings use them.
    pub features: Option<Arc<PreparedFeatures>>,
}

impl MatrixChoice {
    /// The matrix kind of `gesf_spectral`.
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

/// The eigenpairs the settings ask for, if any are computed.
pub fn request(settings: &Settings) -> Request {
    let (count, which) = match settings.eigenpairs {
        EigenpairCount::All => (usize::MAX, Which::All),
        EigenpairCount::Count(count) => (count, settings.which),
    };
    Request { count, which, engine: settings.engine.engine(), ..Request::default() }
}

/// How P is computed: a polynomial filter needs no eigenvectors.
pub fn choice(settings: &Settings, matrix: &Matrix) -> (Choice, usize) {
    let exact = settings.filter.exact_degree(settings.degree);
    let degree = exact.unwrap_or(settings.engine_degree);
    if let (EngineChoice::Auto, Some(degree)) = (settings.engine, exact) {
        let reason = format!("the filter is a polynomial of degree {degree}: sparse products");
        return (Choice { engine: Engine::Chebyshev, reason }, degree);
    }
    (request(settings).choice(matrix), degree)
}

/// Whether eigenpairs may be computed, on a graph that is not too large. Their last
/// bits depend on the number of threads; those of polynomials do not.
pub fn may_use_eigenpairs(settings: &Settings) -> bool {
    let exact = settings.filter.exact_degree(settings.degree).is_some();
    let polynomial = match settings.engine {
        EngineChoice::Auto => exact,
        EngineChoice::Chebyshev => true,
        EngineChoice::Dense | EngineChoice::Block => false,
    };
    !polynomial || settings.start == Start::Spectral
}

/// An error if the settings name a split that the graph does not have.
pub fn check_split(graph: &Graph, settings: &Settings) -> Result<(), ModelError> {
    let is_there = match &settings.split {
        SplitChoice::Random => true,
        SplitChoice::All => !graph.splits().is_empty(),
        SplitChoice::Stored(name) => graph.split_named(name).is_some(),
    };
    if is_there {
        return Ok(());
    }
    let stored = graph.splits().iter().map(|split| split.name.as_str());
    let expected: Vec<&str> = std::iter::once("random").chain(stored).collect();
    Err(ModelError::NoSplit { found: settings.split.to_string(), expected: expected.join(", ") })
}

/// The graph as the model sees it with these settings: it has features only if they
/// are used.
pub fn seen_graph(graph: &Arc<Graph>, settings: &Settings) -> Arc<Graph> {
    let nodes = settings.attributes == AttributeUse::Nodes && graph.features().is_some();
    let graph = if nodes { Arc::new(graph.with_attribute_nodes()) } else { graph.clone() };
    let one = settings.node_types == TypeUse::Merge && graph.types().count() > 1;
    let graph = if one { Arc::new(graph.with_one_type()) } else { graph };
    let weighs = settings.rarity && graph.types().count() > 1;
    let graph = if weighs { Arc::new(graph.weighed_by_rarity()) } else { graph };
    let ignores = settings.features == FeatureUse::Ignore && graph.features().is_some();
    if ignores { Arc::new(graph.without_features()) } else { graph }
}

impl PreparedGraph {
    /// Prepares a graph: its matrix, and polynomials or eigenpairs of it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use gesf_graph::{LoadOptions, load};
    /// use gesf_core::model::{PreparedGraph, settings::{FilterShape, Settings}};
    /// use gesf_spectral::Cancel;
    ///
    /// let (graph, _) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
    /// let (graph, cancel) = (Arc::new(graph), Cancel::default());
    /// // Hop weights need no eigenvectors.
    /// let prepared = PreparedGraph::prepare(&graph, &Settings::default(), None, &cancel, &mut |_| {})?;
    /// assert!(prepared.spectrum.is_none() && prepared.operator.nodes() == 34);
    /// // The paper's network is not a polynomial.
    /// let settings = Settings { filter: FilterShape::Mlp, ..Settings::default() };
    /// let prepared = PreparedGraph::prepare(&graph, &settings, None, &cancel, &mut |_| {})?;
    /// assert_eq!(prepared.spectrum.map(|spectrum| spectrum.count()), Some(34));
    /// # Ok(()) }
    /// ```
    pub fn prepare(
        graph: &Arc<Graph>,
        settings: &Settings,
        cache: Option<&Cache>,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, ModelError> {
        check_split(graph, settings)?;
        let graph = seen_graph(graph, settings);
        let matrix = Matrix::of(&graph, settings.matrix.kind(), settings.edge_values)?;
        let matrix = Arc::new(matrix);
        let (choice, degree) = choice(settings, &matrix);
        let polynomial = choice.engine == Engine::Chebyshev;
        // A spectral initialization needs eigenvectors whatever the filter; on
        // graphs too large for that it is random.
        let engine = request(settings).choice(&matrix).engine;
        let wanted =
            !polynomial || (settings.start == Start::Spectral && engine != Engine::Chebyshev);
        let spectrum = if wanted {
            let found = decompose_cached(cache, &matrix, &request(settings), cancel, watch)?;
            Some(Arc::new(found.0))
        } else {
            None
        };
        let operator: Arc<dyn Operator> = match &spectrum {
            Some(spectrum) if !polynomial => Arc::new(EigenOperator::new(spectrum.clone())),
            _ => {
                let options = PolynomialOptions { degree, ..PolynomialOptions::default() };
                Arc::new(PolynomialOperator::new(&matrix, options, cancel, watch)?)
            }
        };
        let features = match graph.features() {
            Some(features) => {
                let groups = Groups::of(&graph, &Device::Cpu)?;
                Some(Arc::new(PreparedFeatures::of(features, &groups)))
            }
            None => None,
        };
        let is_nonnegative = matrix.entries().is_nonnegative();
        Ok(Self { graph, matrix, is_nonnegative, operator, spectrum, choice, features })
    }

    /// How messages may be aggregated, the usual way first: by sum or mean. Weights of
    /// both signs may cancel, so they have no mean. Numbers are never predicted better
    /// from sums, and with several classes per node a lower loss does not mean a higher
    /// F1, so only with one class per node both are tried.
    pub fn aggregations(&self, settings: &Settings) -> &'static [Aggregation] {
        use Aggregation::{Auto, Mean, Sum};
        let have_mean = settings.filter.is_nonnegative() && self.is_nonnegative;
        match (settings.aggregation, self.graph.labels().kind()) {
            (Auto, LabelKind::One) if have_mean => &[Sum, Mean],
            (Auto, LabelKind::Numeric) | (Mean, _) if have_mean => &[Mean],
            _ => &[Sum],
        }
    }
}
