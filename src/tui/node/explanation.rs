//! The explanation of one node, computed at once.

use std::sync::Arc;

use super::inquiry::Inquiry;
use crate::explain::{
    Aim, Changes, ContributionTable, Contributor, Ego, EgoLimits, ExplainContext, ExplainError,
    Explanation, Faithfulness, Means, PredictFrom, Rings, Slice, Trial, WhatIf, by_label, by_ring,
    by_type, by_walk, from_afar,
};
use crate::graph::{LabelKind, NodeId};
use crate::spectral::Cancel;
use crate::train::probabilities;

/// Contributors in the table.
const MOST: usize = 200;
/// Rings listed separately, before "beyond".
const RINGS: u16 = 4;
/// Contributors removed one after the other in the faithfulness test.
const STEPS: usize = 40;

/// A contributor, included or excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Its contribution.
    pub line: Contributor,
    /// Whether the user excluded it; then this is what it would contribute.
    pub muted: bool,
}

/// The explanation of a node.
#[derive(Debug)]
pub struct NodeExplanation {
    /// The context it was computed in.
    pub context: Arc<ExplainContext>,
    /// The explanation, with the what-if changes applied.
    pub found: Explanation,
    /// The explanation without them, if there are any.
    pub before: Option<Explanation>,
    /// How the changed P was computed.
    pub means: Means,
    /// The what-if changes.
    pub changes: Changes,
    /// The contributors.
    pub rows: Vec<Row>,
    /// The remainder below them.
    pub table: ContributionTable,
    /// By distance, by walk length, by type, by label.
    pub slices: [Vec<Slice>; 4],
    /// Fraction of the contributions from non-adjacent nodes.
    pub afar: f64,
    /// The drawing of the neighbourhood.
    pub ego: Ego,
    /// The faithfulness test.
    pub faithfulness: Option<Faithfulness>,
    /// Difference between the sum of contributions and the model's z; only while
    /// training is paused, since it is slow.
    pub sum_error: Option<f64>,
}

impl NodeExplanation {
    /// Computes the explanation.
    pub(super) fn of(
        context: &Arc<ExplainContext>,
        node: NodeId,
        asked: &Inquiry,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let graph = context.graph();
        let changes = asked.edits.changes(graph)?;
        let usual = context.usual_aim(node);
        let aim = match (usual, asked.class) {
            (Aim::Class(_), Some(class)) => Aim::Class(class),
            _ => usual,
        };
        let (found, before, means) = if changes.reach_edges() || !changes.muted.is_empty() {
            let WhatIf { before, after, means } =
                WhatIf::ask(context, (node, aim), &changes, cancel)?;
            (after, Some(before), means)
        } else {
            (Explanation::of(context, node, aim)?, None, Means::Unchanged)
        };
        let other = changes.reach_edges().then(|| changes.graph(graph));
        let graph = other.as_ref().unwrap_or(graph);
        let rings = Rings::around(graph, node);
        let table = ContributionTable::of(context, &found, &rings, (asked.ranking, MOST))?;
        let mut rows = muted(before.as_ref(), &changes, &rings);
        rows.extend(table.lines.iter().map(|&line| Row { line, muted: false }));
        // Walks differ on a changed graph, so they are not shown there.
        let walks = if before.is_none() { by_walk(context, &found)? } else { Vec::new() };
        let slices = [
            by_ring(&found, &rings, RINGS),
            by_type(context, &found),
            by_label(context, &found),
            walks,
        ];
        let frame = EgoLimits { hops: asked.hops, ..EgoLimits::default() };
        let trial = Trial { most: STEPS, ..Trial::default() };
        let faithfulness =
            asked.faithful.then(|| Faithfulness::of(context, &found, trial, cancel)).transpose()?;
        let sum_error = match &before {
            None if asked.at_rest => Some(found.sum_error(context)?),
            _ => None,
        };
        Ok(Self {
            afar: from_afar(&found, &rings),
            ego: Ego::around(graph, &found, &rings, frame),
            context: context.clone(),
            found,
            before,
            means,
            changes,
            rows,
            table,
            slices,
            faithfulness,
            sum_error,
        })
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.found.node
    }

    /// The model's prediction from x or R: probabilities, or the value in its unit.
    pub fn odds(&self, predict_from: PredictFrom) -> Vec<f64> {
        let context = &self.context;
        let predictions = &context.snapshot().predictions;
        let outputs = match predict_from {
            PredictFrom::X => &predictions.from_x,
            PredictFrom::R => &predictions.from_r,
        };
        let row = outputs.row(context.groups(), self.node()).unwrap_or_default();
        let kind = context.graph().labels().kind();
        let scaled = |value: f32| match kind {
            LabelKind::Numeric => value * context.units().deviation + context.units().mean,
            _ => value,
        };
        probabilities(row, kind).into_iter().map(|value| f64::from(scaled(value))).collect()
    }

    /// The prediction of an explanation, in the same form.
    pub fn odds_of(&self, found: &Explanation) -> Vec<f64> {
        let kind = self.context.graph().labels().kind();
        if matches!(kind, LabelKind::Numeric | LabelKind::None) {
            return found.answers.clone();
        }
        let logits: Vec<f32> = found.answers.iter().map(|&value| value as f32).collect();
        probabilities(&logits, kind).into_iter().map(f64::from).collect()
    }

    /// A node for display: its id, and its name if different.
    pub fn shown(&self, node: NodeId) -> String {
        super::list::shown(self.context.graph(), node)
    }
}

/// The excluded contributors, with what they would contribute.
fn muted(before: Option<&Explanation>, changes: &Changes, rings: &Rings) -> Vec<Row> {
    let Some(before) = before else { return Vec::new() };
    let size = before.size();
    let row = |&node: &NodeId| {
        let score = *before.scores.get(node.index())?;
        let line = Contributor {
            node,
            ring: rings.of(node),
            weight: before.weights[node.index()],
            score,
            share: if size > 0.0 { score / size } else { 0.0 },
            left_out: before.value,
        };
        (node != before.node).then_some(Row { line, muted: true })
    };
    changes.muted.iter().filter_map(row).collect()
}
