//! P = f(M) applied to a block of columns, and its derivatives. The engine behind
//! the trait uses eigenvectors or a polynomial.

use gesf_graph::NodeId;

use super::{Matrix, SpectralError};

/// A block of columns, one row per node, row-major: H, Z or a gradient of them.
#[derive(Debug, Clone, Copy)]
pub struct Signal<'a> {
    /// The values, row-major.
    pub values: &'a [f32],
    /// The number of columns: d.
    pub width: usize,
}

impl Signal<'_> {
    /// An error unless there is a row for each node.
    pub(super) fn fit(&self, nodes: usize) -> Result<(), SpectralError> {
        if self.values.len() == nodes * self.width {
            return Ok(());
        }
        Err(SpectralError::size("a block of columns", self.values.len(), nodes * self.width))
    }
}

/// Whether a node contributes to its own reconstruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelfTerm {
    /// P as it is.
    Keep,
    /// P − diag(P).
    #[default]
    Drop,
}

/// What [`Operator::apply`] stores for [`Operator::differentiate`].
#[derive(Debug, Clone, Default)]
pub struct ForwardState {
    /// UᵀH with eigenvectors, else T_n·H at the watched nodes.
    pub(super) projected: Vec<f32>,
    /// diag(P), if it was dropped.
    pub(super) diagonal: Vec<f32>,
}

/// Z = P·H and the state needed for its derivative.
#[derive(Debug, Clone)]
pub struct Applied {
    /// Z, row-major, of H's shape.
    pub output: Vec<f32>,
    /// The state to pass to the derivative.
    pub kept: ForwardState,
}

/// The derivatives of a loss by the inputs of Z = P·H.
#[derive(Debug, Clone)]
pub struct Gradients {
    /// By H, row-major.
    pub signal: Vec<f32>,
    /// By ρ at each of the operator's points, if requested.
    pub response: Option<Vec<f32>>,
}

/// Whether the derivative by ρ is requested in addition to that by H.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterGradient {
    /// The filter follows the same loss.
    Wanted,
    /// The filter is fixed, or follows another loss.
    Unwanted,
}

/// diag(P), and the error of its entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagonal {
    /// P_vv of every node.
    pub values: Vec<f32>,
    /// A bound on the root-mean-square error over the nodes; 0 if exact.
    pub error: f32,
}

/// P = f(M), with ρ given by its values at the operator's points.
///
/// Everything is linear in ρ, so `response` alone determines P. The same arguments
/// give the same bits, whatever the number of threads.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::NodeId;
/// use gesf_spectral::{Cancel, Operator, PolynomialOperator, PolynomialOptions};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let kind = gesf_spectral::MatrixKind::SymLoops;
/// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
/// # let matrix = std::sync::Arc::new(matrix);
/// let options = PolynomialOptions { degree: 2, ..PolynomialOptions::default() };
/// let operator = PolynomialOperator::new(&matrix, options, &Cancel::default(), &mut |_| {})?;
/// // With ρ(s) = s at every point, P is M up to its scale.
/// let row = operator.row(operator.points(), NodeId(0))?;
/// let (columns, values) = matrix.entries().row(0);
/// for (&column, value) in columns.iter().zip(values) {
///     let found = f64::from(row[column as usize]) * operator.scale();
///     assert!((found - value).abs() < 1e-5);
/// }
/// # Ok(()) }
/// ```
pub trait Operator: Send + Sync {
    /// How many nodes there are: N.
    fn nodes(&self) -> usize;

    /// The points at which ρ is sampled: s in [-1, 1].
    fn points(&self) -> &[f32];

    /// What s = ±1 stands for: σ = s · scale.
    fn scale(&self) -> f64;

    /// Z = P·H, or (P − diag P)·H. Stores what [`Operator::differentiate_filter`]
    /// needs for the watched nodes.
    fn apply(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        self_term: SelfTerm,
        watched: &[u32],
    ) -> Result<Applied, SpectralError>;

    /// The derivatives of a loss by H and by ρ, given that by Z. `kept` comes from
    /// [`Operator::apply`] with the same response, signal and self term.
    fn differentiate(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: Signal<'_>,
        self_term: SelfTerm,
        filter: FilterGradient,
    ) -> Result<Gradients, SpectralError>;

    /// The derivative by only ρ of a loss on Z at the watched nodes, given the
    /// gradient of their rows of Z.
    fn differentiate_filter(
        &self,
        watched: &[u32],
        signal: Signal<'_>,
        kept: &ForwardState,
        gradient: &[f32],
        self_term: SelfTerm,
    ) -> Result<Vec<f32>, SpectralError>;

    /// diag(P).
    fn diagonal(&self, response: &[f32]) -> Result<Diagonal, SpectralError>;

    /// P_vv of one node, as subtracted by [`Operator::apply`].
    fn diagonal_at(&self, response: &[f32], node: NodeId) -> Result<f32, SpectralError>;

    /// P_vu for one node v and every node u, including P_vv.
    fn row(&self, response: &[f32], node: NodeId) -> Result<Vec<f32>, SpectralError>;

    /// c_n of P = Σ c_n T_n(M / scale), with Chebyshev polynomials T_n; `None` if P is
    /// made of eigenvectors.
    fn coefficients(&self, _response: &[f32]) -> Result<Option<Vec<f64>>, SpectralError> {
        Ok(None)
    }

    /// The row of the same filter on another matrix of the same size: exact, or
    /// `None` if that needs eigenvectors of the other matrix.
    fn changed_row(
        &self,
        _response: &[f32],
        _matrix: &Matrix,
        _node: NodeId,
    ) -> Result<Option<Vec<f64>>, SpectralError> {
        Ok(None)
    }
}

/// An error unless the response has a value for each point.
pub(super) fn fit_response(response: &[f32], points: usize) -> Result<(), SpectralError> {
    if response.len() == points {
        return Ok(());
    }
    Err(SpectralError::size("the response of the filter", response.len(), points))
}

/// An error unless the node exists.
pub(super) fn fit_node(node: NodeId, nodes: usize) -> Result<(), SpectralError> {
    if node.index() < nodes {
        return Ok(());
    }
    Err(SpectralError::fault(
        "a row of P",
        format!("node {}", node.0),
        format!("a node below {nodes}"),
        "use a node of this graph",
    ))
}
