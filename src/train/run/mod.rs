//! A run on disk, written so that nothing is lost whenever the power goes.
//!
//! ```text
//! RUN/run.toml            graph, seed and every setting
//!     metrics.jsonl       the figures of every epoch, a line each; of every second,
//!                         fourth, … epoch in a run of many thousands
//!     model.safetensors   parameters and what the optimiser remembers
//!     embeddings/         x of every node type, for numpy
//!     scores.json         how good it ended, class by class
//! ```
//!
//! One program at a time writes to a run: it holds a lock on it. The model file is
//! replaced whole. Lines of figures are on disk before the model that follows
//! them; lines beyond the model are dropped on opening, after a crash changes of
//! settings beyond it too: a run that was killed goes on from its last model, bit for bit as if it had
//! never stopped. Checksums name a damaged model, which is not trained on, and
//! damaged lines, which are left out.

mod metrics;
mod model_file;
mod record;
mod shelf;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Scalars, State, TrainError, Trainer};
use crate::files::{clear_unfinished, open_ordinary, read_small, write_atomically};
use crate::npy;
use metrics::{Lines, lines_before, stride, thinned};
pub use metrics::{metrics, metrics_lines};
pub use record::{Record, RunLabel};
pub use shelf::{Left, RunLock, Shelved, fresh_folder, put_in_order, shelf_of, shelved};

const RECORD: &str = "run.toml";
const METRICS: &str = "metrics.jsonl";
const MODEL: &str = "model.safetensors";
const EMBEDDINGS: &str = "embeddings";
const SCORES: &str = "scores.json";

/// The first model is kept this soon, further ones this often.
const FIRST: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_secs(2);
/// A header that claims to be longer is none of ours.
const LONGEST_HEADER: u64 = 1 << 20;
/// Keeping takes at most one part of the time in so many.
const PART: u32 = 20;

/// Why a run could not be kept or taken up again.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk refused.
    #[error("{}: {error}", path.display())]
    Disk {
        /// Where.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}: found {found}, expected {expected}\n  help: {advice}", path.display())]
    Content {
        /// Where.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What would have been right.
        expected: String,
        /// What to do.
        advice: String,
    },
}

/// A run's folder, open for more epochs.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::graph::LoadOptions;
/// use gesf_tui::train::run::{Record, RunFolder, metrics};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("run");
/// let start = trainer.settings().clone();
/// let record = Record::of("karate".as_ref(), &graph, &LoadOptions::default(), &start);
/// let mut run = RunFolder::create(&path, &record)?;
/// run.append(&trainer.step()?.scalars)?;
/// run.save(&trainer, &trainer.state()?)?;
/// // What is on disk is the very state, to go on from.
/// let (read, state) = RunFolder::read(&path)?;
/// assert_eq!((read, state), (record, Some(trainer.state()?)));
/// assert_eq!(metrics(&path)?.len(), 1);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    metrics: File,
    /// Held as long as the run is written; what is left of it tells of a crash.
    lock: RunLock,
    /// What the run is made from.
    record: Record,
    /// Lines of figures that were damaged.
    damaged: usize,
    /// The newest line, where it is between two that are written.
    between: Option<String>,
    kept: Instant,
    pause: Duration,
}

impl RunFolder {
    /// Begins a run in a folder that holds none yet.
    pub fn create(path: &Path, record: &Record) -> Result<Self, RunError> {
        let file = path.join(RECORD);
        if file.exists() {
            return Err(RunError::Content {
                path: path.to_owned(),
                found: "a run".to_owned(),
                expected: "a folder without one".to_owned(),
                advice: "go on with it by --resume, or name another folder".to_owned(),
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

    /// Opens a run to go on: its record, and the state to go on from (none if
    /// it was stopped before the first was kept).
    pub fn open(path: &Path) -> Result<(Self, Record, Option<State>), RunError> {
        Self::record(path)?;
        let crashed = shelf::left(path) == Left::Crashed;
        let lock = RunLock::take(path)?;
        match Self::open_locked(path, crashed) {
            Ok((metrics, damaged, record, state)) => {
                Ok((Self::new(path, metrics, lock, record.clone(), damaged), record, state))
            }
            Err(error) => {
                // What cannot be opened is left as it was found.
                if !crashed {
                    lock.release();
                }
                Err(error)
            }
        }
    }

    fn open_locked(
        path: &Path,
        crashed: bool,
    ) -> Result<(File, usize, Record, Option<State>), RunError> {
        clear_unfinished(path);
        let (mut record, state) = Self::read(path)?;
        let metrics = path.join(METRICS);
        let done = state.as_ref().map_or(0, |state| state.epoch);
        let Lines { kept, damaged, whole } =
            lines_before(&metrics, done).map_err(|error| disk(&metrics, error))?;
        if !whole {
            write(&metrics, |out| kept.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        }
        // After a crash, changes beyond the last model go with the epochs after it;
        // those of a run left in order are planned.
        let before = record.changes.len();
        record.changes.retain(|change| change.epoch <= done || !crashed);
        if record.changes.len() < before {
            write_record(path, &record)?;
        }
        Ok((append_to(&metrics)?, damaged, record, state))
    }

    /// How many lines of figures were damaged, and are left out.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// The epoch that a run would go on from: that of its last model.
    pub fn checkpoint(path: &Path) -> Option<usize> {
        let mut file = File::open(path.join(MODEL)).ok()?;
        let mut length = [0; 8];
        file.read_exact(&mut length).ok()?;
        let length = u64::from_le_bytes(length).min(LONGEST_HEADER);
        let mut bytes = length.to_le_bytes().to_vec();
        file.take(length).read_to_end(&mut bytes).ok()?;
        model_file::epoch(&bytes)
    }

    /// Adds the figures of an epoch, and now and then keeps the state after it.
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

    /// The run is left in order.
    pub fn close(self) {
        self.lock.release();
    }

    /// The record of a run alone: a few lines, whatever the size of its model.
    pub fn record(path: &Path) -> Result<Record, RunError> {
        let file = path.join(RECORD);
        let text = match read_small(&file) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("bytes that are no text".to_owned())
            }
            read => Ok(read.map_err(|error| disk(&file, error))?),
        };
        text.and_then(|text| Record::parse(&text)).map_err(|found| RunError::Content {
            path: file,
            found,
            expected: "the record of a run".to_owned(),
            advice: "name a folder that `train --out` made".to_owned(),
        })
    }

    /// The record and the last state of a run, without opening it to go on.
    pub fn read(path: &Path) -> Result<(Record, Option<State>), RunError> {
        let record = Self::record(path)?;
        let model = path.join(MODEL);
        let state = match read_whole(&model) {
            Ok(bytes) => {
                let parsed = model_file::parse(&bytes).map_err(|found| RunError::Content {
                    path: model,
                    found,
                    expected: "the parameters of a run".to_owned(),
                    advice: "delete the file to begin the run anew".to_owned(),
                });
                let (state, sum) = parsed?;
                // Another version may write the same settings in other words.
                let sum = sum.filter(|_| record.version == env!("CARGO_PKG_VERSION"));
                if sum.is_some_and(|sum| sum != record.checksum(state.epoch)) {
                    return Err(RunError::Content {
                        path: path.join(RECORD),
                        found: "other settings than the model was trained with".to_owned(),
                        expected: "the settings of the run".to_owned(),
                        advice: "bring the file back as it was; settings change by --set"
                            .to_owned(),
                    });
                }
                Some(state)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(disk(&model, error)),
        };
        Ok((record, state))
    }

    /// Adds the figures of an epoch, unless the run is so long that they are left
    /// out between two others.
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

    /// Keeps the state of a run as it is.
    pub fn save(&mut self, trainer: &Trainer, state: &State) -> Result<(), RunError> {
        if let Some(line) = self.between.take() {
            let written = self.metrics.write_all(line.as_bytes());
            written.map_err(|error| disk(&self.path.join(METRICS), error))?;
        }
        self.save_model(state)?;
        own_folder(&self.path.join(EMBEDDINGS))?;
        let types = trainer.ground().graph.types().names();
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

    fn save_model(&mut self, state: &State) -> Result<(), RunError> {
        self.metrics.sync_data().map_err(|error| disk(&self.path.join(METRICS), error))?;
        let bytes = model_file::to_bytes(state, self.record.checksum(state.epoch))
            .map_err(|error| disk(&self.path.join(MODEL), io::Error::other(error)))?;
        write(&self.path.join(MODEL), |out| out.write_all(&bytes))
    }

    /// Keeps how good the run is at its end.
    pub fn keep_scores(&self, scores: &impl Serialize) -> Result<(), RunError> {
        let path = self.path.join(SCORES);
        let text = serde_json::to_string_pretty(scores)
            .map_err(|error| disk(&path, io::Error::other(error)))?;
        write(&path, |out| writeln!(out, "{text}"))
    }

    /// Writes its record anew.
    pub fn describe(&mut self, record: &Record) -> Result<(), RunError> {
        self.record = record.clone();
        write_record(&self.path, record)
    }

    /// Gives a run that nobody writes to another label.
    pub fn relabel(path: &Path, label: RunLabel) -> Result<(), RunError> {
        let crashed = shelf::left(path) == Left::Crashed;
        let lock = RunLock::take(path)?;
        let written = write_record(path, &Record { label, ..Self::record(path)? });
        // The mark of a crash stays until somebody goes on with the run.
        if !crashed {
            lock.release();
        }
        written
    }

    /// Brings over the figures of another run before an epoch.
    pub fn copy_lines(&mut self, other: &Path, epoch: usize) -> Result<(), RunError> {
        let from = other.join(METRICS);
        let lines = lines_before(&from, epoch).map_err(|error| disk(&from, error))?;
        let text: String =
            lines.kept.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect();
        let written = self.metrics.write_all(text.as_bytes());
        written.map_err(|error| disk(&self.path.join(METRICS), error))
    }

    /// Why its state could not be kept.
    pub fn refused(&self, error: &TrainError) -> RunError {
        disk(&self.path.join(MODEL), io::Error::other(error.to_string()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a folder holds a run.
pub fn is_run(path: &Path) -> bool {
    path.join(RECORD).is_file()
}

/// A type's name as the name of a file.
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
    crate::files::append_to(path).map_err(|error| disk(path, error))
}

/// A folder of the run's own: what is written there must not go elsewhere.
fn own_folder(path: &Path) -> Result<(), RunError> {
    if path.is_symlink() {
        let said = "found a link, expected a folder of its own";
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
