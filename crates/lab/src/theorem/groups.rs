//! The polynomial of two groups from the paper's appendix, with integers, so that
//! equality is exact.
//!
//! p(x_1, x_2; y_1, y_2) has eight terms and does not change when x_1 and x_2 are
//! swapped, or y_1 and y_2. It is m_(2,1)(x) m_(2,1)(y) + m_(3,2)(x) m_(4,3)(y),
//! and each m is a polynomial in the power sums p_1 and p_2 of its group alone:
//! with e_1 = p_1 and e_2 = (p_1² − p_2) / 2, m_(2,1) = e_1 e_2, m_(3,2) = e_1 e_2²
//! and m_(4,3) = e_1 e_2³. So p is h(Σ g(x), Σ g(y)) with g(x) = (x, x²).

use crate::lessons::Facts;

/// The largest number, and minus the smallest: powers to the twelfth stay exact.
const BOUND: i128 = 20;

/// A swap of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swapped {
    /// x_1 and x_2.
    First,
    /// y_1 and y_2.
    Second,
    /// x_1 and y_1: across the groups.
    Across,
}

/// The two groups.
///
/// ```
/// use gesf_lab::theorem::{Swapped, TwoGroups};
///
/// let mut groups = TwoGroups::default();
/// let value = groups.direct();
/// assert_eq!(groups.from_sums(), value);
/// groups.swap(Swapped::First);
/// assert_eq!(groups.direct(), value);
/// groups.swap(Swapped::Across);
/// assert_ne!(groups.direct(), value);
/// assert!(groups.agrees());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoGroups {
    first: [i128; 2],
    second: [i128; 2],
    edits: u32,
}

impl Default for TwoGroups {
    fn default() -> Self {
        Self { first: [1, 2], second: [3, 1], edits: 0 }
    }
}

impl TwoGroups {
    /// The numbers x_1, x_2, y_1, y_2.
    pub fn numbers(&self) -> [i128; 4] {
        [self.first[0], self.first[1], self.second[0], self.second[1]]
    }

    /// Changes one of the four numbers, within bounds.
    pub fn change(&mut self, at: usize, by: i128) -> bool {
        let slot = match at {
            0 | 1 => &mut self.first[at],
            2 | 3 => &mut self.second[at - 2],
            _ => return false,
        };
        *slot = slot.saturating_add(by).clamp(-BOUND, BOUND);
        self.edits += 1;
        true
    }

    /// Swaps two numbers.
    pub fn swap(&mut self, which: Swapped) {
        self.edits += 1;
        match which {
            Swapped::First => self.first.swap(0, 1),
            Swapped::Second => self.second.swap(0, 1),
            Swapped::Across => std::mem::swap(&mut self.first[0], &mut self.second[0]),
        }
    }

    /// The eight terms of the polynomial as in the paper.
    pub fn terms(&self) -> [i128; 8] {
        // Exponents of x_1, x_2, y_1, y_2.
        const EXPONENTS: [[u32; 4]; 8] = [
            [1, 2, 1, 2],
            [2, 1, 2, 1],
            [1, 2, 2, 1],
            [2, 1, 1, 2],
            [2, 3, 3, 4],
            [3, 2, 4, 3],
            [2, 3, 4, 3],
            [3, 2, 3, 4],
        ];
        EXPONENTS
            .map(|exponents| self.numbers().iter().zip(exponents).map(|(x, n)| x.pow(n)).product())
    }

    /// The polynomial, term by term.
    pub fn direct(&self) -> i128 {
        self.terms().iter().sum()
    }

    /// The four symmetric factors: m_(2,1)(x), m_(2,1)(y), m_(3,2)(x), m_(4,3)(y).
    pub fn factors(&self) -> [i128; 4] {
        let m = |[a, b]: [i128; 2], high: u32, low: u32| {
            a.pow(high) * b.pow(low) + a.pow(low) * b.pow(high)
        };
        [m(self.first, 2, 1), m(self.second, 2, 1), m(self.first, 3, 2), m(self.second, 4, 3)]
    }

    /// The polynomial from its factors.
    pub fn factored(&self) -> i128 {
        let [a, b, c, d] = self.factors();
        a * b + c * d
    }

    /// The power sums p_1 and p_2 of each group, the only input of h.
    pub fn sums(&self) -> [[i128; 2]; 2] {
        [self.first, self.second].map(|[a, b]| [a + b, a * a + b * b])
    }

    /// The polynomial from the power sums alone.
    pub fn from_sums(&self) -> i128 {
        // p_1² − p_2 = 2 x_1 x_2: always even.
        let [[e1, e2], [f1, f2]] = self.sums().map(|[p1, p2]| [p1, (p1 * p1 - p2) / 2]);
        (e1 * e2) * (f1 * f2) + (e1 * e2.pow(2)) * (f1 * f2.pow(3))
    }

    /// Whether the three computations agree.
    pub fn agrees(&self) -> bool {
        self.direct() == self.factored() && self.factored() == self.from_sums()
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.number("polynomial_edits", f64::from(self.edits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_papers_polynomial_with_numbers_in_it() {
        let groups = TwoGroups::default();
        assert_eq!(groups.terms(), [12, 18, 36, 6, 216, 324, 648, 108]);
        assert_eq!(groups.factors(), [6, 12, 12, 108]);
        assert_eq!(groups.direct(), 6 * 12 + 12 * 108);
        assert_eq!(groups.sums(), [[3, 5], [4, 10]]);
        assert!(groups.agrees());
    }

    #[test]
    fn swaps_within_a_group_keep_the_value_and_one_across_changes_it() {
        let mut groups = TwoGroups::default();
        let value = groups.direct();
        groups.swap(Swapped::First);
        assert_eq!(groups.direct(), value);
        groups.swap(Swapped::Second);
        assert_eq!(groups.direct(), value);
        groups.swap(Swapped::Across);
        assert!(groups.direct() != value && groups.agrees());
    }

    proptest! {
        #[test]
        fn three_computations_give_the_same_number(
            a in -20_i128..=20, b in -20_i128..=20, c in -20_i128..=20, d in -20_i128..=20,
        ) {
            let groups = TwoGroups { first: [a, b], second: [c, d], edits: 0 };
            prop_assert!(groups.agrees(), "{groups:?}");
        }
    }

    #[test]
    fn numbers_stay_within_bounds() {
        let mut groups = TwoGroups::default();
        assert!(groups.change(3, i128::MAX) && !groups.change(4, 1));
        assert_eq!(groups.numbers()[3], BOUND);
        assert!(groups.agrees());
    }
}
