//! The prediction for a node if some neighbours were excluded or the graph had
//! other edges. Nothing is trained: embeddings, maps, heads and the filter ρ stay
//! the same, and ρ is applied to the changed matrix.

use std::sync::Arc;

use super::context::Row;
use super::edits::Changes;
use super::{Aim, ExplainContext, ExplainError, Explanation};
use crate::model::request;
use gesf_graph::NodeId;
use gesf_spectral::{Cancel, EigenOperator, Matrix, Operator, SelfTerm, decompose};

/// How the changed row of P was computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Means {
    /// No edge changed, so P is that of the model.
    Unchanged,
    /// As the same polynomial of the changed matrix: exact.
    Polynomial,
    /// From the eigenpairs of the changed matrix.
    Decomposed,
}

/// The explanation of a node before and after the edits.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Edit, Edits, Explanation, Means, Ranking, WhatIf};
/// use gesf_graph::NodeId;
/// use gesf_spectral::Cancel;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let context = gesf_core::explain::ExplainContext::of_trainer(&trainer)?;
/// let (node, aim) = (NodeId(0), context.usual_aim(NodeId(0)));
/// let found = Explanation::of(&context, node, aim)?;
/// let loudest = found.ranked(Ranking::Size, 1)[0];
/// let mut edits = Edits::default();
/// edits.push(Edit::Mute(loudest));
/// let changes = edits.changes(context.graph())?;
/// let asked = WhatIf::ask(&context, (node, aim), &changes, &Cancel::default())?;
/// // Excluding a node changes no edge and equals leaving it out.
/// assert_eq!(asked.means, Means::Unchanged);
/// let left_out = found.left_out(&context, &[loudest])?[0];
/// assert!((asked.after.value - left_out).abs() < 1e-9);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// Before the edits.
    pub before: Explanation,
    /// After the edits, with the current filter: nothing is retrained.
    pub after: Explanation,
    /// How the row of P was computed.
    pub means: Means,
}

impl WhatIf {
    /// Computes both. Changed labels alone change no prediction: predictions depend
    /// on them only through training.
    pub fn ask(
        context: &ExplainContext,
        (node, aim): (NodeId, Aim),
        changes: &Changes,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let before = Explanation::of(context, node, aim)?;
        let (mut row, means) = if changes.reach_edges() {
            changed_row(context, &before, changes, cancel)?
        } else {
            (Row { weights: before.weights.clone(), size: before.size }, Means::Unchanged)
        };
        for muted in &changes.muted {
            if let Some(weight) = row.weights.get_mut(muted.index()) {
                *weight = 0.0;
            }
        }
        let after = Explanation::of_row(context, node, aim, row)?;
        Ok(Self { before, after, means })
    }
}

fn changed_row(
    context: &ExplainContext,
    before: &Explanation,
    changes: &Changes,
    cancel: &Cancel,
) -> Result<(Row, Means), ExplainError> {
    let prepared = context.prepared();
    let graph = changes.graph(&prepared.graph);
    let edges = context.settings().edge_values;
    let matrix = Matrix::of(&graph, prepared.matrix.kind().clone(), edges)?;
    let response = &context.snapshot().response;
    let (mut weights, means) =
        match prepared.operator.changed_row(response, &matrix, before.node)? {
            Some(row) => (row.into_iter().map(|value| value as f32).collect(), Means::Polynomial),
            None => (decomposed_row(context, before.node, matrix, cancel)?, Means::Decomposed),
        };
    if context.settings().self_term == SelfTerm::Drop {
        weights[before.node.index()] = 0.0;
    }
    Ok((context.row_of(weights), means))
}

/// The row from the eigenpairs of the changed matrix, as many and of the same kind
/// as the model uses.
fn decomposed_row(
    context: &ExplainContext,
    node: NodeId,
    matrix: Matrix,
    cancel: &Cancel,
) -> Result<Vec<f32>, ExplainError> {
    let spectrum = decompose(&Arc::new(matrix), &request(context.settings()), cancel, &mut |_| {})?;
    let scale = context.prepared().operator.scale();
    let point = |value: &f64| (value / scale).clamp(-1.0, 1.0) as f32;
    let points: Vec<f32> = spectrum.values().iter().map(point).collect();
    let response = context.filter_at(&points)?;
    Ok(EigenOperator::new(Arc::new(spectrum)).row(&response, node)?)
}
