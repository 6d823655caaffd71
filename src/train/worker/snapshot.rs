//! What a reader sees of a model while it trains.

use super::LineId;
use crate::train::{Epoch, Predictions, Scalars, State, TrainError, Trainer};

/// A moment of the run, consistent in itself.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The line of training it is of.
    pub line: LineId,
    /// Its figures.
    pub scalars: Scalars,
    /// What is predicted.
    pub predictions: Predictions,
    /// Every parameter.
    pub state: State,
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

    /// The moment that a trainer is at.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_tui::train::{LineId, Snapshot};
    /// # let karate = "sample_graphs/karate".as_ref();
    /// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
    /// # let graph = std::sync::Arc::new(graph);
    /// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
    /// # let ground = gesf_tui::model::Ground::prepare(
    /// #     &graph, &settings, None, &Default::default(), &mut |_| {},
    /// # )?;
    /// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
    /// let snapshot = Snapshot::of(LineId(1), &trainer)?;
    /// assert_eq!(snapshot.curve.len(), Snapshot::grid().len());
    /// assert_eq!(snapshot.response.len(), trainer.ground().operator.points().len());
    /// // A look does not move anything.
    /// assert_eq!(snapshot.scalars, trainer.step()?.scalars);
    /// # Ok(()) }
    /// ```
    pub fn of(line: LineId, trainer: &Trainer) -> Result<Self, TrainError> {
        Ok(Before::of(trainer)?.with(line, trainer.evaluate()?))
    }
}

/// What of a moment has to be taken before a step changes it.
pub(super) struct Before {
    state: State,
    curve: Vec<f32>,
    response: Vec<f32>,
}

impl Before {
    pub(super) fn of(trainer: &Trainer) -> Result<Self, TrainError> {
        Ok(Self {
            state: trainer.view()?,
            curve: trainer.filter_at(&Snapshot::grid())?,
            response: trainer.filter_at(trainer.ground().operator.points())?,
        })
    }

    /// With what the step, or a look without one, found out.
    pub(super) fn with(self, line: LineId, epoch: Epoch) -> Snapshot {
        let (Self { state, curve, response }, Epoch { scalars, predictions }) = (self, epoch);
        Snapshot { line, scalars, predictions, state, curve, response }
    }
}
