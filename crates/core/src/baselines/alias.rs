//! Weighted sampling in constant time (Walker 1977, Vose 1991).

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A table of weights to draw from.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Alias {
    /// For each entry: the 32-bit threshold below which it stands for itself, and
    /// its alias.
    places: Vec<(u32, u32)>,
}

impl Alias {
    /// The table of some weights; those not above 0 are never drawn, unless none
    /// is.
    pub(super) fn new(weights: impl Iterator<Item = f64>) -> Self {
        let usable = |weight: f64| if weight.is_finite() && weight > 0.0 { weight } else { 0.0 };
        let mut shares: Vec<f64> = weights.map(usable).collect();
        let count = shares.len() as f64;
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 {
            for share in &mut shares {
                *share *= count / sum;
            }
        } else {
            shares.fill(1.0);
        }
        let mut places: Vec<(u32, u32)> =
            (0..shares.len() as u32).map(|own| (u32::MAX, own)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..shares.len()).partition(|&at| shares[at] < 1.0);
        while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
            small.pop();
            places[low] = ((shares[low] * f64::from(u32::MAX)) as u32, high as u32);
            shares[high] -= 1.0 - shares[low];
            if shares[high] < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        Self { places }
    }

    /// Draws an index; 0 from an empty table.
    #[inline]
    pub(super) fn draw(&self, random: &mut ChaCha8Rng) -> usize {
        let bits = random.next_u64();
        let at = (((bits >> 32) * self.places.len() as u64) >> 32) as usize;
        let Some(&(threshold, other)) = self.places.get(at) else { return 0 };
        if (bits as u32) <= threshold { at } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::stream;

    #[test]
    fn indices_are_drawn_in_proportion_to_their_weights() {
        let weights = [1.0, 0.0, 3.0, 6.0];
        let table = Alias::new(weights.into_iter());
        let mut counts = [0.0; 4];
        let mut random = stream(1, "alias");
        for _ in 0..100_000 {
            counts[table.draw(&mut random)] += 1e-4;
        }
        for (count, weight) in counts.iter().zip(weights) {
            assert!((count - weight).abs() < 0.1, "{counts:?}");
        }
    }

    #[test]
    fn zero_weights_are_drawn_uniformly_and_an_empty_table_does_not_panic() {
        let table = Alias::new([0.0, f64::NAN].into_iter());
        let mut random = stream(1, "alias");
        let drawn: Vec<usize> = (0..50).map(|_| table.draw(&mut random)).collect();
        assert!(drawn.contains(&0) && drawn.contains(&1));
        assert_eq!(Alias::default().draw(&mut random), 0);
    }
}
