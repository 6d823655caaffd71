//! The product of the room: P = f(M) applied to a block of columns, and
//! differentiated. What P is made of, eigenvectors or a polynomial, is the
//! business of the engine behind the trait.

use crate::graph::NodeId;

use super::{Matrix, SpectralError};

/// A block of columns, one row a node, row-major: H, Z or a gradient of them.
#[derive(Debug, Clone, Copy)]
pub struct Signal<'a> {
    /// The numbers of all rows, one row after the other.
    pub values: &'a [f32],
    /// How many numbers a row has: d.
    pub width: usize,
}

impl Signal<'_> {
    /// An error unless there is a row for each of `nodes`.
    pub(super) fn fit(&self, nodes: usize) -> Result<(), SpectralError> {
        if self.values.len() == nodes * self.width {
            return Ok(());
        }
        Err(SpectralError::size("a block of columns", self.values.len(), nodes * self.width))
    }
}

/// Whether a node takes part in its own explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelfTerm {
    /// P as it is.
    Keep,
    /// P − diag(P).
    #[default]
    Drop,
}

/// What [`Operator::apply`] leaves for [`Operator::differentiate`].
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// UᵀH where there are eigenvectors, else T_n·H at the watched nodes.
    pub(super) projected: Vec<f32>,
    /// diag(P), where it was dropped.
    pub(super) diagonal: Vec<f32>,
}

/// Z = P·H with what its derivative needs.
#[derive(Debug, Clone)]
pub struct Applied {
    /// Z, row-major, of H's shape.
    pub output: Vec<f32>,
    /// To be handed back for the derivative.
    pub kept: Kept,
}

/// The derivatives of a loss by what went into Z = P·H.
#[derive(Debug, Clone)]
pub struct Gradients {
    /// By H, row-major.
    pub signal: Vec<f32>,
    /// By ρ at each of the operator's points, where it is wanted.
    pub response: Option<Vec<f32>>,
}

/// Whether a derivative by ρ is wanted beside that by H.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterGradient {
    /// The filter follows the same loss.
    Wanted,
    /// The filter stays, or follows another loss.
    Unwanted,
}

/// diag(P), and how far each entry may be off.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagonal {
    /// P_vv of every node.
    pub values: Vec<f32>,
    /// A bound on the root-mean-square error over the nodes; 0 where exact.
    pub error: f32,
}

/// P = f(M), with ρ given by its values at the operator's own points.
///
/// Everything is linear in ρ, so `response` alone says what P is. The same
/// arguments give the same bits, whatever the number of threads.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::graph::NodeId;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let operator = &ground.operator;
/// // With ρ(s) = s at every point, P is M itself, but for its scale.
/// let row = operator.row(operator.points(), NodeId(0))?;
/// let (columns, values) = ground.matrix.entries().row(0);
/// for (&column, value) in columns.iter().zip(values) {
///     let found = f64::from(row[column as usize]) * operator.scale();
///     assert!((found - value).abs() < 1e-5);
/// }
/// # Ok(()) }
/// ```
pub trait Operator: Send + Sync {
    /// How many nodes there are: N.
    fn nodes(&self) -> usize;

    /// Where ρ is to be sampled: s in [-1, 1].
    fn points(&self) -> &[f32];

    /// What s = ±1 stands for: σ = s · scale.
    fn scale(&self) -> f64;

    /// Z = P·H, or (P − diag P)·H. What [`Operator::differentiate_filter`] needs
    /// of the watched nodes is kept.
    fn apply(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        self_term: SelfTerm,
        watched: &[u32],
    ) -> Result<Applied, SpectralError>;

    /// The derivatives of a loss by H and by ρ, given that by Z. `kept` comes
    /// from [`Operator::apply`] with the same response, signal and self term.
    fn differentiate(
        &self,
        response: &[f32],
        signal: Signal<'_>,
        kept: &Kept,
        gradient: Signal<'_>,
        self_term: SelfTerm,
        filter: FilterGradient,
    ) -> Result<Gradients, SpectralError>;

    /// The derivative by ρ alone of a loss that reads Z at the watched nodes,
    /// given that by their rows of Z.
    fn differentiate_filter(
        &self,
        watched: &[u32],
        signal: Signal<'_>,
        kept: &Kept,
        gradient: &[f32],
        self_term: SelfTerm,
    ) -> Result<Vec<f32>, SpectralError>;

    /// diag(P).
    fn diagonal(&self, response: &[f32]) -> Result<Diagonal, SpectralError>;

    /// P_vv of one node, as [`Operator::apply`] takes it off.
    fn diagonal_at(&self, response: &[f32], node: NodeId) -> Result<f32, SpectralError>;

    /// P_vu for one node v and every node u, with P_vv as it is.
    fn row(&self, response: &[f32], node: NodeId) -> Result<Vec<f32>, SpectralError>;

    /// The row that the same filter has on another matrix of as many nodes:
    /// exact, or `None` where that takes eigenvectors of the other matrix.
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
        "name a node of this graph",
    ))
}
