//! Two-layer networks over a graph: Z = B( relu(A(X W₀) + b₀) W₁ ) + b₁, where A and B
//! move numbers along edges or not. X holds the node features; without any it is the
//! identity, so W₀ has a row per node. The graph convolutional network, APPNP and the
//! network on features alone differ only in A and B.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rand_chacha::ChaCha8Rng;

use super::adam::Parameter;
use super::{BaselineError, PreparedMethod, TrainingLabels, ValidationScore, Watch};
use crate::model::random::{stream, unit};
use crate::model::sparse_product;
use crate::model::{SparseRows, Task, log_odds};
use crate::train::Split;
use gesf_graph::{Graph, LabelKind, NodeId};
use gesf_spectral::{EdgeValues, Matrix, MatrixKind, Sparse};

/// Epochs between two validations.
const LOOK: usize = 5;
/// Steps of the power iteration for personalised PageRank, as in the paper of APPNP.
const STEPS: usize = 10;

/// How a layer moves numbers along edges. All are symmetric, so that the backward
/// pass uses the same function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Spread {
    /// Not at all.
    Own,
    /// Â = D̃^-½ (A + I) D̃^-½.
    Neighbours,
    /// Personalised PageRank with this probability of returning to the start.
    PageRank {
        /// The probability.
        teleport: f32,
    },
}

/// The options of one network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) hidden: usize,
    /// Weight penalty of W₀.
    pub(super) penalty: f32,
    /// Number of epochs; `usize::MAX` for all.
    pub(super) epochs: usize,
    /// A and B.
    pub(super) spread: [Spread; 2],
}

/// A kind of network on a graph.
pub(super) struct Network {
    /// The name of its random stream.
    name: &'static str,
    dropout: f64,
    rate: f32,
    epochs: usize,
    /// Plans to choose from on folds.
    plans: Vec<Plan>,
    /// The plan with few labels.
    usual: Plan,
    matrix: Sparse<f32>,
    /// The features of every node, if the graph has any.
    features: Option<SparseRows>,
}

/// How networks are trained and which plans they choose from.
pub(super) struct Options {
    pub(super) name: &'static str,
    /// Dropout rate of the features and the hidden layer.
    pub(super) dropout: f64,
    /// Learning rate of Adam.
    pub(super) rate: f32,
    /// Maximum number of epochs.
    pub(super) epochs: usize,
    pub(super) plans: Vec<Plan>,
    pub(super) usual: Plan,
}

impl Network {
    /// The network of a graph.
    pub(super) fn of(graph: &Graph, options: Options) -> Result<Self, BaselineError> {
        let matrix = Matrix::of(graph, MatrixKind::SymLoops, EdgeValues::Weighted)?;
        let nodes: Vec<u32> = graph.nodes().map(|node| node.0).collect();
        let features = graph.features().map(|all| SparseRows::of_unit_length(all, &nodes));
        let Options { name, dropout, rate, epochs, plans, usual } = options;
        let matrix = matrix.entries().cast();
        Ok(Self { name, dropout, rate, epochs, plans, usual, matrix, features })
    }

    /// The rows moved along edges.
    fn spread(&self, spread: Spread, rows: Vec<f32>, width: usize) -> Vec<f32> {
        match spread {
            Spread::Own => rows,
            Spread::Neighbours => {
                let mut moved = vec![0.0; rows.len()];
                sparse_product(&self.matrix, &rows, width, &mut moved);
                moved
            }
            Spread::PageRank { teleport } => {
                let (mut found, mut moved) = (rows.clone(), vec![0.0; rows.len()]);
                for _ in 0..STEPS {
                    sparse_product(&self.matrix, &found, width, &mut moved);
                    for ((found, moved), start) in found.iter_mut().zip(&moved).zip(&rows) {
                        *found = (1.0 - teleport) * moved + teleport * start;
                    }
                }
                found
            }
        }
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
        let (inputs, hidden) = (network.inputs(), plan.hidden);
        let outputs = lesson.task.outputs;
        let mut random = stream(lesson.seed, network.name);
        let mut parameters = [
            Parameter::new(&mut random, (inputs, hidden), false),
            Parameter::new(&mut random, (1, hidden), true),
            Parameter::new(&mut random, (hidden, outputs), false),
            Parameter::new(&mut random, (1, outputs), true),
        ];
        if lesson.task.kind == LabelKind::Several {
            // As GESF: otherwise epochs are spent on learning that classes are rare.
            let nodes = lesson.nodes.len() as f64;
            let odds = |share: f32| log_odds(f64::from(share) * nodes, nodes);
            parameters[3].values = lesson.mean_target().into_iter().map(odds).collect();
        }
        Self { network, plan, task: lesson.task, random, parameters, epoch: 0 }
    }

    fn sizes(&self) -> (usize, usize, usize) {
        (self.network.matrix.size(), self.plan.hidden, self.task.outputs)
    }

    /// relu(A(X W₀) + b₀).
    fn hidden(&self, features: Option<&SparseRows>) -> Vec<f32> {
        let hidden = self.plan.hidden;
        let weights = &self.parameters[0].values;
        let read = features.map_or_else(|| weights.clone(), |own| own.product(weights, hidden));
        let mut layer = self.network.spread(self.plan.spread[0], read, hidden);
        for row in layer.chunks_mut(hidden.max(1)) {
            for (x, offset) in row.iter_mut().zip(&self.parameters[1].values) {
                *x = (*x + offset).max(0.0);
            }
        }
        layer
    }

    /// B(layer · W₁) + b₁.
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
        let mut answers = self.network.spread(self.plan.spread[1], mixed, outputs);
        for row in answers.chunks_mut(outputs.max(1)) {
            row.iter_mut().zip(&self.parameters[3].values).for_each(|(z, offset)| *z += offset);
        }
        answers
    }

    fn answers(&self) -> Vec<f32> {
        self.outputs(&self.hidden(self.network.features.as_ref()))
    }

    /// One Adam step on the mean loss of the training labels.
    fn step(&mut self, lesson: &TrainingLabels) {
        let (nodes, hidden, outputs) = self.sizes();
        let penalty = self.plan.penalty;
        let kept = 1.0 - self.network.dropout;
        let scale = (1.0 / kept.max(1e-3)) as f32;
        let random = &mut self.random;
        let mut keep = || if unit(random) < kept { scale } else { 0.0 };
        let features = self.network.features.as_ref().map(|all| all.scaled(&mut keep));
        let count = nodes * hidden;
        let mask: Vec<f32> = (0..count).map(|_| keep()).collect();
        let mut layer = self.hidden(features.as_ref());
        layer.iter_mut().zip(&mask).for_each(|(x, keep)| *x *= keep);
        let answers = self.outputs(&layer);
        let slopes = slopes(lesson, &answers, nodes);
        let mut offset = vec![0.0; outputs];
        for row in slopes.chunks(outputs.max(1)) {
            offset.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
        }
        let mixed = self.network.spread(self.plan.spread[1], slopes, outputs);
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
        let read = self.network.spread(self.plan.spread[0], back, hidden);
        let mut first = match &features {
            Some(own) => own.transposed_product(&read, hidden),
            None => read,
        };
        first
            .iter_mut()
            .zip(&self.parameters[0].values)
            .for_each(|(slope, weight)| *slope += penalty * weight);
        self.epoch += 1;
        let (rate, number) = (self.network.rate, self.epoch);
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
    /// The number of rows of W₀.
    fn inputs(&self) -> usize {
        self.features.as_ref().map_or(self.matrix.size(), SparseRows::width)
    }

    /// The plan with the best score on folds; the default if there are none.
    fn choose(&self, lesson: &TrainingLabels, watch: Watch<'_>) -> Result<Plan, BaselineError> {
        let (width, most) = (lesson.task.outputs, self.epochs);
        let folds = lesson.some_folds();
        let mut best: Option<(ValidationScore, Plan)> = None;
        for &plan in self.plans.iter().filter(|_| !folds.is_empty()) {
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
        Ok(best.map_or(Plan { epochs: most, ..self.usual }, |(_, plan)| plan))
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
