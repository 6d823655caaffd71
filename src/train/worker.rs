//! Training in a thread of its own: commands in, figures and snapshots out.
//!
//! Figures are lossless and in order. A snapshot is made only when the last one
//! was taken, so a slow reader costs nothing and a fast one gets the newest.
//! Neither side ever waits for the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Epoch, Predictions, Scalars, Split, State, TrainError, Trainer, change_effect};
use crate::graph::Graph;
use crate::model::settings::{Effect, Settings};
use crate::model::{Ground, Groups, ModelError, Units};
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
    /// Other settings. Where they need another model or spectrum, training
    /// starts anew.
    Set(Box<Settings>),
    /// Start anew with the settings in force.
    Restart,
    /// End the thread.
    Stop,
}

/// What the worker is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reading the graph, computing the spectrum.
    Preparing,
    /// Training.
    Running,
    /// Waiting for a command.
    Paused,
    /// All epochs are done; waiting for a command.
    Finished,
}

/// What the worker tells, in order and without loss.
#[derive(Debug, Clone)]
pub enum Event {
    /// How far the preparation is.
    Progress(Progress),
    /// A model stands at its start.
    Ready(Arc<Ready>),
    /// An epoch is done.
    Epoch(Scalars),
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
pub struct Ready {
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
}

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ready({} nodes)", self.ground.graph.node_count())
    }
}

/// A moment of the run, consistent in itself.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Its figures.
    pub scalars: Scalars,
    /// What is predicted.
    pub predictions: Predictions,
    /// Every parameter.
    pub state: State,
    /// ρ at [`Snapshot::grid`].
    pub curve: Vec<f32>,
    /// ρ at the operator's points.
    pub response: Vec<f32>,
}

impl Snapshot {
    /// Points of the filter's curve.
    pub const POINTS: usize = 401;

    /// Where the filter's curve is sampled: evenly over [-1, 1].
    pub fn grid() -> Vec<f32> {
        let last = (Self::POINTS - 1) as f32;
        (0..Self::POINTS).map(|n| 2.0 * n as f32 / last - 1.0).collect()
    }
}

type Slot = Arc<Mutex<Option<Arc<Snapshot>>>>;

/// The other end of the training thread. Dropping it ends the thread.
pub struct Worker {
    commands: Sender<Command>,
    events: Receiver<Event>,
    slot: Slot,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// How a graph is got; runs in the thread.
pub type Source = Box<dyn FnOnce() -> Result<Arc<Graph>, String> + Send>;

impl Worker {
    /// Starts a thread that reads the graph, prepares it and, unless `paused`,
    /// trains. `wake` is called after every event and snapshot.
    pub fn start(
        source: Source,
        settings: Settings,
        cache: Option<Cache>,
        paused: bool,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (commands, inbox) = channel();
        let (outbox, events) = channel();
        let slot = Slot::default();
        let cancel = Cancel::default();
        let office = Office {
            inbox,
            outbox,
            slot: slot.clone(),
            cancel: cancel.clone(),
            cache,
            settings,
            wake: Box::new(wake),
            stopped: AtomicBool::new(false),
        };
        let builder = std::thread::Builder::new().name("training".to_owned());
        let thread = builder.spawn(move || office.work(source, paused))?;
        Ok(Self { commands, events, slot, cancel, thread: Some(thread) })
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

    /// Ends the thread and waits for it.
    pub fn finish(mut self) {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    fn hang_up(&self) {
        self.cancel.cancel();
        self.send(Command::Stop);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.hang_up();
    }
}

/// The thread's side.
struct Office {
    inbox: Receiver<Command>,
    outbox: Sender<Event>,
    slot: Slot,
    cancel: Cancel,
    cache: Option<Cache>,
    settings: Settings,
    wake: Box<dyn Fn() + Send>,
    stopped: AtomicBool,
}

/// How long training goes on by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Hold,
    ToTheEnd,
    Epochs(usize),
}

impl Office {
    fn work(mut self, source: Source, paused: bool) {
        self.tell(Event::Phase(Phase::Preparing));
        let graph = match source() {
            Ok(graph) => graph,
            Err(error) => return self.tell(Event::Failed(error)),
        };
        let mut pace = if paused { Pace::Hold } else { Pace::ToTheEnd };
        let mut trainer: Option<Trainer> = None;
        let mut restart = Some(Effect::RestartsSpectrum);
        loop {
            if let Some(effect) = restart.take() {
                let kept = trainer.take().filter(|_| effect < Effect::RestartsSpectrum);
                trainer = self.begin(&graph, kept);
                match &trainer {
                    Some(trainer) if pace == Pace::Hold => self.rest(trainer),
                    Some(_) => self.tell(Event::Phase(Phase::Running)),
                    None => {}
                }
            }
            let waits = trainer.is_none() || pace == Pace::Hold;
            while let Some(command) = self.hear(waits && restart.is_none()) {
                match command {
                    Command::Stop => return,
                    Command::Pause if pace == Pace::Hold => {}
                    Command::Pause => {
                        pace = Pace::Hold;
                        if let Some(trainer) = &trainer {
                            self.rest(trainer);
                        }
                    }
                    Command::Resume => pace = self.go(Pace::ToTheEnd),
                    Command::Step => pace = self.go(Pace::Epochs(1)),
                    Command::Run(epochs) => pace = self.go(Pace::Epochs(epochs)),
                    Command::Restart => restart = restart.max(Some(Effect::RestartsModel)),
                    Command::Set(settings) => {
                        restart = restart.max(self.change(trainer.as_mut(), *settings));
                    }
                }
                if pace != Pace::Hold || restart.is_some() {
                    break;
                }
            }
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            if restart.is_none()
                && let Some(trainer) = &mut trainer
            {
                pace = self.train(trainer, pace);
            }
        }
    }

    fn tell(&self, event: Event) {
        // A reader that went away will end this thread by its hanging up.
        let _ = self.outbox.send(event);
        (self.wake)();
    }

    /// The next command, waited for where there is nothing else to do.
    fn hear(&self, waits: bool) -> Option<Command> {
        if waits {
            return match self.inbox.recv_timeout(Duration::from_secs(3600)) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Command::Stop),
            };
        }
        match self.inbox.try_recv() {
            Ok(command) => Some(command),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Command::Stop),
        }
    }

    /// A model at its start, on the ground of the one before where it can stay.
    fn begin(&self, graph: &Arc<Graph>, before: Option<Trainer>) -> Option<Trainer> {
        self.tell(Event::Phase(Phase::Preparing));
        let ground = match before {
            Some(trainer) => Ok(trainer.ground().clone()),
            None => Ground::prepare(
                graph,
                &self.settings,
                self.cache.as_ref(),
                &self.cancel,
                &mut |progress| self.tell(Event::Progress(progress)),
            ),
        };
        let trainer = ground
            .map_err(TrainError::from)
            .and_then(|ground| Trainer::new(ground, self.settings.clone()));
        let trainer = match trainer {
            Ok(trainer) => trainer,
            Err(error) => {
                let cancelled = matches!(&error, TrainError::Model(ModelError::Spectral(cause))
                    if cause.is_cancelled());
                self.stopped.store(cancelled, Ordering::Relaxed);
                self.tell(Event::Failed(error.to_string()));
                return None;
            }
        };
        self.tell(Event::Ready(Arc::new(Ready {
            ground: trainer.ground().clone(),
            groups: trainer.model().groups().clone(),
            split: trainer.split().clone(),
            units: trainer.units(),
            settings: self.settings.clone(),
        })));
        Some(trainer)
    }

    /// Takes other settings; says what has to start anew for them.
    fn change(&mut self, trainer: Option<&mut Trainer>, settings: Settings) -> Option<Effect> {
        let effect = change_effect(&self.settings, &settings)?;
        self.settings = settings;
        let Some(trainer) = trainer else { return Some(Effect::RestartsSpectrum) };
        if !trainer.change(&self.settings) {
            return Some(effect);
        }
        let (epoch, settings) = (trainer.epoch(), Box::new(self.settings.clone()));
        self.tell(Event::Changed { epoch, settings });
        None
    }

    /// One epoch, if the pace asks for one; says the pace that follows.
    fn train(&self, trainer: &mut Trainer, pace: Pace) -> Pace {
        let next = match pace {
            Pace::Hold => return Pace::Hold,
            Pace::ToTheEnd if trainer.is_done() => {
                self.rest(trainer);
                return Pace::Hold;
            }
            Pace::ToTheEnd => Pace::ToTheEnd,
            Pace::Epochs(left) => Pace::Epochs(left.saturating_sub(1)),
        };
        let wanted = self.slot.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let seen = if wanted { Self::look(trainer) } else { None };
        match trainer.step() {
            Ok(epoch) => {
                self.tell(Event::Epoch(epoch.scalars.clone()));
                if let Some(seen) = seen {
                    self.show(seen, epoch);
                }
            }
            Err(error) => {
                self.tell(Event::Failed(error.to_string()));
                self.rest(trainer);
                return Pace::Hold;
            }
        }
        let ends = next == Pace::Epochs(0) || (next == Pace::ToTheEnd && trainer.is_done());
        if !ends {
            return next;
        }
        self.rest(trainer);
        Pace::Hold
    }

    fn go(&self, pace: Pace) -> Pace {
        self.tell(Event::Phase(Phase::Running));
        pace
    }

    /// Shows the model as it stays until the next command.
    fn rest(&self, trainer: &Trainer) {
        self.show_still(trainer);
        let phase = if trainer.is_done() { Phase::Finished } else { Phase::Paused };
        self.tell(Event::Phase(phase));
    }

    /// The parameters and the filter as they are before a step.
    fn look(trainer: &Trainer) -> Option<(State, Vec<f32>, Vec<f32>)> {
        let curve = trainer.filter_at(&Snapshot::grid()).ok()?;
        let response = trainer.filter_at(trainer.ground().operator.points()).ok()?;
        Some((trainer.view().ok()?, curve, response))
    }

    fn show(&self, (state, curve, response): (State, Vec<f32>, Vec<f32>), epoch: Epoch) {
        let Epoch { scalars, predictions } = epoch;
        let snapshot = Snapshot { scalars, predictions, state, curve, response };
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        (self.wake)();
    }

    /// A snapshot of a model that does not move: it replaces one not yet taken.
    fn show_still(&self, trainer: &Trainer) {
        if let (Some(seen), Ok(epoch)) = (Self::look(trainer), trainer.evaluate()) {
            self.show(seen, epoch);
        }
    }
}
