//! Skip-gram with negative sampling (Mikolov et al. 2013): nodes near each other on
//! walks get similar vectors.
//!
//! One thread trains on the walks in order, so a seed gives the same bits; several
//! seeds run in parallel.

use pulp::{Arch, Simd, WithSimd};
use rand_chacha::ChaCha8Rng;

use super::noise::Noise;
use super::{BaselineError, Watch};
use crate::model::random::{below, stream, unit};

/// Dimension of the vectors.
pub(super) const WIDTH: usize = 128;
/// Number of partial sums, so that the compiler can use wide registers.
const LANES: usize = 16;
/// Entries of the sigmoid table, over [-BOUND, BOUND].
const TABLE: usize = 2048;
const BOUND: f32 = 8.0;

type Vector = [f32; WIDTH];

/// The options of skip-gram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkipGram {
    /// Maximum distance on a walk of two nodes that form a pair.
    pub window: usize,
    /// Negative samples per pair.
    pub negatives: usize,
    /// The initial learning rate; it falls to a hundredth of it.
    pub rate: f32,
}

impl Default for SkipGram {
    fn default() -> Self {
        Self { window: 10, negatives: 5, rate: 0.025 }
    }
}

impl SkipGram {
    /// Vectors of all nodes, row-major, from rounds of walks.
    pub(super) fn learn(
        &self,
        (nodes, rounds): (usize, usize),
        noise: &Noise,
        seed: u64,
        watch: Watch<'_>,
        walks: impl Fn(usize) -> Vec<Vec<u32>>,
    ) -> Result<Vec<f32>, BaselineError> {
        let mut start = stream(seed, "skip-gram");
        let size = 1.0 / WIDTH as f64;
        let mut own: Vec<Vector> = (0..nodes)
            .map(|_| std::array::from_fn(|_| ((unit(&mut start) - 0.5) * size) as f32))
            .collect();
        let mut near: Vec<Vector> = vec![[0.0; WIDTH]; nodes];
        let table = sigmoid_table();
        let mut random = stream(seed, "negatives");
        for round in 0..rounds {
            watch.check()?;
            (watch.tell)(&format!("walks {} of {rounds}", round + 1));
            let walks = walks(round);
            let left = |part: f32| {
                let done = (round as f32 + part) / rounds.max(1) as f32;
                self.rate * (1.0 - 0.99 * done)
            };
            Arch::new().dispatch(Round {
                settings: self,
                walks: &walks,
                noise,
                table: &table,
                rates: (left(0.0), left(1.0)),
                own: &mut own,
                near: &mut near,
                random: &mut random,
            });
        }
        Ok(own.into_flattened())
    }
}

pub(super) fn sigmoid_table() -> Vec<f32> {
    let at = |place: usize| (2.0 * (place as f32 + 0.5) / TABLE as f32 - 1.0) * BOUND;
    (0..TABLE).map(|place| 1.0 / (1.0 + (-at(place)).exp())).collect()
}

/// One pass over a round of walks.
struct Round<'a> {
    settings: &'a SkipGram,
    walks: &'a [Vec<u32>],
    noise: &'a Noise,
    table: &'a [f32],
    /// The learning rate at the first walk and at the last.
    rates: (f32, f32),
    own: &'a mut [Vector],
    near: &'a mut [Vector],
    random: &'a mut ChaCha8Rng,
}

// Inlining is what carries the instruction set into the loops: see pulp.
#[allow(clippy::inline_always)]
impl WithSimd for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { settings, walks, noise, table, rates, own, near, random } = self;
        let all = walks.len().max(1) as f32;
        for (number, walk) in walks.iter().enumerate() {
            let rate = rates.0 + (rates.1 - rates.0) * number as f32 / all;
            for (at, &centre) in walk.iter().enumerate() {
                // Nearer nodes count more: the window is shortened at random.
                let reach = 1 + below(random, settings.window.max(1));
                let from = at.saturating_sub(reach);
                let to = (at + reach + 1).min(walk.len());
                for (place, &context) in walk[from..to].iter().enumerate() {
                    if from + place == at {
                        continue;
                    }
                    let vector = &mut own[centre as usize];
                    let mut change = [0.0; WIDTH];
                    pull(vector, &mut near[context as usize], (1.0, rate), table, &mut change);
                    for _ in 0..settings.negatives {
                        let other = noise.draw(context, random);
                        if other != context {
                            let other = &mut near[other as usize];
                            pull(vector, other, (0.0, rate), table, &mut change);
                        }
                    }
                    vector.iter_mut().zip(&change).for_each(|(x, by)| *x += by);
                }
            }
        }
    }
}

/// One step of the logistic loss for a pair: updates the context vector at once and
/// accumulates the update of the node vector.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn pull<const SIZE: usize>(
    vector: &[f32; SIZE],
    other: &mut [f32; SIZE],
    (wanted, rate): (f32, f32),
    table: &[f32],
    change: &mut [f32; SIZE],
) {
    let mut sums = [0.0_f32; LANES];
    let (own, own_rest) = vector.as_chunks::<LANES>();
    let (far, far_rest) = other.as_chunks::<LANES>();
    for (a, b) in own.iter().zip(far) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(own_rest.iter().zip(far_rest)) {
        *sum += a * b;
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    let place = (sums[0] / BOUND + 1.0) * (TABLE as f32 / 2.0);
    let likely = table[(place.max(0.0) as usize).min(TABLE - 1)];
    let by = (wanted - likely) * rate;
    for ((change, x), other) in change.iter_mut().zip(vector).zip(other.iter_mut()) {
        *change += by * *other;
        *other += by * x;
    }
}
