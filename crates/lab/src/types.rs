//! Experiment 2: partial invariance.
//!
//! The neighbours are arranged in one row per type. A typed set function has a ψ
//! for each: φ( Σ ψ_1(x) ‖ Σ ψ_2(x) ‖ … ). Swapping two cards of a row changes
//! nothing, swapping two of different rows does. If the types are ignored there is
//! one ψ for all, and no swap changes anything: neighbourhoods that differ only in
//! the types become the same.

use super::cards::Card;
use super::exact::ExactSum;
use super::lessons::Facts;
use super::networks::{Layer, largest_difference};
use gesf_core::model::random::stream;
use gesf_graph::TypeId;

/// Dimension of ψ(x) and of the output.
const WIDTH: usize = 4;

/// Which cards were swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// Two of the same row.
    Within,
    /// Two of different rows.
    Across,
    /// None: the positions are invalid or equal.
    None,
}

/// The outputs of the two set functions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TypeOutputs {
    /// With a ψ for each type.
    pub typed: Vec<f32>,
    /// With one ψ for all.
    pub merged: Vec<f32>,
}

/// The difference of two neighbourhoods for the two set functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collapse {
    /// Cards outside the row of their own type.
    pub strangers: usize,
    /// The distance of the outputs with a ψ for each type.
    pub typed: f32,
    /// The same with one ψ for all.
    pub merged: f32,
}

/// The experiment.
///
/// ```
/// use gesf_graph::TypeId;
/// use gesf_lab::{Card, Swap, Types};
///
/// let card = |name: &str, x: f32, kind: u16| {
///     Card { name: name.into(), vector: vec![x], kind: TypeId(kind) }
/// };
/// let cards = vec![card("Ann", 0.1, 0), card("Bea", 0.7, 0), card("ball", -0.4, 1)];
/// let mut types = Types::new(vec!["woman".into(), "event".into()], cards, 7);
/// assert_eq!(types.swap(0, 1), Swap::Within);
/// assert_eq!(types.now(), types.first());
/// // Across types, only one ψ for all ignores the swap.
/// assert_eq!(types.swap(0, 2), Swap::Across);
/// assert_ne!(types.now().typed, types.first().typed);
/// assert_eq!(types.now().merged, types.first().merged);
/// ```
#[derive(Debug, Clone)]
pub struct Types {
    names: Vec<String>,
    cards: Vec<Card>,
    /// The row (type) of each position.
    places: Vec<TypeId>,
    /// The card at each position.
    order: Vec<usize>,
    messages: Vec<Layer>,
    combine: Layer,
    merged_combine: Layer,
    first: TypeOutputs,
    now: TypeOutputs,
    most: [f32; 2],
    ignored: bool,
    /// Swaps within the first row, and within the others.
    within: [u32; 2],
    across: u32,
    merges: u32,
}

impl Types {
    /// The cards in rows by type; `names` are the type names.
    pub fn new(names: Vec<String>, mut cards: Vec<Card>, seed: u64) -> Self {
        let width = cards.iter().map(|card| card.vector.len()).max().unwrap_or(0);
        for card in &mut cards {
            card.vector.resize(width, 0.0);
        }
        cards.retain(|card| card.kind.index() < names.len());
        cards.sort_by_key(|card| card.kind);
        let mut random = stream(seed, "types: weights");
        let kinds = names.len();
        let mut types = Self {
            places: cards.iter().map(|card| card.kind).collect(),
            order: (0..cards.len()).collect(),
            messages: (0..kinds.max(1)).map(|_| Layer::seeded(&mut random, width, WIDTH)).collect(),
            combine: Layer::seeded(&mut random, WIDTH * kinds, WIDTH),
            merged_combine: Layer::seeded(&mut random, WIDTH, WIDTH),
            names,
            cards,
            first: TypeOutputs::default(),
            now: TypeOutputs::default(),
            most: [0.0; 2],
            ignored: false,
            within: [0; 2],
            across: 0,
            merges: 0,
        };
        types.first = types.compute();
        types.now = types.first.clone();
        types
    }

    /// Swaps the cards at two positions.
    pub fn swap(&mut self, one: usize, other: usize) -> Swap {
        if one.max(other) >= self.order.len() || one == other {
            return Swap::None;
        }
        self.order.swap(one, other);
        let within = self.places[one] == self.places[other];
        if within {
            self.within[usize::from(self.places[one] != self.places[0])] += 1;
        } else {
            self.across += 1;
        }
        self.now = self.compute();
        let seen = [
            largest_difference(&self.now.typed, &self.first.typed),
            largest_difference(&self.now.merged, &self.first.merged),
        ];
        self.most.iter_mut().zip(seen).for_each(|(most, seen)| *most = most.max(seen));
        if within { Swap::Within } else { Swap::Across }
    }

    /// Shows the output of one ψ for all, or of one ψ per type.
    pub fn ignore_types(&mut self, ignored: bool) {
        self.merges += u32::from(ignored && !self.ignored);
        self.ignored = ignored;
    }

    /// Returns every card to its row.
    pub fn reset(&mut self) {
        self.order.sort_unstable();
        self.now = self.compute();
    }

    fn compute(&self) -> TypeOutputs {
        let sum = |kind: Option<usize>, message: &Layer| -> Vec<f32> {
            let own = self.places.iter().zip(&self.order);
            let own = own.filter(|(place, _)| kind.is_none_or(|kind| place.index() == kind));
            let rows: Vec<Vec<f32>> =
                own.map(|(_, card)| message.bent(&self.cards[*card].vector)).collect();
            (0..WIDTH)
                .map(|n| rows.iter().map(|row| row[n]).collect::<ExactSum>().value())
                .collect()
        };
        let by_type = self.messages.iter().enumerate();
        let sums: Vec<f32> = by_type.flat_map(|(kind, message)| sum(Some(kind), message)).collect();
        let all = self.messages.first().map(|message| sum(None, message)).unwrap_or_default();
        TypeOutputs { typed: self.combine.bent(&sums), merged: self.merged_combine.bent(&all) }
    }

    /// The type names: one per row.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The positions with their row and card.
    pub fn places(&self) -> impl ExactSizeIterator<Item = (TypeId, &Card)> {
        self.places.iter().zip(&self.order).map(|(row, card)| (*row, &self.cards[*card]))
    }

    /// Whether the types are ignored.
    pub fn are_ignored(&self) -> bool {
        self.ignored
    }

    /// The current outputs.
    pub fn now(&self) -> &TypeOutputs {
        &self.now
    }

    /// The initial outputs.
    pub fn first(&self) -> &TypeOutputs {
        &self.first
    }

    /// The output of the selected set function.
    pub fn output(&self) -> &[f32] {
        if self.ignored { &self.now.merged } else { &self.now.typed }
    }

    /// The difference between the current and the initial neighbourhood.
    pub fn collapse(&self) -> Collapse {
        Collapse {
            strangers: self.places().filter(|(row, card)| card.kind != *row).count(),
            typed: largest_difference(&self.now.typed, &self.first.typed),
            merged: largest_difference(&self.now.merged, &self.first.merged),
        }
    }

    /// The largest differences from the initial output so far: typed, merged.
    pub fn largest(&self) -> (f32, f32) {
        (self.most[0], self.most[1])
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "types");
        facts.number("swaps_within", f64::from(self.within[0] + self.within[1]));
        facts.number("swaps_first_row", f64::from(self.within[0]));
        facts.number("swaps_second_row", f64::from(self.within[1]));
        facts.number("swaps_across", f64::from(self.across));
        facts.number("typed_difference", f64::from(self.collapse().typed));
        facts.number("merged_difference", f64::from(self.collapse().merged));
        facts.number("strangers", self.collapse().strangers as f64);
        facts.number("types_ignored", f64::from(self.merges));
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{around, made_up};
    use super::*;
    use gesf_graph::{LoadOptions, NodeId, load};

    fn evelyn() -> Types {
        let options = LoadOptions::default();
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/southern-women").as_ref(),
            &options,
        )
        .unwrap();
        let cards = around(&graph, NodeId(0), 2, 6, |node| made_up(3, node));
        Types::new(graph.types().names().to_vec(), cards, 5)
    }

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn a_swap_within_a_type_changes_no_bit_and_one_across_does() {
        let mut types = evelyn();
        assert_eq!(types.names(), ["woman", "event"]);
        assert_eq!(types.places().len(), 12);
        let rows: Vec<TypeId> = types.places().map(|(row, _)| row).collect();
        for one in 0..12 {
            for other in 0..12 {
                types.reset();
                let kind = types.swap(one, other);
                let same = bits(&types.now().typed) == bits(&types.first().typed);
                assert_eq!(same, rows[one] == rows[other], "{one} {other}");
                assert_eq!(kind == Swap::Across, !same);
                assert_eq!(bits(&types.now().merged), bits(&types.first().merged));
            }
        }
        let largest = types.largest();
        assert!(largest.0 > 0.01 && largest.1.to_bits() == 0, "{largest:?}");
    }

    #[test]
    fn without_types_two_different_neighbourhoods_have_the_same_output() {
        let mut types = evelyn();
        types.swap(0, 11);
        types.swap(1, 10);
        let found = types.collapse();
        assert_eq!(found.strangers, 4);
        assert!(found.typed > 0.01 && found.merged.to_bits() == 0, "{found:?}");
        types.reset();
        assert_eq!(types.collapse().strangers, 0);
    }

    #[test]
    fn graphs_with_one_type_and_empty_graphs_work() {
        let cards = super::super::cards::letters(4, 1);
        let mut one = Types::new(vec!["node".to_owned()], cards, 1);
        assert_eq!(one.swap(0, 3), Swap::Within);
        let mut none = Types::new(Vec::new(), Vec::new(), 1);
        assert_eq!(none.swap(0, 1), Swap::None);
        none.ignore_types(true);
        assert!(none.output().len() == WIDTH);
    }
}
