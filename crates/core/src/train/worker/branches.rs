//! The branches of a session: the current one, its forks, and earlier runs.

use std::sync::Arc;

use super::saving::SavedBranch;
use super::{BranchId, PreparedRun, Replacement};
use crate::train::{CheckpointHistory, Trainer, TrainerState};

/// A branch on the training thread.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) id: BranchId,
    pub(super) history: CheckpointHistory,
    /// Number of epochs ever completed on it.
    pub(super) done: usize,
    /// The newest state, if the trainer is at another epoch or branch.
    pub(super) newest: Option<Arc<TrainerState>>,
    /// Where it is saved on disk.
    pub(super) kept: Option<SavedBranch>,
    pub(super) ready: Arc<PreparedRun>,
    /// The edited graph it trains on, if any.
    pub(super) replaced: Option<Replacement>,
}

impl Branch {
    /// Adds a checkpoint before a step if one is due.
    pub(super) fn remember(&mut self, trainer: &Trainer) {
        if self.history.wants(trainer.epoch())
            && let Ok(state) = trainer.state()
        {
            self.history.keep(Arc::new(state));
        }
    }

    /// Stores the newest state before the trainer moves elsewhere.
    pub(super) fn set_aside(&mut self, trainer: &Trainer) {
        if trainer.epoch() == self.done
            && let Ok(state) = trainer.state()
        {
            self.newest = Some(Arc::new(state));
        }
    }
}

/// All branches; once training has started, one is always current.
#[derive(Debug)]
pub(super) struct Lines {
    all: Vec<Branch>,
    in_hand: usize,
    next: u32,
    /// Memory limit for the checkpoints of all branches together, in bytes.
    memory: usize,
}

impl Lines {
    /// No branch yet.
    pub(super) fn new(memory: usize) -> Self {
        Self { all: Vec::new(), in_hand: 0, next: 0, memory }
    }

    /// Memory limit for the checkpoints of all branches together, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// The id for the next branch.
    pub(super) fn new_id(&mut self) -> BranchId {
        self.next += 1;
        BranchId(self.next)
    }

    /// Adds a branch and makes it current.
    pub(super) fn take_up(&mut self, line: Branch) {
        self.all.push(line);
        self.in_hand = self.all.len() - 1;
        let share = self.memory / self.all.len();
        self.all.iter_mut().for_each(|line| line.history.set_budget(share));
    }

    /// The current branch.
    pub(super) fn now(&self) -> Option<&Branch> {
        self.all.get(self.in_hand)
    }

    /// The current branch, mutable.
    pub(super) fn now_mut(&mut self) -> Option<&mut Branch> {
        self.all.get_mut(self.in_hand)
    }

    /// Makes another branch current; `false` if the id is unknown.
    pub(super) fn switch(&mut self, id: BranchId) -> bool {
        let place = self.all.iter().position(|line| line.id == id);
        self.in_hand = place.unwrap_or(self.in_hand);
        place.is_some()
    }

    /// A branch by id, mutable.
    pub(super) fn find_mut(&mut self, id: BranchId) -> Option<&mut Branch> {
        self.all.iter_mut().find(|line| line.id == id)
    }

    /// Applies a function to every branch.
    pub(super) fn each(&mut self, act: impl FnMut(&mut Branch)) {
        self.all.iter_mut().for_each(act);
    }

    /// Drops a branch other than the current one.
    pub(super) fn forget(&mut self, id: BranchId) {
        let now = self.now().map(|line| line.id);
        self.all.retain(|line| line.id != id || Some(id) == now);
        self.in_hand = self.all.iter().position(|line| Some(line.id) == now).unwrap_or(0);
    }
}
