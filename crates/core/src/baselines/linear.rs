//! Regression on node vectors: softmax for one class per node, one logistic
//! regression per class for several, least squares for numbers; with an L2 penalty
//! chosen on folds of the training labels.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::minimise::minimise;
use super::{BaselineError, TrainingLabels, ValidationScore, Watch};
use crate::model::Task;
use gesf_graph::{LabelKind, NodeId};

/// Candidate penalties, for features of size 1 and a mean loss.
const PENALTIES: [f64; 7] = [1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4];
/// The default penalty, as an index.
const USUAL: usize = 3;
const ROUNDS: usize = 200;
const TOLERANCE: f64 = 1e-4;

/// Vectors of all nodes, each with a last 1 for the offset.
pub(super) struct Features {
    width: usize,
    rows: Vec<f64>,
}

impl Features {
    /// From vectors of any size: all are scaled by one factor, to numbers of size
    /// 1.
    pub(super) fn new(values: &[f32], width: usize) -> Self {
        let square = values.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        let size = (square / values.len().max(1) as f64).sqrt();
        let scale = if size > 0.0 { size.recip() } else { 1.0 };
        let scaled = |row: &[f32]| -> Vec<f64> {
            let own = row.iter().map(|x| f64::from(*x) * scale);
            own.chain(std::iter::once(1.0)).collect()
        };
        let rows = values.chunks(width.max(1)).flat_map(scaled).collect();
        Self { width: width + 1, rows }
    }

    /// The dimension of the vectors, without the last 1.
    pub(super) fn numbers(&self) -> usize {
        self.width - 1
    }

    fn row(&self, node: NodeId) -> &[f64] {
        &self.rows[node.index() * self.width..][..self.width]
    }

    fn of(&self, nodes: &[NodeId]) -> Vec<f64> {
        nodes.iter().flat_map(|node| self.row(*node).iter().copied()).collect()
    }
}

/// W with a row per feature, offsets last.
pub(super) struct Linear {
    task: Task,
    weights: Vec<f64>,
}

impl Linear {
    /// The best fit of the training labels under a penalty, from a starting point.
    fn fit(
        features: &Features,
        lesson: &TrainingLabels,
        penalty: f64,
        mut start: Vec<f64>,
    ) -> Self {
        let (width, outputs) = (features.width, lesson.task.outputs);
        let count = lesson.nodes.len();
        let x = features.of(&lesson.nodes);
        let x = MatRef::from_row_major_slice(&x, count, width);
        let mut answers = vec![0.0; count * outputs];
        minimise(&mut start, ROUNDS, TOLERANCE, |weights, gradient| {
            let w = MatRef::from_row_major_slice(weights, width, outputs);
            let to = MatMut::from_row_major_slice_mut(&mut answers, count, outputs);
            matmul(to, Accum::Replace, x, w, 1.0, Par::Seq);
            let share = 1.0 / count.max(1) as f64;
            let mut loss = 0.0;
            for (row, answer) in answers.chunks_mut(outputs.max(1)).enumerate() {
                loss += share * differentiate(lesson.task, answer, lesson.target(row));
                for slope in answer {
                    *slope *= share;
                }
            }
            let slopes = MatRef::from_row_major_slice(&answers, count, outputs);
            let to = MatMut::from_row_major_slice_mut(gradient, width, outputs);
            matmul(to, Accum::Replace, x.transpose(), slopes, 1.0, Par::Seq);
            // Offsets are not penalised.
            let held = (width - 1) * outputs;
            for (slope, weight) in gradient[..held].iter_mut().zip(weights) {
                *slope += penalty * weight;
                loss += penalty / 2.0 * weight * weight;
            }
            loss
        });
        Self { task: lesson.task, weights: start }
    }

    /// The output for one node.
    fn answer(&self, features: &Features, node: NodeId) -> Vec<f32> {
        let mut sums = vec![0.0; self.task.outputs];
        let weights = self.weights.chunks(self.task.outputs.max(1));
        for (x, weights) in features.row(node).iter().zip(weights) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += x * weight);
        }
        sums.iter().map(|sum| *sum as f32).collect()
    }

    /// The outputs for all nodes, row-major.
    pub(super) fn answers(&self, features: &Features) -> Vec<f32> {
        let count = features.rows.len() / features.width;
        (0..count).flat_map(|node| self.answer(features, NodeId(node as u32))).collect()
    }
}

/// The loss of an output, which is replaced by its gradient.
fn differentiate(task: Task, answer: &mut [f64], target: &[f32]) -> f64 {
    let pairs = answer.iter_mut().zip(target).map(|(z, y)| (z, f64::from(*y)));
    match task.kind {
        LabelKind::None => 0.0,
        LabelKind::One => {
            let most = pairs.map(|(z, _)| *z).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = answer.iter().map(|z| (z - most).exp()).sum();
            let mut loss = 0.0;
            for (z, y) in answer.iter_mut().zip(target) {
                let y = f64::from(*y);
                loss += y * (most + sum.ln() - *z);
                *z = (*z - most).exp() / sum - y;
            }
            loss
        }
        LabelKind::Several => pairs
            .map(|(z, y)| {
                let loss = z.max(0.0) - *z * y + (-z.abs()).exp().ln_1p();
                *z = 1.0 / (1.0 + (-*z).exp()) - y;
                loss
            })
            .sum(),
        LabelKind::Numeric => pairs
            .map(|(z, y)| {
                *z -= y;
                *z * *z / 2.0
            })
            .sum(),
    }
}

/// The fit with the penalty that scores best on folds, and its score there.
pub(super) fn fit(
    features: &Features,
    lesson: &TrainingLabels,
    watch: Watch<'_>,
) -> Result<(Linear, ValidationScore), BaselineError> {
    let zero = vec![0.0; features.width * lesson.task.outputs];
    let mut sums = [ValidationScore::default(); PENALTIES.len()];
    let folds = lesson.some_folds();
    for (taught, judged) in &folds {
        // From strong to weak: each fit is a good starting point for the next.
        let mut start = zero.clone();
        for (sum, penalty) in sums.iter_mut().zip(PENALTIES) {
            watch.check()?;
            let linear = Linear::fit(features, taught, penalty, start);
            let rows: Vec<Vec<f32>> =
                judged.nodes.iter().map(|node| linear.answer(features, *node)).collect();
            let place = |node: NodeId| judged.nodes.binary_search(&node).unwrap_or(0);
            let own = judged.judge(|node| &rows[place(node)]);
            sum.add(judged, own);
            start = linear.weights;
        }
    }
    let mut best = if folds.is_empty() { USUAL } else { 0 };
    for at in 0..PENALTIES.len() {
        if sums[at].beats(sums[best]) {
            best = at;
        }
    }
    Ok((Linear::fit(features, lesson, PENALTIES[best], zero), sums[best]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(kind: LabelKind, outputs: usize, targets: Vec<f32>) -> TrainingLabels {
        let nodes = (0..(targets.len() / outputs) as u32).map(NodeId).collect();
        TrainingLabels { task: Task { kind, outputs }, nodes, targets, seed: 1 }
    }

    #[test]
    fn a_separating_line_is_found_for_every_task() {
        let values: Vec<f32> = (0..60).map(|n| (n as f32 - 29.5) / 15.0).collect();
        let features = Features::new(&values, 1);
        let right = |n: usize| n >= 30;
        let classes = |n: usize| if right(n) { [0.0, 1.0] } else { [1.0, 0.0] };
        let cancel = gesf_spectral::Cancel::default();
        let watch = Watch { cancel: &cancel, tell: &|_| () };
        for kind in [LabelKind::One, LabelKind::Several] {
            let lesson = lesson(kind, 2, (0..60).flat_map(classes).collect());
            let (linear, quality) = fit(&features, &lesson, watch).unwrap();
            assert!(quality.score > 0.9 * 60.0, "{quality:?}");
            for (n, row) in linear.answers(&features).chunks(2).enumerate() {
                assert_eq!(row[1] > row[0], right(n), "{n}: {row:?}");
            }
        }
        let line = lesson(LabelKind::Numeric, 1, values.iter().map(|x| 3.0 * x + 1.0).collect());
        let (linear, _) = fit(&features, &line, watch).unwrap();
        for (found, x) in linear.answers(&features).iter().zip(&values) {
            assert!((found - (3.0 * x + 1.0)).abs() < 0.05, "{found} {x}");
        }
    }
}
