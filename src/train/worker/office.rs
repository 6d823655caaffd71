//! The thread's side: hears commands between two epochs, trains, tells.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::keeping::{Keep, Kept};
use super::lines::{Line, Lines, MEMORY};
use super::{Command, Event, LineId, Phase, Ready, Replacement, Slot, Snapshot, Start};
use crate::graph::Graph;
use crate::model::settings::{Effect, Settings};
use crate::model::{Ground, ModelError};
use crate::spectral::{Cache, Cancel};
use crate::train::run::{RunError, RunFolder, metrics};
use crate::train::{Epoch, Past, Split, State, TrainError, Trainer, change_effect};

pub(super) struct Office {
    inbox: Receiver<Command>,
    outbox: Sender<Event>,
    slot: Slot,
    cancel: Cancel,
    wake: Box<dyn Fn() + Send>,
    stopped: AtomicBool,
    cache: Option<Cache>,
    keep: Option<Keep>,
    settings: Settings,
    lines: Lines,
    /// The graph that took the place of the one it began with.
    replaced: Option<Replacement>,
    /// A command that was heard and is still to be heeded.
    ahead: Option<Command>,
}

/// How long training goes on by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Hold,
    ToTheEnd,
    Epochs(usize),
}

impl Office {
    pub(super) fn new(
        inbox: Receiver<Command>,
        outbox: Sender<Event>,
        slot: Slot,
        cancel: Cancel,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            inbox,
            outbox,
            slot,
            cancel,
            wake,
            stopped: AtomicBool::new(false),
            cache: None,
            keep: None,
            settings: Settings::default(),
            lines: Lines::default(),
            replaced: None,
            ahead: None,
        }
    }

    /// Works until it is told to stop; the run is left in order.
    pub(super) fn work(mut self, start: Start) {
        let Start { source, settings, cache, paused, keep, resume, plan } = start;
        (self.settings, self.cache, self.keep) = (settings, cache, keep);
        self.tell(Event::Phase(Phase::Preparing));
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
            if let Some(line) = self.lines.now_mut() {
                line.past =
                    Past::new(line.past.start().clone(), MEMORY).with_changes(&plan.changes);
            }
            pace = if plan.epoch > 0 { Pace::Epochs(plan.epoch) } else { Pace::Hold };
        }
        self.keep_busy(&graph, &mut trainer, pace);
        if let Some(trainer) = &trainer {
            self.save(trainer);
        }
        self.lines.each(|line| {
            if let Some(kept) = &mut line.kept {
                kept.close();
            }
        });
    }

    fn keep_busy(&mut self, graph: &Arc<Graph>, trainer: &mut Option<Trainer>, mut pace: Pace) {
        let mut restart = trainer.is_none().then_some(Effect::RestartsSpectrum);
        if let Some(trainer) = trainer {
            pace = self.begin_pace(trainer, pace);
        }
        loop {
            if let Some(effect) = restart.take() {
                let ground = trainer.take().map(|trainer| trainer.ground().clone());
                let ground = ground.filter(|_| effect < Effect::RestartsSpectrum);
                let graph = self.replaced.as_ref().map_or(graph, |own| &own.graph).clone();
                *trainer = self.begin(&graph, ground);
                if let Some(trainer) = trainer {
                    pace = self.begin_pace(trainer, pace);
                }
            }
            let waits = trainer.is_none() || pace == Pace::Hold;
            while let Some(command) = self.hear(waits && restart.is_none()) {
                match command {
                    Command::Stop => return,
                    Command::Pause if pace == Pace::Hold => {}
                    Command::Pause => {
                        pace = Pace::Hold;
                        self.rest(trainer.as_ref());
                    }
                    Command::Resume => pace = self.go(Pace::ToTheEnd),
                    Command::Step => pace = self.go(Pace::Epochs(1)),
                    Command::Run(epochs) => pace = self.go(Pace::Epochs(epochs)),
                    Command::Restart => restart = restart.max(Some(Effect::RestartsModel)),
                    Command::Replace(replacement) => {
                        self.replaced = Some(*replacement);
                        restart = Some(Effect::RestartsSpectrum);
                    }
                    Command::Set(settings) => {
                        restart = restart.max(self.change(graph, trainer.as_mut(), *settings));
                    }
                    Command::GoTo(epoch) => {
                        pace = Pace::Hold;
                        let epoch = self.last_asked(epoch);
                        self.go_to(trainer.as_mut(), epoch);
                    }
                    Command::Switch(line) => {
                        pace = Pace::Hold;
                        self.switch(trainer, line);
                    }
                    Command::Forget(line) => self.lines.forget(line),
                }
                if pace != Pace::Hold || restart.is_some() {
                    break;
                }
            }
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            if restart.is_none()
                && let Some(trainer) = trainer
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
    fn hear(&mut self, waits: bool) -> Option<Command> {
        if let Some(command) = self.ahead.take() {
            return Some(command);
        }
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

    /// A model at its start, on a ground that is there already or a new one.
    fn begin(&mut self, graph: &Arc<Graph>, ground: Option<Ground>) -> Option<Trainer> {
        let settings = self.settings.clone();
        let trainer = self.prepare(graph, ground, &settings)?;
        let past = Past::new(settings, MEMORY);
        let keep = self.keep.as_ref().filter(|_| self.replaced.is_none());
        let kept = keep.map(|keep| keep.begin(graph, &past, None));
        self.take_line(&trainer, past, kept, 0);
        Some(trainer)
    }

    fn prepare(
        &mut self,
        graph: &Arc<Graph>,
        ground: Option<Ground>,
        settings: &Settings,
    ) -> Option<Trainer> {
        self.tell(Event::Phase(Phase::Preparing));
        let ground = ground.map_or_else(
            || {
                let tell = &mut |progress| self.tell(Event::Progress(progress));
                // A graph as the model saw it is weighed already.
                let rarity = settings.rarity && self.replaced.is_none();
                let seen = Settings { rarity, ..settings.clone() };
                Ground::prepare(graph, &seen, self.cache.as_ref(), &self.cancel, tell)
            },
            Ok,
        );
        let split = self.replaced.as_ref().map(|own| own.split.clone());
        let trainer = ground.map_err(TrainError::from).and_then(|own| match split {
            Some(split) => Trainer::with_split(own, settings.clone(), split),
            None => Trainer::new(own, settings.clone()),
        });
        match trainer {
            Ok(trainer) => Some(trainer),
            Err(error) => {
                let cancelled = matches!(&error, TrainError::Model(ModelError::Spectral(cause))
                    if cause.is_cancelled());
                self.stopped.store(cancelled, Ordering::Relaxed);
                self.tell(Event::Failed(error.to_string()));
                None
            }
        }
    }

    /// Takes a new line in hand and tells of it.
    fn take_line(
        &mut self,
        trainer: &Trainer,
        past: Past,
        kept: Option<Result<Kept, RunError>>,
        done: usize,
    ) {
        let id = self.lines.new_id();
        let ready = Arc::new(Ready::of(id, trainer));
        let kept = kept.and_then(|kept| self.heed(kept));
        let path = kept.as_ref().map(|kept| kept.path().to_owned());
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Line { id, past, done, newest, kept, ready: ready.clone(), replaced });
        self.tell(Event::Ready(ready));
        if let Some(path) = path {
            self.tell(Event::Kept(path));
        }
    }

    /// What could be kept; where it could not, that is said once and training
    /// goes on without.
    fn heed<T>(&mut self, kept: Result<T, RunError>) -> Option<T> {
        kept.map_err(|error| {
            self.keep = None;
            self.tell(Event::Unkept(error.to_string()));
        })
        .ok()
    }

    /// Goes on with a run on disk: tells its past and stands at its end.
    fn take_up(&mut self, graph: &Arc<Graph>, path: &Path) -> Option<Trainer> {
        let opened = RunFolder::open(path).and_then(|own| Ok((own, metrics(path)?)));
        let ((folder, record, state), figures) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.tell(Event::Failed(error.to_string()));
                return None;
            }
        };
        let done = state.as_ref().map_or(0, |state| state.epoch);
        self.settings = record.settings.clone();
        let mut trainer = self.prepare(graph, None, &record.settings.clone())?;
        let mut past = Past::new(record.settings.clone(), MEMORY).with_changes(&record.changes);
        if let Some(state) = state {
            if let Err(error) = trainer.restore(&state) {
                self.tell(Event::Failed(error.to_string()));
                return None;
            }
            past.keep(Arc::new(state));
        }
        let changes = record.changes.clone();
        let kept = Kept::new(folder, record);
        self.take_line(&trainer, past, Some(Ok(kept)), done);
        let mut changes = changes.into_iter().peekable();
        for scalars in figures.into_iter().take(done) {
            while let Some(change) = changes.next_if(|change| change.epoch <= scalars.epoch) {
                self.changed(change.epoch, change.settings);
            }
            self.tell(Event::Epoch(scalars));
        }
        changes.for_each(|change| self.changed(change.epoch, change.settings));
        trainer.change(&self.settings);
        Some(trainer)
    }

    fn changed(&mut self, epoch: usize, settings: Settings) {
        self.settings = settings.clone();
        self.tell(Event::Changed { epoch, settings: Box::new(settings) });
    }

    /// Takes other settings; says what has to start anew for them.
    fn change(
        &mut self,
        graph: &Graph,
        trainer: Option<&mut Trainer>,
        settings: Settings,
    ) -> Option<Effect> {
        let effect = change_effect(&self.settings, &settings)?;
        let Some(trainer) = trainer else {
            self.settings = settings;
            return Some(Effect::RestartsSpectrum);
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
            line.past.change(epoch, settings.clone());
            let written = line.kept.as_mut().map(|kept| kept.change(&line.past));
            if let Some(written) = written {
                self.heed(written);
            }
        }
        self.changed(epoch, settings);
        None
    }

    /// Parts from the line in hand where the model stands in its past.
    fn branch(&mut self, graph: &Graph, epoch: usize) {
        if self.lines.now().is_none_or(|line| epoch >= line.done) {
            return;
        }
        let id = self.lines.new_id();
        let Some(line) = self.lines.now() else { return };
        let (past, parent) = (line.past.branch(epoch), line.id);
        let from = line.kept.as_ref().map(|kept| (kept, epoch));
        let keep = self.keep.as_ref().filter(|_| self.replaced.is_none());
        let kept = keep.map(|keep| keep.begin(graph, &past, from));
        let ready = Arc::new(Ready { line: id, ..line.ready.as_ref().clone() });
        let kept = kept.and_then(|kept| self.heed(kept));
        let path = kept.as_ref().map(|kept| kept.path().to_owned());
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Line { id, past, done: epoch, newest, kept, ready, replaced });
        self.tell(Event::Branched { line: id, parent, epoch });
        if let Some(path) = path {
            self.tell(Event::Kept(path));
        }
    }

    /// Of several epochs asked for one after the other, the last.
    fn last_asked(&mut self, mut epoch: usize) -> usize {
        while let Some(command) = self.hear(false) {
            match command {
                Command::GoTo(newer) => epoch = newer,
                other => {
                    self.ahead = Some(other);
                    break;
                }
            }
        }
        epoch
    }

    /// Stands at an epoch of the past.
    fn go_to(&mut self, trainer: Option<&mut Trainer>, epoch: usize) {
        let (Some(trainer), Some(line)) = (trainer, self.lines.now_mut()) else { return };
        let epoch = epoch.min(line.done);
        line.set_aside(trainer);
        let (ground, split) = (trainer.ground().clone(), line.ready.split.clone());
        let anew = |settings: &Settings| Trainer::with_split(ground, settings.clone(), split);
        let newest = line.newest.as_ref().filter(|own| own.epoch == epoch);
        let moved = newest.map_or(Ok(()), |newest| trainer.restore(newest));
        let moved = moved.and_then(|()| line.past.travel(trainer, epoch, &self.cancel, anew));
        if let Err(error) = moved {
            self.tell(Event::Failed(error.to_string()));
        }
        self.stand(trainer);
    }

    /// Tells where the model stands and with which settings.
    fn stand(&mut self, trainer: &Trainer) {
        let settings = trainer.settings().clone();
        self.settings = settings.clone();
        self.tell(Event::At { epoch: trainer.epoch(), settings: Box::new(settings) });
        self.rest(Some(trainer));
    }

    /// Goes to the newest epoch of another line.
    fn switch(&mut self, trainer: &mut Option<Trainer>, id: LineId) {
        if let (Some(trainer), Some(line)) = (trainer.as_ref(), self.lines.now_mut()) {
            line.set_aside(trainer);
        }
        if !self.lines.switch(id) {
            return;
        }
        let Some(line) = self.lines.now() else { return };
        let (ready, replaced) = (line.ready.clone(), line.replaced.clone());
        let settings = line.past.settings_at(line.done).clone();
        let anew = |settings: &Settings| {
            Trainer::with_split(ready.ground.clone(), settings.clone(), ready.split.clone())
        };
        let made = anew(&settings).and_then(|mut own| {
            match &line.newest {
                Some(newest) => own.restore(newest)?,
                None => line.past.travel(&mut own, line.done, &self.cancel, anew)?,
            }
            Ok(own)
        });
        match made {
            Ok(made) => {
                self.replaced = replaced;
                self.tell(Event::Switched(ready));
                self.stand(&made);
                *trainer = Some(made);
            }
            Err(error) => self.tell(Event::Failed(error.to_string())),
        }
    }

    /// One epoch, if the pace asks for one; says the pace that follows.
    fn train(&mut self, trainer: &mut Trainer, pace: Pace) -> Pace {
        let next = match pace {
            Pace::Hold => return Pace::Hold,
            Pace::ToTheEnd if trainer.is_done() => {
                self.rest(Some(trainer));
                return Pace::Hold;
            }
            Pace::ToTheEnd => Pace::ToTheEnd,
            Pace::Epochs(left) => Pace::Epochs(left.saturating_sub(1)),
        };
        let wanted = self.slot.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let seen = if wanted { look(trainer) } else { None };
        if let Some(line) = self.lines.now_mut() {
            line.remember(trainer);
            if let Some(change) = line.past.change_at(trainer.epoch()).cloned() {
                trainer.change(&change.settings);
                let planned = trainer.epoch() == line.done && self.settings != change.settings;
                if planned {
                    self.changed(change.epoch, change.settings);
                }
            }
        }
        match trainer.step() {
            Ok(epoch) => {
                self.done(trainer, &epoch);
                if let Some(seen) = seen {
                    self.show(seen, epoch);
                }
            }
            Err(error) => {
                self.tell(Event::Failed(error.to_string()));
                self.rest(Some(trainer));
                return Pace::Hold;
            }
        }
        let ends = next == Pace::Epochs(0) || (next == Pace::ToTheEnd && trainer.is_done());
        if !ends {
            return next;
        }
        self.rest(Some(trainer));
        Pace::Hold
    }

    /// An epoch is done: for the first time, or once more.
    fn done(&mut self, trainer: &Trainer, epoch: &Epoch) {
        let Some(line) = self.lines.now_mut() else { return };
        if trainer.epoch() <= line.done {
            self.settings = trainer.settings().clone();
            let settings = Box::new(self.settings.clone());
            return self.tell(Event::At { epoch: trainer.epoch(), settings });
        }
        line.done = trainer.epoch();
        let written = line.kept.as_mut().map(|kept| kept.epoch(&epoch.scalars, trainer));
        if let Some(written) = written
            && self.heed(written).is_none()
            && let Some(line) = self.lines.now_mut()
        {
            line.kept = None;
        }
        self.tell(Event::Epoch(epoch.scalars.clone()));
    }

    fn go(&self, pace: Pace) -> Pace {
        self.tell(Event::Phase(Phase::Running));
        pace
    }

    /// Goes on at a pace, or rests at its start.
    fn begin_pace(&mut self, trainer: &Trainer, pace: Pace) -> Pace {
        if pace == Pace::Hold || (pace == Pace::ToTheEnd && trainer.is_done()) {
            self.rest(Some(trainer));
            return Pace::Hold;
        }
        self.go(pace)
    }

    /// Shows the model as it stays until the next command, and keeps it.
    fn rest(&mut self, trainer: Option<&Trainer>) {
        let Some(trainer) = trainer else { return };
        // A snapshot of a model that does not move replaces one not yet taken.
        if let (Some(seen), Ok(epoch)) = (look(trainer), trainer.evaluate()) {
            self.show(seen, epoch);
        }
        let phase = if trainer.is_done() { Phase::Finished } else { Phase::Paused };
        self.tell(Event::Phase(phase));
        self.save(trainer);
    }

    /// Keeps the state of the line, where the model stands at its end.
    fn save(&mut self, trainer: &Trainer) {
        let Some(line) = self.lines.now_mut() else { return };
        let newest = trainer.epoch() == line.done && line.done > 0;
        let written = line.kept.as_mut().filter(|_| newest).map(|kept| kept.save(trainer));
        if let Some(written) = written {
            self.heed(written);
        }
    }

    fn show(&self, (state, curve, response): (State, Vec<f32>, Vec<f32>), epoch: Epoch) {
        let Epoch { scalars, predictions } = epoch;
        let snapshot = Snapshot { scalars, predictions, state, curve, response };
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        (self.wake)();
    }
}

/// The parameters and the filter as they are before a step.
fn look(trainer: &Trainer) -> Option<(State, Vec<f32>, Vec<f32>)> {
    let curve = trainer.filter_at(&Snapshot::grid()).ok()?;
    let response = trainer.filter_at(trainer.ground().operator.points()).ok()?;
    Some((trainer.view().ok()?, curve, response))
}
