//! Experiment 3: which multisets sum, mean and max can distinguish.
//!
//! Neighbourhoods are multisets of small integers, so that equality is exact. The
//! user edits two of them; the table shows which aggregators distinguish them. Sum,
//! mean and max each fail on some pair; a sum after a suitable ψ does not.

use super::lessons::Facts;

/// The smallest value of a neighbour.
pub const SMALLEST: i64 = 0;
/// The largest value of a neighbour.
pub const LARGEST: i64 = 9;
/// Maximum number of neighbours.
pub const MOST: usize = 12;

/// An aggregator of a multiset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MultisetAggregator {
    /// Σ x.
    Sum,
    /// Σ x / n.
    Mean,
    /// The largest x.
    Max,
    /// Σ (x, x²): a ψ of two numbers.
    Squares,
    /// Σ (x, x², x³): a ψ of three.
    Cubes,
    /// Σ one-hot(x): how often each number occurs. Lossless.
    OneHot,
}

impl MultisetAggregator {
    /// All, the simplest first.
    pub const ALL: [Self; 6] =
        [Self::Sum, Self::Mean, Self::Max, Self::Squares, Self::Cubes, Self::OneHot];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Max => "max",
            Self::Squares => "sum of (x, x²)",
            Self::Cubes => "sum of (x, x², x³)",
            Self::OneHot => "sum of one-hot",
        }
    }

    /// Its value for a multiset; empty for the mean or max of an empty one.
    ///
    /// Values are exact: a mean is a fraction in lowest terms.
    pub fn of(self, members: &[i64]) -> Vec<i64> {
        let power = |n: u32| members.iter().map(|x| x.pow(n)).sum::<i64>();
        let count = members.len() as i64;
        match self {
            Self::Sum => vec![power(1)],
            Self::Mean if count == 0 => Vec::new(),
            Self::Mean => {
                let shared = common_divisor(power(1), count);
                vec![power(1) / shared, count / shared]
            }
            Self::Max => members.iter().max().map(|most| vec![*most]).unwrap_or_default(),
            Self::Squares => vec![power(1), power(2)],
            Self::Cubes => vec![power(1), power(2), power(3)],
            Self::OneHot => (SMALLEST..=LARGEST)
                .map(|value| members.iter().filter(|x| **x == value).count() as i64)
                .collect(),
        }
    }

    /// The value as text.
    pub fn shown(self, members: &[i64]) -> String {
        let parts = self.of(members);
        match (self, parts.as_slice()) {
            (_, []) => "–".to_owned(),
            (Self::Mean, [over, 1]) => over.to_string(),
            (Self::Mean, [over, under]) => format!("{over}/{under}"),
            (_, [one]) => one.to_string(),
            (_, several) => {
                let texts: Vec<String> = several.iter().map(i64::to_string).collect();
                format!("({})", texts.join(", "))
            }
        }
    }

    /// Whether it distinguishes two multisets.
    pub fn separates(self, one: &[i64], other: &[i64]) -> bool {
        self.of(one) != self.of(other)
    }
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs().max(1) } else { common_divisor(b, a % b) }
}

/// Example pairs, each with a description.
pub const PAIRS: [(&str, &[i64], &[i64]); 5] = [
    ("everything twice", &[1, 2], &[1, 1, 2, 2]),
    ("one extra small value", &[1, 3], &[1, 1, 3]),
    ("closer together", &[1, 3], &[2, 2]),
    ("split in two", &[4], &[2, 2]),
    ("same sum, same squares", &[0, 3, 5, 6], &[1, 2, 4, 7]),
];

/// One of the two neighbourhoods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// The verdict on the user's pair, in increasing order of achievement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairVerdict {
    /// The two are equal: nothing could distinguish them.
    Same,
    /// They differ, and the sum distinguishes them.
    SumTells,
    /// They differ and the sum is equal, but ψ(x) = (x, x²) distinguishes them.
    SumFooled,
    /// Even (x, x²) is equal; one-hot always distinguishes them.
    SquaresFooled,
}

/// The experiment.
///
/// ```
/// use gesf_lab::{MultisetAggregator, Multisets, Side, PairVerdict};
///
/// let mut pair = Multisets::new();
/// assert_eq!(pair.verdict(), PairVerdict::Same);
/// // 1, 2, 3 against the same with every neighbour twice: the means are equal.
/// assert!(pair.duplicate_all(Side::Right));
/// assert!(!pair.separates(MultisetAggregator::Mean));
/// assert!(!pair.separates(MultisetAggregator::Max));
/// assert!(pair.separates(MultisetAggregator::Sum));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Multisets {
    left: Vec<i64>,
    right: Vec<i64>,
    edits: u32,
    duplicates: u32,
    fooled: u32,
    squares_fooled: u32,
}

impl Multisets {
    /// Two small initial neighbourhoods.
    pub fn new() -> Self {
        Self { left: vec![1, 2, 3], right: vec![1, 2, 3], ..Self::default() }
    }

    /// The neighbours of a side.
    pub fn side(&self, side: Side) -> &[i64] {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut Vec<i64> {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// Adds a neighbour; `false` if the side is full.
    pub fn add(&mut self, side: Side, value: i64) -> bool {
        let members = self.side_mut(side);
        let fits = members.len() < MOST && (SMALLEST..=LARGEST).contains(&value);
        if fits {
            members.push(value);
        }
        self.edited(fits)
    }

    /// Duplicates a neighbour.
    pub fn duplicate(&mut self, side: Side, at: usize) -> bool {
        let value = self.side(side).get(at).copied();
        let done = value.is_some_and(|value| self.add(side, value));
        self.duplicates += u32::from(done);
        done
    }

    /// Duplicates every neighbour.
    pub fn duplicate_all(&mut self, side: Side) -> bool {
        let members = self.side_mut(side);
        let fits = !members.is_empty() && 2 * members.len() <= MOST;
        if fits {
            members.extend_from_within(..);
        }
        self.duplicates += u32::from(fits);
        self.edited(fits)
    }

    /// Removes a neighbour.
    pub fn remove(&mut self, side: Side, at: usize) -> bool {
        let members = self.side_mut(side);
        let there = at < members.len();
        if there {
            members.remove(at);
        }
        self.edited(there)
    }

    /// Changes a neighbour, within bounds.
    pub fn change(&mut self, side: Side, at: usize, by: i64) -> bool {
        let slot = self.side_mut(side).get_mut(at);
        let changed = slot.is_some_and(|value| {
            let new = value.saturating_add(by).clamp(SMALLEST, LARGEST);
            std::mem::replace(value, new) != new
        });
        self.edited(changed)
    }

    /// Multiplies every neighbour; refused if one would exceed its bounds.
    pub fn scale(&mut self, side: Side, factor: i64) -> bool {
        let members = self.side_mut(side);
        let scaled: Option<Vec<i64>> = members
            .iter()
            .map(|x| x.checked_mul(factor).filter(|x| (SMALLEST..=LARGEST).contains(x)))
            .collect();
        let changed = scaled.as_ref().is_some_and(|scaled| scaled != members);
        if let Some(scaled) = scaled.filter(|_| changed) {
            *members = scaled;
        }
        self.edited(changed)
    }

    /// Shows one of the [`PAIRS`].
    pub fn show_pair(&mut self, at: usize) -> bool {
        let Some((_, left, right)) = PAIRS.get(at) else { return false };
        (self.left, self.right) = (left.to_vec(), right.to_vec());
        true
    }

    /// Resets both sides; the counts stay.
    pub fn reset(&mut self) {
        let fresh = Self::new();
        (self.left, self.right) = (fresh.left, fresh.right);
    }

    /// Counts an edit, and a pair found by the user for which the sum fails.
    fn edited(&mut self, done: bool) -> bool {
        if done {
            self.edits += 1;
            let verdict = self.verdict();
            self.fooled += u32::from(verdict >= PairVerdict::SumFooled);
            self.squares_fooled += u32::from(verdict == PairVerdict::SquaresFooled);
        }
        done
    }

    /// Whether an aggregator distinguishes the two sides.
    pub fn separates(&self, aggregator: MultisetAggregator) -> bool {
        aggregator.separates(&self.left, &self.right)
    }

    /// The verdict on the current pair.
    pub fn verdict(&self) -> PairVerdict {
        if !self.separates(MultisetAggregator::OneHot) {
            PairVerdict::Same
        } else if self.separates(MultisetAggregator::Sum) {
            PairVerdict::SumTells
        } else if self.separates(MultisetAggregator::Squares) {
            PairVerdict::SumFooled
        } else {
            PairVerdict::SquaresFooled
        }
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "aggregators");
        facts.number("edits", f64::from(self.edits));
        facts.number("duplicates", f64::from(self.duplicates));
        let (left, right) = (self.side(Side::Left).len(), self.side(Side::Right).len());
        if left.min(right) > 0 {
            facts.number("size_ratio", left.max(right) as f64 / left.min(right) as f64);
        }
        facts.number("sum_fooled", f64::from(self.fooled));
        facts.number("squares_fooled", f64::from(self.squares_fooled));
        let tells = |own| if self.separates(own) { "yes" } else { "no" };
        facts.word("sum_separates", tells(MultisetAggregator::Sum));
        facts.word("mean_separates", tells(MultisetAggregator::Mean));
        facts.word("max_separates", tells(MultisetAggregator::Max));
        facts.word("psi_separates", tells(MultisetAggregator::Squares));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_table_shows_which_aggregator_separates_which_pair() {
        let told = |at: usize| {
            let (_, left, right) = PAIRS[at];
            MultisetAggregator::ALL.map(|own| own.separates(left, right))
        };
        // sum, mean, max, squares, cubes, one-hot
        assert_eq!(told(0), [true, false, false, true, true, true]);
        assert_eq!(told(1), [true, true, false, true, true, true]);
        assert_eq!(told(2), [false, false, true, true, true, true]);
        assert_eq!(told(3), [false, true, true, true, true, true]);
        assert_eq!(told(4), [false, false, true, false, true, true]);
    }

    #[test]
    fn psi_separates_a_pair_that_the_plain_sum_cannot() {
        let mut sets = Multisets::new();
        assert_eq!(sets.verdict(), PairVerdict::Same);
        assert!(sets.change(Side::Right, 0, 1));
        assert_eq!(sets.verdict(), PairVerdict::SumTells);
        assert!(sets.change(Side::Right, 2, -1));
        assert_eq!(sets.side(Side::Right), [2, 2, 2]);
        assert_eq!(sets.verdict(), PairVerdict::SumFooled);
        assert!(
            !sets.separates(MultisetAggregator::Sum) && sets.separates(MultisetAggregator::Squares)
        );
        let mut facts = Facts::default();
        sets.report(&mut facts);
        assert_eq!(facts.text("sum_fooled"), Some("1".to_owned()));
    }

    #[test]
    fn an_example_pair_does_not_count_as_found_by_the_user() {
        let mut sets = Multisets::new();
        assert!(sets.show_pair(4) && !sets.show_pair(5));
        assert_eq!(sets.verdict(), PairVerdict::SquaresFooled);
        let mut facts = Facts::default();
        sets.report(&mut facts);
        assert_eq!(facts.text("sum_fooled"), Some("0".to_owned()));
    }

    #[test]
    fn duplicating_all_fools_mean_and_max_and_edits_stay_within_bounds() {
        let mut sets = Multisets::new();
        assert!(sets.duplicate_all(Side::Left));
        assert!(
            !sets.separates(MultisetAggregator::Mean) && !sets.separates(MultisetAggregator::Max)
        );
        assert!(sets.separates(MultisetAggregator::Sum));
        assert!(sets.duplicate_all(Side::Left) && !sets.duplicate_all(Side::Left));
        assert!(!sets.duplicate(Side::Left, 0) && !sets.remove(Side::Right, 3));
        assert!(!sets.add(Side::Right, 10) && !sets.scale(Side::Right, 4));
        assert!(sets.scale(Side::Right, 3) && sets.side(Side::Right) == [3, 6, 9]);
        assert!(!sets.change(Side::Right, 2, 5) && !sets.change(Side::Right, 9, 1));
    }

    #[test]
    fn an_empty_neighbourhood_has_a_sum_and_no_mean() {
        assert_eq!(MultisetAggregator::Sum.shown(&[]), "0");
        assert_eq!(MultisetAggregator::Mean.shown(&[]), "–");
        assert_eq!(MultisetAggregator::Mean.shown(&[1, 2]), "3/2");
        assert_eq!(MultisetAggregator::Squares.shown(&[1, 2]), "(3, 5)");
    }

    proptest! {
        #[test]
        fn one_hot_separates_all_multisets_and_ignores_order(
            one in prop::collection::vec(0..=9_i64, 0..8),
            other in prop::collection::vec(0..=9_i64, 0..8),
        ) {
            let sorted = |list: &[i64]| { let mut list = list.to_vec(); list.sort_unstable(); list };
            let same = sorted(&one) == sorted(&other);
            prop_assert_eq!(MultisetAggregator::OneHot.separates(&one, &other), !same);
            let reversed: Vec<i64> = one.iter().rev().copied().collect();
            for own in MultisetAggregator::ALL {
                prop_assert!(!own.separates(&one, &reversed));
            }
        }
    }
}
