//! Experiment 4: the theorem behind set functions.
//!
//! Any symmetric function of a set is a function h of sums Σ g(x). This module
//! recovers numbers from power sums ([`recover`]), trains a small network h(Σ g(x))
//! on a target ([`Fit`]), and evaluates the paper's polynomial of two groups with
//! numbers ([`TwoGroups`]).

mod fit;
mod groups;
mod powers;
mod target;

pub use fit::{Fit, FitOptions, Study};
pub use groups::{Swapped, TwoGroups};
pub use powers::{Recovered, power_sums, recover};
pub use target::SetTarget;

use super::lessons::Facts;

/// The largest number of the set, and minus the smallest.
pub const BOUND: f64 = 6.0;
/// Maximum number of elements: with more, rounding dominates the power sums.
pub const MOST: usize = 8;

/// A set of numbers, a target, and the number of power sums used.
#[derive(Debug, Clone)]
pub struct Theorem {
    numbers: Vec<f64>,
    target: SetTarget,
    sums: usize,
    edits: u32,
}

impl Default for Theorem {
    fn default() -> Self {
        Self { numbers: vec![1.0, 3.0, 4.0], target: SetTarget::Max, sums: 3, edits: 0 }
    }
}

impl Theorem {
    /// The numbers.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The target to compute from the sums.
    pub fn target(&self) -> SetTarget {
        self.target
    }

    /// The number of power sums used.
    pub fn sums(&self) -> usize {
        self.sums
    }

    /// Adds a number; `false` if the set is full.
    pub fn add(&mut self, value: f64) -> bool {
        let fits = self.numbers.len() < MOST && value.abs() <= BOUND;
        if fits {
            self.numbers.push(value);
            self.edits += 1;
        }
        fits
    }

    /// Removes a number.
    pub fn remove(&mut self, at: usize) -> bool {
        let there = at < self.numbers.len();
        if there {
            self.numbers.remove(at);
            self.edits += 1;
        }
        there
    }

    /// Changes a number, within bounds.
    pub fn change(&mut self, at: usize, by: f64) -> bool {
        let Some(value) = self.numbers.get_mut(at).filter(|_| by.is_finite()) else { return false };
        *value = (*value + by).clamp(-BOUND, BOUND);
        self.edits += 1;
        true
    }

    /// Chooses another target.
    pub fn choose(&mut self, target: SetTarget) {
        self.target = target;
    }

    /// Uses another number of power sums.
    pub fn look_at(&mut self, sums: usize) {
        self.sums = sums.clamp(1, MOST);
    }

    /// The power sums used.
    pub fn seen_sums(&self) -> Vec<f64> {
        power_sums(&self.numbers, self.sums)
    }

    /// The numbers recovered from the power sums used.
    pub fn recovered(&self) -> Recovered {
        recover(&self.seen_sums(), self.numbers.len())
    }

    /// The target of the actual numbers; none for an empty set.
    pub fn truth(&self) -> Option<f64> {
        self.target.of(&self.numbers)
    }

    /// The target of the recovered numbers.
    pub fn answer(&self) -> Option<f64> {
        self.target.of(&self.recovered().numbers)
    }

    /// The distance between answer and truth: at least the largest imaginary part
    /// of the recovered numbers.
    pub fn error(&self) -> Option<f64> {
        let off = (self.truth()? - self.answer()?).abs();
        Some(off.max(self.recovered().farthest_from_real()))
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.word("experiment", "theorem");
        facts.number("set_size", self.numbers.len() as f64);
        facts.number("power_sums", self.sums as f64);
        for (at, sum) in power_sums(&self.numbers, 3).into_iter().enumerate() {
            facts.number(&format!("power_sum_{}", at + 1), sum);
        }
        facts.number("set_edits", f64::from(self.edits));
        facts.word("symmetric_target", self.target.name());
        if let Some(error) = self.error() {
            facts.number("recovered_error", error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_recovered_from_as_many_sums_as_numbers() {
        let sets: [&[f64]; 5] = [
            &[1.0, 3.0, 4.0],
            &[-2.5, 0.5, 0.75, 6.0],
            &[2.0],
            &[0.0, -6.0, 6.0, 3.0, 1.0],
            &[3.0, 5.0, -1.25, 4.0, 0.5, -3.0],
        ];
        for numbers in sets {
            for target in SetTarget::ALL {
                let mut theorem = Theorem { numbers: numbers.to_vec(), ..Theorem::default() };
                theorem.choose(target);
                theorem.look_at(numbers.len());
                let error = theorem.error().unwrap();
                assert!(error < 1e-6, "{target:?} of {numbers:?}: off by {error}");
            }
        }
    }

    #[test]
    fn with_fewer_sums_than_numbers_the_answer_is_wrong() {
        let mut theorem = Theorem::default();
        theorem.look_at(2);
        assert!(theorem.error().unwrap() > 0.1);
        theorem.look_at(3);
        assert!(theorem.error().unwrap() < 1e-9);
    }

    #[test]
    fn edits_stay_within_bounds() {
        let mut theorem = Theorem::default();
        while theorem.add(1.5) {}
        assert_eq!(theorem.numbers().len(), MOST);
        assert!(!theorem.change(MOST, 1.0) && !theorem.change(0, f64::NAN));
        assert!(theorem.change(0, 1e9) && theorem.numbers()[0] <= BOUND);
        while theorem.remove(0) {}
        assert_eq!((theorem.truth(), theorem.error()), (None, None));
    }
}
