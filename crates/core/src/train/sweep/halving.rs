//! Successive halving: all combinations train briefly, the better ones longer.

use super::{Point, SweepPlan, SweepResult};

/// How combinations are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halving {
    /// Each round keeps one of this many combinations and trains this many times longer.
    pub factor: usize,
    /// The fewest epochs of a round.
    pub least_epochs: usize,
}

/// One round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// How many combinations take part.
    pub points: usize,
    /// How long each of them trains.
    pub epochs: usize,
}

/// Why successive halving is impossible.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HalvingError {
    /// A factor below 2.
    #[error("--halving: found {0}, expected a factor of at least 2, for example --halving 3")]
    Factor(usize),
    /// The number of epochs is what halving varies.
    #[error(
        "--halving: found `epochs` in the grid, expected it fixed\n  help: set it with --epochs"
    )]
    Epochs,
}

impl Halving {
    /// An error unless the factor and the combinations are valid.
    pub fn check(&self, points: &[Point]) -> Result<(), HalvingError> {
        if self.factor < 2 {
            return Err(HalvingError::Factor(self.factor));
        }
        if points.iter().any(|point| point.value("epochs").is_some()) {
            return Err(HalvingError::Epochs);
        }
        Ok(())
    }

    /// The rounds for so many combinations; the last one trains for all epochs. There
    /// are as many rounds as the combinations and the fewest epochs allow.
    ///
    /// ```
    /// use gesf_core::train::sweep::{Halving, Rung};
    ///
    /// let halving = Halving { factor: 3, least_epochs: 30 };
    /// let rungs: Vec<_> = halving.rungs(9, 300).iter().map(|r| (r.points, r.epochs)).collect();
    /// assert_eq!(rungs, [(9, 33), (3, 100), (1, 300)]);
    /// ```
    pub fn rungs(&self, points: usize, epochs: usize) -> Vec<Rung> {
        let factor = self.factor.max(2);
        let (mut left, mut shortest) = (points, epochs);
        let mut rounds = 1;
        while left > 1 && shortest / factor >= self.least_epochs.max(1) {
            left = left.div_ceil(factor);
            shortest /= factor;
            rounds += 1;
        }
        let mut count = points;
        (0..rounds)
            .rev()
            .map(|later| {
                let divisor = factor.checked_pow(later).unwrap_or(usize::MAX);
                let rung = Rung { points: count, epochs: (epochs / divisor).max(1) };
                count = count.div_ceil(factor);
                rung
            })
            .collect()
    }
}

impl SweepPlan {
    /// The plan of the next round: the best combinations of this one, in the order of
    /// the plan.
    #[must_use]
    pub fn kept(&self, standings: &[SweepResult], count: usize) -> Self {
        let best: Vec<&Point> = standings.iter().take(count).map(|own| &own.point).collect();
        let points = self.points.iter().filter(|point| best.contains(point));
        Self { points: points.cloned().collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounds_shrink_and_the_last_has_all_epochs(
            points in 1..200_usize, epochs in 1..2000_usize, factor in 2..6_usize,
            least_epochs in 1..100_usize,
        ) {
            let rungs = Halving { factor, least_epochs }.rungs(points, epochs);
            prop_assert_eq!(rungs[0].points, points);
            prop_assert_eq!(rungs[rungs.len() - 1].epochs, epochs);
            for pair in rungs.windows(2) {
                prop_assert!(pair[1].points < pair[0].points && pair[1].epochs > pair[0].epochs);
                prop_assert!(pair[0].epochs >= least_epochs);
            }
        }
    }

    #[test]
    fn the_best_are_kept_in_the_order_of_the_plan() {
        let point = |value: &str| Point(vec![("balance".to_owned(), value.to_owned())]);
        let points: Vec<Point> = ["1", "2", "3"].map(point).into();
        let plan = SweepPlan { points, shares: vec![0.5], seeds: vec![0], validate: 0.2 };
        let standings = plan.standings(&[Some(0.8), None, Some(0.9)]);
        assert_eq!(plan.kept(&standings, 2).points, [point("1"), point("3")]);
    }

    #[test]
    fn a_factor_of_one_and_varied_epochs_are_refused() {
        let point = Point(vec![("epochs".to_owned(), "10".to_owned())]);
        let of = |factor| Halving { factor, least_epochs: 1 };
        assert_eq!(of(1).check(&[]), Err(HalvingError::Factor(1)));
        assert_eq!(of(2).check(&[point]), Err(HalvingError::Epochs));
    }
}
