//! The lines of a session: the run in hand, its branches, and those before.

use std::sync::Arc;

use super::keeping::Kept;
use super::{LineId, Ready, Replacement};
use crate::train::{Past, State, Trainer};

/// Bytes that all lines together may use to remember their past.
pub(super) const MEMORY: usize = 512 << 20;

/// One line, as the training thread knows it.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) id: LineId,
    pub(super) past: Past,
    /// Epochs that were ever done on it.
    pub(super) done: usize,
    /// The state after them, where the trainer is somewhere else.
    pub(super) newest: Option<Arc<State>>,
    /// Where it is kept on disk.
    pub(super) kept: Option<Kept>,
    pub(super) ready: Arc<Ready>,
    /// The changed graph it stands on, if it does.
    pub(super) replaced: Option<Replacement>,
}

impl Line {
    /// Keeps the state a step begins with, now and then.
    pub(super) fn remember(&mut self, trainer: &Trainer) {
        if self.past.wants(trainer.epoch())
            && let Ok(state) = trainer.state()
        {
            self.past.keep(Arc::new(state));
        }
    }

    /// Keeps the newest state before the trainer goes somewhere else.
    pub(super) fn set_aside(&mut self, trainer: &Trainer) {
        if trainer.epoch() == self.done
            && let Ok(state) = trainer.state()
        {
            self.newest = Some(Arc::new(state));
        }
    }
}

/// Every line; there is always one in hand once training began.
#[derive(Debug, Default)]
pub(super) struct Lines {
    all: Vec<Line>,
    in_hand: usize,
    next: u32,
}

impl Lines {
    /// The name of the next line.
    pub(super) fn new_id(&mut self) -> LineId {
        self.next += 1;
        LineId(self.next)
    }

    /// Adds a line and takes it in hand.
    pub(super) fn take_up(&mut self, line: Line) {
        self.all.push(line);
        self.in_hand = self.all.len() - 1;
        let share = MEMORY / self.all.len();
        self.all.iter_mut().for_each(|line| line.past.set_budget(share));
    }

    /// The line in hand.
    pub(super) fn now(&self) -> Option<&Line> {
        self.all.get(self.in_hand)
    }

    /// The line in hand, to be changed.
    pub(super) fn now_mut(&mut self) -> Option<&mut Line> {
        self.all.get_mut(self.in_hand)
    }

    /// Takes another line in hand; `false` where there is none of that name.
    pub(super) fn switch(&mut self, id: LineId) -> bool {
        let place = self.all.iter().position(|line| line.id == id);
        self.in_hand = place.unwrap_or(self.in_hand);
        place.is_some()
    }

    /// A line by its name, to be changed.
    pub(super) fn find_mut(&mut self, id: LineId) -> Option<&mut Line> {
        self.all.iter_mut().find(|line| line.id == id)
    }

    /// Does something with every line.
    pub(super) fn each(&mut self, act: impl FnMut(&mut Line)) {
        self.all.iter_mut().for_each(act);
    }

    /// Lets go of a line that is not in hand.
    pub(super) fn forget(&mut self, id: LineId) {
        let now = self.now().map(|line| line.id);
        self.all.retain(|line| line.id != id || Some(id) == now);
        self.in_hand = self.all.iter().position(|line| Some(line.id) == now).unwrap_or(0);
    }
}
