//! Which eigenpairs are computed.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Which part of the spectrum is computed if not all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Which {
    /// The algebraically highest, as in the paper.
    #[default]
    Highest,
    /// The largest in magnitude, of either sign.
    LargestMagnitude,
    /// Half from the top, half from the bottom; with an odd count one more from the
    /// top.
    BothEnds,
    /// Every pair, whatever the count.
    All,
}

impl Which {
    /// Every choice, in display order.
    pub const EVERY: [Self; 4] = [Self::Highest, Self::LargestMagnitude, Self::BothEnds, Self::All];

    /// The positions of `values` from the most to the least wanted. Ties keep their
    /// order, so the result is the same on every run.
    pub(super) fn ranked(self, values: &[f64]) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..values.len()).collect();
        let by = |key: fn(f64) -> f64| {
            move |a: &usize, b: &usize| -> Ordering { key(values[*b]).total_cmp(&key(values[*a])) }
        };
        match self {
            Self::Highest | Self::All => positions.sort_by(by(|value| value)),
            Self::LargestMagnitude => positions.sort_by(by(f64::abs)),
            Self::BothEnds => {
                positions.sort_by(by(|value| value));
                positions = alternate(&positions);
            }
        }
        positions
    }
}

/// First, last, second, last but one, …
fn alternate(sorted: &[usize]) -> Vec<usize> {
    let (top, bottom) = sorted.split_at(sorted.len().div_ceil(2));
    let mut mixed = Vec::with_capacity(sorted.len());
    let mut last = bottom.iter().rev();
    for &first in top {
        mixed.push(first);
        mixed.extend(last.next());
    }
    mixed
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Highest => "highest",
            Self::LargestMagnitude => "largest-magnitude",
            Self::BothEnds => "both-ends",
            Self::All => "all",
        })
    }
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::EVERY.into_iter().find(|which| which.to_string() == text).ok_or_else(|| {
            let names = Self::EVERY.map(|which| which.to_string()).join(", ");
            format!("found `{text}`, expected one of {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [f64; 5] = [0.1, -0.9, 1.0, 0.5, -0.2];

    fn picked(which: Which, count: usize) -> Vec<f64> {
        which.ranked(&VALUES).into_iter().take(count).map(|n| VALUES[n]).collect()
    }

    #[test]
    fn each_choice_selects_its_part_of_the_spectrum() {
        assert_eq!(picked(Which::Highest, 2), [1.0, 0.5]);
        assert_eq!(picked(Which::LargestMagnitude, 3), [1.0, -0.9, 0.5]);
        assert_eq!(picked(Which::BothEnds, 3), [1.0, -0.9, 0.5]);
        assert_eq!(picked(Which::BothEnds, 5), [1.0, -0.9, 0.5, -0.2, 0.1]);
        assert_eq!(picked(Which::All, 5), [1.0, 0.5, 0.1, -0.2, -0.9]);
    }

    #[test]
    fn choice_names_round_trip() {
        for which in Which::EVERY {
            assert_eq!(which.to_string().parse(), Ok(which));
        }
        assert!("lowest".parse::<Which>().is_err_and(|text| text.contains("both-ends")));
    }
}
