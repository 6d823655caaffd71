//! What the model would say of a node if some neighbours were silent, or if the
//! graph had other edges. Nothing is trained: embeddings, maps, heads and the
//! filter ρ stay as they are, and ρ is applied to the changed matrix.

use std::sync::Arc;

use super::edits::Changes;
use super::{Aim, ExplainError, Explanation, Moment};
use crate::graph::NodeId;
use crate::model::request;
use crate::spectral::{Cancel, EigenOperator, Matrix, Operator, SelfTerm, decompose};

/// How the changed row of P was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Means {
    /// No edge changed, so P is the model's own.
    Unchanged,
    /// By the same polynomial of the changed matrix: exact.
    Polynomial,
    /// By the eigenpairs of the changed matrix.
    Decomposed,
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
    let response = &moment.snapshot().response;
    let (mut weights, means) = match ground.operator.changed_row(response, &matrix, before.node)? {
        Some(row) => (row.into_iter().map(|value| value as f32).collect(), Means::Polynomial),
        None => (decomposed_row(moment, before.node, matrix, cancel)?, Means::Decomposed),
    };
    if moment.settings().self_term == SelfTerm::Drop {
        weights[before.node.index()] = 0.0;
    }
    Ok((weights, means))
}

/// The row by the eigenpairs of the changed matrix, as many and of the same kind
/// as the model has.
fn decomposed_row(
    moment: &Moment,
    node: NodeId,
    matrix: Matrix,
    cancel: &Cancel,
) -> Result<Vec<f32>, ExplainError> {
    let spectrum = decompose(&Arc::new(matrix), &request(moment.settings()), cancel, &mut |_| {})?;
    let scale = moment.ground().operator.scale();
    let point = |value: &f64| (value / scale).clamp(-1.0, 1.0) as f32;
    let points: Vec<f32> = spectrum.values().iter().map(point).collect();
    let response = moment.filter_at(&points)?;
    Ok(EigenOperator::new(Arc::new(spectrum)).row(&response, node)?)
}
