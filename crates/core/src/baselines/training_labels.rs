//! The labels a method may learn from: the training labels only.

use super::BaselineError;
use crate::model::random::{shuffle, stream};
use crate::model::{Task, Units};
use crate::train::{Split, decided};
use gesf_graph::{Graph, LabelKind, Labels, NodeId};

/// The training labels, as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingLabels {
    /// What is predicted.
    pub task: Task,
    /// Which nodes are labelled.
    pub nodes: Vec<NodeId>,
    /// Their targets: 0 or 1 for each class, or a number in its [`Units`].
    /// Row-major.
    pub targets: Vec<f32>,
    /// The seed of every random choice.
    pub seed: u64,
}

/// Fewer labels than this are not divided into folds.
const LEAST: usize = 8;
/// With fewer labels than this a method uses its default settings: choosing among
/// many settings with a handful of labels would be random.
pub const ENOUGH_TO_CHOOSE: usize = 50;
/// This many validation labels are enough to compare settings.
const ENOUGH_TO_JUDGE: usize = 100;
/// Number of folds.
const FOLDS: usize = 5;

/// How well outputs fit the targets.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ValidationScore {
    /// The main criterion; larger is better.
    pub score: f64,
    /// The tie-breaker; smaller is better.
    pub loss: f64,
}

impl ValidationScore {
    /// Whether this is better.
    pub fn beats(self, other: Self) -> bool {
        (self.score, -self.loss) > (other.score, -other.loss)
    }

    /// Adds the result of another fold.
    pub(super) fn add(&mut self, judged: &TrainingLabels, own: Self) {
        self.score += own.score * judged.nodes.len() as f64;
        self.loss += own.loss;
    }
}

/// The loss of one output.
fn loss(task: Task, answer: &[f32], target: &[f32]) -> f64 {
    let pairs = answer.iter().zip(target).map(|(z, y)| (f64::from(*z), f64::from(*y)));
    match task.kind {
        LabelKind::None => 0.0,
        LabelKind::One => {
            let most = answer.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let most = f64::from(most);
            let sum: f64 = pairs.clone().map(|(z, _)| (z - most).exp()).sum();
            pairs.map(|(z, y)| y * (most + sum.ln() - z)).sum()
        }
        LabelKind::Several => {
            pairs.map(|(z, y)| z.max(0.0) - z * y + (-z.abs()).exp().ln_1p()).sum()
        }
        LabelKind::Numeric => pairs.map(|(z, y)| (z - y).powi(2) / 2.0).sum(),
    }
}

impl TrainingLabels {
    /// The training labels of a split.
    pub fn of(graph: &Graph, split: &Split, seed: u64) -> Self {
        let (labels, task) = (graph.labels(), Task::of(graph));
        let units = Units::of(labels, &split.train);
        // Methods choose on their own folds, so the validation labels are included.
        let mut nodes = [split.train.clone(), split.validation.clone()].concat();
        nodes.sort_unstable();
        let mut targets = vec![0.0; nodes.len() * task.outputs];
        for (row, &node) in targets.chunks_mut(task.outputs.max(1)).zip(&nodes) {
            match labels {
                Labels::None => {}
                Labels::Classes(classes) => {
                    classes.of(node).iter().for_each(|class| row[class.index()] = 1.0);
                }
                Labels::Numeric(values) => {
                    let value = values.get(node.index()).copied().flatten();
                    row[0] = value.map_or(0.0, |value| (value - units.mean) / units.deviation);
                }
            }
        }
        Self { task, nodes, targets, seed }
    }

    /// The target of a labelled node, by its index.
    pub fn target(&self, at: usize) -> &[f32] {
        &self.targets[at * self.task.outputs..][..self.task.outputs]
    }

    /// The share of each class among the labels, or the mean number.
    pub fn mean_target(&self) -> Vec<f32> {
        let mut sums = vec![0.0_f64; self.task.outputs];
        for at in 0..self.nodes.len() {
            self.target(at).iter().zip(&mut sums).for_each(|(y, sum)| *sum += f64::from(*y));
        }
        let count = self.nodes.len().max(1) as f64;
        sums.iter().map(|sum| (sum / count) as f32).collect()
    }

    /// Whether there are enough labels to choose settings.
    pub fn can_choose(&self) -> bool {
        self.nodes.len() >= ENOUGH_TO_CHOOSE
    }

    /// Folds for choosing settings: in each, some labels are removed for
    /// validation, each label once. Fewer folds if there are fewer labels than
    /// that, and none if there are too few labels to remove any.
    pub fn folds(&self, count: usize) -> Vec<(Self, Self)> {
        let count = count.min(self.nodes.len());
        if self.nodes.len() < LEAST || count < 2 {
            return Vec::new();
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        shuffle(&mut stream(self.seed, "folds"), &mut order);
        (0..count)
            .map(|fold| {
                let part = |judged: bool| {
                    let mut own: Vec<usize> = order
                        .iter()
                        .enumerate()
                        .filter(|(place, _)| (place % count == fold) == judged)
                        .map(|(_, &at)| at)
                        .collect();
                    own.sort_unstable();
                    self.part(&own)
                };
                (part(false), part(true))
            })
            .collect()
    }

    /// For slow methods: as few folds as give enough validation labels to compare
    /// settings, and none if there are too few labels.
    pub(super) fn some_folds(&self) -> Vec<(Self, Self)> {
        let mut folds = if self.can_choose() { self.folds(FOLDS) } else { Vec::new() };
        let mut judged = 0;
        folds.retain(|(_, own)| {
            let wanted = judged < ENOUGH_TO_JUDGE;
            judged += own.nodes.len();
            wanted
        });
        folds
    }

    /// The candidate whose outputs score best on folds, the first of equals; `None`
    /// without candidates.
    pub(super) fn choose<C: Copy>(
        folds: &[(Self, Self)],
        candidates: &[C],
        learn: impl Fn(&Self, C) -> Result<Vec<f32>, BaselineError>,
    ) -> Result<Option<C>, BaselineError> {
        let mut best: Option<(ValidationScore, C)> = None;
        for &candidate in candidates {
            let mut quality = ValidationScore::default();
            for (taught, judged) in folds {
                let (answers, width) = (learn(taught, candidate)?, judged.task.outputs);
                let of = |node: NodeId| &answers[node.index() * width..][..width];
                quality.add(judged, judged.judge(of));
            }
            if best.is_none_or(|(so_far, _)| quality.beats(so_far)) {
                best = Some((quality, candidate));
            }
        }
        Ok(best.map(|(_, candidate)| candidate))
    }

    fn part(&self, places: &[usize]) -> Self {
        Self {
            task: self.task,
            nodes: places.iter().map(|&at| self.nodes[at]).collect(),
            targets: places.iter().flat_map(|&at| self.target(at).iter().copied()).collect(),
            seed: self.seed,
        }
    }

    /// How well the outputs, given by node, fit these targets.
    pub fn judge<'a>(&self, answer: impl Fn(NodeId) -> &'a [f32]) -> ValidationScore {
        let mut quality = ValidationScore::default();
        let (mut hits, mut decisions) = (0.0, 0.0);
        for (at, &node) in self.nodes.iter().enumerate() {
            let (found, target) = (answer(node), self.target(at));
            let loss = loss(self.task, found, target);
            quality.loss += loss;
            match self.task.kind {
                LabelKind::None => {}
                LabelKind::Numeric => quality.score -= loss,
                LabelKind::One | LabelKind::Several => {
                    let chosen = decided(found, self.task.kind);
                    let right = |class: &&u16| target[**class as usize] > 0.5;
                    hits += 2.0 * chosen.iter().filter(right).count() as f64;
                    decisions += chosen.len() as f64 + f64::from(target.iter().sum::<f32>());
                }
            }
        }
        if decisions > 0.0 {
            // F1 over all decisions; for one class per node this is accuracy.
            quality.score = hits / decisions;
        }
        quality
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Settings;
    use gesf_graph::{LoadOptions, load};

    fn lesson() -> TrainingLabels {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/lesmis").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        TrainingLabels::of(&graph, &Split::of(&graph, &Settings::default()), 1)
    }

    #[test]
    fn folds_validate_every_label_once_and_never_train_on_it() {
        let lesson = lesson();
        let folds = lesson.folds(3);
        let mut judged: Vec<NodeId> = folds.iter().flat_map(|fold| fold.1.nodes.clone()).collect();
        judged.sort_unstable();
        assert_eq!(judged, lesson.nodes);
        for (taught, judged) in &folds {
            assert!(judged.nodes.iter().all(|node| !taught.nodes.contains(node)));
            assert_eq!(taught.nodes.len() + judged.nodes.len(), lesson.nodes.len());
        }
    }

    #[test]
    fn slow_methods_use_no_fold_all_folds_or_one_as_labels_grow() {
        let of = |count: u32| {
            let task = Task { kind: LabelKind::One, outputs: 1 };
            let nodes = (0..count).map(NodeId).collect();
            TrainingLabels { task, nodes, targets: vec![1.0; count as usize], seed: 1 }
        };
        let folds = [49, 50, 250, 1000].map(|count| of(count).some_folds().len());
        assert_eq!(folds, [0, 5, 2, 1]);
    }

    #[test]
    fn right_outputs_score_better_than_wrong_ones() {
        let lesson = lesson();
        let width = lesson.task.outputs;
        let place = |node: NodeId| lesson.nodes.binary_search(&node).unwrap();
        let right: Vec<f32> = lesson.targets.iter().map(|y| 6.0 * y).collect();
        let wrong: Vec<f32> = lesson.targets.iter().map(|y| -6.0 * y).collect();
        let rows = |rows: &[f32]| {
            lesson.judge(|node| {
                let start = place(node) * width;
                // A leak is acceptable in a test.
                Box::leak(rows[start..start + width].to_vec().into_boxed_slice())
            })
        };
        assert!(rows(&right).beats(rows(&wrong)));
        assert!((rows(&right).score - 1.0).abs() < 1e-12);
    }
}
