//! Saves runs to disk while they train, so that a crash loses only seconds.

use std::path::PathBuf;

use crate::train::run::{Record, RunError, RunFolder, RunLabel, fresh_folder, run_count};
use crate::train::{CheckpointHistory, Scalars, Trainer};
use gesf_graph::{Graph, LoadOptions};

/// Where runs are saved, and which graph they belong to.
#[derive(Debug, Clone)]
pub struct SaveTarget {
    /// The folder of all runs of the graph.
    pub folder: PathBuf,
    /// Where the graph is.
    pub graph: PathBuf,
    /// How it was loaded.
    pub load: LoadOptions,
    /// Most runs of all graphs together; a run beyond them is not saved.
    pub most_runs: Option<usize>,
}

/// A branch that is being saved.
#[derive(Debug)]
pub(super) struct SavedBranch {
    folder: RunFolder,
}

impl SaveTarget {
    /// The record of a branch.
    pub(super) fn record(&self, graph: &Graph, history: &CheckpointHistory) -> Record {
        let changes = history.changes().to_vec();
        Record { changes, ..Record::of(&self.graph, graph, &self.load, history.start()) }
    }

    /// Starts saving a branch in a new folder; it copies the metrics of its parent
    /// up to the fork.
    pub(super) fn begin(
        &self,
        graph: &Graph,
        history: &CheckpointHistory,
        branch: Option<(&SavedBranch, usize)>,
    ) -> Result<SavedBranch, RunError> {
        let runs = self.folder.parent().unwrap_or(&self.folder);
        if let Some(most) = self.most_runs.filter(|most| run_count(runs) >= *most) {
            return Err(RunError::Full { most });
        }
        let record = self.record(graph, history);
        let mut folder = RunFolder::create(&fresh_folder(&self.folder), &record)?;
        if let Some((parent, epoch)) = branch {
            folder.copy_lines(parent.folder.path(), epoch)?;
        }
        Ok(SavedBranch::new(folder))
    }
}

impl SavedBranch {
    /// Continues saving a run in its folder.
    pub(super) fn new(folder: RunFolder) -> Self {
        Self { folder }
    }

    /// Its folder and label.
    pub(super) fn place(&self) -> (PathBuf, RunLabel) {
        (self.folder.path().to_owned(), self.folder.label().clone())
    }

    /// Saves another label.
    pub(super) fn label(&mut self, label: RunLabel) -> Result<(), RunError> {
        self.folder.describe(|record| record.label = label)
    }

    /// Saves the metrics of an epoch and, from time to time, the state after it.
    pub(super) fn epoch(&mut self, scalars: &Scalars, trainer: &Trainer) -> Result<(), RunError> {
        self.folder.epoch(scalars, trainer)
    }

    /// Saves the changes of settings.
    pub(super) fn change(&mut self, history: &CheckpointHistory) -> Result<(), RunError> {
        self.folder.describe(|record| record.changes = history.changes().to_vec())
    }

    /// Saves the current state.
    pub(super) fn save(&mut self, trainer: &Trainer) -> Result<(), RunError> {
        let state = trainer.state().map_err(|error| self.folder.refused(&error))?;
        self.folder.save(trainer, &state)
    }

    /// Closes the run cleanly.
    pub(super) fn close(self) {
        self.folder.close();
    }
}
