//! Training in a thread of its own: commands in, figures and snapshots out.
//!
//! Figures are lossless and in order. A snapshot is made only when the last one
//! was taken, so a slow reader costs nothing and a fast one gets the newest.
//! Neither side ever waits for the other.

mod keeping;
mod lines;
mod office;
mod snapshot;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

pub use keeping::Keep;
use office::Office;
pub use snapshot::Snapshot;

use super::run::{Record, RunLabel};
use super::{Change, FilterStage, Scalars, Split, Trainer};
use crate::graph::Graph;
use crate::model::settings::{SettingChange, Settings};
use crate::model::{Ground, Groups, Units};
use crate::spectral::{Cache, Cancel, Progress};

/// What the worker is told.
#[derive(Debug, Clone)]
pub enum Command {
    /// Hold after the epoch that runs.
    Pause,
    /// Go on until the epochs of the settings are done.
    Resume,
    /// One epoch, then hold.
    Step,
    /// So many epochs, then hold.
    Run(usize),
    /// Other values of some settings; the others stay. Where they need another
    /// model or spectrum, training starts anew.
    Set(Vec<SettingChange>),
    /// Start anew with the settings in force.
    Restart,
    /// Start anew on a graph that a person changed.
    Replace(Box<Replacement>),
    /// Go to an epoch of the line, done already, and hold there. What is
    /// changed there begins a branch.
    GoTo(usize),
    /// Go to the newest epoch of another line, and hold there.
    Switch(LineId),
    /// Go to the end of a run of the same graph that is on disk, and hold there.
    TakeUp(PathBuf),
    /// What a line is called, and what is noted about it.
    Label(LineId, RunLabel),
    /// Let go of a line other than the one in hand.
    Forget(LineId),
    /// End the thread.
    Stop,
}

/// A changed graph to train on, in the place of the one before. It lies on no
/// disk, so its runs are not kept there.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// The graph as the model sees it: attributes are nodes already where the
    /// settings ask for that.
    pub graph: Arc<Graph>,
    /// Which labels are seen, until settings ask for another split.
    pub split: Split,
    /// What was changed, as a line of the run says it.
    pub edits: Arc<str>,
    /// What the run is to do until an epoch, if that is known.
    pub plan: Option<Itinerary>,
}

/// What the worker is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reading the graph.
    Reading,
    /// Preparing what training stands on: a matrix, perhaps its spectrum, a model.
    Preparing,
    /// Training.
    Running,
    /// Waiting for a command.
    Paused,
    /// All epochs are done; waiting for a command.
    Finished,
}

/// A line of training: a run from its start, or a branch of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct LineId(pub u32);

/// What the worker tells, in order and without loss.
#[derive(Debug, Clone)]
pub enum Event {
    /// How far the preparation is.
    Progress(Progress),
    /// A model stands at its start.
    Ready(Arc<Ready>),
    /// An epoch is done that was not done before.
    Epoch(Scalars),
    /// The model stands at an epoch that was done before.
    At {
        /// Which.
        epoch: usize,
        /// The settings in force there.
        settings: Box<Settings>,
    },
    /// From here on it is another line, which shares the epochs before one.
    Branched {
        /// The new line.
        line: LineId,
        /// The line it parts from.
        parent: LineId,
        /// The first epoch that is its own.
        epoch: usize,
    },
    /// Another line is in hand.
    Switched(Arc<Ready>),
    /// The line in hand is kept in this folder, under this label.
    Kept(PathBuf, RunLabel),
    /// Something of a run on disk is damaged; training goes on without it.
    Damaged(String),
    /// Runs cannot be kept any more; training goes on.
    Unkept(String),
    /// The thread ends, and the line in hand is on no disk: what it is made from.
    Unsaved(Box<Record>),
    /// Other settings are in force from this epoch on.
    Changed {
        /// The epoch.
        epoch: usize,
        /// The settings.
        settings: Box<Settings>,
    },
    /// Another phase began.
    Phase(Phase),
    /// The run cannot go on as it is; other settings may help.
    Failed(String),
}

/// What a run stands on, for those who look at it.
#[derive(Clone)]
pub struct Ready {
    /// The line of training.
    pub line: LineId,
    /// The graph, matrix and operator.
    pub ground: Ground,
    /// The nodes by type.
    pub groups: Arc<Groups>,
    /// Which labels are seen.
    pub split: Split,
    /// The units of numeric targets.
    pub units: Units,
    /// The settings in force.
    pub settings: Settings,
    /// How the filter is learned, and when.
    pub filter_stage: FilterStage,
    /// Where spectra are kept.
    pub cache: Option<Cache>,
    /// What a person changed about the graph before training on it, as a line of
    /// the run says it.
    pub edits: Option<Arc<str>>,
}

impl Ready {
    /// What a trainer stands on.
    pub fn of(line: LineId, trainer: &Trainer) -> Self {
        Self {
            line,
            ground: trainer.ground().clone(),
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

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ready({} nodes)", self.ground.graph.node_count())
    }
}

/// What ends work before it is done.
#[derive(Debug, Clone, Default)]
struct Halt {
    /// The piece of work under way is to end.
    cancel: Cancel,
    /// The thread is to end.
    stopping: Arc<AtomicBool>,
}

impl Halt {
    /// A piece of work begins: what was cancelled before is over.
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

/// The other end of the training thread. Dropping it ends the thread.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{sync::Arc, time::Duration};
/// use gesf_tui::graph::{LoadOptions, load};
/// use gesf_tui::model::settings::Settings;
/// use gesf_tui::train::{Event, Phase, Start, Worker};
///
/// let read = || load("sample_graphs/karate".as_ref(), &LoadOptions::default());
/// let source = Box::new(move || match read() {
///     Ok((graph, _)) => Ok(Arc::new(graph)),
///     Err(error) => Err(error.to_string()),
/// });
/// let settings = Settings { epochs: 3, ..Settings::default() };
/// let worker = Worker::start(Start::new(source, settings), || {})?;
/// // Every epoch is told, in order, however late somebody listens.
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
    commands: Sender<Command>,
    events: Receiver<Event>,
    slot: Slot,
    cancel: Cancel,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How a graph is got; runs in the thread.
pub type Source = Box<dyn FnOnce() -> Result<Arc<Graph>, String> + Send>;

/// What a training thread begins with.
pub struct Start {
    /// How the graph is got.
    pub source: Source,
    /// The settings to begin with.
    pub settings: Settings,
    /// Where spectra are kept.
    pub cache: Option<Cache>,
    /// Whether training waits to be told.
    pub paused: bool,
    /// Where runs are kept while they go on, if anywhere.
    pub keep: Option<Keep>,
    /// The folder of a run to go on with instead of beginning one.
    pub resume: Option<PathBuf>,
    /// A run to train anew, up to an epoch.
    pub plan: Option<Itinerary>,
}

/// What a run is to do until an epoch, where it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Itinerary {
    /// Where it holds.
    pub epoch: usize,
    /// Changes of settings on the way.
    pub changes: Vec<Change>,
}

impl Start {
    /// A run that is kept nowhere and trains at once.
    pub fn new(source: Source, settings: Settings) -> Self {
        Self { source, settings, cache: None, paused: false, keep: None, resume: None, plan: None }
    }
}

impl Worker {
    /// Starts a thread that reads the graph, prepares it and, unless paused,
    /// trains. `wake` is called after every event and snapshot.
    pub fn start(start: Start, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let (outbox, events) = channel();
        let slot = Slot::default();
        let cancel = Cancel::default();
        let stopping = Arc::new(AtomicBool::new(false));
        let halt = Halt { cancel: cancel.clone(), stopping: stopping.clone() };
        let office = Office::new(inbox, outbox, slot.clone(), halt, Box::new(wake));
        let builder = std::thread::Builder::new().name("training".to_owned());
        let thread = builder.spawn(move || office.work(start))?;
        Ok(Self { commands, events, slot, cancel, stopping, thread: Some(thread) })
    }

    /// Gives a command; a thread that has ended does not hear it.
    pub fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// The next event, if there is one.
    pub fn poll(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// The next event, waited for.
    pub fn wait(&self, most: Duration) -> Option<Event> {
        self.events.recv_timeout(most).ok()
    }

    /// The newest snapshot since the last one taken.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the thread has ended.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Ends the thread and waits for it; says what it told to the end.
    pub fn finish(mut self) -> Vec<Event> {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            // A thread that broke has said so where panics are reported.
            let _ = thread.join();
        }
        self.events.try_iter().collect()
    }

    /// Cancels what the thread prepares or goes back to; training itself is
    /// stopped by commands.
    pub fn interrupt(&self) {
        self.cancel.cancel();
    }

    fn hang_up(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.cancel.cancel();
        self.send(Command::Stop);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.hang_up();
    }
}
