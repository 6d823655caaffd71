//! Which labels training sees, and which are held back to judge it.

use crate::graph::{Graph, Labels, NodeId};
use crate::model::random::{shuffle, stream};
use crate::model::settings::Settings;

/// The labelled nodes of a graph in three parts, each in node order.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::model::settings::Settings;
/// use gesf_tui::train::Split;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// let settings = Settings { labelled: 0.25, ..Settings::default() };
/// let split = Split::of(&graph, &settings);
/// assert_eq!((split.seen.len(), split.held.len()), (9, 25));
/// assert!(split.seen.iter().all(|node| !split.held.contains(node)));
/// assert_eq!(Split::of(&graph, &settings), split);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// Their labels are trained on.
    pub seen: Vec<NodeId>,
    /// Their labels choose: the best epoch, when to stop, which settings.
    pub validation: Vec<NodeId>,
    /// Their labels are only compared with.
    pub held: Vec<NodeId>,
}

impl Split {
    /// Splits the labelled nodes by the share, the seed and whether each class
    /// is to give its share.
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
            let seen = (settings.labelled * group.len() as f64).round() as usize;
            split.held.extend(group.split_off(seen.min(group.len())));
            split.seen.extend(group);
        }
        // Last, so that the other parts do not depend on it.
        let mut random = stream(settings.seed, "validation");
        shuffle(&mut random, &mut split.seen);
        let chosen_on = (settings.validation * split.seen.len() as f64).round() as usize;
        split.validation = split.seen.split_off(split.seen.len() - chosen_on);
        split.seen.sort_unstable();
        split.validation.sort_unstable();
        split.held.sort_unstable();
        split
    }

    /// The same with the validation labels as those that judge: to compare
    /// settings without looking at the test labels.
    #[must_use]
    pub fn judged_by_validation(self) -> Self {
        Self { seen: self.seen, held: self.validation, validation: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{LoadOptions, load};

    fn split(labelled: f64, stratified: bool, seed: u64) -> (Graph, Split) {
        let (graph, _) = load("sample_graphs/lesmis".as_ref(), &LoadOptions::default()).unwrap();
        let settings = Settings { labelled, stratified, seed, ..Settings::default() };
        let split = Split::of(&graph, &settings);
        (graph, split)
    }

    #[test]
    fn every_labelled_node_is_in_one_part_and_the_share_is_kept() {
        let (graph, split) = split(0.3, false, 1);
        let mut all = [split.seen.clone(), split.held.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, graph.nodes().collect::<Vec<_>>());
        assert_eq!(split.seen.len(), 23);
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        assert_eq!(split(0.5, false, 4).1, split(0.5, false, 4).1);
        assert_ne!(split(0.5, false, 4).1, split(0.5, false, 5).1);
    }

    #[test]
    fn a_stratified_split_takes_its_share_of_each_class() {
        let (graph, split) = split(0.5, true, 1);
        let classes = graph.labels().classes().unwrap();
        for (class, size) in classes.sizes().iter().enumerate() {
            let seen = split.seen.iter().filter(|n| classes.of(**n)[0].index() == class).count();
            assert!(seen.abs_diff(size - seen) <= 1, "{seen} of {size}");
        }
    }

    #[test]
    fn validation_takes_training_labels_and_leaves_the_test_labels_as_they_are() {
        let (graph, all) = split(0.5, false, 1);
        let settings = Settings { labelled: 0.5, validation: 0.2, seed: 1, ..Settings::default() };
        let split = Split::of(&graph, &settings);
        assert_eq!(split.held, all.held);
        assert_eq!(split.validation.len(), 8);
        let mut both = [split.seen.clone(), split.validation].concat();
        both.sort_unstable();
        assert_eq!(both, all.seen);
    }
}
