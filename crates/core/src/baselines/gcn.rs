//! A graph convolutional network (Kipf and Welling 2017) without features: two
//! layers, Z = Â relu(Â W₀ + b₀) W₁ + b₁ with Â = D̃^-½ (A + I) D̃^-½. Without
//! features the first layer's input is the identity, so W₀ has a row per node.

use std::sync::Arc;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rand_chacha::ChaCha8Rng;

use super::adam::Parameter;
use super::rows::product;
use super::{BaselineError, Method, PreparedMethod, TrainingLabels, ValidationScore, Watch};
use crate::model::Task;
use crate::model::random::{stream, unit};
use crate::train::Split;
use gesf_graph::{Graph, LabelKind, NodeId};
use gesf_spectral::{EdgeValues, Matrix, MatrixKind, Sparse};

/// A network without features; the penalty of its first layer and the number of
/// epochs are chosen on folds, or are those of Kipf and Welling with few labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Gcn {
    /// Width of the hidden layer.
    pub hidden: usize,
    /// Dropout rate of the hidden layer.
    pub dropout: f64,
    /// Learning rate of Adam.
    pub rate: f32,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Penalties of W₀ to choose from.
    pub penalties: Vec<f32>,
}

impl Default for Gcn {
    fn default() -> Self {
        Self {
            hidden: 64,
            dropout: 0.5,
            rate: 0.01,
            epochs: 200,
            penalties: vec![5e-3, 5e-4, 5e-5],
        }
    }
}

/// Kipf and Welling's width and penalty, the defaults with few labels.
const PLAIN: Plan = Plan { hidden: 16, penalty: 5e-4, epochs: usize::MAX };
/// Epochs between two validations.
const LOOK: usize = 5;

/// The options of one network.
#[derive(Debug, Clone, Copy)]
struct Plan {
    hidden: usize,
    penalty: f32,
    epochs: usize,
}

struct Network {
    method: Gcn,
    matrix: Sparse<f32>,
}

impl Method for Gcn {
    fn name(&self) -> &'static str {
        "gcn"
    }

    fn about(&self) -> &'static str {
        "two-layer graph convolutional network without node features"
    }

    fn fills_cores(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        _seed: u64,
        _watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let matrix = Matrix::of(graph, MatrixKind::SymLoops, EdgeValues::Weighted)?;
        Ok(Box::new(Network { method: self.clone(), matrix: matrix.entries().cast() }))
    }
}

/// The state of one network in training.
struct Run<'a> {
    network: &'a Network,
    plan: Plan,
    task: Task,
    random: ChaCha8Rng,
    /// W₀, b₀, W₁, b₁.
    parameters: [Parameter; 4],
    epoch: i32,
}

impl<'a> Run<'a> {
    fn new(network: &'a Network, lesson: &TrainingLabels, plan: Plan) -> Self {
        let (nodes, hidden) = (network.matrix.size(), plan.hidden);
        let outputs = lesson.task.outputs;
        let mut random = stream(lesson.seed, "gcn");
        let parameters = [
            Parameter::new(&mut random, (nodes, hidden), false),
            Parameter::new(&mut random, (1, hidden), true),
            Parameter::new(&mut random, (hidden, outputs), false),
            Parameter::new(&mut random, (1, outputs), true),
        ];
        Self { network, plan, task: lesson.task, random, parameters, epoch: 0 }
    }

    fn sizes(&self) -> (usize, usize, usize) {
        (self.network.matrix.size(), self.plan.hidden, self.task.outputs)
    }

    /// relu(Â W₀ + b₀).
    fn hidden(&self) -> Vec<f32> {
        let (nodes, hidden, _) = self.sizes();
        let mut layer = vec![0.0; nodes * hidden];
        product(&self.network.matrix, &self.parameters[0].values, hidden, &mut layer);
        for row in layer.chunks_mut(hidden.max(1)) {
            for (x, offset) in row.iter_mut().zip(&self.parameters[1].values) {
                *x = (*x + offset).max(0.0);
            }
        }
        layer
    }

    /// Â (layer · W₁) + b₁.
    fn outputs(&self, layer: &[f32]) -> Vec<f32> {
        let (nodes, hidden, outputs) = self.sizes();
        let mut mixed = vec![0.0; nodes * outputs];
        matmul(
            MatMut::from_row_major_slice_mut(&mut mixed, nodes, outputs),
            Accum::Replace,
            MatRef::from_row_major_slice(layer, nodes, hidden),
            MatRef::from_row_major_slice(&self.parameters[2].values, hidden, outputs),
            1.0,
            Par::Seq,
        );
        let mut answers = vec![0.0; nodes * outputs];
        product(&self.network.matrix, &mixed, outputs, &mut answers);
        for row in answers.chunks_mut(outputs.max(1)) {
            row.iter_mut().zip(&self.parameters[3].values).for_each(|(z, offset)| *z += offset);
        }
        answers
    }

    fn answers(&self) -> Vec<f32> {
        self.outputs(&self.hidden())
    }

    /// One Adam step on the mean loss of the training labels.
    fn step(&mut self, lesson: &TrainingLabels) {
        let (nodes, hidden, outputs) = self.sizes();
        let penalty = self.plan.penalty;
        let mut layer = self.hidden();
        let kept = 1.0 - self.network.method.dropout;
        let scale = (1.0 / kept.max(1e-3)) as f32;
        let mask: Vec<f32> =
            layer.iter().map(|_| if unit(&mut self.random) < kept { scale } else { 0.0 }).collect();
        layer.iter_mut().zip(&mask).for_each(|(x, keep)| *x *= keep);
        let answers = self.outputs(&layer);
        let slopes = slopes(lesson, &answers, nodes);
        let mut offset = vec![0.0; outputs];
        for row in slopes.chunks(outputs.max(1)) {
            offset.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
        }
        // Â is symmetric, so the backward pass uses the same product.
        let mut mixed = vec![0.0; nodes * outputs];
        product(&self.network.matrix, &slopes, outputs, &mut mixed);
        let mixed_view = MatRef::from_row_major_slice(&mixed, nodes, outputs);
        let mut second = vec![0.0; hidden * outputs];
        matmul(
            MatMut::from_row_major_slice_mut(&mut second, hidden, outputs),
            Accum::Replace,
            MatRef::from_row_major_slice(&layer, nodes, hidden).transpose(),
            mixed_view,
            1.0,
            Par::Seq,
        );
        let mut back = vec![0.0; nodes * hidden];
        matmul(
            MatMut::from_row_major_slice_mut(&mut back, nodes, hidden),
            Accum::Replace,
            mixed_view,
            MatRef::from_row_major_slice(&self.parameters[2].values, hidden, outputs).transpose(),
            1.0,
            Par::Seq,
        );
        for ((slope, x), keep) in back.iter_mut().zip(&layer).zip(&mask) {
            // No gradient through a zero of ReLU or dropout.
            *slope = if *x > 0.0 { *slope * keep } else { 0.0 };
        }
        let mut first_offset = vec![0.0; hidden];
        for row in back.chunks(hidden.max(1)) {
            first_offset.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
        }
        let mut first = vec![0.0; nodes * hidden];
        product(&self.network.matrix, &back, hidden, &mut first);
        first
            .iter_mut()
            .zip(&self.parameters[0].values)
            .for_each(|(slope, weight)| *slope += penalty * weight);
        self.epoch += 1;
        let (rate, number) = (self.network.method.rate, self.epoch);
        let gradients = [first, first_offset, second, offset];
        for (parameter, gradient) in self.parameters.iter_mut().zip(&gradients) {
            parameter.step(gradient, rate, number);
        }
    }
}

/// The gradient of the mean loss by every output: 0 for unlabelled nodes.
fn slopes(lesson: &TrainingLabels, answers: &[f32], nodes: usize) -> Vec<f32> {
    let width = lesson.task.outputs;
    let share = 1.0 / lesson.nodes.len().max(1) as f32;
    let mut slopes = vec![0.0; nodes * width];
    for (at, node) in lesson.nodes.iter().enumerate() {
        let range = node.index() * width..(node.index() + 1) * width;
        let (found, target) = (&answers[range.clone()], lesson.target(at));
        let likely: Vec<f32> = match lesson.task.kind {
            LabelKind::One => crate::train::probabilities(found, LabelKind::One),
            LabelKind::Several => crate::train::probabilities(found, LabelKind::Several),
            LabelKind::None | LabelKind::Numeric => found.to_vec(),
        };
        for ((slope, likely), wanted) in slopes[range].iter_mut().zip(likely).zip(target) {
            *slope = share * (likely - wanted);
        }
    }
    slopes
}

impl Network {
    /// The plan with the best score on folds; the default if there are none.
    fn choose(&self, lesson: &TrainingLabels, watch: Watch<'_>) -> Result<Plan, BaselineError> {
        let (width, most) = (lesson.task.outputs, self.method.epochs);
        let folds = lesson.some_folds();
        let mut best: Option<(ValidationScore, Plan)> = None;
        for &penalty in self.method.penalties.iter().filter(|_| !folds.is_empty()) {
            let plan = Plan { hidden: self.method.hidden, penalty, epochs: most };
            let mut looks = vec![ValidationScore::default(); most / LOOK];
            for (taught, judged) in &folds {
                let mut run = Run::new(self, taught, plan);
                for look in &mut looks {
                    for _ in 0..LOOK {
                        watch.check()?;
                        run.step(taught);
                    }
                    let answers = run.answers();
                    let of = |node: NodeId| &answers[node.index() * width..][..width];
                    look.add(judged, judged.judge(of));
                }
            }
            for (at, look) in looks.into_iter().enumerate() {
                if best.is_none_or(|(so_far, _)| look.beats(so_far)) {
                    best = Some((look, Plan { epochs: (at + 1) * LOOK, ..plan }));
                }
            }
        }
        Ok(best.map_or(Plan { epochs: most, ..PLAIN }, |(_, plan)| plan))
    }
}

impl PreparedMethod for Network {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let plan = self.choose(lesson, watch)?;
        let mut run = Run::new(self, lesson, plan);
        for _ in 0..plan.epochs {
            watch.check()?;
            run.step(lesson);
        }
        Ok(run.answers())
    }
}
