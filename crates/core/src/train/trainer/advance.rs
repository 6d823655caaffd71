//! One epoch: the losses of all folds, checked, and the resulting step.

use candle_core::{Device, Tensor, Var};

use super::{Epoch, Fold, Predictions, Trainer, filter_parameter};
use crate::model::settings::{Batch, Optimiser, Settings};
use crate::model::slices::{change_numbers, with_numbers};
use crate::model::{Calibration, FEATURE_MAP, Filter, Gesf};
use crate::train::class_offsets::class_offsets;
use crate::train::loss::{LossAndGrads, Weights, loss_and_grads};
use crate::train::optimiser::{UpdateStep, learning_rate, unusable};
use crate::train::plan::{Plan, Planner};
use crate::train::{BestEpoch, TrainError};
use gesf_graph::{LabelKind, Labels, NodeId};

impl Trainer {
    pub(super) fn step_once(&mut self) -> Result<Epoch, TrainError> {
        let batches = match self.settings.batch {
            Batch::Full => Vec::new(),
            Batch::Nodes(_) => {
                let plans = |fold: &Fold| {
                    self.planner(&fold.model, &fold.train).batches(&self.settings, self.epoch)
                };
                self.folds.iter().map(plans).collect::<candle_core::Result<Vec<_>>>()?
            }
        };
        let Some(steps) = batches.first().map(Vec::len) else {
            let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
            let epoch = self.advance(&plans)?;
            self.end_epoch(&epoch)?;
            return Ok(epoch);
        };
        let before = self.state()?;
        let mut reported: Option<Epoch> = None;
        for step in 0..steps {
            let plans: Vec<Plan> = batches.iter().map(|plans| plans[step].clone()).collect();
            match self.advance(&plans) {
                Ok(epoch) => reported = reported.or(Some(epoch)),
                Err(error) => {
                    self.restore(&before)?;
                    return Err(error);
                }
            }
        }
        let reported = reported.unwrap_or_default();
        self.end_epoch(&reported)?;
        Ok(reported)
    }

    /// Counts an epoch. After the last epoch of the first stage, training restarts
    /// with the filter fixed and all training labels.
    pub(super) fn end_epoch(&mut self, done: &Epoch) -> Result<(), TrainError> {
        let kind = self.prepared.graph.labels().kind();
        if self.epoch >= self.stage.epochs()
            && let Some(score) = done.scalars.validation_x.headline(kind)
            && self.best.is_none_or(|best| score > best.score)
        {
            self.best = Some(BestEpoch { epoch: self.epoch, score });
        }
        self.follow_offsets(&done.predictions)?;
        self.epoch += 1;
        if self.epoch == self.stage.epochs() {
            self.end_first_stage(&done.scalars)?;
        }
        Ok(())
    }

    /// With several classes per node: offsets of the classes that fit the predictions.
    fn follow_offsets(&self, found: &Predictions) -> Result<(), TrainError> {
        let labels = self.prepared.graph.labels();
        if let (Labels::Classes(classes), LabelKind::Several) = (labels, labels.kind())
            && let Some(offset) = self.model().calibration().and_then(Calibration::offset)
        {
            let added = with_numbers(&offset.to_device(&Device::Cpu)?, <[f32]>::to_vec)?;
            let (groups, train) = (self.model().groups(), &self.split.train);
            if let Some(fitting) = class_offsets(&found.from_x, &added, groups, classes, train) {
                offset.set(&Tensor::from_vec(fitting, added.len(), &self.device)?)?;
            }
        }
        Ok(())
    }

    pub(super) fn planner<'a>(&'a self, model: &'a Gesf, train: &'a [NodeId]) -> Planner<'a> {
        Planner {
            graph: &self.prepared.graph,
            groups: model.groups(),
            train,
            units: self.units,
            device: &self.device,
        }
    }

    /// The learning rate of this epoch.
    pub(super) fn rate(&self) -> f64 {
        let first = self.stage.epochs();
        if self.epoch < first {
            return learning_rate(&self.settings, self.epoch, first);
        }
        let epochs = self.settings.epochs.saturating_sub(first);
        learning_rate(&self.settings, self.epoch - first, epochs)
    }

    /// One optimizer step for all folds.
    pub(super) fn advance(&mut self, plans: &[Plan]) -> Result<Epoch, TrainError> {
        let found = self.find(plans)?;
        let number = self.steps + 1;
        let settling = self.stage.first_move() as u64;
        let learns = self.epoch >= self.stage.first_move();
        let mut moves = Vec::with_capacity(self.memories.len());
        for (at, fold) in self.folds.iter().enumerate() {
            for (name, var) in fold.model.parameters().iter() {
                // A fixed filter, for example, has parameters without a gradient.
                let gradient = if filter_parameter(name).is_some() && fold.withheld.is_some() {
                    if learns { filter_gradient(&found, var)? } else { None }
                } else {
                    found[at]
                        .gradients
                        .get(var)
                        .map(|own| own.to_device(&Device::Cpu))
                        .transpose()?
                };
                if let Some(gradient) = &gradient
                    && let Some(found) = with_numbers(gradient, unusable)?
                {
                    return Err(self.broken(format!("the gradient of {name}"), found));
                }
                moves.push(gradient);
            }
        }
        let measured = self.measured(found)?;
        // Change the state only after every gradient has been checked.
        let (rate, settings) = (self.rate(), &self.settings);
        let kind = self.prepared.graph.labels().kind();
        let folds = &self.folds;
        let first_stage = folds.first().filter(|fold| learns && fold.withheld.is_some());
        let filter = first_stage.map(|fold| fold.model.filter());
        let before = filter.map(Filter::mark).transpose()?.flatten();
        let parameters = folds.iter().flat_map(|fold| {
            let first_stage = fold.withheld.is_some();
            fold.model.parameters().iter().map(move |(name, var)| (name, var, first_stage))
        });
        for (((name, var, first_stage), memory), gradient) in
            parameters.zip(&mut self.memories).zip(moves)
        {
            let Some(gradient) = gradient else { continue };
            let decay = decay(settings, kind, name);
            let step = if first_stage && filter_parameter(name).is_some() {
                // The filter uses Adam whatever optimizer the embeddings use.
                UpdateStep {
                    rate: settings.filter_rate,
                    number: number - settling.min(number - 1),
                    decay,
                    rule: Optimiser::Adam,
                    momentum: 0.0,
                }
            } else {
                UpdateStep {
                    rate,
                    number,
                    decay,
                    rule: settings.optimiser,
                    momentum: settings.momentum,
                }
            };
            with_numbers(&gradient, |gradient| {
                changed(var, |values| step.take(values, gradient, memory))
            })??;
        }
        if let (Some(filter), Some(before)) = (filter, before) {
            filter.hold(&before)?;
        }
        self.steps = number;
        Ok(measured)
    }

    /// The losses and gradients of the plans, one per fold.
    pub(super) fn find(&self, plans: &[Plan]) -> candle_core::Result<Vec<LossAndGrads>> {
        let weights = Weights { settings: &self.settings, share: self.share };
        let folds = self.folds.iter().zip(plans);
        folds
            .map(|(fold, plan)| {
                let withheld = fold.withheld.as_ref().map(|(_, labels)| labels);
                loss_and_grads(&fold.model, plan, weights, withheld)
            })
            .collect()
    }
}

/// The gradient of a filter: the mean over the folds that share it.
fn filter_gradient(found: &[LossAndGrads], var: &Var) -> candle_core::Result<Option<Tensor>> {
    let (mut sum, mut count): (Option<Tensor>, usize) = (None, 0);
    for own in found.iter().filter_map(|found| found.withheld.as_ref()?.gradients.get(var)) {
        sum = Some(sum.map_or(Ok(own.clone()), |sum| sum + own)?);
        count += 1;
    }
    sum.map(|sum| (sum / count as f64)?.to_device(&Device::Cpu)).transpose()
}

/// Changes the values of a parameter on any device.
fn changed(var: &Var, change: impl FnOnce(&mut [f32])) -> candle_core::Result<()> {
    if var.device().is_cpu() {
        return change_numbers(var, change);
    }
    let mut values = with_numbers(&var.to_device(&Device::Cpu)?, <[f32]>::to_vec)?;
    change(&mut values);
    var.set(&Tensor::from_vec(values, var.shape(), var.device())?)
}

/// The weight decay of a parameter: AdamW takes the penalties out of the loss. The
/// names of further folds begin with the fold.
fn decay(settings: &Settings, kind: LabelKind, name: &str) -> f64 {
    if settings.optimiser != Optimiser::AdamW || !name.ends_with("weight") {
        return 0.0;
    }
    let is_of = |part: &str| name.contains(part);
    let penalty = if is_of("head.") {
        settings.weight_penalty
    } else if is_of(FEATURE_MAP) {
        settings.feature_penalty
    } else if is_of("psi.") || is_of("phi.") {
        settings.map_penalty.of(kind)
    } else {
        0.0
    };
    2.0 * penalty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adamw_decays_the_heads_of_all_folds_and_no_other_optimizer_does() {
        let adamw = Settings {
            optimiser: Optimiser::AdamW,
            weight_penalty: 0.5,
            feature_penalty: 0.25,
            ..Settings::default()
        };
        for (name, expected) in [
            ("head.0.weight", 1.0),
            ("fold1.head.0.weight", 1.0),
            ("fold1.psi_f.0.weight", 0.5),
            ("head.0.bias", 0.0),
            ("phi.0.1.weight", 0.0),
        ] {
            assert!((decay(&adamw, LabelKind::One, name) - expected).abs() < 1e-12, "{name}");
            let adam = Settings { optimiser: Optimiser::Adam, ..adamw.clone() };
            assert!(decay(&adam, LabelKind::One, name) == 0.0, "{name}");
        }
        let numbers = |name: &str| decay(&adamw, LabelKind::Numeric, name);
        for (name, decays) in
            [("fold1.phi.0.2.weight", true), ("psi.1.1.weight", true), ("psi.1.1.bias", false)]
        {
            assert_eq!(numbers(name) > 0.0, decays, "{name}");
        }
    }
}
