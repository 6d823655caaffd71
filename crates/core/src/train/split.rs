//! Which labels are used for training, validation and test.

use crate::model::random::{shuffle, stream};
use crate::model::settings::Settings;
use gesf_graph::{Graph, Labels, NodeId};

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
    /// Splits the labelled nodes by share and seed, stratified by class if the
    /// settings ask for it.
    pub fn of(graph: &Graph, settings: &Settings) -> Self {
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
        // Last, so that the other parts do not depend on it.
        let mut random = stream(settings.seed, "validation");
        shuffle(&mut random, &mut split.train);
        let chosen_on = (settings.validation * split.train.len() as f64).round() as usize;
        split.validation = split.train.split_off(split.train.len() - chosen_on);
        split.train.sort_unstable();
        split.validation.sort_unstable();
        split.test.sort_unstable();
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
