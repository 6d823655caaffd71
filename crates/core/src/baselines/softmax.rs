//! A classifier trained one label at a time, which also updates the input vector.

use crate::model::Task;
use crate::train::probabilities;
use gesf_graph::LabelKind;

/// W and an offset, a row per class.
pub(super) struct Softmax {
    kind: LabelKind,
    weights: Vec<Vec<f32>>,
    offsets: Vec<f32>,
}

/// Weight decay of a step.
const DECAY: f32 = 1e-3;

impl Softmax {
    pub(super) fn new(task: Task, width: usize) -> Self {
        let outputs = task.outputs;
        Self {
            kind: task.kind,
            weights: vec![vec![0.0; width]; outputs],
            offsets: vec![0.0; outputs],
        }
    }

    pub(super) fn answer(&self, vector: &[f32]) -> Vec<f32> {
        let dot = |row: &Vec<f32>| row.iter().zip(vector).map(|(w, x)| w * x).sum::<f32>();
        self.weights.iter().zip(&self.offsets).map(|(row, offset)| dot(row) + offset).collect()
    }

    /// One gradient step on the loss of a label.
    pub(super) fn step(&mut self, vector: &mut [f32], target: &[f32], rate: f32) {
        let likely = probabilities(&self.answer(vector), self.kind);
        let mut change = vec![0.0; vector.len()];
        let rows = self.weights.iter_mut().zip(&mut self.offsets);
        for ((row, offset), (likely, wanted)) in rows.zip(likely.iter().zip(target)) {
            let by = rate * (wanted - likely);
            *offset += by;
            for ((weight, x), change) in row.iter_mut().zip(vector.iter()).zip(&mut change) {
                *change += by * *weight;
                *weight += by * x - rate * DECAY * *weight;
            }
        }
        vector.iter_mut().zip(&change).for_each(|(x, by)| *x += by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_learned_and_vectors_follow_them() {
        for kind in [LabelKind::One, LabelKind::Several] {
            let mut softmax = Softmax::new(Task { kind, outputs: 2 }, 1);
            let mut vectors = [[-0.5], [0.5]];
            for _ in 0..500 {
                softmax.step(&mut vectors[0], &[1.0, 0.0], 0.1);
                softmax.step(&mut vectors[1], &[0.0, 1.0], 0.1);
            }
            let [left, right] = vectors.map(|vector| softmax.answer(&vector));
            assert!(left[0] > left[1] && right[1] > right[0], "{kind:?}: {left:?} {right:?}");
            assert!(vectors[0][0] < -0.5 && vectors[1][0] > 0.5, "{vectors:?}");
        }
    }
}
