//! Label propagation (Zhou et al. 2004): labels spread along the edges, F ← α S F +
//! (1 − α) Y with S = D^-½ A D^-½, until convergence.

use std::sync::Arc;

use super::majority::answer_of;
use super::{BaselineError, Method, PreparedMethod, TrainingLabels, Watch};
use crate::model::sparse_product;
use crate::train::Split;
use gesf_graph::Graph;
use gesf_spectral::{EdgeValues, Matrix, MatrixKind, Sparse};

/// Label propagation with α chosen on folds of the training labels: a single
/// number, which can be chosen even with few labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Propagation {
    /// Candidates for α: the weight of the neighbours.
    pub reaches: Vec<f32>,
    /// Maximum number of iterations.
    pub rounds: usize,
}

impl Default for Propagation {
    fn default() -> Self {
        Self { reaches: vec![0.5, 0.8, 0.9, 0.95, 0.99], rounds: 500 }
    }
}

/// A smaller change ends the iteration.
const STILL: f32 = 1e-7;
/// Folds for choosing α.
const FOLDS: usize = 5;
/// The default α, if there are too few labels to choose.
const USUAL: f32 = 0.5;
/// The weight of the class shares where hardly any label arrives.
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
        "labels propagated along edges until convergence"
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let matrix = Matrix::of(graph, MatrixKind::Sym, EdgeValues::Weighted)?;
        Ok(Box::new(Flow { method: self.clone(), matrix: matrix.entries().cast() }))
    }
}

impl Flow {
    fn propagate(
        &self,
        lesson: &TrainingLabels,
        reach: f32,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let outputs = lesson.task.outputs;
        // One more column, 1 for every labelled node: how much arrived in total.
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
            sparse_product(&self.matrix, &now, width, &mut next);
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

impl PreparedMethod for Flow {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let folds = lesson.folds(FOLDS);
        let learn = |taught: &TrainingLabels, reach| self.propagate(taught, reach, watch);
        let reach = TrainingLabels::choose(&folds, &self.method.reaches, learn)?;
        self.propagate(lesson, reach.filter(|_| !folds.is_empty()).unwrap_or(USUAL), watch)
    }
}
