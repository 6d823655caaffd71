//! Keeping runs on disk as they go, so that a crash costs seconds.

use std::path::PathBuf;

use crate::graph::{Graph, LoadOptions};
use crate::train::run::{Record, RunError, RunFolder, RunLabel, fresh_folder};
use crate::train::{Past, Scalars, Trainer};

/// Where runs are kept, and of which graph they are.
#[derive(Debug, Clone)]
pub struct Keep {
    /// The folder of all runs of the graph.
    pub folder: PathBuf,
    /// Where the graph is.
    pub graph: PathBuf,
    /// How it is read.
    pub load: LoadOptions,
}

/// A line that is being kept.
#[derive(Debug)]
pub(super) struct Kept {
    folder: RunFolder,
    record: Record,
}

impl Keep {
    /// What a line is made from.
    pub(super) fn record(&self, graph: &Graph, past: &Past) -> Record {
        let changes = past.changes().to_vec();
        Record { changes, ..Record::of(&self.graph, graph, &self.load, past.start()) }
    }

    /// Begins to keep a line in a folder of its own; a branch brings the figures
    /// of its line before the epoch where it parts.
    pub(super) fn begin(
        &self,
        graph: &Graph,
        past: &Past,
        branch: Option<(&Kept, usize)>,
    ) -> Result<Kept, RunError> {
        let record = self.record(graph, past);
        let mut folder = RunFolder::create(&fresh_folder(&self.folder), &record)?;
        if let Some((parent, epoch)) = branch {
            folder.copy_lines(parent.folder.path(), epoch)?;
        }
        Ok(Kept::new(folder, record))
    }
}

impl Kept {
    /// Goes on keeping a run where it was kept.
    pub(super) fn new(folder: RunFolder, record: Record) -> Self {
        Self { folder, record }
    }

    /// Where it is, and under which label.
    pub(super) fn place(&self) -> (PathBuf, RunLabel) {
        (self.folder.path().to_owned(), self.record.label.clone())
    }

    /// Takes down another label.
    pub(super) fn label(&mut self, label: RunLabel) -> Result<(), RunError> {
        self.record.label = label;
        self.folder.describe(&self.record)
    }

    /// Takes down the figures of an epoch; now and then the state after it too.
    pub(super) fn epoch(&mut self, scalars: &Scalars, trainer: &Trainer) -> Result<(), RunError> {
        self.folder.epoch(scalars, trainer)
    }

    /// Takes down changes of settings.
    pub(super) fn change(&mut self, past: &Past) -> Result<(), RunError> {
        self.record.changes = past.changes().to_vec();
        self.folder.describe(&self.record)
    }

    /// Keeps the state as it is.
    pub(super) fn save(&mut self, trainer: &Trainer) -> Result<(), RunError> {
        let state = trainer.state().map_err(|error| self.folder.refused(&error))?;
        self.folder.save(trainer, &state)
    }

    /// The line is left in order.
    pub(super) fn close(self) {
        self.folder.close();
    }
}
