//! MMDW, max-margin DeepWalk (Tu et al. 2016): a factorisation of the random-walk
//! matrix and a support vector machine are trained alternately. Labelled nodes near
//! the boundary between classes are pushed to their side of it.

use std::sync::Arc;

use super::factors::{Factors, Push, TwoSteps};
use super::margin::Margin;
use super::method::classes_only;
use super::{BaselineError, Method, PreparedMethod, TrainingLabels, Watch};
use crate::train::Split;
use gesf_graph::{Graph, LabelKind, NodeId};

/// MMDW; the strength of the push is chosen on folds.
#[derive(Debug, Clone, PartialEq)]
pub struct Mmdw {
    /// Dimension of the vectors.
    pub width: usize,
    /// Iterations of the factorisation before labels are used.
    pub settling: usize,
    /// Iterations of the support vector machine and the factorisation.
    pub turns: usize,
    /// η: strength of the push, relative to the size of a node's row. The first
    /// value is the default.
    pub pushes: Vec<f64>,
}

impl Default for Mmdw {
    fn default() -> Self {
        Self { width: 200, settling: 10, turns: 5, pushes: vec![0.03, 0.1] }
    }
}

struct Factorised {
    method: Mmdw,
    nodes: usize,
    steps: TwoSteps,
    factors: Factors,
}

impl Method for Mmdw {
    fn name(&self) -> &'static str {
        "mmdw"
    }

    fn about(&self) -> &'static str {
        "random-walk matrix factorisation with max-margin (SVM) training"
    }

    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        classes_only(self.name(), graph)
    }

    fn is_random(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let steps = TwoSteps::of(graph)?;
        let mut factors = Factors::start(graph.node_count(), self.width, seed);
        for turn in 1..=self.settling {
            watch.check()?;
            (watch.tell)(&format!("factorisation pass {turn} of {}", self.settling));
            factors.settle_own(&steps, None);
            factors.settle_near(&steps);
        }
        factors.settle_own(&steps, None);
        let (method, nodes) = (self.clone(), graph.node_count());
        Ok(Box::new(Factorised { method, nodes, steps, factors }))
    }
}

/// Normalized rows of X, each with a last number for the offset.
fn directions(kind: LabelKind, factors: &Factors, nodes: &[NodeId]) -> Vec<f64> {
    // For exclusive classes an offset would favour the largest; a small one decides
    // for nodes without neighbours.
    let offset = if kind == LabelKind::Several { 1.0 } else { 0.1 };
    let mut rows = Vec::with_capacity(nodes.len() * (factors.width() + 1));
    for node in nodes {
        let row = factors.row(*node);
        let norm = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let scale = if norm > 1e-9 { norm.recip() } else { 0.0 };
        rows.extend(row.iter().map(|x| f64::from(*x) * scale));
        rows.push(offset);
    }
    rows
}

impl Factorised {
    /// The outputs for all nodes with this push strength.
    fn learn(
        &self,
        lesson: &TrainingLabels,
        share: f64,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let kind = lesson.task.kind;
        let mut factors = self.factors.clone();
        let mut margin = Margin::new(lesson.task, factors.width() + 1);
        for _ in 0..self.method.turns {
            watch.check()?;
            let rows = directions(kind, &factors, &lesson.nodes);
            margin.fit(&rows, lesson);
            let pulls = margin.pulls(&rows, lesson);
            let push = Push { nodes: &lesson.nodes, rows: &pulls, share };
            factors.settle_own(&self.steps, Some(&push));
            factors.settle_near(&self.steps);
        }
        watch.check()?;
        margin.fit(&directions(kind, &factors, &lesson.nodes), lesson);
        let answer = |node: u32| {
            let found = margin.answer(&directions(kind, &factors, &[NodeId(node)]));
            found.into_iter().map(|z| z as f32)
        };
        Ok((0..self.nodes as u32).flat_map(answer).collect())
    }
}

impl PreparedMethod for Factorised {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let learn = |taught: &TrainingLabels, push| self.learn(taught, push, watch);
        let push = TrainingLabels::choose(&lesson.some_folds(), &self.method.pushes, learn)?;
        self.learn(lesson, push.unwrap_or(0.0), watch)
    }
}
