//! Lines of the run: begun, taken up from disk, parted from, gone back in.

use std::path::Path;
use std::sync::Arc;

use super::Office;
use crate::graph::Graph;
use crate::model::settings::Settings;
use crate::model::{Ground, ModelError};
use crate::train::run::{RunError, RunFolder, RunLabel, metrics};
use crate::train::worker::keeping::Kept;
use crate::train::worker::lines::{Line, MEMORY};
use crate::train::worker::{Command, Event, LineId, Phase, Ready};
use crate::train::{Past, TrainError, Trainer};

impl Office {
    /// A model at its start, on a ground that is there already or a new one.
    pub(super) fn begin(&mut self, graph: &Arc<Graph>, ground: Option<Ground>) -> Option<Trainer> {
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
        let cancel = self.halt.begin().clone();
        let ground = ground.map_or_else(
            || {
                let tell = &mut |progress| self.tell(Event::Progress(progress));
                // A graph as the model saw it is weighed already.
                let rarity = settings.rarity && self.replaced.is_none();
                let seen = Settings { rarity, ..settings.clone() };
                Ground::prepare(graph, &seen, self.cache.as_ref(), &cancel, tell)
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
                let again = "the preparation was cancelled: restart to begin it again";
                let why = if cancelled { again.to_owned() } else { error.to_string() };
                self.tell(Event::Failed(why));
                None
            }
        }
    }

    /// Goes on with a run on disk in the place of the line in hand, which stays
    /// where it is; also where the run cannot be taken up.
    pub(super) fn take_up_beside(
        &mut self,
        graph: &Arc<Graph>,
        trainer: &mut Option<Trainer>,
        path: &Path,
    ) {
        if let Some(trainer) = trainer.as_ref() {
            self.save(trainer);
            if let Some(line) = self.lines.now_mut() {
                line.set_aside(trainer);
            }
        }
        let (settings, replaced) = (self.settings.clone(), self.replaced.take());
        if let Some(taken) = self.take_up(graph, path) {
            self.stand(&taken);
            *trainer = Some(taken);
        } else {
            (self.settings, self.replaced) = (settings, replaced);
            self.rest(trainer.as_ref());
        }
    }

    /// Gives a line another label.
    pub(super) fn label(&mut self, id: LineId, label: RunLabel) {
        let kept = self.lines.find_mut(id).and_then(|line| line.kept.as_mut());
        if let Some(written) = kept.map(|kept| kept.label(label)) {
            self.heed(written);
        }
    }

    /// Goes on with a run on disk: tells its past and stands at its end.
    pub(super) fn take_up(&mut self, graph: &Arc<Graph>, path: &Path) -> Option<Trainer> {
        let opened = RunFolder::record(path)
            .and_then(|record| record.is_of(graph, path))
            .and_then(|()| Ok((RunFolder::open(path)?, metrics(path)?)));
        let ((folder, record, state), figures) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.tell(Event::Failed(error.to_string()));
                return None;
            }
        };
        if folder.damaged() > 0 {
            let lines = folder.damaged();
            self.tell(Event::Damaged(format!("{lines} damaged lines of figures are left out")));
        }
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
        // What is planned for later epochs is told when they are reached.
        let mut changes = record.changes.clone();
        changes.retain(|change| change.epoch <= done);
        let kept = Kept::new(folder, record);
        self.take_line(&trainer, past, Some(Ok(kept)), done);
        let mut changes = changes.into_iter().peekable();
        for scalars in figures {
            while let Some(change) = changes.next_if(|change| change.epoch <= scalars.epoch) {
                self.changed(change.epoch, change.settings);
            }
            self.tell(Event::Epoch(scalars));
        }
        changes.for_each(|change| self.changed(change.epoch, change.settings));
        trainer.change(&self.settings);
        Some(trainer)
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
        let edits = self.replaced.as_ref().map(|own| own.edits.clone());
        let ready = Ready { cache: self.cache.clone(), edits, ..Ready::of(id, trainer) };
        let ready = Arc::new(ready);
        let kept = kept.and_then(|kept| self.heed(kept));
        let place = kept.as_ref().map(Kept::place);
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Line { id, past, done, newest, kept, ready: ready.clone(), replaced });
        self.tell(Event::Ready(ready));
        if let Some((path, label)) = place {
            self.tell(Event::Kept(path, label));
        }
    }

    /// Parts from the line in hand where the model stands in its past.
    pub(super) fn branch(&mut self, graph: &Graph, epoch: usize) {
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
        let place = kept.as_ref().map(Kept::place);
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Line { id, past, done: epoch, newest, kept, ready, replaced });
        self.tell(Event::Branched { line: id, parent, epoch });
        if let Some((path, label)) = place {
            self.tell(Event::Kept(path, label));
        }
    }

    /// Goes to the newest epoch of another line.
    pub(super) fn switch(&mut self, trainer: &mut Option<Trainer>, id: LineId) {
        if let (Some(trainer), Some(line)) = (trainer.as_ref(), self.lines.now_mut()) {
            line.set_aside(trainer);
        }
        if !self.lines.switch(id) {
            return;
        }
        let Some(line) = self.lines.now() else { return };
        let (ready, replaced) = (line.ready.clone(), line.replaced.clone());
        let anew = |settings: &Settings| {
            Trainer::with_split(ready.ground.clone(), settings.clone(), ready.split.clone())
        };
        // The stages are those of the settings a run began with.
        let made = anew(line.past.start()).and_then(|mut own| {
            match &line.newest {
                Some(newest) => {
                    own.restore(newest)?;
                    own.change(line.past.settings_at(line.done));
                }
                None => line.past.travel(&mut own, line.done, self.halt.begin(), anew)?,
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

    /// Stands at an epoch of the past.
    pub(super) fn go_to(&mut self, trainer: Option<&mut Trainer>, epoch: usize) {
        let cancel = self.halt.begin().clone();
        let (Some(trainer), Some(line)) = (trainer, self.lines.now_mut()) else { return };
        let epoch = epoch.min(line.done);
        line.set_aside(trainer);
        let (ground, split) = (trainer.ground().clone(), line.ready.split.clone());
        let anew = |settings: &Settings| Trainer::with_split(ground, settings.clone(), split);
        let newest = line.newest.as_ref().filter(|own| own.epoch == epoch);
        let moved = newest.map_or(Ok(()), |newest| trainer.restore(newest));
        let moved = moved.and_then(|()| line.past.travel(trainer, epoch, &cancel, anew));
        if let Err(error) = moved {
            self.tell(Event::Failed(error.to_string()));
        }
        self.stand(trainer);
    }

    /// Of several epochs asked for one after the other, the last.
    pub(super) fn last_asked(&mut self, mut epoch: usize) -> usize {
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

    /// Tells where the model stands and with which settings.
    pub(super) fn stand(&mut self, trainer: &Trainer) {
        let settings = trainer.settings().clone();
        self.settings = settings.clone();
        self.tell(Event::At { epoch: trainer.epoch(), settings: Box::new(settings) });
        self.rest(Some(trainer));
    }
}
