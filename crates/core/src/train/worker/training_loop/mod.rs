//! The training thread: handles commands between epochs, trains and reports.

mod branches;
mod epochs;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

use super::branches::Lines;
use super::saving::SaveTarget;
use super::{
    CHECKPOINT_MEMORY, Event, Halt, Phase, Replacement, ReplayPlan, Slot, Start, TrainingCommand,
};
use crate::model::settings::{AppliesAt, Settings, change_effect};
use crate::train::run::RunError;
use crate::train::{CheckpointHistory, Split, Trainer};
use gesf_graph::Graph;
use gesf_spectral::Cache;

pub(super) struct TrainingLoop {
    inbox: Receiver<TrainingCommand>,
    outbox: Sender<Event>,
    slot: Slot,
    halt: Halt,
    wake: Box<dyn Fn() + Send>,
    cache: Option<Cache>,
    keep: Option<SaveTarget>,
    settings: Settings,
    lines: Lines,
    /// The edited graph that replaced the original one.
    replaced: Option<Replacement>,
    /// The minimum time between two epochs, if a speed is set.
    interval: Duration,
    /// When the next epoch may begin.
    due: Instant,
    /// A command that was received but not yet handled.
    ahead: Option<TrainingCommand>,
}

/// How long training continues without a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Hold,
    ToTheEnd,
    Epochs(usize),
}

impl TrainingLoop {
    pub(super) fn new(
        inbox: Receiver<TrainingCommand>,
        outbox: Sender<Event>,
        slot: Slot,
        halt: Halt,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            inbox,
            outbox,
            slot,
            halt,
            wake,
            cache: None,
            keep: None,
            settings: Settings::default(),
            lines: Lines::new(CHECKPOINT_MEMORY),
            replaced: None,
            interval: Duration::ZERO,
            due: Instant::now(),
            ahead: None,
        }
    }

    /// Runs until it is stopped; closes the run cleanly.
    pub(super) fn work(mut self, start: Start) {
        let Start { source, settings, cache, paused, keep, resume, plan, checkpoint_memory } =
            start;
        self.lines = Lines::new(checkpoint_memory);
        (self.settings, self.cache, self.keep) = (settings, cache, keep);
        self.tell(Event::Phase(Phase::Reading));
        let graph = match source() {
            Ok(graph) => graph,
            Err(error) => return self.tell(Event::Failed(error)),
        };
        let mut trainer = None;
        if let Some(run) = resume {
            trainer = self.take_up(&graph, &run);
        }
        let mut pace = if paused { Pace::Hold } else { Pace::ToTheEnd };
        if let Some(plan) = plan {
            trainer = self.begin(&graph, None);
            pace = self.follow(&plan);
        }
        self.keep_busy(&graph, &mut trainer, pace);
        if let Some(trainer) = &trainer {
            self.save(trainer);
        }
        if let (Some(keep), Some(line)) = (&self.keep, self.lines.now())
            && line.kept.is_none()
        {
            self.tell(Event::Unsaved(Box::new(keep.record(&graph, &line.history))));
        }
        self.lines.each(|line| {
            if let Some(kept) = line.kept.take() {
                kept.close();
            }
        });
    }

    fn keep_busy(&mut self, graph: &Arc<Graph>, trainer: &mut Option<Trainer>, mut pace: Pace) {
        let mut restart = trainer.is_none().then_some(AppliesAt::RestartsSpectrum);
        if let Some(trainer) = trainer {
            pace = self.begin_pace(trainer, pace);
        }
        loop {
            if let Some(effect) = restart.take() {
                let prepared = trainer.take().map(|trainer| trainer.prepared().clone());
                let prepared = prepared.filter(|_| effect < AppliesAt::RestartsSpectrum);
                let plan = self.replaced.as_mut().and_then(|own| own.plan.take());
                let graph = self.replaced.as_ref().map_or(graph, |own| &own.graph).clone();
                *trainer = self.begin(&graph, prepared);
                if let Some(plan) = plan {
                    pace = self.follow(&plan);
                }
                if let Some(trainer) = trainer {
                    pace = self.begin_pace(trainer, pace);
                }
            }
            let rests = (trainer.is_none() || pace == Pace::Hold) && restart.is_none();
            while let Some(command) = self.hear(rests) {
                match command {
                    TrainingCommand::Stop => return,
                    TrainingCommand::Pause if pace == Pace::Hold => {}
                    TrainingCommand::Pause => {
                        pace = Pace::Hold;
                        self.rest(trainer.as_ref());
                    }
                    TrainingCommand::Resume => pace = self.go(Pace::ToTheEnd),
                    TrainingCommand::Step => pace = self.go(Pace::Epochs(1)),
                    TrainingCommand::Run(epochs) => pace = self.go(Pace::Epochs(epochs)),
                    TrainingCommand::Speed(most) => {
                        let seconds = most.map_or(0.0, |most| f64::from(most.max(0.01)).recip());
                        self.interval = Duration::from_secs_f64(seconds);
                        self.due = Instant::now() + self.interval.min(self.until_due());
                    }
                    TrainingCommand::Restart => {
                        restart = restart.max(Some(AppliesAt::RestartsModel));
                    }
                    TrainingCommand::Replace(replacement) => {
                        self.replaced = Some(*replacement);
                        restart = Some(AppliesAt::RestartsSpectrum);
                    }
                    TrainingCommand::Set(changes) => {
                        let mut settings = self.settings.clone();
                        for change in &changes {
                            change.apply(&mut settings);
                        }
                        restart = restart.max(self.change(graph, trainer.as_mut(), settings));
                    }
                    TrainingCommand::GoTo(epoch) => {
                        pace = Pace::Hold;
                        let epoch = self.last_asked(epoch);
                        self.go_to(trainer.as_mut(), epoch);
                    }
                    TrainingCommand::Switch(line) => {
                        pace = Pace::Hold;
                        self.switch(trainer, line);
                    }
                    TrainingCommand::TakeUp(path) => {
                        pace = Pace::Hold;
                        self.take_up_beside(graph, trainer, &path);
                    }
                    TrainingCommand::Label(line, label) => self.label(line, label),
                    TrainingCommand::Forget(line) => self.lines.forget(line),
                }
                if pace != Pace::Hold || restart.is_some() {
                    break;
                }
            }
            if self.halt.is_stopping() {
                return;
            }
            if restart.is_none()
                && self.until_due().is_zero()
                && let Some(trainer) = trainer
            {
                let start = Instant::now();
                pace = self.train(trainer, pace);
                self.due = start + self.interval;
            }
        }
    }

    /// Starts a plan on a new branch.
    fn follow(&mut self, plan: &ReplayPlan) -> Pace {
        let memory = self.lines.memory();
        if let Some(line) = self.lines.now_mut() {
            line.history = CheckpointHistory::new(line.history.start().clone(), memory)
                .with_changes(&plan.changes);
            // The saved run has the whole plan from the start, however early it
            // stops.
            let written = line.kept.as_mut().map(|kept| kept.change(&line.history));
            self.check_current_saved(written);
        }
        if plan.epoch > 0 { Pace::Epochs(plan.epoch) } else { Pace::Hold }
    }

    fn tell(&self, event: Event) {
        // If the reader is gone, its closed channel will end this thread.
        let _ = self.outbox.send(event);
        (self.wake)();
    }

    /// How long the next epoch has to wait.
    fn until_due(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// The next command; blocks if there is nothing else to do.
    fn hear(&mut self, rests: bool) -> Option<TrainingCommand> {
        if let Some(command) = self.ahead.take() {
            return Some(command);
        }
        let patience = if rests { Duration::from_secs(3600) } else { self.until_due() };
        if !patience.is_zero() {
            return match self.inbox.recv_timeout(patience) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(TrainingCommand::Stop),
            };
        }
        match self.inbox.try_recv() {
            Ok(command) => Some(command),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(TrainingCommand::Stop),
        }
    }

    /// Unwraps a saved result. A failure is reported once, and training continues
    /// without saving.
    fn check_saved<T>(&mut self, kept: Result<T, RunError>) -> Option<T> {
        kept.map_err(|error| self.tell(Event::NotSaved(error.to_string()))).ok()
    }

    /// Stops saving the current branch after a disk error.
    pub(super) fn check_current_saved(&mut self, written: Option<Result<(), RunError>>) {
        if written.is_some_and(|written| self.check_saved(written).is_none())
            && let Some(line) = self.lines.now_mut()
        {
            line.kept = None;
        }
    }

    fn changed(&mut self, epoch: usize, settings: Settings) {
        self.settings = settings.clone();
        self.tell(Event::Changed { epoch, settings: Box::new(settings) });
    }

    /// Applies other settings; returns what has to restart for them.
    fn change(
        &mut self,
        graph: &Graph,
        trainer: Option<&mut Trainer>,
        settings: Settings,
    ) -> Option<AppliesAt> {
        let Some(effect) = change_effect(&self.settings, &settings) else {
            // The sender expects a reply even if nothing changes.
            if let Some(trainer) = trainer {
                self.changed(trainer.epoch(), settings);
            }
            return None;
        };
        let Some(trainer) = trainer else {
            self.settings = settings;
            return Some(AppliesAt::RestartsSpectrum);
        };
        if !trainer.change(&settings) {
            let asks = |own: &Settings| (own.labelled, own.stratified, own.seed);
            if asks(&self.settings) != asks(&settings)
                && let Some(own) = &mut self.replaced
            {
                own.split = Split::of(&own.graph, &settings);
            }
            self.settings = settings;
            return Some(effect);
        }
        let epoch = trainer.epoch();
        self.branch(graph, epoch);
        if let Some(line) = self.lines.now_mut() {
            line.history.change(epoch, settings.clone());
            let written = line.kept.as_mut().map(|kept| kept.change(&line.history));
            self.check_current_saved(written);
        }
        self.changed(epoch, settings);
        None
    }

    fn go(&mut self, pace: Pace) -> Pace {
        self.due = Instant::now();
        self.tell(Event::Phase(Phase::Running));
        pace
    }

    /// Continues at a pace, or pauses at its start.
    fn begin_pace(&mut self, trainer: &Trainer, pace: Pace) -> Pace {
        if pace == Pace::Hold || (pace == Pace::ToTheEnd && trainer.is_done()) {
            self.rest(Some(trainer));
            return Pace::Hold;
        }
        self.go(pace)
    }

    /// Saves the state of the branch if the model is at its last epoch.
    fn save(&mut self, trainer: &Trainer) {
        let Some(line) = self.lines.now_mut() else { return };
        let newest = trainer.epoch() == line.done && line.done > 0;
        let written = line.kept.as_mut().filter(|_| newest).map(|kept| kept.save(trainer));
        self.check_current_saved(written);
    }
}
