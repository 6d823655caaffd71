//! Symmetric functions of a set of numbers, which do not depend on its order.

/// A target function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetTarget {
    /// The largest.
    Max,
    /// The middle number, or the mean of the middle two.
    Median,
    /// The mean square distance from the mean.
    Variance,
    /// The second largest; the only number of a set of one.
    SecondLargest,
    /// From the smallest to the largest.
    Range,
    /// 1 if 3 is among them, else 0.
    HasThree,
}

/// The tolerance for 3: recovered numbers are rounded.
const NEAR: f64 = 1e-3;

impl SetTarget {
    /// All.
    pub const ALL: [Self; 6] =
        [Self::Max, Self::Median, Self::Variance, Self::SecondLargest, Self::Range, Self::HasThree];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Median => "median",
            Self::Variance => "variance",
            Self::SecondLargest => "second-largest",
            Self::Range => "range",
            Self::HasThree => "has-three",
        }
    }

    /// Its value; none for an empty set.
    pub fn of(self, numbers: &[f64]) -> Option<f64> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len();
        Some(match self {
            Self::Max => last,
            Self::Median => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
            Self::Variance => {
                let mean = sorted.iter().sum::<f64>() / count as f64;
                sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64
            }
            Self::SecondLargest => sorted[count.saturating_sub(2)],
            Self::Range => last - first,
            Self::HasThree => f64::from(u8::from(sorted.iter().any(|x| (x - 3.0).abs() < NEAR))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_match_their_names() {
        let cases = [
            (vec![4.0, 1.0, 3.0], [4.0, 3.0, 14.0 / 9.0, 3.0, 3.0, 1.0]),
            (vec![2.0], [2.0, 2.0, 0.0, 2.0, 0.0, 0.0]),
        ];
        for (numbers, expected) in cases {
            for (target, expected) in SetTarget::ALL.into_iter().zip(expected) {
                let found = target.of(&numbers).unwrap();
                assert!((found - expected).abs() < 1e-12, "{target:?} {found} {expected}");
            }
        }
        assert_eq!(SetTarget::Median.of(&[1.0, 2.0, 4.0, 8.0]), Some(3.0));
        assert_eq!(SetTarget::Max.of(&[]), None);
    }
}
