//! Which labels are used for training, validation and test.

use crate::model::random::{shuffle, stream};
use crate::model::settings::{Settings, SplitChoice};
use gesf_graph::{Graph, Labels, NodeId, SplitPart, StoredSplit};

/// The labelled nodes of a graph in three parts, each in node order.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::model::settings::Settings;
/// use gesf_core::train::Split;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// let settings = Settings { labelled: 0.25, ..Settings::default() };
/// let split = Split::of(&graph, &settings);
/// assert_eq!((split.train.len(), split.test.len()), (9, 25));
/// assert!(split.train.iter().all(|node| !split.test.contains(node)));
/// assert_eq!(Split::of(&graph, &settings), split);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// Their labels are fitted.
    pub train: Vec<NodeId>,
    /// Their labels are used for model selection: the best epoch, early stopping,
    /// settings.
    pub validation: Vec<NodeId>,
    /// Their labels are used only for scoring.
    pub test: Vec<NodeId>,
}

impl Split {
    /// The split of the settings: one that comes with the graph, or drawn by share
    /// and seed, stratified by class if the settings ask for it.
    pub fn of(graph: &Graph, settings: &Settings) -> Self {
        let mut split = match &settings.split {
            SplitChoice::Stored(name) => {
                graph.split_named(name).map(|own| Self::stored(graph, own))
            }
            SplitChoice::All => {
                let at = settings.seed as usize % graph.splits().len().max(1);
                graph.splits().get(at).map(|own| Self::stored(graph, own))
            }
            SplitChoice::Random => None,
        }
        .unwrap_or_else(|| Self::random(graph, settings));
        // Last, so that the other parts do not depend on it.
        if split.validation.is_empty() {
            let mut random = stream(settings.seed, "validation");
            shuffle(&mut random, &mut split.train);
            let chosen_on = (settings.validation * split.train.len() as f64).round() as usize;
            split.validation = split.train.split_off(split.train.len() - chosen_on);
        }
        split.train.sort_unstable();
        split.validation.sort_unstable();
        split.test.sort_unstable();
        split
    }

    /// The labelled nodes of each part of a stored split.
    fn stored(graph: &Graph, stored: &StoredSplit) -> Self {
        let mut split = Self::default();
        for node in graph.nodes().filter(|node| graph.labels().is_labelled(*node)) {
            match stored.part(node) {
                Some(SplitPart::Train) => split.train.push(node),
                Some(SplitPart::Validation) => split.validation.push(node),
                Some(SplitPart::Test) => split.test.push(node),
                None => {}
            }
        }
        split
    }

    fn random(graph: &Graph, settings: &Settings) -> Self {
        let labels = graph.labels();
        let labelled: Vec<NodeId> = graph.nodes().filter(|n| labels.is_labelled(*n)).collect();
        let groups = match labels {
            Labels::Classes(classes) if settings.stratified => {
                let mut groups: Vec<Vec<NodeId>> = vec![Vec::new(); classes.names().len()];
                for node in labelled {
                    groups[classes.of(node)[0].index()].push(node);
                }
                groups
            }
            _ => vec![labelled],
        };
        let mut random = stream(settings.seed, "split");
        let mut split = Self::default();
        for mut group in groups {
            shuffle(&mut random, &mut group);
            let train = (settings.labelled * group.len() as f64).round() as usize;
            split.test.extend(group.split_off(train.min(group.len())));
            split.train.extend(group);
        }
        split
    }

    /// The same split with the validation labels as the test labels: to compare
    /// settings without using the test labels.
    #[must_use]
    pub fn judged_by_validation(self) -> Self {
        Self { train: self.train, test: self.validation, validation: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gesf_graph::{LoadOptions, load};

    fn split(labelled: f64, stratified: bool, seed: u64) -> (Graph, Split) {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/lesmis").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let settings = Settings { labelled, stratified, seed, ..Settings::default() };
        let split = Split::of(&graph, &settings);
        (graph, split)
    }

    #[test]
    fn every_labelled_node_is_in_one_part_and_the_share_is_respected() {
        let (graph, split) = split(0.3, false, 1);
        let mut all = [split.train.clone(), split.test.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, graph.nodes().collect::<Vec<_>>());
        assert_eq!(split.train.len(), 23);
    }

    #[test]
    fn only_the_seed_decides_the_split() {
        assert_eq!(split(0.5, false, 4).1, split(0.5, false, 4).1);
        assert_ne!(split(0.5, false, 4).1, split(0.5, false, 5).1);
    }

    #[test]
    fn a_stratified_split_takes_its_share_of_each_class() {
        let (graph, split) = split(0.5, true, 1);
        let classes = graph.labels().classes().unwrap();
        for (class, size) in classes.sizes().iter().enumerate() {
            let train = split.train.iter().filter(|n| classes.of(**n)[0].index() == class).count();
            assert!(train.abs_diff(size - train) <= 1, "{train} of {size}");
        }
    }

    #[test]
    fn a_stored_split_is_used_as_it_is_and_all_of_them_by_seed() {
        let texas = "/../../tests/fixtures/npz/texas_4_classes.npz";
        let path = format!("{}{texas}", env!("CARGO_MANIFEST_DIR"));
        let (graph, _) = load(path.as_ref(), &LoadOptions::default()).unwrap();
        let of = |split: &str, seed: u64, labelled: f64| {
            let split = split.parse().unwrap();
            Split::of(&graph, &Settings { split, labelled, seed, ..Settings::default() })
        };
        let third = of("3", 0, 0.5);
        assert_eq!((third.train.len(), third.validation.len(), third.test.len()), (86, 59, 37));
        assert_eq!(third, of("split_3", 8, 0.1), "neither seed nor share matters");
        assert_eq!(third, of("all", 13, 0.5), "seed 13 of ten splits is split 3");
        assert_ne!(third, of("all", 4, 0.5));
    }

    #[test]
    fn validation_takes_training_labels_and_leaves_the_test_labels_unchanged() {
        let (graph, all) = split(0.5, false, 1);
        let settings = Settings { labelled: 0.5, validation: 0.2, seed: 1, ..Settings::default() };
        let split = Split::of(&graph, &settings);
        assert_eq!(split.test, all.test);
        assert_eq!(split.validation.len(), 8);
        let mut both = [split.train.clone(), split.validation].concat();
        both.sort_unstable();
        assert_eq!(both, all.train);
    }
}
