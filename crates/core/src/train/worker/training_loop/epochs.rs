//! The epoch loop, and what it publishes.

use std::sync::{Arc, PoisonError};

use super::{Pace, TrainingLoop};
use crate::train::worker::snapshot::Before;
use crate::train::worker::{BranchId, Event, Phase, Snapshot};
use crate::train::{Epoch, Trainer};

impl TrainingLoop {
    /// Trains one epoch if the pace asks for it; returns the next pace.
    pub(super) fn train(&mut self, trainer: &mut Trainer, pace: Pace) -> Pace {
        let next = match pace {
            Pace::Hold => return Pace::Hold,
            Pace::ToTheEnd if trainer.is_done() => {
                self.rest(Some(trainer));
                return Pace::Hold;
            }
            Pace::ToTheEnd => Pace::ToTheEnd,
            Pace::Epochs(left) => Pace::Epochs(left.saturating_sub(1)),
        };
        let wanted = self.slot.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let before = if wanted { Before::of(trainer).ok() } else { None };
        if let Some(line) = self.lines.now_mut() {
            line.remember(trainer);
        }
        self.take_planned_change(trainer);
        match trainer.step() {
            Ok(epoch) => {
                self.done(trainer, &epoch);
                if let Some(before) = before {
                    self.show(before.with(self.line(), epoch));
                }
            }
            Err(error) => {
                self.tell(Event::Failed(error.to_string()));
                self.rest(Some(trainer));
                return Pace::Hold;
            }
        }
        let ends = next == Pace::Epochs(0) || (next == Pace::ToTheEnd && trainer.is_done());
        if !ends {
            return next;
        }
        // Changes made while paused come on top of those planned for this epoch.
        self.take_planned_change(trainer);
        self.rest(Some(trainer));
        Pace::Hold
    }

    /// Applies the change planned for the current epoch.
    fn take_planned_change(&mut self, trainer: &mut Trainer) {
        let Some(line) = self.lines.now() else { return };
        let Some(change) = line.history.change_at(trainer.epoch()).cloned() else { return };
        let is_newest = trainer.epoch() == line.done;
        trainer.change(&change.settings);
        if is_newest && self.settings != change.settings {
            self.changed(change.epoch, change.settings);
        }
    }

    /// Records a completed epoch, whether new or repeated.
    fn done(&mut self, trainer: &Trainer, epoch: &Epoch) {
        let Some(line) = self.lines.now_mut() else { return };
        if trainer.epoch() <= line.done {
            self.settings = trainer.settings().clone();
            let settings = Box::new(self.settings.clone());
            return self.tell(Event::At { epoch: trainer.epoch(), settings });
        }
        line.done = trainer.epoch();
        let written = line.kept.as_mut().map(|kept| kept.epoch(&epoch.scalars, trainer));
        self.check_current_saved(written);
        self.tell(Event::Epoch(epoch.scalars.clone()));
    }

    /// Publishes and saves the model before it pauses.
    pub(super) fn rest(&mut self, trainer: Option<&Trainer>) {
        let Some(trainer) = trainer else { return };
        // While paused, a new snapshot replaces one that was not taken yet.
        if let Ok(snapshot) = Snapshot::of(self.line(), trainer) {
            self.show(snapshot);
        }
        let phase = if trainer.is_done() { Phase::Finished } else { Phase::Paused };
        self.tell(Event::Phase(phase));
        self.save(trainer);
    }

    /// The current branch.
    fn line(&self) -> BranchId {
        self.lines.now().map(|line| line.id).unwrap_or_default()
    }

    fn show(&self, snapshot: Snapshot) {
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        (self.wake)();
    }
}
