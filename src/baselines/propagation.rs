//! Label propagation (Zhou et al. 2004): labels flow along the edges,
//! F ← α S F + (1 − α) Y with S = D^-½ A D^-½, until nothing changes.

use std::sync::Arc;

use super::majority::answer_of;
use super::rows::product;
use super::{BaselineError, Lesson, Method, Ready, Watch};
use crate::graph::Graph;
use crate::spectral::{EdgeValues, Matrix, MatrixKind, Sparse};
use crate::train::Split;

/// Label propagation, its reach chosen on folds of the labels seen: one number,
/// judged by every label, which also pays with few of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Propagation {
    /// The α to choose from: how much a node listens to its neighbours.
    pub reaches: Vec<f32>,
    /// Most rounds.
    pub rounds: usize,
}

impl Default for Propagation {
    fn default() -> Self {
        Self { reaches: vec![0.5, 0.8, 0.9, 0.95, 0.99], rounds: 500 }
    }
}

/// A change below this ends the rounds.
const STILL: f32 = 1e-7;
/// Folds of the lesson that α is chosen on.
const FOLDS: usize = 5;
/// The α where nothing can be judged: what is near counts most.
const USUAL: f32 = 0.5;
/// The weight of the shares of the classes where hardly any label arrives.
const PRIOR: f32 = 1e-6;

struct Flow {
    method: Propagation,
    matrix: Sparse<f32>,
}

impl Method for Propagation {
    fn name(&self) -> &'static str {
        "label-propagation"
    }

    fn about(&self) -> &'static str {
        "labels flow along the edges until nothing changes"
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn Ready>, BaselineError> {
        let matrix = Matrix::of(graph, MatrixKind::Sym, EdgeValues::Weighted)?;
        Ok(Box::new(Flow { method: self.clone(), matrix: matrix.entries().cast() }))
    }
}

impl Flow {
    fn propagate(
        &self,
        lesson: &Lesson,
        reach: f32,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let outputs = lesson.task.outputs;
        // One more column, 1 for every labelled node: how much arrived at all.
        let width = outputs + 1;
        let mut fixed = vec![0.0; self.matrix.size() * width];
        for (at, node) in lesson.nodes.iter().enumerate() {
            let row = &mut fixed[node.index() * width..][..width];
            row[..outputs].copy_from_slice(lesson.target(at));
            row[outputs] = 1.0;
        }
        let (mut now, mut next) = (fixed.clone(), vec![0.0; fixed.len()]);
        for _ in 0..self.method.rounds {
            watch.check()?;
            product(&self.matrix, &now, width, &mut next);
            let mut change = 0.0_f32;
            for ((next, now), fixed) in next.iter_mut().zip(&now).zip(&fixed) {
                *next = reach * *next + (1.0 - reach) * fixed;
                change = change.max((*next - now).abs());
            }
            std::mem::swap(&mut now, &mut next);
            if change < STILL {
                break;
            }
        }
        let prior = lesson.mean_target();
        let answers = now.chunks(width).flat_map(|row| {
            let arrived = row[outputs] + PRIOR;
            let shares: Vec<f32> =
                row.iter().zip(&prior).map(|(own, all)| (own + PRIOR * all) / arrived).collect();
            answer_of(lesson.task.kind, &shares)
        });
        Ok(answers.collect())
    }
}

impl Ready for Flow {
    fn answer(
        &self,
        lesson: &Lesson,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let folds = lesson.folds(FOLDS);
        let learn = |taught: &Lesson, reach| self.propagate(taught, reach, watch);
        let reach = Lesson::choose(&folds, &self.method.reaches, learn)?;
        self.propagate(lesson, reach.filter(|_| !folds.is_empty()).unwrap_or(USUAL), watch)
    }
}
