//! Statistics over several seeds: means with intervals, and paired differences
//! between methods that ran on the same splits.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Confidence level of the intervals.
const CONFIDENCE: f64 = 0.95;
/// More seeds than this are never suggested.
const MOST_SEEDS: usize = 1000;

/// The mean, and the standard deviation of a sample.
pub fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
    (mean, deviation)
}

/// The mean and the half-width of its 95 % interval; `None` for a single value.
///
/// ```
/// use gesf_core::train::mean_and_interval;
///
/// let (mean, half) = mean_and_interval(&[1.0, 2.0, 3.0]);
/// assert_eq!(mean, 2.0);
/// assert!(half.is_some_and(|half| (half - 4.303 / 3_f64.sqrt()).abs() < 1e-3));
/// assert_eq!(mean_and_interval(&[5.0]).1, None);
/// ```
pub fn mean_and_interval(values: &[f64]) -> (f64, Option<f64>) {
    let difference = Difference::of(values, 1);
    (difference.mean, difference.half)
}

/// The paired difference between two methods on the same splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The mean over the splits.
    pub mean: f64,
    /// The half-width of its interval; `None` for one split.
    pub half: Option<f64>,
    deviation: f64,
    comparisons: usize,
}

/// The conclusion from a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The interval is above 0.
    Ahead,
    /// The interval is below 0.
    Behind,
    /// The interval contains 0.
    Open,
}

impl Difference {
    /// The difference between the scores of two methods, split by split. The
    /// intervals are corrected for several comparisons (Bonferroni).
    ///
    /// ```
    /// use gesf_core::train::{Difference, Verdict};
    ///
    /// let ours = [80.0, 82.0, 78.0, 81.0];
    /// let theirs = [79.0, 80.5, 76.5, 79.5];
    /// let ahead = Difference::between(&ours, &theirs, 1);
    /// assert_eq!(ahead.verdict(), Verdict::Ahead);
    /// // Among a hundred comparisons, one such difference is no surprise.
    /// assert_eq!(Difference::between(&ours, &theirs, 1000).verdict(), Verdict::Open);
    /// ```
    pub fn between(ours: &[f64], theirs: &[f64], comparisons: usize) -> Self {
        let pairs: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours - theirs).collect();
        Self::of(&pairs, comparisons)
    }

    fn of(values: &[f64], comparisons: usize) -> Self {
        let (mean, deviation) = mean_and_deviation(values);
        let mut found = Self { mean, half: None, deviation, comparisons: comparisons.max(1) };
        found.half = found.half_with(values.len());
        found
    }

    /// The half-width for this many values with the same deviation.
    fn half_with(&self, count: usize) -> Option<f64> {
        let freedom = count.checked_sub(1).filter(|freedom| *freedom > 0)?;
        let student = StudentsT::new(0.0, 1.0, freedom as f64).ok()?;
        let outside = (1.0 - CONFIDENCE) / (2 * self.comparisons) as f64;
        Some(student.inverse_cdf(1.0 - outside) * self.deviation / (count as f64).sqrt())
    }

    /// Whether the interval lies on one side of 0.
    pub fn verdict(&self) -> Verdict {
        match self.half {
            Some(half) if self.mean > half => Verdict::Ahead,
            Some(half) if self.mean < -half => Verdict::Behind,
            _ => Verdict::Open,
        }
    }

    /// How many seeds would decide an open comparison if mean and deviation stay
    /// the same; `None` if it is decided or out of reach.
    ///
    /// ```
    /// use gesf_core::train::Difference;
    ///
    /// let open = Difference::between(&[1.0, -0.5, 1.0, 0.5], &[0.0; 4], 1);
    /// assert!(open.seeds_to_settle().is_some_and(|seeds| (5..30).contains(&seeds)));
    /// ```
    pub fn seeds_to_settle(&self) -> Option<usize> {
        self.half.filter(|_| self.verdict() == Verdict::Open)?;
        let settles =
            |count: &usize| self.half_with(*count).is_some_and(|half| half < self.mean.abs());
        (3..=MOST_SEEDS).find(settles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_students_tables() {
        // 97.5 % and, for 5 comparisons, 99.5 % of 9 degrees of freedom.
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        let error = mean_and_deviation(&values).1 / 10_f64.sqrt();
        for (comparisons, quantile) in [(1, 2.262_16), (5, 3.249_84)] {
            let half = Difference::of(&values, comparisons).half.unwrap();
            assert!((half / error - quantile).abs() < 1e-4, "{}", half / error);
        }
    }

    #[test]
    fn one_split_decides_nothing_and_suggests_no_seeds() {
        let one = Difference::between(&[3.0], &[1.0], 1);
        assert_eq!((one.mean, one.half, one.verdict()), (2.0, None, Verdict::Open));
        assert_eq!(one.seeds_to_settle(), None);
    }

    #[test]
    fn a_decided_comparison_needs_no_more_seeds() {
        let settled = Difference::between(&[3.0, 3.1, 2.9], &[1.0, 1.0, 1.0], 1);
        assert_eq!((settled.verdict(), settled.seeds_to_settle()), (Verdict::Ahead, None));
        let behind = Difference::between(&[1.0, 1.0, 1.0], &[3.0, 3.1, 2.9], 1);
        assert_eq!(behind.verdict(), Verdict::Behind);
    }
}
