//! Everything the screen tells of one node, found out at once.

use std::sync::Arc;

use super::inquiry::Inquiry;
use crate::explain::{
    Aim, Changes, Ego, ExplainError, Explanation, Faithfulness, Frame, Line, Means, Moment, Rings,
    Slice, Table, Trial, Voice, WhatIf, by_label, by_ring, by_type, by_walk, from_afar,
};
use crate::graph::{LabelKind, NodeId};
use crate::spectral::Cancel;
use crate::train::probabilities;

/// Contributors in the table.
const MOST: usize = 200;
/// Rings of their own, before "beyond".
const RINGS: u16 = 4;
/// Contributors that are taken away, one after the other.
const STEPS: usize = 40;

/// A contributor, heard or muted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What it adds.
    pub line: Line,
    /// Whether a person muted it; then this is what it would add.
    pub muted: bool,
}

/// What is known of a node.
#[derive(Debug)]
pub struct Account {
    /// The moment it is of.
    pub moment: Arc<Moment>,
    /// The node as it is, or as it would be after the changes.
    pub found: Explanation,
    /// As it is, where something was changed.
    pub before: Option<Explanation>,
    /// How the changed P was found.
    pub means: Means,
    /// The changes.
    pub changes: Changes,
    /// The contributors.
    pub rows: Vec<Row>,
    /// What is left over below them.
    pub table: Table,
    /// By distance, by type, by label.
    pub slices: [Vec<Slice>; 4],
    /// Share of what others say that comes from no neighbours.
    pub afar: f64,
    /// The picture of the neighbourhood.
    pub ego: Ego,
    /// The test of the explanation.
    pub faithfulness: Option<Faithfulness>,
    /// How far the contributions are from z as the model makes it; only where
    /// training rests, for it is slow.
    pub sum_error: Option<f64>,
}

impl Account {
    /// Finds everything out.
    pub(super) fn of(
        moment: &Arc<Moment>,
        node: NodeId,
        asked: &Inquiry,
        cancel: &Cancel,
    ) -> Result<Self, ExplainError> {
        let graph = moment.graph();
        let changes = asked.edits.changes(graph)?;
        let usual = moment.usual_aim(node);
        let aim = match (usual, asked.class) {
            (Aim::Class(_), Some(class)) => Aim::Class(class),
            _ => usual,
        };
        let (found, before, means) = if changes.reach_edges() || !changes.muted.is_empty() {
            let WhatIf { before, after, means } =
                WhatIf::ask(moment, (node, aim), &changes, cancel)?;
            (after, Some(before), means)
        } else {
            (Explanation::of(moment, node, aim)?, None, Means::Unchanged)
        };
        let other = changes.reach_edges().then(|| changes.graph(graph));
        let graph = other.as_ref().unwrap_or(graph);
        let rings = Rings::around(graph, node);
        let table = Table::of(moment, &found, &rings, (asked.ranking, MOST))?;
        let mut rows = muted(before.as_ref(), &changes, &rings);
        rows.extend(table.lines.iter().map(|&line| Row { line, muted: false }));
        // Walks on a changed graph are others; what they come to is not told.
        let walks = if before.is_none() { by_walk(moment, &found)? } else { Vec::new() };
        let slices = [
            by_ring(&found, &rings, RINGS),
            by_type(moment, &found),
            by_label(moment, &found),
            walks,
        ];
        let frame = Frame { hops: asked.hops, ..Frame::default() };
        let trial = Trial { most: STEPS, ..Trial::default() };
        let faithfulness =
            asked.faithful.then(|| Faithfulness::of(moment, &found, trial, cancel)).transpose()?;
        let sum_error = match &before {
            None if asked.at_rest => Some(found.sum_error(moment)?),
            _ => None,
        };
        Ok(Self {
            afar: from_afar(&found, &rings),
            ego: Ego::around(graph, &found, &rings, frame),
            moment: moment.clone(),
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

    /// What is predicted from one voice, as the model itself gave it:
    /// probabilities, or the value in its own unit.
    pub fn odds(&self, voice: Voice) -> Vec<f64> {
        let moment = &self.moment;
        let predictions = &moment.snapshot().predictions;
        let outputs = match voice {
            Voice::X => &predictions.from_x,
            Voice::R => &predictions.from_r,
        };
        let row = outputs.row(moment.groups(), self.node()).unwrap_or_default();
        let kind = moment.graph().labels().kind();
        let scaled = |value: f32| match kind {
            LabelKind::Numeric => value * moment.units().deviation + moment.units().mean,
            _ => value,
        };
        probabilities(row, kind).into_iter().map(|value| f64::from(scaled(value))).collect()
    }

    /// What an explanation's answers say, in the same way.
    pub fn odds_of(&self, found: &Explanation) -> Vec<f64> {
        let kind = self.moment.graph().labels().kind();
        if matches!(kind, LabelKind::Numeric | LabelKind::None) {
            return found.answers.clone();
        }
        let logits: Vec<f32> = found.answers.iter().map(|&value| value as f32).collect();
        probabilities(&logits, kind).into_iter().map(f64::from).collect()
    }

    /// A node as a person knows it: its id, and its name where that is another.
    pub fn shown(&self, node: NodeId) -> String {
        super::list::shown(self.moment.graph(), node)
    }
}

/// Those who were muted, with what they would say.
fn muted(before: Option<&Explanation>, changes: &Changes, rings: &Rings) -> Vec<Row> {
    let Some(before) = before else { return Vec::new() };
    let size = before.size();
    let row = |&node: &NodeId| {
        let score = *before.scores.get(node.index())?;
        let line = Line {
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
