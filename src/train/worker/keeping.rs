//! Keeping runs on disk as they go, so that a crash costs seconds.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::graph::{Graph, LoadOptions};
use crate::train::run::{Record, RunError, RunFolder, RunLock, forget_oldest, fresh_folder};
use crate::train::{Past, Scalars, Trainer};

/// How often a run is kept at most.
const EVERY: Duration = Duration::from_secs(10);
/// Keeping takes at most one part of the time in so many.
const SHARE: u32 = 200;
/// Runs of one graph that are kept; the oldest go first.
const RUNS: usize = 24;

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
    /// Held as long as the line is in use; what is left of it tells of a crash.
    lock: Option<RunLock>,
    saved: Instant,
    pause: Duration,
}

impl Keep {
    /// Begins to keep a line in a folder of its own; a branch brings the figures
    /// of its line before the epoch where it parts.
    pub(super) fn begin(
        &self,
        graph: &Graph,
        past: &Past,
        branch: Option<(&Kept, usize)>,
    ) -> Result<Kept, RunError> {
        forget_oldest(&self.folder, RUNS);
        let mut record = Record::of(&self.graph, graph, &self.load, past.start());
        record.changes = past.changes().to_vec();
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
        let lock = RunLock::take(folder.path());
        Self { folder, record, lock, saved: Instant::now(), pause: EVERY }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes down the figures of an epoch; now and then the state after it too.
    pub(super) fn epoch(&mut self, scalars: &Scalars, trainer: &Trainer) -> Result<(), RunError> {
        self.folder.append(scalars)?;
        if self.saved.elapsed() < self.pause { Ok(()) } else { self.save(trainer) }
    }

    /// Takes down changes of settings.
    pub(super) fn change(&mut self, past: &Past) -> Result<(), RunError> {
        self.record.changes = past.changes().to_vec();
        self.folder.describe(&self.record)
    }

    /// Keeps the state as it is.
    pub(super) fn save(&mut self, trainer: &Trainer) -> Result<(), RunError> {
        let start = Instant::now();
        let state = trainer.state().map_err(|error| self.folder.refused(&error))?;
        self.folder.save(trainer, &state)?;
        self.saved = Instant::now();
        self.pause = EVERY.max(start.elapsed() * SHARE);
        Ok(())
    }

    /// The line is left in order.
    pub(super) fn close(&mut self) {
        if let Some(lock) = self.lock.take() {
            lock.release();
        }
    }
}
