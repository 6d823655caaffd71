//! Random numbers that are the same for the same seed on every machine.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// A generator for one of many independent purposes.
pub fn stream(seed: u64, purpose: &str) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(xxhash_rust::xxh3::xxh3_64(purpose.as_bytes()));
    random
}

/// A number uniform in [0, 1).
pub fn unit(random: &mut ChaCha8Rng) -> f64 {
    // 53 bits fill the mantissa.
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// An integer uniform below a bound that is not 0.
pub fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

/// Shuffles a list.
pub fn shuffle<T>(random: &mut ChaCha8Rng, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(random, last + 1));
    }
}

/// Numbers uniform in (-bound, bound).
pub fn uniform(random: &mut ChaCha8Rng, count: usize, bound: f64) -> Vec<f32> {
    (0..count).map(|_| ((2.0 * unit(random) - 1.0) * bound) as f32).collect()
}

/// Numbers drawn by one task.
const SHARE: usize = 1 << 14;
/// 32-bit words per normal number: two 64-bit numbers.
const WORDS: u128 = 4;

/// Normal numbers of mean 0 (Box–Muller), drawn in parallel: every chunk knows its
/// position in the stream, so the numbers do not depend on threads.
pub fn normal(random: &mut ChaCha8Rng, count: usize, deviation: f64) -> Vec<f32> {
    let start = random.get_word_pos();
    let place = |numbers: usize| start + WORDS * numbers as u128;
    let mut values: Vec<f32> = bytemuck::zeroed_vec(count);
    values.par_chunks_mut(SHARE).enumerate().for_each(|(at, share)| {
        let mut random = random.clone();
        random.set_word_pos(place(at * SHARE));
        for value in share {
            let (radius, turn) = (1.0 - unit(&mut random), unit(&mut random));
            let size = (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos();
            *value = (size * deviation) as f32;
        }
    });
    random.set_word_pos(place(count));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_mean_and_deviation_asked_for() {
        let values = normal(&mut stream(3, "test"), 20_000, 2.0);
        let mean = values.iter().sum::<f32>() / 20_000.0;
        let square = values.iter().map(|x| x * x).sum::<f32>() / 20_000.0;
        assert!(mean.abs() < 0.05 && (square - 4.0).abs() < 0.15, "{mean} {square}");
    }

    #[test]
    fn normal_numbers_do_not_depend_on_how_many_are_drawn_at_once() {
        let whole = normal(&mut stream(7, "test"), 3 * SHARE + 5, 1.0);
        let mut random = stream(7, "test");
        let parts: Vec<f32> =
            [11, SHARE, 2 * SHARE - 6].iter().flat_map(|&n| normal(&mut random, n, 1.0)).collect();
        assert_eq!(whole, parts);
    }

    #[test]
    fn shuffling_keeps_every_item_and_purposes_differ() {
        let order = |purpose: &str| {
            let mut list: Vec<usize> = (0..50).collect();
            shuffle(&mut stream(1, purpose), &mut list);
            list
        };
        let mut sorted = order("one");
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_ne!(order("one"), order("other"));
        assert_eq!(order("one"), order("one"));
    }
}
