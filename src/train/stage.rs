//! The stage in which the filter is learned, and whether there is one.
//!
//! A filter that follows the labels the embeddings were fitted to learns to read
//! them back from neighbours that copied them. So some training labels are
//! withheld from x, in folds that train side by side and share one filter, and
//! the filter follows the loss at exactly those nodes. Then training begins
//! again with the filter settled and all training labels.

use std::collections::BTreeSet;
use std::fmt;

use crate::graph::{Graph, LabelKind, Labels, NodeId};
use crate::model::random::{shuffle, stream};
use crate::model::settings::{FilterLearning, Settings};

/// Fewer training labels than this say nothing about a filter.
pub const FEWEST_LABELS: usize = 12;
/// Most folds by the number of training labels: from so many on, so many. The more
/// labels a fold withholds, the fewer folds it takes to learn from them.
const FOLDS: [(usize, usize); 3] = [(800, 1), (400, 2), (0, 4)];
/// Where a smaller share of the nodes has training labels, few are withheld: the
/// filter should be learned on labels as far apart as they will be.
const DENSE: f64 = 0.3;
const FEW: f64 = 0.25;
const MANY: f64 = 0.5;
/// The stage takes at most one part of all epochs in so many.
const LARGEST_PART: usize = 3;
/// Share of the stage in which x settles before the filter moves.
const SETTLING: f64 = 0.3;

/// What becomes of the filter in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterStage {
    /// It is learned on withheld labels in a stage of its own.
    Withheld {
        /// Epochs of the stage.
        epochs: usize,
        /// Labels that each fold withholds, in node order.
        folds: Vec<Vec<NodeId>>,
    },
    /// It follows the training loss.
    Joint,
    /// It keeps its start.
    Kept(Kept),
}

/// Why a filter keeps its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is a fixed one.
    Fixed,
    /// The graph has no training labels.
    NoLabels,
    /// There are too few training labels.
    FewLabels {
        /// How many there are.
        found: usize,
    },
    /// All training labels are of one class.
    OneClass,
    /// The settings give the stage no epochs.
    NoEpochs,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed => f.write_str("the filter is fixed"),
            Self::NoLabels => f.write_str(
                "no training labels: the filter keeps its start, nothing to learn it from",
            ),
            Self::FewLabels { found } => write!(
                f,
                "{found} training labels, fewer than {FEWEST_LABELS}: the filter keeps its start"
            ),
            Self::OneClass => {
                f.write_str("all training labels are of one class: the filter keeps its start")
            }
            Self::NoEpochs => {
                f.write_str("no epochs for the first stage: the filter keeps its start")
            }
        }
    }
}

impl FilterStage {
    /// The stage that settings and training labels make.
    pub fn of(graph: &Graph, train: &[NodeId], settings: &Settings) -> Self {
        if !settings.filter.is_learned() {
            return Self::Kept(Kept::Fixed);
        }
        if settings.filter_learning == FilterLearning::Joint {
            return Self::Joint;
        }
        let labels = graph.labels();
        if labels.kind() == LabelKind::None || train.is_empty() {
            return Self::Kept(Kept::NoLabels);
        }
        if train.len() < FEWEST_LABELS {
            return Self::Kept(Kept::FewLabels { found: train.len() });
        }
        if let Labels::Classes(classes) = labels
            && train.iter().all(|node| classes.of(*node) == classes.of(train[0]))
        {
            return Self::Kept(Kept::OneClass);
        }
        let epochs = settings.filter_epochs.min(settings.epochs / LARGEST_PART);
        if epochs == 0 {
            return Self::Kept(Kept::NoEpochs);
        }
        let share = settings.withheld.share().unwrap_or_else(|| usual_share(graph, train));
        let most = FOLDS.iter().find(|(labels, _)| train.len() >= *labels).map_or(1, |own| own.1);
        // More folds than it takes to withhold every label would repeat themselves.
        let usual = most.min((1.0 / share).round() as usize).max(1);
        let folds = settings.folds.count().unwrap_or(usual);
        let mut order = train.to_vec();
        shuffle(&mut stream(settings.seed, "withheld"), &mut order);
        let size = (share * order.len() as f64).round() as usize;
        let size = size.clamp(1, order.len() - 1);
        let fold = |fold: usize| {
            let own = (0..size).map(|at| order[(fold * size + at) % order.len()]);
            let mut own: Vec<NodeId> = own.collect();
            own.sort_unstable();
            own
        };
        Self::Withheld { epochs, folds: (0..folds).map(fold).collect() }
    }

    /// Epochs before the second stage begins.
    pub fn epochs(&self) -> usize {
        match self {
            Self::Withheld { epochs, .. } => *epochs,
            Self::Joint | Self::Kept(_) => 0,
        }
    }

    /// The labels that each fold withholds at an epoch; none in the second stage.
    pub fn folds_at(&self, epoch: usize) -> &[Vec<NodeId>] {
        match self {
            Self::Withheld { epochs, folds } if epoch < *epochs => folds,
            _ => &[],
        }
    }

    /// The first epoch of the stage whose step moves the filter.
    pub fn first_move(&self) -> usize {
        (SETTLING * self.epochs() as f64).ceil() as usize
    }
}

/// The share of the training labels that is withheld unless another is asked for.
fn usual_share(graph: &Graph, train: &[NodeId]) -> f64 {
    let types = graph.types();
    let labelled: BTreeSet<_> = train.iter().map(|node| types.of(*node)).collect();
    let nodes = graph.nodes().filter(|node| labelled.contains(&types.of(*node))).count();
    if (train.len() as f64) < DENSE * nodes as f64 { FEW } else { MANY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{LoadOptions, load};
    use crate::model::settings::{FilterShape, Folds};
    use crate::train::Split;

    #[test]
    fn folds_cover_every_training_label_once_and_no_test_label() {
        let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap();
        // Labels that lie far apart are withheld by quarters, others by halves.
        for (labelled, folds) in [(0.5, 2), (0.36, 2), (0.29, 0)] {
            let settings = Settings { labelled, ..Settings::default() };
            let split = Split::of(&graph, &settings);
            let stage = FilterStage::of(&graph, &split.seen, &settings);
            assert_eq!(stage.folds_at(0).len(), folds, "{labelled}");
            let mut all: Vec<NodeId> = stage.folds_at(0).iter().flatten().copied().collect();
            all.sort_unstable();
            let before = all.len();
            all.dedup();
            assert!(before - all.len() <= folds, "only rounding makes folds overlap");
            assert!(all.iter().all(|node| split.seen.contains(node)));
            assert!(stage.folds_at(stage.epochs()).is_empty());
        }
        let far = load("sample_graphs/lesmis".as_ref(), &LoadOptions::default()).unwrap().0;
        let settings = Settings { labelled: 0.2, ..Settings::default() };
        let stage = FilterStage::of(&far, &Split::of(&far, &settings).seen, &settings);
        assert_eq!(stage.folds_at(0).len(), 4);
    }

    #[test]
    fn a_filter_that_cannot_be_learned_says_why() {
        let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap();
        let stage = |settings: &Settings| {
            let split = Split::of(&graph, settings);
            match FilterStage::of(&graph, &split.seen, settings) {
                FilterStage::Kept(kept) => kept.to_string(),
                other => format!("{other:?}"),
            }
        };
        let few = Settings { labelled: 0.2, ..Settings::default() };
        assert!(stage(&few).contains("7 training labels"), "{}", stage(&few));
        let none = Settings { labelled: 0.0, ..Settings::default() };
        assert!(stage(&none).contains("no training labels"));
        let fixed = Settings { filter: FilterShape::Heat, ..Settings::default() };
        assert!(stage(&fixed).contains("fixed"));
        let joint = Settings { filter_learning: FilterLearning::Joint, ..Settings::default() };
        assert_eq!(stage(&joint), "Joint");
        let one = Settings { folds: Folds::Count(1), ..Settings::default() };
        assert!(stage(&one).contains("Withheld"));
    }
}
