//! Random panels that are the same on every run and every machine.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sparse::Scalar;

/// A panel of independent signs ±1, for estimating traces and diagonals.
pub(super) fn signs<T: Scalar, const W: usize>(rows: usize, seed: u64) -> Vec<[T; W]> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut row = || {
        let mut bits = random.next_u64();
        std::array::from_fn(|lane| {
            if lane > 0 && lane % 64 == 0 {
                bits = random.next_u64();
            }
            T::of(if bits >> (lane % 64) & 1 == 1 { 1.0 } else { -1.0 })
        })
    };
    (0..rows).map(|_| row()).collect()
}

/// A number uniform in (-1, 1).
pub(super) fn uniform(random: &mut ChaCha8Rng) -> f64 {
    // 53 bits fill the mantissa.
    (random.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A generator for one of many independent streams.
pub(super) fn stream(seed: u64, number: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number as u64);
    random
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_balanced_and_repeatable() {
        let panel = signs::<f64, 16>(1000, 7);
        assert_eq!(panel, signs::<f64, 16>(1000, 7));
        let sum: f64 = panel.iter().flatten().sum();
        assert!(sum.abs() < 600.0, "{sum}");
    }

    #[test]
    fn streams_differ_from_each_other() {
        let (mut one, mut other) = (stream(1, 0), stream(1, 1));
        let (a, b) = (uniform(&mut one), uniform(&mut other));
        assert!(a.abs() < 1.0 && b.abs() < 1.0 && (a - b).abs() > 1e-9);
    }
}
