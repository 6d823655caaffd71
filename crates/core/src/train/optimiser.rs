//! The optimizers.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::memory::copied;
use crate::model::settings::{Optimiser, Schedule, Settings};

/// The optimizer state of one parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OptimizerState {
    /// The running mean of gradients (or the velocity of momentum).
    pub first: Vec<f32>,
    /// The running mean of their squares.
    pub second: Vec<f32>,
}

impl OptimizerState {
    /// A copy made in parallel.
    pub(super) fn copied(&self) -> Self {
        Self { first: copied(&self.first), second: copied(&self.second) }
    }
}

/// Adam's usual constants.
const FADE_FIRST: f32 = 0.9;
const FADE_SECOND: f32 = 0.999;
const TINY: f32 = 1e-8;
/// Numbers that one task takes.
const SHARE: usize = 1 << 14;

/// The learning rate at an epoch of a stage with this many epochs.
pub fn learning_rate(settings: &Settings, epoch: usize, epochs: usize) -> f64 {
    match settings.schedule {
        Schedule::Constant => settings.learning_rate,
        Schedule::Cosine => {
            let done = (epoch as f64 / epochs.max(1) as f64).min(1.0);
            settings.learning_rate * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())
        }
    }
}

/// One step of one parameter.
#[derive(Debug, Clone, Copy)]
pub struct UpdateStep {
    /// The update rule.
    pub rule: Optimiser,
    /// The momentum of SGD.
    pub momentum: f64,
    /// The learning rate.
    pub rate: f64,
    /// The number of this step, from 1.
    pub number: u64,
    /// Decoupled weight decay (AdamW).
    pub decay: f64,
}

/// Larger gradients are rejected: their square would be infinite.
const LARGEST: f32 = 1e18;

/// The first value of a gradient that is not usable for a step.
pub fn unusable(gradient: &[f32]) -> Option<f32> {
    // Comparisons with NaN are false.
    let usable = |share: &[f32]| share.iter().all(|g| g.abs() < LARGEST);
    let bad = gradient.par_chunks(SHARE).find_first(|share| !usable(share))?;
    bad.iter().copied().find(|g| !usable(&[*g]))
}

impl UpdateStep {
    /// Updates the values. With a usable gradient they and the optimizer state stay
    /// finite.
    pub fn take(&self, values: &mut [f32], gradient: &[f32], memory: &mut OptimizerState) {
        memory.first.resize(values.len(), 0.0);
        if self.rule == Optimiser::Sgd {
            let (rate, momentum) = (self.rate as f32, self.momentum as f32);
            let rows = values.iter_mut().zip(&mut memory.first).zip(gradient);
            for ((value, velocity), gradient) in rows {
                *velocity = momentum * *velocity + gradient;
                *value -= rate * *velocity;
            }
            return;
        }
        memory.second.resize(values.len(), 0.0);
        let number = self.number.min(i32::MAX as u64) as i32;
        let unbias_first = 1.0 - f64::from(FADE_FIRST).powi(number);
        let unbias_second = (1.0 - f64::from(FADE_SECOND).powi(number)).sqrt();
        let rate = (self.rate / unbias_first) as f32;
        let (spread, keep) = (unbias_second.recip() as f32, (1.0 - self.rate * self.decay) as f32);
        let shares = values
            .par_chunks_mut(SHARE)
            .zip(memory.first.par_chunks_mut(SHARE))
            .zip(memory.second.par_chunks_mut(SHARE))
            .zip(gradient.par_chunks(SHARE));
        shares.for_each(|(((values, first), second), gradient)| {
            Arch::new().dispatch(Adam { values, first, second, gradient, rate, spread, keep });
        });
    }
}

/// Adam on a chunk of a parameter.
struct Adam<'a> {
    values: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    gradient: &'a [f32],
    rate: f32,
    spread: f32,
    keep: f32,
}

// Inlining is what carries the instruction set into the loop: see pulp.
#[allow(clippy::inline_always)]
impl WithSimd for Adam<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { values, first, second, gradient, rate, spread, keep } = self;
        for (((x, m), v), g) in values.iter_mut().zip(first).zip(second).zip(gradient) {
            *m = FADE_FIRST * *m + (1.0 - FADE_FIRST) * g;
            *v = FADE_SECOND * *v + (1.0 - FADE_SECOND) * g * g;
            *x = keep * *x - rate * *m / (v.sqrt() * spread + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minimises (x − 3)² and returns the result.
    fn minimise(settings: &Settings, steps: u64) -> f32 {
        let (mut x, mut memory) = (vec![0.0_f32], OptimizerState::default());
        for number in 1..=steps {
            let (rule, momentum, rate) =
                (settings.optimiser, settings.momentum, settings.learning_rate);
            let step = UpdateStep { rule, momentum, rate, number, decay: 0.0 };
            let gradient = [2.0 * (x[0] - 3.0)];
            step.take(&mut x, &gradient, &mut memory);
        }
        x[0]
    }

    #[test]
    fn every_optimizer_finds_the_minimum_of_a_parabola() {
        for optimiser in [Optimiser::Sgd, Optimiser::Adam, Optimiser::AdamW] {
            let settings =
                Settings { optimiser, learning_rate: 0.05, momentum: 0.5, ..Settings::default() };
            assert!((minimise(&settings, 2000) - 3.0).abs() < 1e-2, "{optimiser:?}");
        }
    }

    #[test]
    fn a_gradient_that_is_nan_or_too_large_is_found() {
        let mut gradient = vec![1.0; 3 * SHARE];
        assert_eq!(unusable(&gradient), None);
        gradient[2 * SHARE + 5] = f32::NAN;
        assert!(unusable(&gradient).is_some_and(f32::is_nan));
        gradient[7] = -1e30;
        assert_eq!(unusable(&gradient), Some(-1e30));
    }

    #[test]
    fn the_first_step_of_adam_is_as_long_as_the_rate() {
        let settings = Settings { learning_rate: 0.1, ..Settings::default() };
        assert!((minimise(&settings, 1) - 0.1).abs() < 1e-5);
    }

    #[test]
    fn cosine_falls_from_the_rate_to_zero() {
        let settings = Settings { epochs: 100, learning_rate: 0.02, ..Settings::default() };
        let at = |epoch| learning_rate(&settings, epoch, settings.epochs);
        assert!((at(0) - 0.02).abs() < 1e-12 && (at(50) - 0.01).abs() < 1e-12);
        assert!(at(100).abs() < 1e-12 && at(1000).abs() < 1e-12);
    }
}
