//! Predicts the most frequent class for every node: what any method must beat.

use std::sync::Arc;

use super::{BaselineError, Method, PreparedMethod, TrainingLabels, Watch};
use crate::train::Split;
use gesf_graph::{Graph, LabelKind};

/// Predicts the class shares of the training labels; for numbers, their mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct Majority;

struct Nodes(usize);

/// Shares are kept this far from 0 and 1, so that their logits are finite.
const LEAST: f32 = 1e-6;

/// The logit of a probability.
pub(super) fn logit(share: f32) -> f32 {
    let share = share.clamp(LEAST, 1.0 - LEAST);
    (share / (1.0 - share)).ln()
}

/// The outputs that represent these shares.
pub(super) fn answer_of(kind: LabelKind, shares: &[f32]) -> Vec<f32> {
    match kind {
        LabelKind::One => shares.iter().map(|share| share.max(LEAST).ln()).collect(),
        LabelKind::Several => shares.iter().map(|share| logit(*share)).collect(),
        LabelKind::None | LabelKind::Numeric => shares.to_vec(),
    }
}

impl Method for Majority {
    fn name(&self) -> &'static str {
        "majority"
    }

    fn about(&self) -> &'static str {
        "most frequent class for every node"
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        Ok(Box::new(Nodes(graph.node_count())))
    }
}

impl PreparedMethod for Nodes {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        _watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        Ok(answer_of(lesson.task.kind, &lesson.mean_target()).repeat(self.0))
    }
}
