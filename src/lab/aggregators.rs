//! Experiment 3: what sum, mean and max can tell apart.
//!
//! Neighbourhoods are multisets of small whole numbers, so that "the same" means
//! the same, without rounding. A person edits two of them; the table says which
//! aggregator tells them apart. Sum, mean and max are all fooled by some pair;
//! a sum after a good ψ is not.

use super::lessons::Facts;

/// The smallest number a neighbour can be.
pub const SMALLEST: i64 = 0;
/// The largest number a neighbour can be.
pub const LARGEST: i64 = 9;
/// Neighbours a neighbourhood can have.
pub const MOST: usize = 12;

/// A way to make one thing of a multiset.
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
    /// Σ one-hot(x): how often each number occurs. Nothing is lost.
    OneHot,
}

impl MultisetAggregator {
    /// All, from the simplest on.
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

    /// What it gives for a multiset; nothing for the mean or max of none.
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

    /// That as a person writes it.
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

    /// Whether it tells two multisets apart.
    pub fn separates(self, one: &[i64], other: &[i64]) -> bool {
        self.of(one) != self.of(other)
    }
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs().max(1) } else { common_divisor(b, a % b) }
}

/// Pairs to look at first, each with what it is about.
pub const PAIRS: [(&str, &[i64], &[i64]); 5] = [
    ("everybody twice", &[1, 2], &[1, 1, 2, 2]),
    ("one more of the small", &[1, 3], &[1, 1, 3]),
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

/// How the person's pair is judged, from nothing done to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The two are the same neighbourhood: nothing could tell them apart.
    Same,
    /// They differ, and the sum tells.
    SumTells,
    /// They differ and the sum does not tell, but ψ(x) = (x, x²) does.
    SumFooled,
    /// Even (x, x²) does not tell; one-hot does, as it always will.
    SquaresFooled,
}

/// The experiment.
///
/// ```
/// use gesf_tui::lab::{MultisetAggregator, Multisets, Side, Verdict};
///
/// let mut pair = Multisets::new();
/// assert_eq!(pair.verdict(), Verdict::Same);
/// // 1, 2, 3 against the same with everybody twice: the mean does not tell.
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
    /// Two small neighbourhoods to begin with.
    pub fn new() -> Self {
        Self { left: vec![1, 2, 3], right: vec![1, 2, 3], ..Self::default() }
    }

    /// A side as it is.
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

    /// Adds a neighbour; `false` where there is no room for it.
    pub fn add(&mut self, side: Side, value: i64) -> bool {
        let members = self.side_mut(side);
        let fits = members.len() < MOST && (SMALLEST..=LARGEST).contains(&value);
        if fits {
            members.push(value);
        }
        self.edited(fits)
    }

    /// Puts a neighbour there once more.
    pub fn duplicate(&mut self, side: Side, at: usize) -> bool {
        let value = self.side(side).get(at).copied();
        let done = value.is_some_and(|value| self.add(side, value));
        self.duplicates += u32::from(done);
        done
    }

    /// Puts every neighbour there once more.
    pub fn duplicate_all(&mut self, side: Side) -> bool {
        let members = self.side_mut(side);
        let fits = !members.is_empty() && 2 * members.len() <= MOST;
        if fits {
            members.extend_from_within(..);
        }
        self.duplicates += u32::from(fits);
        self.edited(fits)
    }

    /// Takes a neighbour away.
    pub fn remove(&mut self, side: Side, at: usize) -> bool {
        let members = self.side_mut(side);
        let there = at < members.len();
        if there {
            members.remove(at);
        }
        self.edited(there)
    }

    /// Makes a neighbour larger or smaller, within bounds.
    pub fn change(&mut self, side: Side, at: usize, by: i64) -> bool {
        let slot = self.side_mut(side).get_mut(at);
        let changed = slot.is_some_and(|value| {
            let new = value.saturating_add(by).clamp(SMALLEST, LARGEST);
            std::mem::replace(value, new) != new
        });
        self.edited(changed)
    }

    /// Multiplies every neighbour; refused where one would grow too large.
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

    /// Lays out one of the [`PAIRS`].
    pub fn show_pair(&mut self, at: usize) -> bool {
        let Some((_, left, right)) = PAIRS.get(at) else { return false };
        (self.left, self.right) = (left.to_vec(), right.to_vec());
        true
    }

    /// Back to the beginning; what was counted stays.
    pub fn reset(&mut self) {
        let fresh = Self::new();
        (self.left, self.right) = (fresh.left, fresh.right);
    }

    /// Counts an edit and, with it, a pair that fools the sum by the person's
    /// own hand.
    fn edited(&mut self, done: bool) -> bool {
        if done {
            self.edits += 1;
            let verdict = self.verdict();
            self.fooled += u32::from(verdict >= Verdict::SumFooled);
            self.squares_fooled += u32::from(verdict == Verdict::SquaresFooled);
        }
        done
    }

    /// Whether an aggregator tells the two sides apart.
    pub fn separates(&self, aggregator: MultisetAggregator) -> bool {
        aggregator.separates(&self.left, &self.right)
    }

    /// How the pair as it is is judged.
    pub fn verdict(&self) -> Verdict {
        if !self.separates(MultisetAggregator::OneHot) {
            Verdict::Same
        } else if self.separates(MultisetAggregator::Sum) {
            Verdict::SumTells
        } else if self.separates(MultisetAggregator::Squares) {
            Verdict::SumFooled
        } else {
            Verdict::SquaresFooled
        }
    }

    /// Tells what was done and seen.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "aggregators");
        facts.number("edits", f64::from(self.edits));
        facts.number("duplicates", f64::from(self.duplicates));
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
    fn the_table_says_who_tells_which_pair_apart() {
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
        assert_eq!(sets.verdict(), Verdict::Same);
        assert!(sets.change(Side::Right, 0, 1));
        assert_eq!(sets.verdict(), Verdict::SumTells);
        assert!(sets.change(Side::Right, 2, -1));
        assert_eq!(sets.side(Side::Right), [2, 2, 2]);
        assert_eq!(sets.verdict(), Verdict::SumFooled);
        assert!(
            !sets.separates(MultisetAggregator::Sum) && sets.separates(MultisetAggregator::Squares)
        );
        let mut facts = Facts::default();
        sets.report(&mut facts);
        assert_eq!(facts.text("sum_fooled"), Some("1".to_owned()));
    }

    #[test]
    fn a_pair_laid_out_for_the_person_is_not_the_persons_own() {
        let mut sets = Multisets::new();
        assert!(sets.show_pair(4) && !sets.show_pair(5));
        assert_eq!(sets.verdict(), Verdict::SquaresFooled);
        let mut facts = Facts::default();
        sets.report(&mut facts);
        assert_eq!(facts.text("sum_fooled"), Some("0".to_owned()));
    }

    #[test]
    fn duplicating_all_escapes_mean_and_max_and_no_edit_leaves_its_bounds() {
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
        fn one_hot_tells_all_multisets_apart_and_no_order(
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
