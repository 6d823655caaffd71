//! A read-only copy of the model for the screens while it trains.

use super::BranchId;
use crate::train::{Epoch, Predictions, Scalars, TrainError, Trainer, TrainerState};

/// A consistent copy of the model and its metrics at one epoch.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The branch it belongs to.
    pub line: BranchId,
    /// Its metrics.
    pub scalars: Scalars,
    /// The predictions.
    pub predictions: Predictions,
    /// Every parameter.
    pub state: TrainerState,
    /// ρ at [`Snapshot::grid`].
    pub curve: Vec<f32>,
    /// ρ at the operator's points.
    pub response: Vec<f32>,
}

impl Snapshot {
    /// Points of the filter's curve.
    pub const POINTS: usize = 401;

    /// Where the filter's curve is sampled: evenly over [-1, 1].
    pub fn grid() -> Vec<f32> {
        let last = (Self::POINTS - 1) as f32;
        (0..Self::POINTS).map(|n| 2.0 * n as f32 / last - 1.0).collect()
    }

    /// A snapshot of a trainer's current state.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_core::train::{BranchId, Snapshot};
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let prepared = gesf_core::model::PreparedGraph::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
    /// let snapshot = Snapshot::of(BranchId(1), &trainer)?;
    /// assert_eq!(snapshot.curve.len(), Snapshot::grid().len());
    /// assert_eq!(snapshot.response.len(), trainer.prepared().operator.points().len());
    /// // Taking a snapshot does not change the trainer.
    /// assert_eq!(snapshot.scalars, trainer.step()?.scalars);
    /// # Ok(()) }
    /// ```
    pub fn of(line: BranchId, trainer: &Trainer) -> Result<Self, TrainError> {
        Ok(Before::of(trainer)?.with(line, trainer.evaluate()?))
    }
}

/// The part of a snapshot that must be copied before a step changes it.
pub(super) struct Before {
    state: TrainerState,
    curve: Vec<f32>,
    response: Vec<f32>,
}

impl Before {
    pub(super) fn of(trainer: &Trainer) -> Result<Self, TrainError> {
        Ok(Self {
            state: trainer.view()?,
            curve: trainer.filter_at(&Snapshot::grid())?,
            response: trainer.filter_at(trainer.prepared().operator.points())?,
        })
    }

    /// Adds the result of the step, or of an evaluation without one.
    pub(super) fn with(self, line: BranchId, epoch: Epoch) -> Snapshot {
        let (Self { state, curve, response }, Epoch { scalars, predictions }) = (self, epoch);
        Snapshot { line, scalars, predictions, state, curve, response }
    }
}
