//! The loss of Eq. 5, term by term.

use candle_core::{Result, Tensor};

use super::plan::Plan;
use crate::model::Gesf;
use crate::model::distance::squared_distance;
use crate::model::settings::{LossScale, Optimiser, Settings};

/// The terms of the loss of one step.
#[derive(Debug, Clone)]
pub(super) struct Loss {
    /// How badly each type's embeddings follow from their neighbours'.
    pub(super) reconstruction: Vec<Tensor>,
    /// How badly labels follow from embeddings, if any label is seen.
    pub(super) supervised: Option<Tensor>,
    /// λ_w‖W‖².
    pub(super) penalty: Option<Tensor>,
    /// R of every node, by type.
    pub(super) reconstructed: Vec<Tensor>,
}

impl Loss {
    /// All terms, for the nodes of a plan. `share` is the share of labels seen.
    pub(super) fn of(model: &Gesf, settings: &Settings, plan: &Plan, share: f64) -> Result<Self> {
        let reconstructed = model.reconstructed(settings.self_term, settings.neighbour_gradient)?;
        let reconstruction = reconstructed
            .iter()
            .zip(&plan.parts)
            .enumerate()
            .map(|(kind, (found, part))| {
                let own = model.embeddings(kind).as_tensor();
                let distance = match &part.rows {
                    None => squared_distance(own, found)?,
                    Some(rows) => squared_distance(
                        &own.index_select(rows, 0)?,
                        &found.index_select(rows, 0)?,
                    )?,
                };
                let balance = match settings.loss_scale {
                    LossScale::Mean | LossScale::Sum => settings.balance.of(kind),
                    LossScale::Share => settings.balance.of(kind) * share,
                };
                let weight = (balance * part.count.max(1) as f64).recip();
                distance * weight
            })
            .collect::<Result<_>>()?;
        let supervised = supervised(model, settings, plan)?;
        let in_loss = settings.optimiser != Optimiser::AdamW && settings.weight_penalty > 0.0;
        let penalty = if in_loss { penalty(model, settings.weight_penalty)? } else { None };
        Ok(Self { reconstruction, supervised, penalty, reconstructed })
    }

    /// Their sum.
    pub(super) fn total(&self) -> Result<Tensor> {
        let mut terms = self.reconstruction.iter().chain(&self.supervised).chain(&self.penalty);
        let first = terms.next().cloned();
        let first = first.ok_or_else(|| candle_core::Error::Msg("a loss of no terms".into()))?;
        terms.try_fold(first, |sum, term| sum + term)
    }
}

fn supervised(model: &Gesf, settings: &Settings, plan: &Plan) -> Result<Option<Tensor>> {
    let mut sum: Option<Tensor> = None;
    for (kind, part) in plan.parts.iter().enumerate() {
        if let (Some((rows, targets)), Some(head)) = (&part.labelled, model.head(kind)) {
            let outputs = head.forward(&model.embeddings(kind).index_select(rows, 0)?)?;
            let loss = targets.loss(&outputs)?;
            sum = Some(sum.map_or(Ok(loss.clone()), |sum| sum + &loss)?);
        }
    }
    let scale = match settings.loss_scale {
        LossScale::Sum => 1.0,
        LossScale::Mean | LossScale::Share => (plan.seen.max(1) as f64).recip(),
    };
    sum.map(|sum| sum * scale).transpose()
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
