//! A support vector machine for all classes at once (Weston and Watkins 1999), or
//! one per class for several labels per node; with squared hinges, which are
//! smooth.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::TrainingLabels;
use super::minimise::minimise;
use crate::model::Task;
use gesf_graph::LabelKind;

/// The cost of a label inside the margin, against ½ |W|².
const COST: f64 = 30.0;
const ROUNDS: usize = 100;
const TOLERANCE: f64 = 1e-4;

/// W with a row per feature, offsets last.
pub(super) struct Margin {
    task: Task,
    width: usize,
    weights: Vec<f64>,
}

impl Margin {
    /// An untrained machine. `width` includes the last column of each row, for the
    /// offset.
    pub(super) fn new(task: Task, width: usize) -> Self {
        Self { task, width, weights: vec![0.0; width * task.outputs] }
    }

    /// Fits the rows of the labelled nodes, from its current state.
    pub(super) fn fit(&mut self, rows: &[f64], lesson: &TrainingLabels) {
        let (width, outputs, count) = (self.width, self.task.outputs, lesson.nodes.len());
        let x = MatRef::from_row_major_slice(rows, count, width);
        let share = COST / count.max(1) as f64;
        let mut slopes = vec![0.0; count * outputs];
        minimise(&mut self.weights, ROUNDS, TOLERANCE, |weights, gradient| {
            let w = MatRef::from_row_major_slice(weights, width, outputs);
            let to = MatMut::from_row_major_slice_mut(&mut slopes, count, outputs);
            matmul(to, Accum::Replace, x, w, 1.0, Par::Seq);
            let mut loss = 0.0;
            for (at, row) in slopes.chunks_mut(outputs.max(1)).enumerate() {
                loss += share * hinge(lesson.task.kind, row, lesson.target(at));
            }
            let to = MatMut::from_row_major_slice_mut(gradient, width, outputs);
            let slopes = MatRef::from_row_major_slice(&slopes, count, outputs);
            matmul(to, Accum::Replace, x.transpose(), slopes, share, Par::Seq);
            for (slope, weight) in gradient.iter_mut().zip(weights) {
                *slope += weight;
                loss += weight * weight / 2.0;
            }
            loss
        });
    }

    /// The output for a row.
    pub(super) fn answer(&self, row: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.task.outputs];
        for (x, weights) in row.iter().zip(self.weights.chunks(self.task.outputs.max(1))) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += x * weight);
        }
        sums
    }

    /// The direction in which each row has to move: Σⱼ αⱼ (w_y − wⱼ), which is 0
    /// for rows outside the margin.
    pub(super) fn pulls(&self, rows: &[f64], lesson: &TrainingLabels) -> Vec<f64> {
        let features = self.width.saturating_sub(1);
        let mut pulls = Vec::with_capacity(lesson.nodes.len() * features);
        for (at, row) in rows.chunks(self.width.max(1)).enumerate() {
            let mut slopes = self.answer(row);
            hinge(self.task.kind, &mut slopes, lesson.target(at));
            let weights = self.weights.chunks(self.task.outputs.max(1)).take(features);
            pulls.extend(weights.map(|weights| {
                -weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum::<f64>()
            }));
        }
        pulls
    }
}

/// The loss of an output, which is replaced by its gradient.
fn hinge(kind: LabelKind, answer: &mut [f64], target: &[f32]) -> f64 {
    let mut loss = 0.0;
    if kind == LabelKind::Several {
        for (z, y) in answer.iter_mut().zip(target) {
            let side = if *y > 0.5 { 1.0 } else { -1.0 };
            let short = (1.0 - side * *z).max(0.0);
            loss += short * short;
            *z = -2.0 * side * short;
        }
        return loss;
    }
    let Some(own) = target.iter().position(|y| *y > 0.5) else {
        answer.fill(0.0);
        return 0.0;
    };
    let right = answer[own];
    let mut sum = 0.0;
    for (class, z) in answer.iter_mut().enumerate() {
        let short = if class == own { 0.0 } else { (1.0 - (right - *z)).max(0.0) };
        loss += short * short;
        sum += 2.0 * short;
        *z = 2.0 * short;
    }
    answer[own] = -sum;
    loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use gesf_graph::NodeId;

    #[test]
    fn rows_are_separated_and_only_those_near_the_boundary_are_pulled() {
        let places = [-4.0, -3.0, -0.1, 0.1, 3.0, 4.0];
        let rows: Vec<f64> = places.iter().flat_map(|x| [*x, 1.0]).collect();
        for kind in [LabelKind::One, LabelKind::Several] {
            let classes = |x: &f64| if *x > 0.0 { [0.0, 1.0] } else { [1.0, 0.0] };
            let lesson = TrainingLabels {
                task: Task { kind, outputs: 2 },
                nodes: (0..6).map(NodeId).collect(),
                targets: places.iter().flat_map(classes).collect(),
                seed: 1,
            };
            let mut margin = Margin::new(lesson.task, 2);
            margin.fit(&rows, &lesson);
            for (row, x) in rows.chunks(2).zip(places) {
                let answer = margin.answer(row);
                assert_eq!(answer[1] > answer[0], x > 0.0, "{kind:?} {x}: {answer:?}");
            }
            let pulls = margin.pulls(&rows, &lesson);
            assert!(pulls[2] < 0.0 && pulls[3] > 0.0, "{kind:?}: {pulls:?}");
            assert!(pulls[0].abs() < 1e-9 && pulls[5].abs() < 1e-9, "{kind:?}: {pulls:?}");
        }
    }
}
