//! All experiments, as used by the lab screen.

use super::cards::{around, letters, made_up, two_types};
use super::filters::{PlantedFilter, Recovery, RecoveryOptions, SyntheticGraph};
use super::lessons::Facts;
use super::theorem::{Fit, FitOptions, Study, Theorem, TwoGroups};
use super::{LabError, Multisets, Shuffle, Types};
use gesf_graph::{Graph, NodeId};

/// One of the experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Experiment {
    /// Shuffle the neighbours.
    #[default]
    Shuffle,
    /// Swap within types and across them.
    Types,
    /// Sum, mean and max.
    Aggregators,
    /// Sums determine a set.
    Theorem,
    /// Plant a filter and learn it back.
    Filters,
}

impl Experiment {
    /// All, in the order in which they build on each other.
    pub const ALL: [Self; 5] =
        [Self::Shuffle, Self::Types, Self::Aggregators, Self::Theorem, Self::Filters];

    /// The name for files and facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shuffle => "shuffle",
            Self::Types => "types",
            Self::Aggregators => "aggregators",
            Self::Theorem => "theorem",
            Self::Filters => "filters",
        }
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Shuffle => "Shuffle",
            Self::Types => "Types",
            Self::Aggregators => "Sum, mean, max",
            Self::Theorem => "The theorem",
            Self::Filters => "Filters",
        }
    }

    /// The experiment of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == name)
    }
}

/// Maximum number of cards in the shuffle experiment.
const MOST_CARDS: usize = 16;
/// Maximum number of cards of each type.
const MOST_OF_TYPE: usize = 6;
/// Widths of g that learn side by side.
const WIDTHS: [usize; 4] = [1, 2, 4, 16];

/// Which nodes the cards stand for; their vectors are random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Near {
    /// The neighbours of a node.
    Neighbours,
    /// The nodes within two hops, for a node with a single neighbour.
    TwoHops,
    /// None.
    Nobody,
}

/// All experiments, and which one is open.
#[derive(Clone)]
pub struct Lab {
    /// The open experiment.
    pub open: Experiment,
    /// Which nodes the cards of the shuffle experiment stand for.
    pub near: Near,
    /// Shuffled neighbours.
    pub shuffle: Shuffle,
    /// Neighbours by type.
    pub types: Types,
    /// Two neighbourhoods of numbers.
    pub multisets: Multisets,
    /// Power sums and recovered numbers.
    pub theorem: Theorem,
    /// The paper's polynomial.
    pub groups: TwoGroups,
    /// Networks that learn a symmetric function.
    pub study: Study,
    /// A planted filter and its learners.
    pub recovery: Recovery,
}

impl Lab {
    /// The experiments around a node of a graph, or with generated cards if there
    /// is no graph, no neighbour, or only one type.
    pub fn new(around_node: Option<(&Graph, NodeId)>, seed: u64) -> Result<Self, LabError> {
        let vector = |node| made_up(seed, node);
        let within = |hops| {
            let cards =
                around_node.map(|(graph, node)| around(graph, node, hops, MOST_CARDS, vector));
            cards.filter(|cards| cards.len() > 1)
        };
        let (near, cards) = match (within(1), within(2)) {
            (Some(cards), _) => (Near::Neighbours, cards),
            (None, Some(cards)) => (Near::TwoHops, cards),
            (None, None) => (Near::Nobody, letters(8, seed)),
        };
        let shuffle = Shuffle::new(cards, seed);
        let typed = around_node.filter(|(graph, _)| graph.types().count() > 1);
        let typed = typed.map(|(graph, node)| {
            let cards = around(graph, node, 2, MOST_OF_TYPE, vector);
            (graph.types().names().to_vec(), cards)
        });
        let several = |cards: &[super::Card]| cards.iter().any(|card| card.kind != cards[0].kind);
        let (names, cards) =
            typed.filter(|(_, cards)| several(cards)).unwrap_or_else(|| two_types(seed));
        let theorem = Theorem::default();
        let options = FitOptions { target: theorem.target(), seed, ..FitOptions::default() };
        let recovery = RecoveryOptions { seed, ..RecoveryOptions::default() };
        Ok(Self {
            open: Experiment::default(),
            near,
            shuffle,
            types: Types::new(names, cards, seed),
            multisets: Multisets::new(),
            groups: TwoGroups::default(),
            study: Study::of_widths(options, &WIDTHS)?,
            theorem,
            recovery: Recovery::on(SyntheticGraph::Path, PlantedFilter::Low, recovery)?,
        })
    }

    /// Restarts the networks with the chosen target.
    pub fn renew_study(&mut self) -> Result<(), LabError> {
        let options = self.study.fits().first().map_or_else(FitOptions::default, Fit::options);
        let options = FitOptions { target: self.theorem.target(), ..options };
        self.study.replace(Study::of_widths(options, &WIDTHS)?);
        Ok(())
    }

    /// Reports the facts of the open experiment.
    pub fn report(&self, facts: &mut Facts) {
        match self.open {
            Experiment::Shuffle => self.shuffle.report(facts),
            Experiment::Types => self.types.report(facts),
            Experiment::Aggregators => self.multisets.report(facts),
            Experiment::Theorem => {
                self.theorem.report(facts);
                self.groups.report(facts);
                self.study.report(facts);
            }
            Experiment::Filters => self.recovery.report(facts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lessons::EXPERIMENTS;
    use super::*;
    use gesf_graph::{LoadOptions, load};

    #[test]
    fn every_experiment_has_its_name_in_the_facts() {
        assert_eq!(Experiment::ALL.map(Experiment::name), EXPERIMENTS);
        let mut lab = Lab::new(None, 1).unwrap();
        for experiment in Experiment::ALL {
            lab.open = experiment;
            let mut facts = Facts::default();
            lab.report(&mut facts);
            assert_eq!(facts.text("experiment").as_deref(), Some(experiment.name()));
            assert_eq!(Experiment::named(experiment.name()), Some(experiment));
        }
    }

    #[test]
    fn any_graph_and_no_graph_work() {
        let at = |name: &str, node| {
            let path = format!("{}/../../sample_graphs/{name}", env!("CARGO_MANIFEST_DIR"));
            let (graph, _) = load(path.as_ref(), &LoadOptions::default()).unwrap();
            Lab::new(Some((&graph, NodeId(node))), 1).unwrap()
        };
        let karate = at("karate", 0);
        assert_eq!((karate.shuffle.cards().len(), karate.types.names()[0].as_str()), (16, "woman"));
        let women = at("southern-women", 0);
        assert_eq!((women.shuffle.cards().len(), women.types.places().len()), (8, 12));
        // A node that does not exist, and an isolated one.
        assert_eq!(at("karate", 4000).shuffle.cards().len(), 8);
        assert_eq!(at("citeseer", 0).types.places().len(), 8);
    }

    #[test]
    fn a_new_target_restarts_the_networks_and_keeps_the_step_count() {
        let mut lab = Lab::new(None, 1).unwrap();
        lab.study.step().unwrap();
        lab.theorem.choose(crate::theorem::SetTarget::Range);
        lab.renew_study().unwrap();
        lab.study.step().unwrap();
        let mut facts = Facts::default();
        lab.study.report(&mut facts);
        assert_eq!(facts.as_number("fit_steps").map(|steps| steps as u32), Some(2));
        assert_eq!(lab.study.fits()[0].options().target.name(), "range");
    }
}
