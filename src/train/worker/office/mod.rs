//! The thread's side: hears commands between two epochs, trains, tells.

mod epochs;
mod lines;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use super::keeping::Keep;
use super::lines::{Lines, MEMORY};
use super::{Command, Event, Halt, Itinerary, Phase, Replacement, Slot, Start};
use crate::graph::Graph;
use crate::model::settings::{Effect, Settings, change_effect};
use crate::spectral::Cache;
use crate::train::run::RunError;
use crate::train::{Past, Split, Trainer};

pub(super) struct Office {
    inbox: Receiver<Command>,
    outbox: Sender<Event>,
    slot: Slot,
    halt: Halt,
    wake: Box<dyn Fn() + Send>,
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
            lines: Lines::default(),
            replaced: None,
            ahead: None,
        }
    }

    /// Works until it is told to stop; the run is left in order.
    pub(super) fn work(mut self, start: Start) {
        let Start { source, settings, cache, paused, keep, resume, plan } = start;
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
            self.tell(Event::Unsaved(Box::new(keep.record(&graph, &line.past))));
        }
        self.lines.each(|line| {
            if let Some(kept) = line.kept.take() {
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
                let plan = self.replaced.as_mut().and_then(|own| own.plan.take());
                let graph = self.replaced.as_ref().map_or(graph, |own| &own.graph).clone();
                *trainer = self.begin(&graph, ground);
                if let Some(plan) = plan {
                    pace = self.follow(&plan);
                }
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
                    Command::Set(changes) => {
                        let mut settings = self.settings.clone();
                        for change in &changes {
                            change.apply(&mut settings);
                        }
                        restart = restart.max(self.change(graph, trainer.as_mut(), settings));
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
                    Command::TakeUp(path) => {
                        pace = Pace::Hold;
                        self.take_up_beside(graph, trainer, &path);
                    }
                    Command::Label(line, label) => self.label(line, label),
                    Command::Forget(line) => self.lines.forget(line),
                }
                if pace != Pace::Hold || restart.is_some() {
                    break;
                }
            }
            if self.halt.is_stopping() {
                return;
            }
            if restart.is_none()
                && let Some(trainer) = trainer
            {
                pace = self.train(trainer, pace);
            }
        }
    }

    /// Takes up a plan at the start of a line.
    fn follow(&mut self, plan: &Itinerary) -> Pace {
        if let Some(line) = self.lines.now_mut() {
            line.past = Past::new(line.past.start().clone(), MEMORY).with_changes(&plan.changes);
            // The run on disk holds the plan from the start, however early it is left.
            let written = line.kept.as_mut().map(|kept| kept.change(&line.past));
            self.heed_in_hand(written);
        }
        if plan.epoch > 0 { Pace::Epochs(plan.epoch) } else { Pace::Hold }
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

    /// What could be kept; where it could not, that is said once and training
    /// goes on without.
    fn heed<T>(&mut self, kept: Result<T, RunError>) -> Option<T> {
        kept.map_err(|error| self.tell(Event::Unkept(error.to_string()))).ok()
    }

    /// The line in hand is no longer kept where the disk refused to.
    pub(super) fn heed_in_hand(&mut self, written: Option<Result<(), RunError>>) {
        if written.is_some_and(|written| self.heed(written).is_none())
            && let Some(line) = self.lines.now_mut()
        {
            line.kept = None;
        }
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
        let Some(effect) = change_effect(&self.settings, &settings) else {
            // Whoever asked waits for an answer, even if nothing is to be done.
            if let Some(trainer) = trainer {
                self.changed(trainer.epoch(), settings);
            }
            return None;
        };
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
            self.heed_in_hand(written);
        }
        self.changed(epoch, settings);
        None
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

    /// Keeps the state of the line, where the model stands at its end.
    fn save(&mut self, trainer: &Trainer) {
        let Some(line) = self.lines.now_mut() else { return };
        let newest = trainer.epoch() == line.done && line.done > 0;
        let written = line.kept.as_mut().filter(|_| newest).map(|kept| kept.save(trainer));
        self.heed_in_hand(written);
    }
}
