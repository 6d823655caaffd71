//! One form of ρ that learns the planted filter.

use candle_core::{Device, Tensor};

use super::Planted;
use crate::LabError;
use crate::descent::Descent;
use gesf_core::model::product::product;
use gesf_core::model::settings::{Activation, FilterShape};
use gesf_core::model::slices::with_numbers;
use gesf_core::model::{Filter, Parameters};
use gesf_spectral::SelfTerm;

/// The error of a learned filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misses {
    /// Root mean square over the distinct eigenvalues.
    pub at: f64,
    /// The largest at an eigenvalue.
    pub worst_at: f64,
    /// Root mean square over the axis between them.
    pub between: f64,
    /// The largest between them.
    pub worst_between: f64,
}

/// Points of the axis at which the curve is evaluated between eigenvalues.
const GRID: usize = 201;
/// A point closer to an eigenvalue than this counts as the eigenvalue.
const NEAR: f64 = 2e-3;

/// A filter in training.
#[derive(Debug, Clone)]
pub struct Learner {
    form: FilterShape,
    filter: Filter,
    parameters: Parameters,
    descent: Descent,
    loss: f64,
}

impl Learner {
    /// An initialized filter near ρ(s) = s: a network with this many hidden units,
    /// or a polynomial with the same number of parameters.
    pub(super) fn new(
        form: FilterShape,
        hidden: usize,
        (rate, steps): (f64, usize),
        seed: u64,
    ) -> Result<Self, LabError> {
        let mut parameters = Parameters::new(seed, &Device::Cpu);
        let sizes = (hidden, 3 * hidden);
        let filter = Filter::sized(&mut parameters, form, sizes, Activation::Tanh)?;
        let descent = Descent::new(rate, steps);
        Ok(Self { form, filter, parameters, descent, loss: f64::NAN })
    }

    pub(super) fn step(&mut self, planted: &Planted) -> Result<(), LabError> {
        let points = planted.operator.points();
        let points = Tensor::from_slice(points, points.len(), &Device::Cpu)?;
        let response = self.filter.respond(&points)?;
        let signals = &planted.signals;
        let output = product(&planted.operator, None, &response, signals, SelfTerm::Keep)?;
        let off = (output - &planted.wanted)?.sqr()?.sum_all()?;
        let loss = (off * planted.size.recip())?;
        self.loss = f64::from(self.descent.step(&self.parameters, &loss)?);
        Ok(())
    }

    /// Its form.
    pub fn form(&self) -> FilterShape {
        self.form
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.parameters.count()
    }

    /// ‖P_ρ X − Y‖² / ‖Y‖² before the last step.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// Number of completed steps.
    pub fn steps(&self) -> u64 {
        self.descent.steps()
    }

    /// Whether all steps are done.
    pub fn is_done(&self) -> bool {
        self.descent.is_done()
    }

    /// ρ at the given points.
    pub fn curve(&self, points: &[f64]) -> Result<Vec<f64>, LabError> {
        let points: Vec<f32> = points.iter().map(|s| *s as f32).collect();
        let count = points.len();
        let found = self.filter.respond(&Tensor::from_vec(points, count, &Device::Cpu)?)?;
        let wide = |values: &[f32]| values.iter().map(|value| f64::from(*value)).collect();
        Ok(with_numbers(&found, wide)?)
    }

    /// The distance from the planted filter; `None` if that is not a curve.
    pub fn misses(&self, planted: &Planted) -> Result<Option<Misses>, LabError> {
        let at: Vec<f64> = planted.distinct().iter().map(|(s, _)| *s).collect();
        let far = |s: &f64| at.iter().all(|own| (own - s).abs() > NEAR);
        let grid = (0..GRID).map(|n| 2.0 * n as f64 / (GRID - 1) as f64 - 1.0);
        let between: Vec<f64> = grid.filter(far).collect();
        let (Some((at, worst_at)), Some((between, worst_between))) =
            (self.off(planted, &at)?, self.off(planted, &between)?)
        else {
            return Ok(None);
        };
        Ok(Some(Misses { at, worst_at, between, worst_between }))
    }

    /// Root mean square and largest distance at the given points.
    fn off(&self, planted: &Planted, points: &[f64]) -> Result<Option<(f64, f64)>, LabError> {
        let wished: Option<Vec<f64>> = points.iter().map(|s| planted.target().at(*s)).collect();
        let Some(wished) = wished else { return Ok(None) };
        let found = self.curve(points)?;
        let off: Vec<f64> = found.iter().zip(&wished).map(|(a, b)| (a - b).abs()).collect();
        let mean = off.iter().map(|x| x * x).sum::<f64>() / off.len().max(1) as f64;
        Ok(Some((mean.sqrt(), off.into_iter().fold(0.0, f64::max))))
    }
}
