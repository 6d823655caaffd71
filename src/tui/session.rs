//! State of the training as reported by its thread: phase, runs, latest snapshot.
//! Updated by events only.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::compared_run::{ComparedRun, Parting, named};
use super::run::{CurveMark, PlotPane, Run};
use crate::graph::Manifest;
use crate::model::settings::{SettingChange, Settings, TABLE};
use crate::spectral::{Engine, Progress};
use crate::train::run::RunLabel;
use crate::train::{
    BranchId, Event, FilterNotLearned, FilterStage, Phase, PreparedRun, ReplayPlan, Snapshot,
};

/// Initial interval between two filter ghosts, in epochs; doubled when there are too
/// many.
const GHOST_EVERY: usize = 8;
const GHOSTS: usize = 8;
/// Runs that take longer than this are notified when they end.
const LONG: Duration = Duration::from_secs(10);
/// Time window for the speed.
const SPEED_WINDOW: Duration = Duration::from_secs(3);

/// The filter at an earlier epoch.
#[derive(Debug, Clone)]
pub struct FilterGhost {
    /// The epoch.
    pub epoch: usize,
    /// ρ over the grid of a snapshot.
    pub curve: Vec<f32>,
}

/// The edits of a state line, and what to train on the edited graph.
#[derive(Debug, Clone)]
pub struct ToEdit {
    /// The edits as written in the line.
    pub edits: String,
    /// What to train.
    pub plan: ReplayPlan,
    /// Whether training pauses afterwards.
    pub holds: bool,
}

/// Everything known about the training.
#[derive(Debug, Default)]
pub struct Session {
    /// The name of the graph.
    pub title: String,
    /// The phase of the thread.
    pub phase: Option<Phase>,
    /// Progress of the preparation.
    pub progress: Option<Progress>,
    /// The prepared graph and split of the run.
    pub ready: Option<Arc<PreparedRun>>,
    /// The current run.
    pub run: Run,
    /// Number of epochs of the current model: fewer than the run has after going
    /// back.
    pub at: usize,
    /// The target epoch of a state line, until training reaches it.
    pub planned: Option<usize>,
    /// Whether the graph came from standard input.
    pub standard_input: bool,
    /// Whether it belongs to a lesson and is not saved.
    pub is_practice: bool,
    /// The requested epoch, until it is reached.
    pub wanted: Option<usize>,
    /// The branch of the current run.
    pub line: Option<BranchId>,
    /// Where it diverges from another run, if it does.
    pub parting: Option<Parting>,
    /// The folder it is saved in.
    pub path: Option<PathBuf>,
    /// The user's name and note.
    pub label: RunLabel,
    /// The other runs.
    pub others: Vec<ComparedRun>,
    /// The latest snapshot.
    pub snapshot: Option<Arc<Snapshot>>,
    /// A snapshot of a branch that is not current, or not yet.
    early: Option<Arc<Snapshot>>,
    /// The filter at earlier epochs.
    pub filter_ghosts: Vec<FilterGhost>,
    ghost_every: usize,
    /// The settings in effect.
    pub settings: Settings,
    /// Changes sent to the training thread and not confirmed yet.
    pending: Vec<SettingChange>,
    /// The settings in effect once they are.
    pub asked: Settings,
    /// Edits to apply once the graph is prepared.
    pub to_edit: Option<ToEdit>,
    /// Why the current run could not be saved.
    pub unsaved: Option<String>,
    /// Why the run cannot continue.
    pub failed: Option<String>,
    /// Since when epochs have been running without a pause.
    pub running_since: Option<Duration>,
    /// Epochs per second.
    pub speed: Option<f64>,
    clock: VecDeque<(Duration, usize)>,
}

impl Session {
    /// A session that has not started.
    pub fn new(title: String, settings: Settings) -> Self {
        let asked = settings.clone();
        Self { title, settings, asked, ghost_every: GHOST_EVERY, ..Self::default() }
    }

    /// Records setting changes sent to the training thread.
    pub fn ask(&mut self, changes: &[SettingChange]) {
        for change in changes {
            self.pending.retain(|own| own.key != change.key);
            self.pending.push(change.clone());
            change.apply(&mut self.asked);
        }
    }

    /// Stores the settings in effect; changes that are not included yet stay pending.
    fn in_force(&mut self, settings: Settings) {
        self.pending.retain(|change| !change.is_in(&settings));
        self.asked = settings.clone();
        self.pending.iter().for_each(|change| change.apply(&mut self.asked));
        self.settings = settings;
    }

    /// Whether epochs are running.
    pub fn is_running(&self) -> bool {
        self.phase == Some(Phase::Running)
    }

    /// Whether the graph or its spectrum is being prepared.
    pub fn is_preparing(&self) -> bool {
        self.failed.is_none()
            && matches!(self.phase, None | Some(Phase::Reading | Phase::Preparing))
    }

    /// The manifest of the graph.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.ready.as_ref().map(|ready| ready.prepared.graph.manifest())
    }

    /// The current epoch, or the one being gone to.
    pub fn place(&self) -> usize {
        self.wanted.unwrap_or(self.at)
    }

    /// The current training stage, of two, if the filter has a separate stage.
    pub fn stage(&self) -> Option<usize> {
        let first = self.ready.as_ref()?.filter_stage.epochs();
        (first > 0).then_some(if self.at < first { 1 } else { 2 })
    }

    /// What happens to the filter at the current epoch, in a few words.
    pub fn filter_state(&self) -> &'static str {
        let Some(ready) = &self.ready else { return "" };
        match &ready.filter_stage {
            FilterStage::Withheld { epochs, .. } if self.at > *epochs => "frozen",
            FilterStage::Withheld { .. } if self.at <= ready.filter_stage.first_move() => {
                "at initial value"
            }
            FilterStage::Withheld { .. } => "learning on withheld labels",
            FilterStage::Joint => "trained jointly",
            FilterStage::NotLearned(FilterNotLearned::Fixed) => "fixed",
            FilterStage::NotLearned(_) => "fixed at initial value",
        }
    }

    /// Estimated seconds to the end.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.settings.epochs.checked_sub(self.at)?;
        self.speed.filter(|speed| *speed > 0.0).map(|speed| left as f64 / speed)
    }

    /// What to say about a run that ends now, if it took long enough to have been left
    /// alone.
    pub fn farewell(&self, now: Duration) -> Option<String> {
        let took = now.saturating_sub(self.running_since?);
        let score = self.run.of(PlotPane::Score).next().and_then(|curve| {
            let value = 100.0 * curve.series.last()?;
            Some(format!(", {} {} {value:.1} %", curve.name, self.run.score_name()))
        });
        let score = score.unwrap_or_default();
        (took >= LONG).then(|| format!("{}: {} epochs done{score}", self.title, self.at))
    }

    /// Processes an event.
    pub fn take(&mut self, event: Event, at: Duration) {
        match event {
            Event::Progress(progress) => self.progress = Some(progress),
            Event::Ready(ready) => self.begin(ready),
            Event::Switched(ready) => self.switch(ready),
            Event::Branched { line, parent, epoch } => self.branch(line, parent, epoch),
            Event::At { epoch, settings } => {
                self.at = epoch;
                self.wanted = self.wanted.filter(|wanted| *wanted != epoch);
                self.in_force(*settings);
            }
            Event::Saved(path, label) => {
                // A saved run that is opened becomes the current one.
                self.others.retain(|own| own.line.is_some() || own.path.as_ref() != Some(&path));
                (self.path, self.label, self.unsaved) = (Some(path), label, None);
            }
            Event::NotSaved(why) => (self.path, self.unsaved) = (None, Some(why)),
            Event::Damaged(_) | Event::Unsaved(_) => {}
            Event::Epoch(scalars) => {
                self.at = scalars.epoch + 1;
                let types = self.ready.as_ref().map(|ready| ready.prepared.graph.types().names());
                self.run.push(&scalars, types.unwrap_or_default());
                self.measure(at);
            }
            Event::Changed { epoch, settings } => {
                let label = difference(&self.settings, &settings);
                if !label.is_empty() {
                    self.run.marks.push(CurveMark { epoch, label });
                }
                self.at = epoch;
                self.wanted = self.wanted.filter(|wanted| *wanted != epoch);
                self.in_force(*settings);
            }
            Event::Phase(phase) => {
                self.phase = Some(phase);
                self.wanted = None;
                if matches!(phase, Phase::Paused | Phase::Finished) {
                    (self.planned, self.running_since) = (None, None);
                }
                if phase == Phase::Running {
                    self.failed = None;
                    self.running_since = self.running_since.or(Some(at));
                    self.clock.clear();
                }
            }
            Event::Failed(why) => self.failed = Some(why),
        }
    }

    fn begin(&mut self, ready: Arc<PreparedRun>) {
        if self.run.epochs > 0 {
            self.others.iter_mut().for_each(|other| other.shown = false);
            let compared = self.compared();
            self.others.push(compared);
        }
        if let Some(title) = &ready.prepared.graph.manifest().title {
            self.title.clone_from(title);
        }
        self.run = Run::new(ready.prepared.graph.labels().kind());
        self.switch_to(ready);
        (self.parting, self.path, self.at) = (None, None, 0);
        self.label = RunLabel::default();
    }

    /// Resets what every switch to another run resets.
    fn switch_to(&mut self, ready: Arc<PreparedRun>) {
        self.line = Some(ready.line);
        self.in_force(ready.settings.clone());
        self.ready = Some(ready);
        self.snapshot = None;
        self.filter_ghosts.clear();
        self.ghost_every = GHOST_EVERY;
        self.clock.clear();
        self.progress = None;
        self.failed = None;
        self.look_early();
    }

    /// Uses the snapshot that arrived before its branch was reported.
    fn look_early(&mut self) {
        if let Some(snapshot) = self.early.take_if(|early| Some(early.line) == self.line) {
            self.look(snapshot);
        }
    }

    /// The name of the current run.
    pub fn name(&self) -> String {
        let origin = self.line.map(name_of).unwrap_or_default();
        named(&origin, &self.label, self.ready.as_deref())
    }

    /// The name of the graph, and whether it was edited.
    pub fn heading(&self) -> String {
        match self.edits() {
            Some(_) => format!("edited: {}", self.title),
            None => self.title.clone(),
        }
    }

    /// The user's edits of the graph before training, as written in a state line.
    pub fn edits(&self) -> Option<&str> {
        self.ready.as_ref()?.edits.as_deref()
    }

    /// The current run as a compared run.
    pub fn compared(&self) -> ComparedRun {
        ComparedRun {
            origin: self.line.map(name_of).unwrap_or_default(),
            line: self.line,
            parting: self.parting.clone(),
            run: self.run.clone(),
            settings: self.settings.clone(),
            ready: self.ready.clone(),
            snapshot: self.snapshot.clone(),
            path: self.path.clone(),
            label: self.label.clone(),
            shown: true,
            band: None,
            filters: None,
        }
    }

    fn branch(&mut self, line: BranchId, parent: BranchId, epoch: usize) {
        let compared = self.compared();
        self.others.push(compared);
        self.run = self.run.before(epoch);
        self.line = Some(line);
        self.parting = Some(Parting { from: name_of(parent), epoch });
        self.label = RunLabel::default();
        self.at = epoch;
        self.filter_ghosts.retain(|ghost| ghost.epoch <= epoch);
        self.look_early();
    }

    fn switch(&mut self, ready: Arc<PreparedRun>) {
        let place = self.others.iter().position(|other| other.line == Some(ready.line));
        let Some(place) = place else { return };
        let compared = self.compared();
        let other = std::mem::replace(&mut self.others[place], compared);
        self.switch_to(ready);
        self.at = other.run.epochs;
        self.run = other.run;
        self.in_force(other.settings);
        self.parting = other.parting;
        (self.path, self.label) = (other.path, other.label);
    }

    /// The other runs whose curves are shown.
    pub fn shown(&self) -> impl Iterator<Item = &ComparedRun> {
        self.others.iter().filter(|other| other.shown)
    }

    fn measure(&mut self, at: Duration) {
        let epochs = self.run.epochs;
        if self.clock.back().is_none_or(|(last, _)| *last < at) {
            self.clock.push_back((at, epochs));
        } else if let Some(last) = self.clock.back_mut() {
            last.1 = epochs;
        }
        while self.clock.len() > 2 && at.saturating_sub(self.clock[0].0) > SPEED_WINDOW {
            self.clock.pop_front();
        }
        if let (Some(first), Some(last)) = (self.clock.front(), self.clock.back()) {
            let seconds = last.0.saturating_sub(first.0).as_secs_f64();
            if seconds > 0.05 {
                self.speed = Some((last.1 - first.1) as f64 / seconds);
            }
        }
    }

    /// Stores a snapshot, and from time to time its filter. It may arrive before its
    /// branch is reported, or after a switch to another one.
    pub fn look(&mut self, snapshot: Arc<Snapshot>) {
        if self.line != Some(snapshot.line) {
            self.early = Some(snapshot);
            return;
        }
        let epoch = snapshot.scalars.epoch;
        let due =
            self.filter_ghosts.last().is_none_or(|last| epoch >= last.epoch + self.ghost_every);
        if due {
            let curve = snapshot.curve.clone();
            self.filter_ghosts.push(FilterGhost { epoch, curve });
            if self.filter_ghosts.len() > GHOSTS {
                let mut at = 0;
                self.filter_ghosts.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.ghost_every *= 2;
            }
        }
        self.snapshot = Some(snapshot);
    }

    /// How the spectrum was computed, in a few words.
    pub fn operator_line(&self) -> String {
        let Some(ready) = &self.ready else { return String::new() };
        let prepared = &ready.prepared;
        let count = prepared.operator.points().len();
        let kind = prepared.matrix.kind();
        match prepared.choice.engine {
            Engine::Chebyshev => format!("{kind} via sparse products"),
            engine => format!("{count} eigenpairs of {kind} ({engine})"),
        }
    }
}

/// The name of a branch.
fn name_of(line: BranchId) -> String {
    format!("run {}", line.0)
}

/// The difference between two sets of settings, as shown in curve marks.
pub(super) fn difference(from: &Settings, to: &Settings) -> String {
    let changed = TABLE.iter().filter_map(|setting| {
        let (old, new) = ((setting.get)(from), (setting.get)(to));
        let name = if setting.symbol.is_empty() { setting.key } else { setting.symbol };
        (old != new).then(|| format!("{name} {old}→{new}"))
    });
    changed.collect::<Vec<_>>().join(", ")
}
