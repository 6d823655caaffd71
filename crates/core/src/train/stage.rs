//! The first stage, in which the filter is learned, and whether there is one.
//!
//! A filter fitted to the same labels as the embeddings learns to read them back
//! from neighbours that copied them. So some training labels are withheld from x,
//! in folds that train side by side and share one filter, and the filter follows
//! the loss at exactly those nodes. Where messages may be summed or averaged, both
//! train side by side. Then training restarts with the filter and the better
//! aggregation fixed and all training labels.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::diffused_dimensions;
use crate::model::random::{shuffle, stream};
use crate::model::settings::{FilterLearning, Settings, Start};
use gesf_graph::{Graph, LabelKind, Labels, NodeId};
use gesf_spectral::Matrix;

/// With fewer training labels than this the filter is not learned.
pub const FEWEST_LABELS: usize = 16;
/// With fewer withheld labels two ways of aggregation are not compared: differences of
/// their losses are chance.
const FEWEST_TO_COMPARE: usize = 30;
/// In larger graphs the number of clusters would take long to estimate.
const MOST_DIFFUSED: usize = 10_000;
/// The maximum number of folds from a number of training labels on. The more labels
/// a fold withholds, the fewer folds are needed.
const FOLDS: [(usize, usize); 3] = [(800, 1), (400, 2), (0, 4)];
/// Below this share of labelled nodes fewer labels are withheld, so that the filter
/// is learned on labels about as sparse as those used later.
const DENSE: f64 = 0.3;
const FEW: f64 = 0.25;
const MANY: f64 = 0.5;
/// The stage takes at most this fraction (1/n) of all epochs.
const LARGEST_PART: usize = 3;
/// Share of the stage in which x settles before the filter is updated.
const SETTLING: f64 = 0.3;

/// The initial embeddings. Labels too few to learn the filter are also too few to
/// shape random embeddings, so these start from the structure of the graph, unless
/// it has more clusters than there are labels to name them.
pub(super) fn start_of(settings: &Settings, matrix: &Matrix, train: &[NodeId]) -> Start {
    let named = || {
        matrix.size() <= MOST_DIFFUSED
            && diffused_dimensions(matrix, settings.seed) < train.len() as f64
    };
    match settings.start {
        Start::Auto if train.len() < FEWEST_LABELS && named() => Start::Diffused,
        Start::Auto => Start::Random,
        chosen => chosen,
    }
}

/// How the filter of a run is learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterStage {
    /// On withheld labels, in the first stage.
    Withheld {
        /// Epochs of the stage.
        epochs: usize,
        /// Labels that each fold withholds, in node order.
        folds: Vec<Vec<NodeId>>,
    },
    /// It follows the training loss.
    Joint,
    /// It keeps its initial values.
    NotLearned(FilterNotLearned),
}

/// Why a filter is not learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterNotLearned {
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

impl fmt::Display for FilterNotLearned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed => f.write_str("the filter is fixed"),
            Self::NoLabels => f.write_str("no training labels: the filter keeps its initial value"),
            Self::FewLabels { found } => write!(
                f,
                "{found} training labels, fewer than {FEWEST_LABELS}: the filter keeps its initial value"
            ),
            Self::OneClass => f.write_str(
                "all training labels are of one class: the filter keeps its initial value",
            ),
            Self::NoEpochs => {
                f.write_str("no epochs in stage 1: the filter keeps its initial value")
            }
        }
    }
}

impl FilterStage {
    /// The stage for these settings and training labels.
    pub fn of(graph: &Graph, train: &[NodeId], settings: &Settings) -> Self {
        if !settings.filter.is_learned() {
            return Self::NotLearned(FilterNotLearned::Fixed);
        }
        if settings.filter_learning == FilterLearning::Joint {
            return Self::Joint;
        }
        let labels = graph.labels();
        if labels.kind() == LabelKind::None || train.is_empty() {
            return Self::NotLearned(FilterNotLearned::NoLabels);
        }
        if train.len() < FEWEST_LABELS {
            return Self::NotLearned(FilterNotLearned::FewLabels { found: train.len() });
        }
        if let Labels::Classes(classes) = labels
            && train.iter().all(|node| classes.of(*node) == classes.of(train[0]))
        {
            return Self::NotLearned(FilterNotLearned::OneClass);
        }
        let epochs = settings.filter_epochs.min(settings.epochs / LARGEST_PART);
        if epochs == 0 {
            return Self::NotLearned(FilterNotLearned::NoEpochs);
        }
        let share = settings.withheld.share().unwrap_or_else(|| usual_share(graph, train));
        let most = FOLDS.iter().find(|(labels, _)| train.len() >= *labels).map_or(1, |own| own.1);
        // More folds than needed to withhold every label would repeat themselves.
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

    /// Epochs before the second stage.
    pub fn epochs(&self) -> usize {
        match self {
            Self::Withheld { epochs, .. } => *epochs,
            Self::Joint | Self::NotLearned(_) => 0,
        }
    }

    /// The labels that each fold withholds at an epoch; none in the second stage.
    pub fn folds_at(&self, epoch: usize) -> &[Vec<NodeId>] {
        match self {
            Self::Withheld { epochs, folds } if epoch < *epochs => folds,
            _ => &[],
        }
    }

    /// The number of withheld labels in all folds.
    pub(super) fn withheld_labels(&self) -> usize {
        self.folds_at(0).iter().map(Vec::len).sum()
    }

    /// Whether so many labels are withheld that they can tell which of two ways of
    /// aggregation is better.
    pub(super) fn compares(&self) -> bool {
        self.withheld_labels() >= FEWEST_TO_COMPARE
    }

    /// The first epoch of the stage whose step updates the filter.
    pub fn first_move(&self) -> usize {
        (SETTLING * self.epochs() as f64).ceil() as usize
    }
}

/// The default share of the training labels to withhold.
fn usual_share(graph: &Graph, train: &[NodeId]) -> f64 {
    let types = graph.types();
    let labelled: BTreeSet<_> = train.iter().map(|node| types.of(*node)).collect();
    let nodes = graph.nodes().filter(|node| labelled.contains(&types.of(*node))).count();
    if (train.len() as f64) < DENSE * nodes as f64 { FEW } else { MANY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::{FilterShape, Folds};
    use crate::train::Split;
    use gesf_graph::{LoadOptions, load};

    #[test]
    fn folds_cover_every_training_label_once_and_no_test_label() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        // Sparse labels are withheld by quarters, dense ones by halves.
        for (labelled, folds) in [(0.6, 2), (0.5, 2), (0.41, 0)] {
            let settings = Settings { labelled, ..Settings::default() };
            let split = Split::of(&graph, &settings);
            let stage = FilterStage::of(&graph, &split.train, &settings);
            assert_eq!(stage.folds_at(0).len(), folds, "{labelled}");
            let mut all: Vec<NodeId> = stage.folds_at(0).iter().flatten().copied().collect();
            all.sort_unstable();
            let before = all.len();
            all.dedup();
            assert!(before - all.len() <= folds, "only rounding makes folds overlap");
            assert!(all.iter().all(|node| split.train.contains(node)));
            assert!(stage.folds_at(stage.epochs()).is_empty());
        }
        let far = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/lesmis").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap()
        .0;
        let settings = Settings { labelled: 0.25, ..Settings::default() };
        let stage = FilterStage::of(&far, &Split::of(&far, &settings).train, &settings);
        assert_eq!(stage.folds_at(0).len(), 4);
    }

    #[test]
    fn few_labels_start_from_a_structure_they_can_name() {
        let start = |name: &str, labels: usize, chosen: Start| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/");
            let (graph, _) =
                load(format!("{folder}{name}").as_ref(), &LoadOptions::default()).unwrap();
            let settings = Settings { start: chosen, ..Settings::default() };
            let matrix = Matrix::of(&graph, settings.matrix.kind(), settings.edge_values).unwrap();
            let train: Vec<NodeId> = graph.nodes().take(labels).collect();
            start_of(&settings, &matrix, &train)
        };
        assert_eq!(start("karate", 4, Start::Auto), Start::Diffused);
        assert_eq!(start("karate", FEWEST_LABELS, Start::Auto), Start::Random);
        assert_eq!(start("karate", 0, Start::Auto), Start::Random);
        assert_eq!(start("karate", 4, Start::Spectral), Start::Spectral);
        // The e-mail network has more clusters than eleven labels can name.
        assert_eq!(start("email-eu", 11, Start::Auto), Start::Random);
    }

    #[test]
    fn a_filter_that_cannot_be_learned_returns_the_reason() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let stage = |settings: &Settings| {
            let split = Split::of(&graph, settings);
            match FilterStage::of(&graph, &split.train, settings) {
                FilterStage::NotLearned(kept) => kept.to_string(),
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
