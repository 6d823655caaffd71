//! The loss of Eq. 5, term by term, as tensor operations: what devices other
//! than the CPU compute, and what the written-out gradient is tested against.

use candle_core::backprop::GradStore;
use candle_core::{Device, Result, Tensor};

use super::plan::Plan;
use super::{Outputs, Predictions};
use crate::model::Gesf;
use crate::model::settings::{LossScale, Optimiser, Settings};

/// What a step stands on: the loss, what the model gives, where it should move.
pub(super) struct Found {
    pub(super) terms: Terms,
    pub(super) predictions: Predictions,
    pub(super) gradients: GradStore,
}

/// The terms of the loss.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    /// How badly each type's embeddings follow from their neighbours'.
    pub(super) reconstruction: Vec<f32>,
    /// How badly labels follow from embeddings, if any label is seen.
    pub(super) supervised: Option<f32>,
    /// λ_w‖W‖².
    pub(super) penalty: Option<f32>,
}

impl Terms {
    /// Their sum.
    pub(super) fn total(&self) -> f32 {
        self.reconstruction.iter().chain(&self.supervised).chain(&self.penalty).sum()
    }
}

/// What a term's sum over nodes is multiplied by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights<'a> {
    pub(super) settings: &'a Settings,
    /// The share of labels seen.
    pub(super) share: f64,
}

impl Weights<'_> {
    /// For the distances of so many nodes of a type: 1 / λ_t|V_t|.
    pub(super) fn distance(self, kind: usize, nodes: usize) -> f64 {
        let balance = match self.settings.loss_scale {
            LossScale::Mean | LossScale::Sum => self.settings.balance.of(kind),
            LossScale::Share => self.settings.balance.of(kind) * self.share,
        };
        (balance * nodes.max(1) as f64).recip()
    }

    /// For so many labels.
    pub(super) fn labels(self, seen: usize) -> f64 {
        match self.settings.loss_scale {
            LossScale::Sum => 1.0,
            LossScale::Mean | LossScale::Share => (seen.max(1) as f64).recip(),
        }
    }

    /// λ_w, where it is part of the loss.
    pub(super) fn penalty(self) -> Option<f64> {
        let in_loss = self.settings.optimiser != Optimiser::AdamW;
        Some(self.settings.weight_penalty).filter(|penalty| in_loss && *penalty > 0.0)
    }
}

/// All terms for the nodes of a plan, differentiated by candle.
pub(super) fn by_tensors(model: &Gesf, plan: &Plan, weights: Weights<'_>) -> Result<Found> {
    let settings = weights.settings;
    let reconstructed = model.reconstructed(settings.self_term, settings.neighbour_gradient)?;
    let mut reconstruction = Vec::with_capacity(reconstructed.len());
    for (kind, (found, part)) in reconstructed.iter().zip(&plan.parts).enumerate() {
        let own = model.embeddings(kind).as_tensor();
        let apart = match &part.rows {
            None => (own - found)?,
            Some(rows) => (own.index_select(rows, 0)? - found.index_select(rows, 0)?)?,
        };
        reconstruction.push((apart.sqr()?.sum_all()? * weights.distance(kind, part.count))?);
    }
    let supervised = supervised(model, plan, weights)?;
    let penalty = weights.penalty().map(|factor| penalty(model, factor)).transpose()?.flatten();
    let mut terms = reconstruction.iter().chain(&supervised).chain(&penalty);
    let first = terms.next().cloned();
    let first = first.ok_or_else(|| candle_core::Error::Msg("a loss of no terms".into()))?;
    let total = terms.try_fold(first, |sum, term| sum + term)?;
    let number = |term: &Tensor| term.to_device(&Device::Cpu)?.to_scalar::<f32>();
    let x: Vec<Tensor> =
        (0..plan.parts.len()).map(|kind| model.embeddings(kind).as_tensor().clone()).collect();
    Ok(Found {
        terms: Terms {
            reconstruction: reconstruction.iter().map(number).collect::<Result<_>>()?,
            supervised: supervised.as_ref().map(number).transpose()?,
            penalty: penalty.as_ref().map(number).transpose()?,
        },
        predictions: Predictions {
            from_x: Outputs::of(model, &x)?,
            from_r: Outputs::of(model, &reconstructed)?,
        },
        gradients: total.backward()?,
    })
}

fn supervised(model: &Gesf, plan: &Plan, weights: Weights<'_>) -> Result<Option<Tensor>> {
    let mut sum: Option<Tensor> = None;
    for (kind, part) in plan.parts.iter().enumerate() {
        if let (Some((rows, targets)), Some(head)) = (&part.labelled, model.head(kind)) {
            let outputs = head.forward(&model.embeddings(kind).index_select(rows, 0)?)?;
            let loss = targets.loss(&outputs)?;
            sum = Some(sum.map_or(Ok(loss.clone()), |sum| sum + &loss)?);
        }
    }
    sum.map(|sum| sum * weights.labels(plan.seen)).transpose()
}

fn penalty(model: &Gesf, factor: f64) -> Result<Option<Tensor>> {
    let heads = (0..model.groups().count()).filter_map(|kind| model.head(kind));
    let mut sum: Option<Tensor> = None;
    for head in heads {
        let size = (head.weight().as_tensor().sqr()?.sum_all()? * factor)?;
        sum = Some(sum.map_or(Ok(size.clone()), |sum| sum + &size)?);
    }
    Ok(sum)
}
