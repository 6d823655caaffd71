//! The checkpoints of a run: enough to restore any epoch bit for bit.
//!
//! Checkpoints are sparse, and sparser the longer the run. The epochs between them
//! are trained again, which gives the same bits because a step is a pure function
//! of settings, state and seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{TrainError, Trainer, TrainerState};
use crate::model::settings::Settings;
use gesf_spectral::Cancel;

/// Initial number of epochs between two checkpoints.
const EVERY: usize = 24;

/// Settings that took effect during a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The epoch from whose step on they apply.
    pub epoch: usize,
    /// All settings from then on.
    pub settings: Settings,
}

/// The settings in force at an epoch, given the initial settings and the ordered
/// changes.
pub(super) fn in_force<'a>(
    start: &'a Settings,
    changes: &'a [Change],
    epoch: usize,
) -> &'a Settings {
    let last = changes.iter().rev().find(|change| change.epoch <= epoch);
    last.map_or(start, |change| &change.settings)
}

/// The checkpoints and setting changes of a run.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use gesf_core::train::{CheckpointHistory, Trainer};
/// use gesf_spectral::Cancel;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let mut trainer = Trainer::new(prepared.clone(), settings.clone())?;
/// let mut history = CheckpointHistory::new(settings, 1 << 20);
/// history.keep(Arc::new(trainer.state()?));
/// trainer.step()?;
/// let then = trainer.state()?;
/// for _ in 0..4 {
///     trainer.step()?;
/// }
/// // Back to epoch 1 by training it again: the same bits.
/// let anew = |settings: &_| Trainer::new(prepared.clone(), Clone::clone(settings));
/// history.travel(&mut trainer, 1, &Cancel::default(), anew)?;
/// assert_eq!(trainer.state()?, then);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct CheckpointHistory {
    start: Settings,
    changes: Vec<Change>,
    states: BTreeMap<usize, Arc<TrainerState>>,
    every: usize,
    /// Memory limit for the checkpoints, in bytes.
    budget: usize,
}

impl CheckpointHistory {
    /// The history of a run with these initial settings, limited to `budget` bytes.
    pub fn new(start: Settings, budget: usize) -> Self {
        Self { start, changes: Vec::new(), states: BTreeMap::new(), every: EVERY, budget }
    }

    /// The same with changes that are already known.
    #[must_use]
    pub fn with_changes(mut self, changes: &[Change]) -> Self {
        self.changes = changes.to_vec();
        self
    }

    /// The initial settings.
    pub fn start(&self) -> &Settings {
        &self.start
    }

    /// Every change of settings, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The settings used for the step of an epoch.
    pub fn settings_at(&self, epoch: usize) -> &Settings {
        in_force(&self.start, &self.changes, epoch)
    }

    /// The change that takes effect with the step of an epoch, if any.
    pub fn change_at(&self, epoch: usize) -> Option<&Change> {
        self.changes.iter().find(|change| change.epoch == epoch)
    }

    /// Records that other settings apply from an epoch on.
    pub fn change(&mut self, epoch: usize, settings: Settings) {
        self.changes.retain(|change| change.epoch < epoch);
        self.changes.push(Change { epoch, settings });
    }

    /// Whether the state at an epoch should become a checkpoint.
    pub fn wants(&self, epoch: usize) -> bool {
        epoch.is_multiple_of(self.every) && !self.states.contains_key(&epoch)
    }

    /// Adds a checkpoint. Over budget, every second one is dropped; the first and
    /// the newest stay as long as two fit.
    pub fn keep(&mut self, state: Arc<TrainerState>) {
        let size = state.bytes();
        self.states.insert(state.epoch, state);
        while self.states.len() > 1 && self.states.len() * size > self.budget {
            let newest = self.states.keys().next_back().copied();
            if self.states.len() == 2 {
                self.states.pop_first();
                return;
            }
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            let before = self.states.len();
            self.states.retain(|epoch, _| epoch.is_multiple_of(every) || Some(*epoch) == newest);
            if self.states.len() == before && every > newest.unwrap_or(0) {
                self.states.pop_first();
            }
        }
    }

    /// Changes the memory limit; a smaller one takes effect with the next
    /// checkpoint.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
    }

    /// Memory used by the checkpoints, in bytes.
    pub fn bytes(&self) -> usize {
        self.states.values().map(|state| state.bytes()).sum()
    }

    /// The history up to an epoch, as the start of a branch.
    #[must_use]
    pub fn branch(&self, epoch: usize) -> Self {
        let mut branch = self.clone();
        branch.changes.retain(|change| change.epoch <= epoch);
        branch.states.retain(|own, _| *own <= epoch);
        branch
    }

    /// Restores a trainer of this run to an epoch. When cancelled, it stops at an
    /// epoch on the way. `anew` creates a trainer at the initial state, for a
    /// history that has no checkpoint of it.
    pub fn travel(
        &self,
        trainer: &mut Trainer,
        epoch: usize,
        cancel: &Cancel,
        anew: impl FnOnce(&Settings) -> Result<Trainer, TrainError>,
    ) -> Result<(), TrainError> {
        let nearest = self.states.range(..=epoch).next_back().map(|(_, state)| state);
        let from = nearest.map_or(0, |state| state.epoch);
        if trainer.epoch() > epoch || trainer.epoch() < from {
            match nearest {
                Some(state) => trainer.restore(state)?,
                None => *trainer = anew(&self.start)?,
            }
        }
        while trainer.epoch() < epoch && !cancel.is_cancelled() {
            trainer.change(self.settings_at(trainer.epoch()));
            trainer.step()?;
        }
        trainer.change(self.settings_at(trainer.epoch()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::SavedParameter;

    fn state(epoch: usize) -> Arc<TrainerState> {
        let parameter = SavedParameter { values: vec![0.0; 256], ..SavedParameter::default() };
        Arc::new(TrainerState { epoch, parameters: vec![parameter], ..TrainerState::default() })
    }

    #[test]
    fn a_long_history_stays_within_its_budget_and_keeps_its_first_checkpoint() {
        let budget = 40 * state(0).bytes();
        let mut history = CheckpointHistory::new(Settings::default(), budget);
        for epoch in 0..100_000 {
            if history.wants(epoch) {
                history.keep(state(epoch));
            }
        }
        assert!(history.bytes() <= budget);
        assert!(history.states.len() >= 15, "{}", history.states.len());
        assert!(history.states.contains_key(&0));
        let gaps: Vec<usize> =
            history.states.keys().zip(history.states.keys().skip(1)).map(|(a, b)| b - a).collect();
        assert!(gaps.iter().all(|gap| *gap <= history.every), "{gaps:?}");
    }

    #[test]
    fn a_budget_for_less_than_two_checkpoints_keeps_the_newest() {
        let mut history = CheckpointHistory::new(Settings::default(), 10);
        for epoch in [0, 8, 16] {
            history.keep(state(epoch));
        }
        assert_eq!(history.states.keys().copied().collect::<Vec<_>>(), [16]);
    }

    #[test]
    fn the_last_change_before_an_epoch_decides_its_settings() {
        let with = |epochs| Settings { epochs, ..Settings::default() };
        let mut history = CheckpointHistory::new(with(1), 0);
        history.change(10, with(2));
        history.change(20, with(3));
        assert_eq!([0, 9, 10, 19, 20].map(|at| history.settings_at(at).epochs), [1, 1, 2, 2, 3]);
        history.change(10, with(4));
        assert_eq!([9, 10, 25].map(|at| history.settings_at(at).epochs), [1, 4, 4]);
        assert_eq!(history.branch(9).changes().len(), 0);
    }
}
