//! The loss of Eq. 5, term by term, and the loss at withheld labels, which updates
//! only the filter; differentiated by candle.

use std::sync::Arc;

use candle_core::backprop::GradStore;
use candle_core::{Device, Result, Tensor};

use super::plan::Plan;
use super::{Outputs, Predictions};
use crate::model::settings::{LossScale, Optimiser, Settings};
use crate::model::{FeatureMap, Gesf, Groups, Map, Targets, squared_distance};
use gesf_graph::{LabelKind, NodeId};

/// The result of a forward and backward pass: losses, outputs and gradients.
pub(super) struct LossAndGrads {
    pub(super) terms: Terms,
    pub(super) predictions: Predictions,
    pub(super) gradients: GradStore,
    /// At the withheld labels, if any.
    pub(super) withheld: Option<WithheldLoss>,
}

/// The loss at withheld labels.
pub(super) struct WithheldLoss {
    /// Its mean.
    pub(super) mean: f32,
    /// That of each node.
    pub(super) each: Vec<f32>,
    /// Its gradient by the filter.
    pub(super) gradients: GradStore,
}

/// The terms of the loss.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    /// Reconstruction loss of each node type.
    pub(super) reconstruction: Vec<f32>,
    /// Supervised loss, if there are training labels.
    pub(super) supervised: Option<f32>,
    /// λ_w‖W‖², plus λ_m‖W_ψ, W_φ‖², plus λ_f‖W_f‖² with features.
    pub(super) penalty: Option<f32>,
}

impl Terms {
    /// Their sum.
    pub(super) fn total(&self) -> f32 {
        self.reconstruction.iter().chain(&self.supervised).chain(&self.penalty).sum()
    }
}

/// The factors of the loss terms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights<'a> {
    pub(super) settings: &'a Settings,
    /// The share of training labels.
    pub(super) share: f64,
}

impl Weights<'_> {
    /// For the reconstruction of this many nodes of a type: 1 / λ_t|V_t|.
    pub(super) fn distance(self, kind: usize, nodes: usize) -> f64 {
        let balance = match self.settings.loss_scale {
            LossScale::Mean | LossScale::Sum => self.settings.balance.of(kind),
            LossScale::Share => self.settings.balance.of(kind) * self.share,
        };
        (balance * nodes.max(1) as f64).recip()
    }

    /// For this many labels.
    pub(super) fn labels(self, train: usize) -> f64 {
        match self.settings.loss_scale {
            LossScale::Sum => 1.0,
            LossScale::Mean | LossScale::Share => (train.max(1) as f64).recip(),
        }
    }

    /// λ_w, λ_m and λ_f, as far as they are part of the loss.
    pub(super) fn penalties(self, kind: LabelKind) -> [Option<f64>; 3] {
        let Settings { weight_penalty, map_penalty, feature_penalty, optimiser, .. } =
            self.settings;
        let in_loss = *optimiser != Optimiser::AdamW;
        [*weight_penalty, map_penalty.of(kind), *feature_penalty]
            .map(|penalty| Some(penalty).filter(|penalty| in_loss && *penalty > 0.0))
    }
}

/// Labels withheld from the embeddings.
#[derive(Debug, Clone)]
pub(super) struct WithheldLabels {
    /// The nodes, grouped by type.
    nodes: Arc<[u32]>,
    /// For each type: how many, and their targets.
    parts: Vec<(usize, Option<Targets>)>,
    /// The log shares of the classes among the labels that are not withheld.
    log_shares: Tensor,
}

impl WithheldLabels {
    /// The withheld labels of the given nodes.
    pub(super) fn of(
        nodes: &[NodeId],
        groups: &Groups,
        targets: impl Fn(&[NodeId]) -> Result<Option<Targets>>,
        log_shares: Tensor,
    ) -> Result<Self> {
        let (mut all, mut parts) = (Vec::with_capacity(nodes.len()), Vec::new());
        for kind in 0..groups.count() {
            let of_kind = |node: &NodeId| groups.place(*node).0 == kind;
            let own: Vec<NodeId> = nodes.iter().copied().filter(of_kind).collect();
            all.extend(own.iter().map(|node| node.0));
            parts.push((own.len(), if own.is_empty() { None } else { targets(&own)? }));
        }
        Ok(Self { nodes: all.into(), parts, log_shares })
    }

    /// The loss of the predictions from z at these nodes. Its gradient updates the
    /// filter and the calibration, not the maps or the head.
    fn loss(&self, model: &Gesf, gathered: &Tensor) -> Result<WithheldLoss> {
        let mut sum = Tensor::zeros((), gathered.dtype(), gathered.device())?;
        let mut followed = sum.clone();
        let (mut start, mut each) = (0, Vec::with_capacity(self.nodes.len()));
        for (kind, (count, targets)) in self.parts.iter().enumerate() {
            let rows = gathered.narrow(0, start, *count)?;
            start += count;
            if let (Some(targets), Some(head)) = (targets, model.head(kind)) {
                let mut outputs = head.forward_fixed(&model.phi(kind).forward_fixed(&rows)?)?;
                if let Some(calibration) = model.calibration() {
                    outputs = calibration.tempered(&outputs)?;
                    if let Some(shares) = calibration.with_shares(&outputs, &self.log_shares)? {
                        followed = (followed + targets.loss(&shares)?)?;
                    }
                }
                each.extend(targets.losses(&outputs.detach())?);
                sum = (sum + targets.loss(&outputs)?)?;
            }
        }
        let count = self.nodes.len().max(1) as f64;
        let mean = (sum / count)?;
        let gradients = (&mean + (followed / count)?)?.backward()?;
        Ok(WithheldLoss { mean: number(&mean)?, each, gradients })
    }
}

/// All terms for the nodes of a plan, and their gradients.
pub(super) fn loss_and_grads(
    model: &Gesf,
    plan: &Plan,
    weights: Weights<'_>,
    withheld: Option<&WithheldLabels>,
) -> Result<LossAndGrads> {
    let settings = weights.settings;
    let (reconstructed, watched) = match withheld {
        None => (model.reconstructed(settings)?, None),
        Some(labels) => {
            let (found, rows) = model.reconstructed_and_watched(settings, &labels.nodes)?;
            (found, Some(labels.loss(model, &rows)?))
        }
    };
    let mut reconstruction = Vec::with_capacity(reconstructed.len());
    for (kind, (found, part)) in reconstructed.iter().zip(&plan.parts).enumerate() {
        let own = model.embeddings(kind).as_tensor();
        let distance = match &part.rows {
            None => squared_distance(own, found)?,
            Some(rows) => {
                squared_distance(&own.index_select(rows, 0)?, &found.index_select(rows, 0)?)?
            }
        };
        reconstruction.push((distance * weights.distance(kind, part.count))?);
    }
    let outputs = from_x(model)?;
    let supervised = supervised(&outputs, plan, weights)?;
    let penalty = penalty(model, weights.penalties(model.task().kind))?;
    let mut terms = reconstruction.iter().chain(&supervised).chain(&penalty);
    let first = terms.next().cloned();
    let first = first.ok_or_else(|| candle_core::Error::Msg("a loss of no terms".into()))?;
    let total = terms.try_fold(first, |sum, term| sum + term)?;
    let from_r: Vec<Option<Tensor>> = reconstructed
        .iter()
        .enumerate()
        .map(|(kind, rows)| model.head(kind).map(|head| head.forward(&rows.detach())).transpose())
        .collect::<Result<_>>()?;
    let predicted = |outputs: &[Option<Tensor>]| {
        let own = outputs.iter().map(|rows| rows.as_ref().map(|z| model.predicted(z)).transpose());
        Outputs::of(model, &own.collect::<Result<Vec<_>>>()?)
    };
    Ok(LossAndGrads {
        terms: Terms {
            reconstruction: reconstruction.iter().map(number).collect::<Result<_>>()?,
            supervised: supervised.as_ref().map(number).transpose()?,
            penalty: penalty.as_ref().map(number).transpose()?,
        },
        predictions: Predictions { from_x: predicted(&outputs)?, from_r: predicted(&from_r)? },
        gradients: total.backward()?,
        withheld: watched,
    })
}

fn number(term: &Tensor) -> Result<f32> {
    term.to_device(&Device::Cpu)?.to_scalar()
}

/// The head outputs for x, by type.
fn from_x(model: &Gesf) -> Result<Vec<Option<Tensor>>> {
    let of =
        |kind: usize| model.head(kind).map(|head| head.forward(model.embeddings(kind))).transpose();
    (0..model.groups().count()).map(of).collect()
}

fn supervised(
    outputs: &[Option<Tensor>],
    plan: &Plan,
    weights: Weights<'_>,
) -> Result<Option<Tensor>> {
    let mut sum: Option<Tensor> = None;
    for (outputs, part) in outputs.iter().zip(&plan.parts) {
        if let (Some((rows, targets)), Some(outputs)) = (&part.labelled, outputs) {
            let loss = targets.loss(&outputs.index_select(rows, 0)?)?;
            sum = Some(sum.map_or(Ok(loss.clone()), |sum| sum + &loss)?);
        }
    }
    sum.map(|sum| sum * weights.labels(plan.train)).transpose()
}

fn penalty(
    model: &Gesf,
    [of_heads, of_maps, of_features]: [Option<f64>; 3],
) -> Result<Option<Tensor>> {
    let kinds = 0..model.groups().count();
    let heads = kinds.clone().filter_map(|kind| model.head(kind));
    let heads = heads.map(|head| (head.weight(), of_heads));
    let maps = kinds.flat_map(|kind| [model.psi(kind), model.phi(kind)]);
    let maps = maps.flat_map(Map::weights).map(|weight| (weight, of_maps));
    let features = model.features().into_iter().flat_map(FeatureMap::weights);
    let features = features.map(|weight| (weight, of_features));
    let mut sum: Option<Tensor> = None;
    for (weight, factor) in heads.chain(maps).chain(features) {
        let Some(factor) = factor else { continue };
        let size = (weight.as_tensor().sqr()?.sum_all()? * factor)?;
        sum = Some(sum.map_or(Ok(size.clone()), |sum| sum + &size)?);
    }
    Ok(sum)
}
