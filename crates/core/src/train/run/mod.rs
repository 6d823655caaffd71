//! A run on disk, written so that a power failure loses no data.
//!
//! ```text
//! RUN/run.toml            graph, seed and every setting
//!     metrics.jsonl       the metrics of every epoch, one line each; of every second,
//!                         fourth, … epoch in a run of many thousands
//!     model.safetensors   parameters and optimizer state
//!     embeddings/         x of every node type, for numpy
//!     scores.json         final scores, per class
//!     split.csv           the nodes for training, validation and test, for --split
//! ```
//!
//! One process at a time writes to a run: it holds a lock. The model file is
//! replaced atomically. Metrics are on disk before the model that follows them;
//! lines beyond the model are dropped on opening and, after a crash, so are later
//! changes of settings. A run that was killed therefore resumes from its last
//! model, bit for bit as if it had never stopped. Checksums detect a damaged model,
//! which is not trained on, and damaged lines, which are skipped.

mod metrics;
mod model_file;
mod record;
mod shelf;
mod split_file;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Scalars, TrainError, Trainer, TrainerState};
use crate::npy;
use gesf_graph::files::{clear_unfinished, open_ordinary, open_own, read_small, write_atomically};
use metrics::{Lines, lines_before, stride, thinned};
pub use metrics::{metrics, metrics_lines};
pub use record::{Record, RunLabel};
pub use shelf::{
    Left, RunLock, SavedRun, folder_of_graph, fresh_folder, repair, run_count, saved_runs,
};

const RECORD: &str = "run.toml";
const METRICS: &str = "metrics.jsonl";
const MODEL: &str = "model.safetensors";
const EMBEDDINGS: &str = "embeddings";
const SCORES: &str = "scores.json";
const SPLIT: &str = "split.csv";

/// Delay before the first model is saved; the interval between later ones follows.
const FIRST: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_secs(2);
/// A longer header does not belong to this format.
const LONGEST_HEADER: u64 = 1 << 20;
/// Saving takes at most this fraction (1/n) of the time.
const PART: u32 = 20;

/// Why a run could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An error of the operating system.
    #[error("{}: {error}", path.display())]
    Disk {
        /// The path.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A file with unexpected content.
    #[error("{}: found {found}, expected {expected}\n  help: {advice}", path.display())]
    Content {
        /// The path.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
        /// What to do.
        advice: String,
    },
    /// No room for another run.
    #[error(
        "{most} runs are saved, which is the limit\n  help: training continues; to save \
         more, delete old runs or raise the limit"
    )]
    Full {
        /// The limit.
        most: usize,
    },
}

/// The folder of a run, open for writing.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::LoadOptions;
/// use gesf_core::train::run::{Record, RunFolder, metrics};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run");
/// let start = trainer.settings().clone();
/// let record = Record::of("karate".as_ref(), &graph, &LoadOptions::default(), &start);
/// let mut run = RunFolder::create(&path, &record)?;
/// run.append(&trainer.step()?.scalars)?;
/// run.save(&trainer, &trainer.state()?)?;
/// // The saved state is exactly the current one.
/// let (read, state) = RunFolder::read(&path)?;
/// assert_eq!((read, state), (record, Some(trainer.state()?)));
/// assert_eq!(metrics(&path)?.len(), 1);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    metrics: File,
    /// Locked while the run is open; a remaining lock file indicates a crash.
    lock: RunLock,
    /// The record of the run.
    record: Record,
    /// Number of damaged metrics lines.
    damaged: usize,
    /// The newest line, if it falls between two that are written.
    between: Option<String>,
    kept: Instant,
    pause: Duration,
}

impl RunFolder {
    /// Creates a run in a folder that does not contain one.
    pub fn create(path: &Path, record: &Record) -> Result<Self, RunError> {
        let file = path.join(RECORD);
        if file.exists() {
            return Err(RunError::Content {
                path: path.to_owned(),
                found: "an existing run".to_owned(),
                expected: "a folder without a run".to_owned(),
                advice: "resume it with --resume, or choose another folder".to_owned(),
            });
        }
        own_folder(&path.join(EMBEDDINGS))?;
        let lock = RunLock::take(path)?;
        let metrics = path.join(METRICS);
        let open = append_to(&metrics)?;
        open.set_len(0).map_err(|error| disk(&metrics, error))?;
        write_record(path, record)?;
        Ok(Self::new(path, open, lock, record.clone(), 0))
    }

    fn new(path: &Path, metrics: File, lock: RunLock, record: Record, damaged: usize) -> Self {
        let (path, kept) = (path.to_owned(), Instant::now());
        Self { path, metrics, lock, record, damaged, between: None, kept, pause: FIRST }
    }

    /// Opens a run to resume it: its record and the last saved state, if any.
    pub fn open(path: &Path) -> Result<(Self, Record, Option<TrainerState>), RunError> {
        Self::record(path)?;
        let lock = RunLock::take(path)?;
        match Self::open_locked(path, lock.after_crash) {
            Ok((metrics, damaged, record, state)) => {
                Ok((Self::new(path, metrics, lock, record.clone(), damaged), record, state))
            }
            Err(error) => {
                lock.leave();
                Err(error)
            }
        }
    }

    fn open_locked(
        path: &Path,
        crashed: bool,
    ) -> Result<(File, usize, Record, Option<TrainerState>), RunError> {
        clear_unfinished(path);
        let (mut record, state) = Self::read(path)?;
        let metrics = path.join(METRICS);
        let done = state.as_ref().map_or(0, |state| state.epoch);
        let Lines { kept, damaged, whole } =
            lines_before(&metrics, done).map_err(|error| disk(&metrics, error))?;
        if !whole {
            write(&metrics, |out| kept.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        }
        // After a crash, changes beyond the last model are dropped with the epochs
        // after it; in a run that was closed cleanly they are planned changes.
        let before = record.changes.len();
        record.changes.retain(|change| change.epoch <= done || !crashed);
        if record.changes.len() < before {
            write_record(path, &record)?;
        }
        Ok((append_to(&metrics)?, damaged, record, state))
    }

    /// How many metrics lines were damaged and skipped.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// The epoch a run would resume from: that of its last model.
    pub fn checkpoint(path: &Path) -> Option<usize> {
        let mut file = File::open(path.join(MODEL)).ok()?;
        let mut length = [0; 8];
        file.read_exact(&mut length).ok()?;
        let length = u64::from_le_bytes(length).min(LONGEST_HEADER);
        let mut bytes = length.to_le_bytes().to_vec();
        file.take(length).read_to_end(&mut bytes).ok()?;
        model_file::epoch(&bytes)
    }

    /// Appends the metrics of an epoch and saves the state after it if due.
    pub fn epoch(&mut self, scalars: &Scalars, trainer: &Trainer) -> Result<(), RunError> {
        self.append(scalars)?;
        if self.kept.elapsed() < self.pause {
            return Ok(());
        }
        let start = Instant::now();
        let state = trainer.state().map_err(|error| self.refused(&error))?;
        self.save_model(&state)?;
        self.kept = Instant::now();
        self.pause = EVERY.max(start.elapsed() * PART);
        Ok(())
    }

    /// Closes the run cleanly.
    pub fn close(self) {
        self.lock.release();
    }

    /// Only the record of a run, without reading its model.
    pub fn record(path: &Path) -> Result<Record, RunError> {
        let file = path.join(RECORD);
        let text = match read_small(&file) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("bytes that are not text".to_owned())
            }
            read => Ok(read.map_err(|error| disk(&file, error))?),
        };
        text.and_then(|text| Record::parse(&text)).map_err(|found| RunError::Content {
            path: file,
            found,
            expected: "the record of a run".to_owned(),
            advice: "pass a folder created by `train --out`".to_owned(),
        })
    }

    /// The record and the last state of a run, without opening it for writing.
    pub fn read(path: &Path) -> Result<(Record, Option<TrainerState>), RunError> {
        let record = Self::record(path)?;
        let model = path.join(MODEL);
        let state = match read_whole(&model) {
            Ok(bytes) => {
                let parsed = model_file::parse(&bytes).map_err(|found| RunError::Content {
                    path: model,
                    found,
                    expected: "the parameters of a run".to_owned(),
                    advice: "delete the file to restart the run".to_owned(),
                });
                let (state, sum) = parsed?;
                // Another version may write the same settings differently.
                let sum = sum.filter(|_| record.version == env!("CARGO_PKG_VERSION"));
                if sum.is_some_and(|sum| sum != record.checksum(state.epoch)) {
                    return Err(RunError::Content {
                        path: path.join(RECORD),
                        found: "other settings than the model was trained with".to_owned(),
                        expected: "the settings of the run".to_owned(),
                        advice: "restore the original file; change settings with --set".to_owned(),
                    });
                }
                Some(state)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(disk(&model, error)),
        };
        Ok((record, state))
    }

    /// Appends the metrics of an epoch, unless the run is so long that this epoch
    /// is skipped.
    pub fn append(&mut self, scalars: &Scalars) -> Result<(), RunError> {
        let path = self.path.join(METRICS);
        let line = metrics::line(scalars).map_err(|error| disk(&path, io::Error::other(error)))?;
        let every = stride(scalars.epoch);
        if every > stride(scalars.epoch.saturating_sub(1)) {
            let lines = thinned(&path, every).map_err(|error| disk(&path, error))?;
            write(&path, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
            self.metrics = append_to(&path)?;
        }
        if !scalars.epoch.is_multiple_of(every) {
            self.between = Some(line);
            return Ok(());
        }
        self.between = None;
        self.metrics.write_all(line.as_bytes()).map_err(|error| disk(&path, error))
    }

    /// Saves the state of a run.
    pub fn save(&mut self, trainer: &Trainer, state: &TrainerState) -> Result<(), RunError> {
        if let Some(line) = self.between.take() {
            let written = self.metrics.write_all(line.as_bytes());
            written.map_err(|error| disk(&self.path.join(METRICS), error))?;
        }
        self.save_model(state)?;
        // The split of a run does not change.
        let split = self.path.join(SPLIT);
        if !split.exists() {
            let graph = &trainer.prepared().graph;
            write(&split, |out| split_file::write(graph, trainer.split(), out))?;
        }
        own_folder(&self.path.join(EMBEDDINGS))?;
        let types = trainer.prepared().graph.types().names();
        for (kind, name) in types.iter().enumerate() {
            let own = state.parameters.iter().find(|own| own.name == format!("x.{kind}"));
            if let Some(own) = own {
                let width = own.shape.last().copied().unwrap_or(1);
                let path = self.path.join(EMBEDDINGS).join(format!("{}.npy", file_name(name)));
                write(&path, |out| npy::write(out, &own.values, width))?;
            }
        }
        Ok(())
    }

    fn save_model(&mut self, state: &TrainerState) -> Result<(), RunError> {
        self.metrics.sync_data().map_err(|error| disk(&self.path.join(METRICS), error))?;
        let bytes = model_file::to_bytes(state, self.record.checksum(state.epoch))
            .map_err(|error| disk(&self.path.join(MODEL), io::Error::other(error)))?;
        write(&self.path.join(MODEL), |out| out.write_all(&bytes))
    }

    /// Saves the final scores of the run.
    pub fn keep_scores(&self, scores: &impl Serialize) -> Result<(), RunError> {
        let path = self.path.join(SCORES);
        let text = serde_json::to_string_pretty(scores)
            .map_err(|error| disk(&path, io::Error::other(error)))?;
        write(&path, |out| writeln!(out, "{text}"))
    }

    /// The user's name and note for it.
    pub fn label(&self) -> &RunLabel {
        &self.record.label
    }

    /// Changes its record.
    pub fn describe(&mut self, change: impl FnOnce(&mut Record)) -> Result<(), RunError> {
        change(&mut self.record);
        write_record(&self.path, &self.record)
    }

    /// Sets the label of a run that is not in use.
    pub fn relabel(path: &Path, label: RunLabel) -> Result<(), RunError> {
        let lock = RunLock::take(path)?;
        let record = Self::record(path);
        let written = record.and_then(|own| write_record(path, &Record { label, ..own }));
        lock.leave();
        written
    }

    /// Copies the metrics of another run before an epoch.
    pub fn copy_lines(&mut self, other: &Path, epoch: usize) -> Result<(), RunError> {
        let from = other.join(METRICS);
        let lines = lines_before(&from, epoch).map_err(|error| disk(&from, error))?;
        let text: String =
            lines.kept.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect();
        let written = self.metrics.write_all(text.as_bytes());
        written.map_err(|error| disk(&self.path.join(METRICS), error))
    }

    /// The error for a state that could not be saved.
    pub fn refused(&self, error: &TrainError) -> RunError {
        disk(&self.path.join(MODEL), io::Error::other(error.to_string()))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a folder contains a run.
pub fn is_run(path: &Path) -> bool {
    path.join(RECORD).is_file()
}

/// The name of a type as a file name.
pub fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let text: String = name.chars().map(safe).take(80).collect();
    if text.is_empty() { "node".to_owned() } else { text }
}

fn write_record(run: &Path, record: &Record) -> Result<(), RunError> {
    let path = run.join(RECORD);
    let text = record.to_text().map_err(|error| disk(&path, io::Error::other(error)))?;
    write(&path, |out| out.write_all(text.as_bytes()))
}

fn append_to(path: &Path) -> Result<File, RunError> {
    open_own(path, File::options().append(true)).map_err(|error| disk(path, error))
}

/// Requires a real folder: a link could redirect writes elsewhere.
fn own_folder(path: &Path) -> Result<(), RunError> {
    if path.is_symlink() {
        let said = "found a symbolic link, expected a folder";
        return Err(disk(path, io::Error::other(said)));
    }
    fs::create_dir_all(path).map_err(|error| disk(path, error))
}

fn disk(path: &Path, error: io::Error) -> RunError {
    RunError::Disk { path: path.to_owned(), error }
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), RunError> {
    write_atomically(path, fill).map_err(|error| disk(path, error))
}

fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_ordinary(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
