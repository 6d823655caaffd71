//! MMDW, max-margin DeepWalk (Tu et al. 2016): a factorisation of the steps of
//! random walks and a support vector machine learn in turns. Labelled nodes that
//! lie near the border between classes are pushed to their side of it.

use std::sync::Arc;

use super::factors::{Factors, Push, TwoSteps};
use super::margin::Margin;
use super::method::classes_only;
use super::{BaselineError, Lesson, Method, Ready, Watch};
use crate::graph::{Graph, LabelKind, NodeId};
use crate::train::Split;

/// MMDW; how hard it pushes is chosen on folds.
#[derive(Debug, Clone, PartialEq)]
pub struct Mmdw {
    /// Numbers a node.
    pub width: usize,
    /// Turns of the two factors before labels are looked at.
    pub settling: usize,
    /// Turns of the machine and the factors.
    pub turns: usize,
    /// η: how hard nodes are pushed, as a share of the size of what walks say of
    /// a node. The first is taken where nothing can be chosen.
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
        "a factorisation of random walks that a support vector machine pushes"
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
    ) -> Result<Box<dyn Ready>, BaselineError> {
        let steps = TwoSteps::of(graph)?;
        let mut factors = Factors::start(graph.node_count(), self.width, seed);
        for turn in 1..=self.settling {
            watch.check()?;
            (watch.tell)(&format!("factors {turn} of {}", self.settling));
            factors.settle_own(&steps, None);
            factors.settle_near(&steps);
        }
        factors.settle_own(&steps, None);
        let (method, nodes) = (self.clone(), graph.node_count());
        Ok(Box::new(Factorised { method, nodes, steps, factors }))
    }
}

/// Directions of some rows of X, each with a number at its end for the offset.
fn directions(kind: LabelKind, factors: &Factors, nodes: &[NodeId]) -> Vec<f64> {
    // Among classes that exclude each other an offset would favour the largest;
    // a small one decides where a node has no neighbours.
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
    /// The answers for all nodes after so hard a push.
    fn learn(
        &self,
        lesson: &Lesson,
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

impl Ready for Factorised {
    fn answer(
        &self,
        lesson: &Lesson,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let learn = |taught: &Lesson, push| self.learn(taught, push, watch);
        let push = Lesson::choose(&lesson.some_folds(), &self.method.pushes, learn)?;
        self.learn(lesson, push.unwrap_or(0.0), watch)
    }
}
