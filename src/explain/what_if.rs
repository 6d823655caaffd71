//! What the model would say of a node if some neighbours were silent, or if the
//! graph had other edges. Nothing is trained: embeddings, maps, heads and the
//! filter ρ stay as they are, and ρ is applied to the changed matrix.

use std::sync::Arc;

use super::edits::Changes;
use super::polynomial::{Polynomial, chebyshev_coefficients, chebyshev_value};
use super::{Aim, ExplainError, Explanation, Moment};
use crate::graph::NodeId;
use crate::model::request;
use crate::spectral::{
    Cancel, EigenOperator, Engine, Matrix, MatrixKind, Operator, Request, SelfTerm, Spectrum,
    Which, decompose,
};

/// Graphs up to this many nodes are decomposed anew, which takes no longer than
/// a key press.
const SMALL: usize = 400;

/// How the changed row of P was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Means {
    /// No edge changed, so P is the model's own.
    Unchanged,
    /// By the eigenpairs of the changed matrix.
    Decomposed,
    /// As the model's own row plus the change of a polynomial of the matrix that
    /// follows the filter.
    Polynomial {
        /// Its degree.
        degree: usize,
        /// How far the polynomial's row is from the model's own on the unchanged
        /// matrix, as a share of that row's length. The error of the answer is
        /// about this share of the change.
        error: f64,
    },
}

/// A node as it is and as it would be.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::explain::{Edit, Edits, Explanation, Means, Ranking, WhatIf};
/// use gesf_tui::{graph::NodeId, spectral::Cancel};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let moment = gesf_tui::explain::Moment::of_trainer(&trainer)?;
/// let (node, aim) = (NodeId(0), moment.usual_aim(NodeId(0)));
/// let found = Explanation::of(&moment, node, aim)?;
/// let loudest = found.ranked(Ranking::Size, 1)[0];
/// let mut edits = Edits::default();
/// edits.push(Edit::Mute(loudest));
/// let changes = edits.changes(moment.graph())?;
/// let asked = WhatIf::ask(&moment, (node, aim), &changes, &Cancel::default())?;
/// // To mute a node changes no edge, and is what leaving it out comes to.
/// assert_eq!(asked.means, Means::Unchanged);
/// let left_out = found.left_out(&moment, &[loudest])?[0];
/// assert!((asked.after.value - left_out).abs() < 1e-9);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// As it is.
    pub before: Explanation,
    /// As it would be, by the current filter: nothing is retrained.
    pub after: Explanation,
    /// How that was found.
    pub means: Means,
}

impl WhatIf {
    /// Asks. Changed labels alone change no answer: what a node is predicted to
    /// be depends on them only through training.
    pub fn ask(
        moment: &Moment,
        (node, aim): (NodeId, Aim),
        changes: &Changes,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let before = Explanation::of(moment, node, aim)?;
        let (mut weights, means) = if changes.reach_edges() {
            changed_row(moment, &before, changes, cancel)?
        } else {
            (before.weights.clone(), Means::Unchanged)
        };
        for muted in &changes.muted {
            if let Some(weight) = weights.get_mut(muted.index()) {
                *weight = 0.0;
            }
        }
        let after = Explanation::of_weights(moment, node, aim, weights)?;
        Ok(Self { before, after, means })
    }
}

fn changed_row(
    moment: &Moment,
    before: &Explanation,
    changes: &Changes,
    cancel: &Cancel,
) -> Result<(Vec<f32>, Means), ExplainError> {
    let ground = moment.ground();
    let graph = changes.graph(&ground.graph);
    let edges = moment.settings().edge_values;
    let matrix = Matrix::of(&graph, ground.matrix.kind().clone(), edges)?;
    match &ground.spectrum {
        Some(_) if matrix.size() <= SMALL => {
            let weights = decomposed_row(moment, before.node, matrix, cancel)?;
            Ok((weights, Means::Decomposed))
        }
        _ => polynomial_row(moment, before, &matrix, changes, cancel),
    }
}

/// The row by the eigenpairs of the changed matrix, as many and of the same kind
/// as the model has.
fn decomposed_row(
    moment: &Moment,
    node: NodeId,
    matrix: Matrix,
    cancel: &Cancel,
) -> Result<Vec<f32>, ExplainError> {
    let request = Request { engine: Some(Engine::Dense), ..request(moment.settings()) };
    let spectrum = decompose(&Arc::new(matrix), &request, cancel, &mut |_| {})?;
    let scale = moment.ground().operator.scale();
    let filter = |value: &f64| moment.response().at((value / scale).clamp(-1.0, 1.0)) as f32;
    let response: Vec<f32> = spectrum.values().iter().map(filter).collect();
    let mut weights = EigenOperator::new(Arc::new(spectrum)).row(&response, node)?;
    let own = weights[node.index()];
    weights[node.index()] = own - moment.dropped(node, own)?;
    Ok(weights)
}

/// The model's own row plus what the change of the matrix does to a polynomial
/// that follows the filter: most of what the polynomial gets wrong it gets wrong
/// on both matrices.
fn polynomial_row(
    moment: &Moment,
    before: &Explanation,
    matrix: &Matrix,
    changes: &Changes,
    cancel: &Cancel,
) -> Result<(Vec<f32>, Means), ExplainError> {
    let ground = moment.ground();
    let scale = ground.operator.scale();
    let half = match matrix.kind() {
        // An edge moves the outermost eigenvalues by its weight at most.
        MatrixKind::Adjacency => scale + moved(moment, changes),
        _ => scale.max(matrix.bound()).max(ground.matrix.bound()),
    };
    let polynomial = if let Some(spectrum) = &ground.spectrum {
        let (kept, response) = (Kept::of(spectrum, moment.settings().which), moment.response());
        let filter = |value: f64| {
            if kept.has(value) { response.at((value / scale).clamp(-1.0, 1.0)) } else { 0.0 }
        };
        Polynomial::fit(filter, half)
    } else {
        let values: Vec<f64> =
            moment.snapshot().response.iter().map(|&value| f64::from(value)).collect();
        // Fitted at twice as many points as it has coefficients.
        let degree = (values.len() / 2).saturating_sub(1);
        let own = chebyshev_coefficients(&values, degree);
        Polynomial::fit(|value| chebyshev_value(&own, value / scale), half)
    };
    let now = polynomial.row(&ground.matrix, before.node, cancel)?;
    let then = polynomial.row(matrix, before.node, cancel)?;
    let keeps_own = moment.settings().self_term == SelfTerm::Keep;
    let (mut error, mut length) = (0.0, 0.0);
    let mut weights = before.weights.clone();
    for (at, weight) in weights.iter_mut().enumerate() {
        if at == before.node.index() && !keeps_own {
            continue;
        }
        error += (now[at] - f64::from(*weight)).powi(2);
        length += f64::from(*weight).powi(2);
        *weight = (f64::from(*weight) + then[at] - now[at]) as f32;
    }
    let error = if length > 0.0 { (error / length).sqrt() } else { error.sqrt() };
    Ok((weights, Means::Polynomial { degree: polynomial.degree(), error }))
}

/// How far changed edges can move an eigenvalue of A.
fn moved(moment: &Moment, changes: &Changes) -> f64 {
    let graph = moment.graph();
    let old = |pair: &(NodeId, NodeId)| {
        let at = graph.neighbours(pair.0).binary_search(&pair.1.0);
        at.map_or(0.0, |at| f64::from(graph.neighbour_weights(pair.0)[at]))
    };
    changes
        .edges
        .iter()
        .map(|(pair, new)| (new.map_or(0.0, f64::from) - old(pair)).abs().max(1.0))
        .sum()
}

/// Which eigenvalues the model keeps.
struct Kept {
    above: f64,
    below: f64,
}

impl Kept {
    fn of(spectrum: &Spectrum, which: Which) -> Self {
        let values = spectrum.values();
        let all = Self { above: f64::NEG_INFINITY, below: f64::INFINITY };
        if values.len() == spectrum.nodes() {
            return all;
        }
        let lowest = values.last().copied().unwrap_or(0.0);
        match which {
            Which::All => all,
            Which::Highest => Self { above: lowest, below: f64::NEG_INFINITY },
            Which::LargestMagnitude => {
                let least = values.iter().map(|value| value.abs()).fold(f64::INFINITY, f64::min);
                Self { above: least, below: -least }
            }
            Which::BothEnds => {
                let top = values.len().div_ceil(2);
                let above = top.checked_sub(1).and_then(|at| values.get(at)).copied();
                let below = values.get(top).copied().unwrap_or(f64::NEG_INFINITY);
                Self { above: above.unwrap_or(f64::INFINITY), below }
            }
        }
    }

    fn has(&self, value: f64) -> bool {
        value >= self.above || value <= self.below
    }
}
