//! Experiment 1: shuffle the neighbours of a node.
//!
//! A set function φ(Σ ψ(x_u)) does not change in any bit: its sum is computed by
//! [`ExactSum`], which is independent of the order. For comparison there are the
//! same sum in f32 from left to right, which varies in its last digits, and two
//! aggregators of sequences: concatenation of all vectors, and a recurrent unit.

use rand_chacha::ChaCha8Rng;

use super::cards::Card;
use super::exact::ExactSum;
use super::lessons::Facts;
use super::networks::{Layer, Recurrent, largest_difference};
use gesf_core::model::random::{shuffle, stream};

/// An aggregator of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregator {
    /// φ(Σ ψ(x)), the sum exact.
    Set,
    /// φ(Σ ψ(x)), the sum in f32 from left to right.
    RoundedSum,
    /// A layer over the concatenated vectors.
    Concatenation,
    /// A recurrent unit that reads one vector after the other.
    Recurrent,
}

impl Aggregator {
    /// All, the set function first.
    pub const ALL: [Self; 4] = [Self::Set, Self::RoundedSum, Self::Concatenation, Self::Recurrent];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Set => "set function",
            Self::RoundedSum => "sum rounded at each step",
            Self::Concatenation => "concatenation",
            Self::Recurrent => "recurrent unit",
        }
    }

    /// Its formula.
    pub fn formula(self) -> &'static str {
        match self {
            Self::Set => "φ( Σ ψ(x_u) ), summed without rounding",
            Self::RoundedSum => "φ( (ψ(x_1) + ψ(x_2)) + … ), rounded after each +",
            Self::Concatenation => "tanh( W · [x_1 ‖ x_2 ‖ …] )",
            Self::Recurrent => "h_i = GRU(x_i, h_{i−1}), and the last h",
        }
    }
}

/// Dimension of ψ(x), of the output, and of the recurrent state.
const WIDTH: usize = 4;

/// The outputs for one order, by [`Aggregator`].
type Outputs = [Vec<f32>; 4];

/// The experiment.
///
/// ```
/// use gesf_lab::{Aggregator, Shuffle, letters};
///
/// let mut shuffle = Shuffle::new(letters(9, 2), 7);
/// for _ in 0..20 {
///     shuffle.shuffle();
///     // A set function does not change in any bit.
///     assert!(shuffle.same_bits(Aggregator::Set));
/// }
/// assert!(shuffle.largest(Aggregator::Recurrent) > 0.01);
/// ```
#[derive(Debug, Clone)]
pub struct Shuffle {
    cards: Vec<Card>,
    order: Vec<usize>,
    random: ChaCha8Rng,
    message: Layer,
    combine: Layer,
    row: Layer,
    unit: Recurrent,
    first: Outputs,
    now: Outputs,
    most: [f32; 4],
    shuffles: u32,
    swaps: u32,
}

impl Shuffle {
    /// The neighbours in their initial order. The seed determines weights and
    /// shuffles.
    pub fn new(cards: Vec<Card>, seed: u64) -> Self {
        let width = cards.iter().map(|card| card.vector.len()).max().unwrap_or(0);
        let mut random = stream(seed, "shuffle: weights");
        let mut shuffle = Self {
            order: (0..cards.len()).collect(),
            message: Layer::seeded(&mut random, width, WIDTH),
            combine: Layer::seeded(&mut random, WIDTH, WIDTH),
            row: Layer::seeded(&mut random, width * cards.len(), WIDTH),
            unit: Recurrent::seeded(&mut random, width, WIDTH),
            random: stream(seed, "shuffle: orders"),
            cards: padded(cards, width),
            first: Outputs::default(),
            now: Outputs::default(),
            most: [0.0; 4],
            shuffles: 0,
            swaps: 0,
        };
        shuffle.first = shuffle.compute();
        shuffle.now = shuffle.first.clone();
        shuffle
    }

    /// Shuffles the cards.
    pub fn shuffle(&mut self) {
        shuffle(&mut self.random, &mut self.order);
        self.shuffles += 1;
        self.renew();
    }

    /// Swaps the cards at two positions; `false` if a position is invalid.
    pub fn swap(&mut self, one: usize, other: usize) -> bool {
        let there = one.max(other) < self.order.len() && one != other;
        if there {
            self.order.swap(one, other);
            self.swaps += 1;
            self.renew();
        }
        there
    }

    /// Restores the initial order; the counts stay.
    pub fn reset(&mut self) {
        self.order.sort_unstable();
        self.renew();
    }

    fn renew(&mut self) {
        self.now = self.compute();
        for (most, (now, first)) in self.most.iter_mut().zip(self.now.iter().zip(&self.first)) {
            *most = most.max(largest_difference(now, first));
        }
    }

    fn compute(&self) -> Outputs {
        let rows: Vec<&[f32]> = self.cards().map(|card| card.vector.as_slice()).collect();
        [
            self.combine.bent(&self.exact_sum()),
            self.combine.bent(&self.rounded_sum()),
            self.row.bent(&rows.concat()),
            self.unit.read(rows.into_iter()),
        ]
    }

    /// The cards in their current order.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = &Card> {
        self.order.iter().map(|at| &self.cards[*at])
    }

    /// ψ(x) of each card in the current order.
    pub fn messages(&self) -> Vec<Vec<f32>> {
        self.cards().map(|card| self.message.bent(&card.vector)).collect()
    }

    /// Σ ψ(x), exact until rounded once.
    pub fn exact_sum(&self) -> Vec<f32> {
        let messages = self.messages();
        (0..WIDTH)
            .map(|n| messages.iter().map(|own| own[n]).collect::<ExactSum>().value())
            .collect()
    }

    /// Σ ψ(x), rounded after each addition, from left to right.
    pub fn rounded_sum(&self) -> Vec<f32> {
        let messages = self.messages();
        (0..WIDTH).map(|n| messages.iter().fold(0.0, |sum, own| sum + own[n])).collect()
    }

    /// The output of an aggregator for the current order.
    pub fn output(&self, aggregator: Aggregator) -> &[f32] {
        &self.now[aggregator as usize]
    }

    /// Its output for the initial order.
    pub fn first(&self, aggregator: Aggregator) -> &[f32] {
        &self.first[aggregator as usize]
    }

    /// The distance of its output from that of the initial order.
    pub fn difference(&self, aggregator: Aggregator) -> f32 {
        largest_difference(self.output(aggregator), &self.first[aggregator as usize])
    }

    /// The largest such distance so far.
    pub fn largest(&self, aggregator: Aggregator) -> f32 {
        self.most[aggregator as usize]
    }

    /// Whether the output is bit-identical to that of the initial order.
    pub fn same_bits(&self, aggregator: Aggregator) -> bool {
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        bits(self.output(aggregator)) == bits(&self.first[aggregator as usize])
    }

    /// How often the cards were shuffled.
    pub fn shuffles(&self) -> u32 {
        self.shuffles
    }

    /// How often two cards were swapped manually.
    pub fn swaps(&self) -> u32 {
        self.swaps
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "shuffle");
        facts.number("shuffles", f64::from(self.shuffles));
        facts.number("swaps", f64::from(self.swaps));
        let figures = [
            "set_difference",
            "rounded_difference",
            "concatenation_difference",
            "recurrent_difference",
        ];
        for (name, aggregator) in figures.into_iter().zip(Aggregator::ALL) {
            facts.number(name, f64::from(self.largest(aggregator)));
        }
    }
}

/// Pads the vectors to one width, so that every position has the same length.
fn padded(mut cards: Vec<Card>, width: usize) -> Vec<Card> {
    for card in &mut cards {
        card.vector.resize(width, 0.0);
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::super::cards::{around, letters, made_up};
    use super::*;
    use gesf_graph::{LoadOptions, NodeId, load};

    #[test]
    fn a_thousand_shuffles_change_no_bit_of_the_set_function() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let hub = around(&graph, NodeId(33), 1, 40, |node| made_up(1, node));
        assert_eq!(hub.len(), 17);
        for cards in [hub, letters(34, 2)] {
            let mut shuffle = Shuffle::new(cards, 7);
            let mut moved = [0; 4];
            for _ in 0..1000 {
                shuffle.shuffle();
                assert!(shuffle.same_bits(Aggregator::Set));
                for aggregator in Aggregator::ALL {
                    moved[aggregator as usize] += u32::from(!shuffle.same_bits(aggregator));
                }
            }
            // Rounding shows in most orders, and stays in the last digits.
            assert!(moved[1] > 500 && moved[2] > 990 && moved[3] > 990, "{moved:?}");
            let largest = Aggregator::ALL.map(|aggregator| shuffle.largest(aggregator));
            assert!(largest[0].to_bits() == 0 && (1e-9..1e-5).contains(&largest[1]), "{largest:?}");
            assert!(largest[2] > 0.05 && largest[3] > 0.05, "{largest:?}");
        }
    }

    #[test]
    fn the_exact_sum_is_close_to_the_rounded_one() {
        let shuffle = Shuffle::new(letters(34, 2), 7);
        assert!(largest_difference(&shuffle.exact_sum(), &shuffle.rounded_sum()) < 1e-5);
    }

    #[test]
    fn swaps_and_reset_are_counted_and_undone() {
        let mut shuffle = Shuffle::new(letters(5, 2), 7);
        assert!(shuffle.swap(0, 4) && !shuffle.swap(0, 5) && !shuffle.swap(2, 2));
        assert_eq!((shuffle.swaps(), shuffle.cards().next().unwrap().name.as_str()), (1, "E"));
        assert!(shuffle.difference(Aggregator::Recurrent) > 0.0);
        shuffle.reset();
        assert!(Aggregator::ALL.into_iter().all(|own| shuffle.same_bits(own)));
        assert!(shuffle.largest(Aggregator::Recurrent) > 0.0, "what was seen stays seen");
    }

    #[test]
    fn the_same_seed_gives_the_same_experiment() {
        let run = || {
            let mut shuffle = Shuffle::new(letters(9, 2), 7);
            (0..3).for_each(|_| shuffle.shuffle());
            (shuffle.order.clone(), shuffle.now.clone())
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn a_node_without_neighbours_gives_an_empty_sum() {
        let mut shuffle = Shuffle::new(Vec::new(), 7);
        shuffle.shuffle();
        assert_eq!(shuffle.exact_sum(), [0.0; WIDTH]);
        assert!(!shuffle.swap(0, 1));
    }
}
