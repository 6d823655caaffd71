//! h(Σ g(x)) as a network that learns a symmetric target from examples.
//!
//! g maps one number to `width` numbers, and their sum over the set goes through h.
//! The wider g, the more sums distinguish sets and the smaller the error; larger
//! sets need more.

use candle_core::{Device, Tensor};
use rand_chacha::ChaCha8Rng;

use super::{BOUND, SetTarget};
use crate::LabError;
use crate::descent::Descent;
use crate::lessons::Facts;
use gesf_core::model::random::{below, stream, unit};
use gesf_core::model::{Linear, Parameters};

/// Hidden units of h.
const HIDDEN: usize = 24;

/// The options of a fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The target function.
    pub target: SetTarget,
    /// Numbers per set.
    pub size: usize,
    /// Outputs of g.
    pub width: usize,
    /// Training sets; the test set has the same size.
    pub sets: usize,
    /// Steps until the learning rate reaches 0.
    pub steps: usize,
    /// The seed of the sets and the initialization.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { target: SetTarget::Max, size: 4, width: 8, sets: 512, steps: 600, seed: 1 }
    }
}

/// Sets with their targets, standardised by the training sets.
#[derive(Debug, Clone)]
struct Examples {
    numbers: Tensor,
    wanted: Tensor,
}

/// A network in training.
#[derive(Debug, Clone)]
pub struct Fit {
    options: FitOptions,
    parameters: Parameters,
    first: Linear,
    second: Linear,
    third: Linear,
    descent: Descent,
    seen: Examples,
    unseen: Examples,
    /// Mean and deviation of the target over the training sets.
    units: (f64, f64),
}

impl Fit {
    /// An initialized network, with random training sets.
    pub fn new(options: FitOptions) -> Result<Self, LabError> {
        let (size, width) = (options.size.max(1), options.width.max(1));
        let sets = options.sets.max(1);
        let options = FitOptions { size, width, sets, ..options };
        let mut random = stream(options.seed, "theorem: sets");
        let mut draw = || -> Vec<Vec<f64>> {
            (0..sets).map(|_| random_set(&mut random, options.target, size)).collect()
        };
        let (seen, unseen) = (draw(), draw());
        let value = |set: &Vec<f64>| options.target.of(set).unwrap_or(0.0);
        let mean = seen.iter().map(value).sum::<f64>() / sets as f64;
        let square = seen.iter().map(|set| (value(set) - mean).powi(2)).sum::<f64>() / sets as f64;
        let units = (mean, if square > 0.0 { square.sqrt() } else { 1.0 });
        let examples = |drawn: &[Vec<f64>]| -> Result<Examples, LabError> {
            let numbers: Vec<f32> = drawn.iter().flatten().map(|x| (x / BOUND) as f32).collect();
            let wanted: Vec<f32> =
                drawn.iter().map(|set| ((value(set) - units.0) / units.1) as f32).collect();
            Ok(Examples {
                numbers: Tensor::from_vec(numbers, (sets * size, 1), &Device::Cpu)?,
                wanted: Tensor::from_vec(wanted, (sets, 1), &Device::Cpu)?,
            })
        };
        let mut parameters = Parameters::new(options.seed, &Device::Cpu);
        // g must be nonlinear within the range of the numbers: it starts steep.
        let first = Linear::new(&mut parameters, "g", (1, width), 3.0)?;
        let second = Linear::new(&mut parameters, "h.1", (width, HIDDEN), 1.0)?;
        let third = Linear::new(&mut parameters, "h.2", (HIDDEN, 1), 1.0)?;
        let descent = Descent::new(0.02, options.steps);
        let (seen, unseen) = (examples(&seen)?, examples(&unseen)?);
        Ok(Self { options, parameters, first, second, third, descent, seen, unseen, units })
    }

    fn predicted(&self, numbers: &Tensor) -> Result<Tensor, LabError> {
        let (size, width) = (self.options.size, self.options.width);
        let sets = numbers.dim(0)? / size;
        let each = self.first.forward(numbers)?.tanh()?;
        let sums = each.reshape((sets, size, width))?.sum(1)?;
        let hidden = self.second.forward(&sums)?.tanh()?;
        Ok(self.third.forward(&hidden)?)
    }

    /// One step; returns the mean square error before it, relative to the variance
    /// of the target.
    pub fn step(&mut self) -> Result<f32, LabError> {
        let off = (self.predicted(&self.seen.numbers)? - &self.seen.wanted)?;
        self.descent.step(&self.parameters, &off.sqr()?.mean_all()?)
    }

    /// The error on test sets: the root mean square, relative to that of always
    /// predicting the mean.
    pub fn error(&self) -> Result<f64, LabError> {
        let off = (self.predicted(&self.unseen.numbers)? - &self.unseen.wanted)?;
        Ok(f64::from(off.sqr()?.mean_all()?.to_scalar::<f32>()?).sqrt())
    }

    /// The prediction for a set of the size it was made for.
    pub fn says(&self, numbers: &[f64]) -> Result<Option<f64>, LabError> {
        if numbers.len() != self.options.size {
            return Ok(None);
        }
        let scaled: Vec<f32> = numbers.iter().map(|x| (x / BOUND) as f32).collect();
        let numbers = Tensor::from_vec(scaled, (self.options.size, 1), &Device::Cpu)?;
        let said = self.predicted(&numbers)?.flatten_all()?.to_vec1::<f32>()?;
        Ok(said.first().map(|said| f64::from(*said) * self.units.1 + self.units.0))
    }

    /// The options of the fit.
    pub fn options(&self) -> FitOptions {
        self.options
    }

    /// Number of completed steps.
    pub fn steps(&self) -> u64 {
        self.descent.steps()
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.descent.is_done()
    }
}

/// A random set: uniform between the bounds or, for the target "contains 3",
/// integers from 0 to 5.
fn random_set(random: &mut ChaCha8Rng, target: SetTarget, size: usize) -> Vec<f64> {
    let whole = target == SetTarget::HasThree;
    let mut number = || {
        if whole { below(random, 6) as f64 } else { (2.0 * unit(random) - 1.0) * BOUND }
    };
    (0..size).map(|_| number()).collect()
}

/// Several fits side by side: the error against width, or against set size.
#[derive(Debug, Clone)]
pub struct Study {
    fits: Vec<Fit>,
    /// Steps of replaced studies.
    before: u64,
}

impl Study {
    /// One fit for each width.
    pub fn of_widths(options: FitOptions, widths: &[usize]) -> Result<Self, LabError> {
        let one = |width: &usize| Fit::new(FitOptions { width: *width, ..options });
        Ok(Self { fits: widths.iter().map(one).collect::<Result<_, _>>()?, before: 0 })
    }

    /// One fit for each set size.
    pub fn of_sizes(options: FitOptions, sizes: &[usize]) -> Result<Self, LabError> {
        let one = |size: &usize| Fit::new(FitOptions { size: *size, ..options });
        Ok(Self { fits: sizes.iter().map(one).collect::<Result<_, _>>()?, before: 0 })
    }

    /// Replaces this study by another one; the steps so far stay counted.
    pub fn replace(&mut self, other: Self) {
        let before = self.before + self.steps();
        *self = Self { before, ..other };
    }

    /// One step of every fit.
    pub fn step(&mut self) -> Result<(), LabError> {
        self.fits.iter_mut().try_for_each(|fit| fit.step().map(drop))
    }

    /// The fits.
    pub fn fits(&self) -> &[Fit] {
        &self.fits
    }

    /// Number of steps each fit has done.
    pub fn steps(&self) -> u64 {
        self.fits.first().map_or(0, Fit::steps)
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.fits.iter().all(Fit::is_done)
    }

    /// The errors on test sets, fit by fit.
    pub fn errors(&self) -> Result<Vec<f64>, LabError> {
        self.fits.iter().map(Fit::error).collect()
    }

    /// Reports the facts.
    pub fn report(&self, facts: &mut Facts) {
        facts.number("fit_steps", (self.before + self.steps()) as f64);
        if let Ok(errors) = self.errors() {
            if let (Some(first), Some(last)) = (errors.first(), errors.last()) {
                facts.number("fit_error_first", *first);
                facts.number("fit_error_last", *last);
            }
            let best = errors.into_iter().fold(f64::INFINITY, f64::min);
            if best.is_finite() {
                facts.number("fit_error", best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_falls_with_the_width() {
        let options = FitOptions { target: SetTarget::Range, steps: 300, ..FitOptions::default() };
        let mut study = Study::of_widths(options, &[1, 4, 16]).unwrap();
        while !study.is_done() {
            study.step().unwrap();
        }
        let errors = study.errors().unwrap();
        assert!(errors[1] < 0.8 * errors[0] && errors[2] < errors[1], "{errors:?}");
    }

    #[test]
    fn larger_sets_are_harder() {
        let options = FitOptions {
            target: SetTarget::Median,
            width: 4,
            sets: 192,
            steps: 200,
            ..FitOptions::default()
        };
        let mut study = Study::of_sizes(options, &[1, 7]).unwrap();
        while !study.is_done() {
            study.step().unwrap();
        }
        let errors = study.errors().unwrap();
        assert!(errors[0] < 0.5 * errors[1], "{errors:?}");
    }

    #[test]
    fn the_order_of_a_set_does_not_matter_but_its_size_does() {
        let mut fit = Fit::new(FitOptions { size: 3, sets: 32, ..FitOptions::default() }).unwrap();
        for _ in 0..5 {
            fit.step().unwrap();
        }
        let [one, other] = [[1.0, 2.0, -4.0], [-4.0, 1.0, 2.0]].map(|set| fit.says(&set).unwrap());
        assert!((one.unwrap() - other.unwrap()).abs() < 1e-5);
        assert_eq!(fit.says(&[1.0]).unwrap(), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_result() {
        let run = || {
            let options =
                FitOptions { target: SetTarget::HasThree, sets: 32, ..FitOptions::default() };
            let mut fit = Fit::new(options).unwrap();
            for _ in 0..10 {
                fit.step().unwrap();
            }
            fit.error().unwrap().to_bits()
        };
        assert_eq!(run(), run());
    }
}
