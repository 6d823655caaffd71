//! The calibration of predictions at nodes without a training label, learned with the
//! filter at withheld labels.
//!
//! Outputs are divided by a temperature. What this says about predictions is fixed at
//! the end of the first stage: offsets of the classes, or how far numbers shrink
//! towards the mean of the training targets. So predictions fall back to the class
//! shares, or to the mean, where the graph says little about the labels.

use candle_core::{Result, Tensor, Var};

use super::Parameters;
use gesf_graph::LabelKind;

const TEMPERATURE: &str = "rho.temperature";
const SHARE_WEIGHT: &str = "rho.share_weight";
pub(crate) const OFFSET: &str = "rho.offset";
pub(crate) const SHRINKAGE: &str = "rho.shrinkage";

/// The parameters that runs lack if they were saved before 0.4 (with numeric targets) or
/// 0.6 (with classes), and the values that change nothing.
pub(crate) const NEUTRAL: [(&str, f32); 2] = [(TEMPERATURE, 0.0), (SHRINKAGE, 1.0)];

/// How outputs become predictions.
#[derive(Debug, Clone)]
pub(crate) struct Calibration {
    /// The logarithm of the temperature.
    temperature: Var,
    /// The factor of outputs: of numbers in standard deviations from the mean, or of
    /// logits.
    shrinkage: Var,
    correction: Correction,
}

#[derive(Debug, Clone)]
enum Correction {
    Classes {
        /// The weight of the log shares of the classes. They do not influence the
        /// filter: with them a vague filter would do.
        share_weight: Var,
        /// The offset of every class: fixed once the filter is learned, or, with
        /// several classes per node, such that nodes get as many as training labels
        /// have.
        offset: Var,
    },
    Numbers,
}

/// How the class shares correct predictions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ByShares {
    /// Away from classes that have more training labels than withheld labels bear out.
    AwayFromFrequent,
    /// Towards frequent classes, since predictions are no better than these.
    TowardsFrequent,
    /// The shares replace the logits, of which only this small factor is left, since
    /// these say nothing about withheld labels.
    InPlaceOfLogits(f64),
}

/// The part of a fitted slope that chance does not explain (the positive-part estimator
/// of James and Stein), given the mean squared error in units of the variance.
fn significant_share(error: f64, labels: usize) -> f64 {
    let explained = 1.0 - error;
    let by_chance = error / (labels.max(2) - 1) as f64;
    if explained > by_chance { 1.0 - by_chance / explained } else { 0.0 }
}

impl Calibration {
    /// The calibration of a number of outputs; `None` for labels that need none.
    pub(super) fn new(
        parameters: &mut Parameters,
        kind: LabelKind,
        outputs: usize,
        withholds: bool,
    ) -> Result<Option<Self>> {
        let is_needed = match kind {
            LabelKind::None => false,
            LabelKind::One | LabelKind::Numeric => withholds,
            LabelKind::Several => true,
        };
        if !is_needed {
            return Ok(None);
        }
        let temperature = parameters.add(TEMPERATURE, vec![0.0], 1)?;
        let correction = if kind == LabelKind::Numeric {
            Correction::Numbers
        } else {
            Correction::Classes {
                share_weight: parameters.add(SHARE_WEIGHT, vec![0.0], 1)?,
                offset: parameters.add(OFFSET, vec![0.0; outputs], outputs)?,
            }
        };
        let shrinkage = parameters.add(SHRINKAGE, vec![1.0], 1)?;
        Ok(Some(Self { temperature, shrinkage, correction }))
    }

    /// Outputs over the temperature, used to learn the filter.
    pub(crate) fn tempered(&self, outputs: &Tensor) -> Result<Tensor> {
        outputs.broadcast_div(&self.temperature.exp()?)
    }

    /// The same with the class shares, of which only their weight gets a gradient;
    /// `None` for numbers.
    pub(crate) fn with_shares(
        &self,
        tempered: &Tensor,
        log_shares: &Tensor,
    ) -> Result<Option<Tensor>> {
        let Correction::Classes { share_weight, .. } = &self.correction else { return Ok(None) };
        let towards = log_shares.broadcast_mul(share_weight)?;
        Ok(Some(tempered.detach().broadcast_add(&towards)?))
    }

    /// The predictions, given the head outputs.
    pub(super) fn corrected(&self, outputs: &Tensor) -> Result<Tensor> {
        let outputs = outputs.broadcast_mul(&self.shrinkage)?;
        match &self.correction {
            Correction::Classes { offset, .. } => outputs.broadcast_add(offset),
            Correction::Numbers => Ok(outputs),
        }
    }

    /// Fixes the offset, which gives the same decisions as calibrated logits, and the
    /// factor of logits that say nothing.
    pub(crate) fn settle_classes(&self, log_shares: &Tensor, by: ByShares) -> Result<()> {
        let Correction::Classes { share_weight, offset } = &self.correction else {
            return Ok(());
        };
        let side = match by {
            ByShares::AwayFromFrequent => -1.0,
            ByShares::TowardsFrequent => 1.0,
            ByShares::InPlaceOfLogits(factor) => {
                self.shrinkage.set(&(self.shrinkage.ones_like()? * factor)?)?;
                return offset.set(log_shares);
            }
        };
        let weight = ((share_weight.as_tensor() * side)?.relu()? * side)?;
        let weight = (weight * self.temperature.exp()?)?;
        offset.set(&log_shares.broadcast_mul(&weight)?)
    }

    /// Fixes how far numbers shrink, given the mean squared error at so many withheld
    /// labels. They do not grow: a temperature below 1 says that the first stage was
    /// too short for them to reach their size.
    pub(crate) fn settle_numbers(&self, withheld_loss: f32, labels: usize) -> Result<()> {
        if !matches!(self.correction, Correction::Numbers) {
            return Ok(());
        }
        let kept = significant_share(f64::from(withheld_loss), labels);
        self.shrinkage.set(&(self.temperature.neg()?.exp()?.minimum(1.0)? * kept)?)
    }

    /// The offset of every class; `None` for numbers.
    pub(crate) fn offset(&self) -> Option<&Var> {
        match &self.correction {
            Correction::Classes { offset, .. } => Some(offset),
            Correction::Numbers => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn settled(temperature: f32, error: f32, labels: usize) -> f32 {
        let mut parameters = Parameters::new(0, &Device::Cpu);
        let made = Calibration::new(&mut parameters, LabelKind::Numeric, 1, true);
        let calibration = made.unwrap().unwrap();
        calibration.temperature.set(&Tensor::new(&[temperature], &Device::Cpu).unwrap()).unwrap();
        calibration.settle_numbers(error, labels).unwrap();
        let output = Tensor::new(&[[2.0_f32]], &Device::Cpu).unwrap();
        calibration.corrected(&output).unwrap().to_vec2::<f32>().unwrap()[0][0] / 2.0
    }

    #[test]
    fn numbers_shrink_as_far_as_withheld_labels_say_and_never_grow() {
        assert!((settled(0.0, 0.01, 100) - 1.0).abs() < 1e-3, "a good fit keeps its size");
        assert!((settled(-1.0, 0.01, 100) - 1.0).abs() < 1e-3, "no number grows");
        assert!((settled(0.7, 0.5, 10_000) - 0.5).abs() < 1e-2, "by the temperature");
        assert!(settled(0.7, 0.99, 50).abs() < 1e-6, "what chance explains is no fit");
        assert!(settled(0.0, 1.3, 50).abs() < 1e-6, "worse than the mean");
        let (few, many) = (settled(0.7, 0.8, 20), settled(0.7, 0.8, 200));
        assert!(0.0 < few && few < many, "{few} {many}");
    }

    #[test]
    fn labels_without_withheld_ones_need_no_calibration_but_several_classes_do() {
        let mut parameters = Parameters::new(0, &Device::Cpu);
        let mut is_made =
            |kind| Calibration::new(&mut parameters, kind, 3, false).unwrap().is_some();
        let kinds = [LabelKind::None, LabelKind::One, LabelKind::Numeric, LabelKind::Several];
        assert_eq!(kinds.map(&mut is_made), [false, false, false, true]);
    }
}
