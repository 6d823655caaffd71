//! Branches of the run: created, loaded from disk, forked and restored.

use std::path::Path;
use std::sync::Arc;

use super::TrainingLoop;
use crate::model::settings::Settings;
use crate::model::{ModelError, PreparedGraph};
use crate::train::run::{RunError, RunFolder, RunLabel, metrics};
use crate::train::worker::branches::Branch;
use crate::train::worker::saving::SavedBranch;
use crate::train::worker::{BranchId, Event, Phase, PreparedRun, TrainingCommand};
use crate::train::{CheckpointHistory, TrainError, Trainer};
use gesf_graph::Graph;

impl TrainingLoop {
    /// Initializes a model on the existing prepared graph or a new one.
    pub(super) fn begin(
        &mut self,
        graph: &Arc<Graph>,
        prepared: Option<PreparedGraph>,
    ) -> Option<Trainer> {
        let settings = self.settings.clone();
        let trainer = self.prepare(graph, prepared, &settings)?;
        let history = CheckpointHistory::new(settings, self.lines.memory());
        let keep = self.keep.as_ref().filter(|_| self.replaced.is_none());
        let kept = keep.map(|keep| keep.begin(graph, &history, None));
        self.take_line(&trainer, history, kept, 0);
        Some(trainer)
    }

    fn prepare(
        &mut self,
        graph: &Arc<Graph>,
        prepared: Option<PreparedGraph>,
        settings: &Settings,
    ) -> Option<Trainer> {
        self.tell(Event::Phase(Phase::Preparing));
        let cancel = self.halt.begin().clone();
        let prepared = prepared.map_or_else(
            || {
                let tell = &mut |progress| self.tell(Event::Progress(progress));
                // The edges of an edited graph are already weighted by rarity.
                let rarity = settings.rarity && self.replaced.is_none();
                let train = Settings { rarity, ..settings.clone() };
                PreparedGraph::prepare(graph, &train, self.cache.as_ref(), &cancel, tell)
            },
            Ok,
        );
        let split = self.replaced.as_ref().map(|own| own.split.clone());
        let trainer = prepared.map_err(TrainError::from).and_then(|own| match split {
            Some(split) => Trainer::with_split(own, settings.clone(), split),
            None => Trainer::new(own, settings.clone()),
        });
        match trainer {
            Ok(trainer) => Some(trainer),
            Err(error) => {
                let cancelled = matches!(&error, TrainError::Model(ModelError::Spectral(cause))
                    if cause.is_cancelled());
                let again = "preparation was cancelled: restart to run it again";
                let why = if cancelled { again.to_owned() } else { error.to_string() };
                self.tell(Event::Failed(why));
                None
            }
        }
    }

    /// Switches to a saved run. The current branch stays loaded, also if the run
    /// cannot be read.
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

    /// Sets the label of a branch.
    pub(super) fn label(&mut self, id: BranchId, label: RunLabel) {
        let kept = self.lines.find_mut(id).and_then(|line| line.kept.as_mut());
        if let Some(written) = kept.map(|kept| kept.label(label)) {
            self.check_saved(written);
        }
    }

    /// Resumes a saved run: reports its history and restores its last state.
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
            self.tell(Event::Damaged(format!("{lines} damaged lines of metrics were skipped")));
        }
        let done = state.as_ref().map_or(0, |state| state.epoch);
        self.settings = record.settings.clone();
        let mut trainer = self.prepare(graph, None, &record.settings.clone())?;
        let memory = self.lines.memory();
        let mut history =
            CheckpointHistory::new(record.settings.clone(), memory).with_changes(&record.changes);
        if let Some(state) = state {
            if let Err(error) = trainer.restore(&state) {
                self.tell(Event::Failed(error.to_string()));
                return None;
            }
            history.keep(Arc::new(state));
        }
        // Changes planned for later epochs are reported when they are reached.
        let mut changes = record.changes;
        changes.retain(|change| change.epoch <= done);
        let kept = SavedBranch::new(folder);
        self.take_line(&trainer, history, Some(Ok(kept)), done);
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

    /// Adds a branch, makes it current and reports it.
    fn take_line(
        &mut self,
        trainer: &Trainer,
        history: CheckpointHistory,
        kept: Option<Result<SavedBranch, RunError>>,
        done: usize,
    ) {
        let id = self.lines.new_id();
        let edits = self.replaced.as_ref().map(|own| own.edits.clone());
        let ready =
            PreparedRun { cache: self.cache.clone(), edits, ..PreparedRun::of(id, trainer) };
        let ready = Arc::new(ready);
        let kept = kept.and_then(|kept| self.check_saved(kept));
        let place = kept.as_ref().map(SavedBranch::place);
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Branch {
            id,
            history,
            done,
            newest,
            kept,
            ready: ready.clone(),
            replaced,
        });
        self.tell(Event::Ready(ready));
        if let Some((path, label)) = place {
            self.tell(Event::Saved(path, label));
        }
    }

    /// Forks the current branch at the epoch where the model is.
    pub(super) fn branch(&mut self, graph: &Graph, epoch: usize) {
        if self.lines.now().is_none_or(|line| epoch >= line.done) {
            return;
        }
        let id = self.lines.new_id();
        let Some(line) = self.lines.now() else { return };
        let (history, parent) = (line.history.branch(epoch), line.id);
        let from = line.kept.as_ref().map(|kept| (kept, epoch));
        let keep = self.keep.as_ref().filter(|_| self.replaced.is_none());
        let kept = keep.map(|keep| keep.begin(graph, &history, from));
        let ready = Arc::new(PreparedRun { line: id, ..line.ready.as_ref().clone() });
        let kept = kept.and_then(|kept| self.check_saved(kept));
        let place = kept.as_ref().map(SavedBranch::place);
        let (replaced, newest) = (self.replaced.clone(), None);
        self.lines.take_up(Branch { id, history, done: epoch, newest, kept, ready, replaced });
        self.tell(Event::Branched { line: id, parent, epoch });
        if let Some((path, label)) = place {
            self.tell(Event::Saved(path, label));
        }
    }

    /// Goes to the newest epoch of another branch.
    pub(super) fn switch(&mut self, trainer: &mut Option<Trainer>, id: BranchId) {
        if let (Some(trainer), Some(line)) = (trainer.as_ref(), self.lines.now_mut()) {
            line.set_aside(trainer);
        }
        if !self.lines.switch(id) {
            return;
        }
        let Some(line) = self.lines.now() else { return };
        let (ready, replaced) = (line.ready.clone(), line.replaced.clone());
        let anew = |settings: &Settings| {
            Trainer::with_split(ready.prepared.clone(), settings.clone(), ready.split.clone())
        };
        // The stages depend on the settings at the start of a run.
        let made = anew(line.history.start()).and_then(|mut own| {
            match &line.newest {
                Some(newest) => {
                    own.restore(newest)?;
                    own.change(line.history.settings_at(line.done));
                }
                None => line.history.travel(&mut own, line.done, self.halt.begin(), anew)?,
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

    /// Restores an earlier epoch.
    pub(super) fn go_to(&mut self, trainer: Option<&mut Trainer>, epoch: usize) {
        let cancel = self.halt.begin().clone();
        let (Some(trainer), Some(line)) = (trainer, self.lines.now_mut()) else { return };
        let epoch = epoch.min(line.done);
        line.set_aside(trainer);
        let (prepared, split) = (trainer.prepared().clone(), line.ready.split.clone());
        let anew = |settings: &Settings| Trainer::with_split(prepared, settings.clone(), split);
        let newest = line.newest.as_ref().filter(|own| own.epoch == epoch);
        let moved = newest.map_or(Ok(()), |newest| trainer.restore(newest));
        let moved = moved.and_then(|()| line.history.travel(trainer, epoch, &cancel, anew));
        if let Err(error) = moved {
            self.tell(Event::Failed(error.to_string()));
        }
        self.stand(trainer);
    }

    /// The last of several epochs requested one after the other.
    pub(super) fn last_asked(&mut self, mut epoch: usize) -> usize {
        while let Some(command) = self.hear(false) {
            match command {
                TrainingCommand::GoTo(newer) => epoch = newer,
                other => {
                    self.ahead = Some(other);
                    break;
                }
            }
        }
        epoch
    }

    /// Reports the current epoch and its settings.
    pub(super) fn stand(&mut self, trainer: &Trainer) {
        let settings = trainer.settings().clone();
        self.settings = settings.clone();
        self.tell(Event::At { epoch: trainer.epoch(), settings: Box::new(settings) });
        self.rest(Some(trainer));
    }
}
