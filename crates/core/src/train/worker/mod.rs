//! Training on its own thread: commands in, metrics and snapshots out.
//!
//! Metrics are lossless and in order. A new snapshot is made only after the last
//! one was taken, so a slow reader costs nothing and a fast one gets the newest.
//! Neither side ever waits for the other.

mod branches;
mod saving;
mod snapshot;
mod training_loop;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

pub use saving::SaveTarget;
pub use snapshot::Snapshot;
use training_loop::TrainingLoop;

use super::run::{Record, RunLabel};
use super::{Change, FilterStage, Scalars, Split, Trainer};
use crate::model::settings::{SettingChange, Settings};
use crate::model::{Groups, PreparedGraph, Units};
use gesf_graph::Graph;
use gesf_spectral::{Cache, Cancel, Progress};

/// Commands to the worker.
#[derive(Debug, Clone)]
pub enum TrainingCommand {
    /// Pause after the current epoch.
    Pause,
    /// Train until all epochs of the settings are done.
    Resume,
    /// Train one epoch, then pause.
    Step,
    /// Train this many epochs, then pause.
    Run(usize),
    /// Limit training to this many epochs per second; `None` removes the limit.
    Speed(Option<f32>),
    /// Change some settings; the others stay. Training restarts if they require
    /// another model or spectrum.
    Set(Vec<SettingChange>),
    /// Restart with the current settings.
    Restart,
    /// Restart on an edited graph.
    Replace(Box<Replacement>),
    /// Go to a completed epoch of the branch and pause there. Changes made there
    /// start a new branch.
    GoTo(usize),
    /// Go to the newest epoch of another branch and pause there.
    Switch(BranchId),
    /// Load a saved run of the same graph, go to its last epoch and pause there.
    TakeUp(PathBuf),
    /// Set the name and note of a branch.
    Label(BranchId, RunLabel),
    /// Drop a branch other than the current one.
    Forget(BranchId),
    /// Stop the thread.
    Stop,
}

/// An edited graph to train on instead of the previous one. It exists only in
/// memory, so its runs are not saved.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// The graph as the model sees it: attributes are already nodes if the settings
    /// ask for that.
    pub graph: Arc<Graph>,
    /// The split, until the settings ask for another one.
    pub split: Split,
    /// The edits, as written in a state line.
    pub edits: Arc<str>,
    /// The replay plan of the run, if there is one.
    pub plan: Option<ReplayPlan>,
}

/// The state of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Loading the graph.
    Reading,
    /// Preparing the matrix, its spectrum if needed, and the model.
    Preparing,
    /// Training.
    Running,
    /// Waiting for a command.
    Paused,
    /// All epochs are done; waiting for a command.
    Finished,
}

/// A branch of training: a run from its start, or a fork of another branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct BranchId(pub u32);

/// Events of the worker, in order and without loss.
#[derive(Debug, Clone)]
pub enum Event {
    /// Progress of the preparation.
    Progress(Progress),
    /// A model is initialized.
    Ready(Arc<PreparedRun>),
    /// An epoch was trained for the first time.
    Epoch(Scalars),
    /// The model is at an epoch that was trained before.
    At {
        /// The epoch.
        epoch: usize,
        /// Its settings.
        settings: Box<Settings>,
    },
    /// A new branch was created, which shares the earlier epochs of its parent.
    Branched {
        /// The new branch.
        line: BranchId,
        /// Its parent.
        parent: BranchId,
        /// The first epoch that is not shared.
        epoch: usize,
    },
    /// The current branch changed.
    Switched(Arc<PreparedRun>),
    /// The current branch is saved in this folder, with this label.
    Saved(PathBuf, RunLabel),
    /// Part of a saved run is damaged; training continues without it.
    Damaged(String),
    /// Runs can no longer be saved; training continues.
    NotSaved(String),
    /// The thread ended with an unsaved current branch; this is its record.
    Unsaved(Box<Record>),
    /// Settings changed from this epoch on.
    Changed {
        /// The epoch.
        epoch: usize,
        /// The settings.
        settings: Box<Settings>,
    },
    /// The phase changed.
    Phase(Phase),
    /// The run cannot continue; other settings may help.
    Failed(String),
}

/// What a run works on, for the screens.
#[derive(Clone)]
pub struct PreparedRun {
    /// The branch.
    pub line: BranchId,
    /// The graph, matrix and operator.
    pub prepared: PreparedGraph,
    /// The nodes by type.
    pub groups: Arc<Groups>,
    /// The split of the labelled nodes.
    pub split: Split,
    /// The units of numeric targets.
    pub units: Units,
    /// The current settings.
    pub settings: Settings,
    /// How the filter is learned, and when.
    pub filter_stage: FilterStage,
    /// The spectrum cache.
    pub cache: Option<Cache>,
    /// The edits made to the graph before training, as written in a state line.
    pub edits: Option<Arc<str>>,
}

impl PreparedRun {
    /// Collects these from a trainer.
    pub fn of(line: BranchId, trainer: &Trainer) -> Self {
        Self {
            line,
            prepared: trainer.prepared().clone(),
            groups: trainer.model().groups().clone(),
            split: trainer.split().clone(),
            units: trainer.units(),
            settings: trainer.settings().clone(),
            filter_stage: trainer.filter_stage().clone(),
            cache: None,
            edits: None,
        }
    }
}

impl std::fmt::Debug for PreparedRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ready({} nodes)", self.prepared.graph.node_count())
    }
}

/// Cancels work before it is done.
#[derive(Debug, Clone, Default)]
struct Halt {
    /// Set to cancel the current work.
    cancel: Cancel,
    /// Set to stop the thread.
    stopping: Arc<AtomicBool>,
}

impl Halt {
    /// Starts a piece of work and clears an earlier cancellation.
    fn begin(&self) -> &Cancel {
        self.cancel.reset();
        if self.is_stopping() {
            self.cancel.cancel();
        }
        &self.cancel
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }
}

type Slot = Arc<Mutex<Option<Arc<Snapshot>>>>;

/// The handle of the training thread. Dropping it stops the thread.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{sync::Arc, time::Duration};
/// use gesf_graph::{LoadOptions, load};
/// use gesf_core::model::settings::Settings;
/// use gesf_core::train::{Event, Phase, Start, Worker};
///
/// let read = || load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default());
/// let source = Box::new(move || match read() {
///     Ok((graph, _)) => Ok(Arc::new(graph)),
///     Err(error) => Err(error.to_string()),
/// });
/// let settings = Settings { epochs: 3, ..Settings::default() };
/// let worker = Worker::start(Start::new(source, settings), || {})?;
/// // Every epoch is reported, in order, however late the reader is.
/// let mut told = Vec::new();
/// while let Some(event) = worker.wait(Duration::from_secs(60)) {
///     match event {
///         Event::Epoch(scalars) => told.push(scalars.epoch),
///         Event::Phase(Phase::Finished) => break,
///         _ => {}
///     }
/// }
/// assert_eq!(told, [0, 1, 2]);
/// worker.finish();
/// # Ok(()) }
/// ```
pub struct Worker {
    commands: Sender<TrainingCommand>,
    events: Receiver<Event>,
    slot: Slot,
    cancel: Cancel,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Loads a graph; runs on the training thread.
pub type GraphLoader = Box<dyn FnOnce() -> Result<Arc<Graph>, String> + Send>;

/// The initial state of a training thread.
pub struct Start {
    /// Loads the graph.
    pub source: GraphLoader,
    /// The initial settings.
    pub settings: Settings,
    /// The spectrum cache.
    pub cache: Option<Cache>,
    /// Whether training starts paused.
    pub paused: bool,
    /// Where runs are saved while they train, if anywhere.
    pub keep: Option<SaveTarget>,
    /// The folder of a saved run to resume instead of starting a new one.
    pub resume: Option<PathBuf>,
    /// A run to replay up to an epoch.
    pub plan: Option<ReplayPlan>,
    /// Memory limit for the checkpoints of all branches together, in bytes.
    pub checkpoint_memory: usize,
}

/// The usual memory limit for checkpoints, in bytes.
pub const CHECKPOINT_MEMORY: usize = 512 << 20;

/// What a run does until it pauses at an epoch.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayPlan {
    /// The epoch to pause at.
    pub epoch: usize,
    /// Changes of settings on the way.
    pub changes: Vec<Change>,
}

impl Start {
    /// A run that is not saved and trains at once.
    pub fn new(source: GraphLoader, settings: Settings) -> Self {
        Self {
            source,
            settings,
            cache: None,
            paused: false,
            keep: None,
            resume: None,
            plan: None,
            checkpoint_memory: CHECKPOINT_MEMORY,
        }
    }
}

impl Worker {
    /// Starts a thread that loads the graph, prepares it and, unless paused,
    /// trains. `wake` is called after every event and snapshot.
    pub fn start(start: Start, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let (outbox, events) = channel();
        let slot = Slot::default();
        let cancel = Cancel::default();
        let stopping = Arc::new(AtomicBool::new(false));
        let halt = Halt { cancel: cancel.clone(), stopping: stopping.clone() };
        let training_loop = TrainingLoop::new(inbox, outbox, slot.clone(), halt, Box::new(wake));
        let builder = std::thread::Builder::new().name("training".to_owned());
        let thread = builder.spawn(move || training_loop.work(start))?;
        Ok(Self { commands, events, slot, cancel, stopping, thread: Some(thread) })
    }

    /// Sends a command; a stopped thread ignores it.
    pub fn send(&self, command: TrainingCommand) {
        let _ = self.commands.send(command);
    }

    /// The next event, if there is one.
    pub fn poll(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// Waits for the next event.
    pub fn wait(&self, most: Duration) -> Option<Event> {
        self.events.recv_timeout(most).ok()
    }

    /// The newest snapshot since the last one taken.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the thread has stopped.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Stops the thread, waits for it and returns its remaining events.
    pub fn finish(mut self) -> Vec<Event> {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panicked thread.
            let _ = thread.join();
        }
        self.events.try_iter().collect()
    }

    /// Cancels preparation and replay; training itself is stopped by commands.
    pub fn interrupt(&self) {
        self.cancel.cancel();
    }

    fn hang_up(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.cancel.cancel();
        self.send(TrainingCommand::Stop);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.hang_up();
    }
}
