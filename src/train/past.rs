//! The past of a run: enough of it to stand at any epoch again, bit for bit.
//!
//! States are kept sparsely, and more sparsely the longer the run; the epochs
//! between them are trained once more, which gives the same bits, because a
//! step is a function of settings, state and seed alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{State, TrainError, Trainer};
use crate::model::settings::Settings;
use crate::spectral::Cancel;

/// Epochs between two kept states at first.
const EVERY: usize = 24;

/// Settings that came into force in the middle of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// From the step of which epoch on.
    pub epoch: usize,
    /// All settings in force then.
    pub settings: Settings,
}

/// Of settings at the start and changes in order, those in force at an epoch.
pub(super) fn in_force<'a>(
    start: &'a Settings,
    changes: &'a [Change],
    epoch: usize,
) -> &'a Settings {
    let last = changes.iter().rev().find(|change| change.epoch <= epoch);
    last.map_or(start, |change| &change.settings)
}

/// The past of a run.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use gesf_tui::{spectral::Cancel, train::{Past, Trainer}};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let mut trainer = Trainer::new(ground.clone(), settings.clone())?;
/// let mut past = Past::new(settings, 1 << 20);
/// past.keep(Arc::new(trainer.state()?));
/// trainer.step()?;
/// let then = trainer.state()?;
/// for _ in 0..4 {
///     trainer.step()?;
/// }
/// // Back to epoch 1 by training it again: the same bits.
/// let anew = |settings: &_| Trainer::new(ground.clone(), Clone::clone(settings));
/// past.travel(&mut trainer, 1, &Cancel::default(), anew)?;
/// assert_eq!(trainer.state()?, then);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Past {
    start: Settings,
    changes: Vec<Change>,
    states: BTreeMap<usize, Arc<State>>,
    every: usize,
    /// Bytes that the states may take.
    budget: usize,
}

impl Past {
    /// The past of a run that begins with these settings and may use so many
    /// bytes to remember.
    pub fn new(start: Settings, budget: usize) -> Self {
        Self { start, changes: Vec::new(), states: BTreeMap::new(), every: EVERY, budget }
    }

    /// The same with changes that are known already.
    #[must_use]
    pub fn with_changes(mut self, changes: &[Change]) -> Self {
        self.changes = changes.to_vec();
        self
    }

    /// The settings at the very start.
    pub fn start(&self) -> &Settings {
        &self.start
    }

    /// Every change of settings, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The settings that the step of an epoch is made with.
    pub fn settings_at(&self, epoch: usize) -> &Settings {
        in_force(&self.start, &self.changes, epoch)
    }

    /// The change that comes into force with the step of an epoch, if any.
    pub fn change_at(&self, epoch: usize) -> Option<&Change> {
        self.changes.iter().find(|change| change.epoch == epoch)
    }

    /// Takes down that other settings are in force from an epoch on.
    pub fn change(&mut self, epoch: usize, settings: Settings) {
        self.changes.retain(|change| change.epoch < epoch);
        self.changes.push(Change { epoch, settings });
    }

    /// Whether the state at an epoch should be kept.
    pub fn wants(&self, epoch: usize) -> bool {
        epoch.is_multiple_of(self.every) && !self.states.contains_key(&epoch)
    }

    /// Keeps a state. Where it gets too much, every second one is let go; the
    /// first and the newest stay as long as there is room for two.
    pub fn keep(&mut self, state: Arc<State>) {
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

    /// Gives it more or less room; less is heeded from the next state on.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
    }

    /// Bytes that the kept states take.
    pub fn bytes(&self) -> usize {
        self.states.values().map(|state| state.bytes()).sum()
    }

    /// The past up to an epoch, as the beginning of another run.
    #[must_use]
    pub fn branch(&self, epoch: usize) -> Self {
        let mut branch = self.clone();
        branch.changes.retain(|change| change.epoch <= epoch);
        branch.states.retain(|own, _| *own <= epoch);
        branch
    }

    /// Brings a trainer of this run to an epoch of it. Stops early, at an epoch
    /// on the way, when it is cancelled. `anew` makes a trainer at the very
    /// start, for a past that had no room for one.
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

    fn state(epoch: usize) -> Arc<State> {
        let parameter = SavedParameter { values: vec![0.0; 256], ..SavedParameter::default() };
        Arc::new(State { epoch, parameters: vec![parameter], ..State::default() })
    }

    #[test]
    fn a_long_past_stays_within_its_budget_and_keeps_its_first_state() {
        let budget = 40 * state(0).bytes();
        let mut past = Past::new(Settings::default(), budget);
        for epoch in 0..100_000 {
            if past.wants(epoch) {
                past.keep(state(epoch));
            }
        }
        assert!(past.bytes() <= budget);
        assert!(past.states.len() >= 15, "{}", past.states.len());
        assert!(past.states.contains_key(&0));
        let gaps: Vec<usize> =
            past.states.keys().zip(past.states.keys().skip(1)).map(|(a, b)| b - a).collect();
        assert!(gaps.iter().all(|gap| *gap <= past.every), "{gaps:?}");
    }

    #[test]
    fn a_budget_for_less_than_two_keeps_the_newest() {
        let mut past = Past::new(Settings::default(), 10);
        for epoch in [0, 8, 16] {
            past.keep(state(epoch));
        }
        assert_eq!(past.states.keys().copied().collect::<Vec<_>>(), [16]);
    }

    #[test]
    fn settings_are_those_of_the_last_change_before() {
        let with = |epochs| Settings { epochs, ..Settings::default() };
        let mut past = Past::new(with(1), 0);
        past.change(10, with(2));
        past.change(20, with(3));
        assert_eq!([0, 9, 10, 19, 20].map(|at| past.settings_at(at).epochs), [1, 1, 2, 2, 3]);
        past.change(10, with(4));
        assert_eq!([9, 10, 25].map(|at| past.settings_at(at).epochs), [1, 4, 4]);
        assert_eq!(past.branch(9).changes().len(), 0);
    }
}
