//! What is known of the training thread: its phase, its runs, its newest
//! snapshot. Fed by events alone.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::run::{Mark, Run};
use super::strand::{Parting, Strand, named};
use crate::graph::Manifest;
use crate::model::settings::{SettingChange, Settings, TABLE};
use crate::spectral::{Engine, Progress};
use crate::train::run::RunLabel;
use crate::train::{Event, FilterStage, Itinerary, Kept, LineId, Phase, Ready, Snapshot};

/// Epochs between two ghosts of the filter at first; doubled when there are too
/// many.
const GHOST_EVERY: usize = 8;
const GHOSTS: usize = 8;
/// How far back the speed is measured.
const SPEED_WINDOW: Duration = Duration::from_secs(3);

/// The filter at an earlier epoch.
#[derive(Debug, Clone)]
pub struct FilterGhost {
    /// When.
    pub epoch: usize,
    /// ρ over the grid of a snapshot.
    pub curve: Vec<f32>,
}

/// Edits that a line describes, and what is to be trained on the edited graph.
#[derive(Debug, Clone)]
pub struct ToEdit {
    /// The edits, as the line says them.
    pub edits: String,
    /// What the run is to do.
    pub plan: Itinerary,
    /// Whether training holds then.
    pub holds: bool,
}

/// Everything known of the training.
#[derive(Debug, Default)]
pub struct Session {
    /// The name of the graph.
    pub title: String,
    /// What the thread does.
    pub phase: Option<Phase>,
    /// How far the preparation is.
    pub progress: Option<Progress>,
    /// What the run stands on.
    pub ready: Option<Arc<Ready>>,
    /// The run.
    pub run: Run,
    /// How many epochs the model in hand has seen: fewer than the run has where
    /// one went back.
    pub at: usize,
    /// The epoch a line leads to, as long as training is on its way there.
    pub planned: Option<usize>,
    /// Whether the graph came from standard input.
    pub standard_input: bool,
    /// Whether it belongs to a lesson and is not kept.
    pub is_practice: bool,
    /// The epoch one asked to go to and is not at yet.
    pub wanted: Option<usize>,
    /// The line of the run in hand.
    pub line: Option<LineId>,
    /// Where it parts from another run, if it does.
    pub parting: Option<Parting>,
    /// Where it is kept.
    pub path: Option<PathBuf>,
    /// What a person calls it, and what is noted about it.
    pub label: RunLabel,
    /// The other runs.
    pub others: Vec<Strand>,
    /// The newest snapshot.
    pub snapshot: Option<Arc<Snapshot>>,
    /// One of a line that is not in hand, or not yet.
    early: Option<Arc<Snapshot>>,
    /// The filter at earlier epochs.
    pub filter_ghosts: Vec<FilterGhost>,
    ghost_every: usize,
    /// The settings in force.
    pub settings: Settings,
    /// Changes that the training was told of and has not answered.
    pending: Vec<SettingChange>,
    /// The settings in force once it has.
    pub asked: Settings,
    /// What is to be done to the graph once it is ready.
    pub to_edit: Option<ToEdit>,
    /// Why the run in hand could not be saved.
    pub unsaved: Option<String>,
    /// Why the run cannot go on.
    pub failed: Option<String>,
    /// Epochs a second.
    pub speed: Option<f64>,
    clock: VecDeque<(Duration, usize)>,
}

impl Session {
    /// A session that has not begun.
    pub fn new(title: String, settings: Settings) -> Self {
        let asked = settings.clone();
        Self { title, settings, asked, ghost_every: GHOST_EVERY, ..Self::default() }
    }

    /// Remembers what the training is told to change.
    pub fn ask(&mut self, changes: &[SettingChange]) {
        for change in changes {
            self.pending.retain(|own| own.key != change.key);
            self.pending.push(change.clone());
            change.apply(&mut self.asked);
        }
    }

    /// Takes the settings in force; what was asked for and is not yet there stays
    /// pending.
    fn in_force(&mut self, settings: Settings) {
        self.pending.retain(|change| !change.is_in(&settings));
        self.asked = settings.clone();
        self.pending.iter().for_each(|change| change.apply(&mut self.asked));
        self.settings = settings;
    }

    /// Whether epochs are being run.
    pub fn is_running(&self) -> bool {
        self.phase == Some(Phase::Running)
    }

    /// Whether the graph or its spectrum is being made ready.
    pub fn is_preparing(&self) -> bool {
        self.failed.is_none()
            && matches!(self.phase, None | Some(Phase::Reading | Phase::Preparing))
    }

    /// What the graph says of itself.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.ready.as_ref().map(|ready| ready.ground.graph.manifest())
    }

    /// The epoch one is at, or on the way to.
    pub fn place(&self) -> usize {
        self.wanted.unwrap_or(self.at)
    }

    /// The stage of training one is in, of two, where the filter has a stage of
    /// its own.
    pub fn stage(&self) -> Option<usize> {
        let first = self.ready.as_ref()?.filter_stage.epochs();
        (first > 0).then_some(if self.at < first { 1 } else { 2 })
    }

    /// What becomes of the filter at the epoch one is at, in a few words.
    pub fn filter_state(&self) -> &'static str {
        let Some(ready) = &self.ready else { return "" };
        match &ready.filter_stage {
            FilterStage::Withheld { epochs, .. } if self.at > *epochs => "settled",
            FilterStage::Withheld { .. } if self.at <= ready.filter_stage.first_move() => {
                "at its start"
            }
            FilterStage::Withheld { .. } => "learning on withheld labels",
            FilterStage::Joint => "follows the training loss",
            FilterStage::Kept(Kept::Fixed) => "fixed",
            FilterStage::Kept(_) => "keeps its start",
        }
    }

    /// Seconds to the end at the present speed.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.settings.epochs.checked_sub(self.at)?;
        self.speed.filter(|speed| *speed > 0.0).map(|speed| left as f64 / speed)
    }

    /// Takes an event.
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
            Event::Kept(path, label) => {
                // A run from disk that is taken up is in hand now.
                self.others.retain(|own| own.line.is_some() || own.path.as_ref() != Some(&path));
                (self.path, self.label, self.unsaved) = (Some(path), label, None);
            }
            Event::Unkept(why) => (self.path, self.unsaved) = (None, Some(why)),
            Event::Damaged(_) | Event::Unsaved(_) => {}
            Event::Epoch(scalars) => {
                self.at = scalars.epoch + 1;
                let types = self.ready.as_ref().map(|ready| ready.ground.graph.types().names());
                self.run.push(&scalars, types.unwrap_or_default());
                self.measure(at);
            }
            Event::Changed { epoch, settings } => {
                let label = difference(&self.settings, &settings);
                if !label.is_empty() {
                    self.run.marks.push(Mark { epoch, label });
                }
                self.at = epoch;
                self.wanted = self.wanted.filter(|wanted| *wanted != epoch);
                self.in_force(*settings);
            }
            Event::Phase(phase) => {
                self.phase = Some(phase);
                self.wanted = None;
                if matches!(phase, Phase::Paused | Phase::Finished) {
                    self.planned = None;
                }
                if phase == Phase::Running {
                    self.failed = None;
                    self.clock.clear();
                }
            }
            Event::Failed(why) => self.failed = Some(why),
        }
    }

    fn begin(&mut self, ready: Arc<Ready>) {
        if self.run.epochs > 0 {
            self.others.iter_mut().for_each(|other| other.shown = false);
            let strand = self.strand();
            self.others.push(strand);
        }
        if let Some(title) = &ready.ground.graph.manifest().title {
            self.title.clone_from(title);
        }
        self.run = Run::new(ready.ground.graph.labels().kind());
        self.take_in_hand(ready);
        (self.parting, self.path, self.at) = (None, None, 0);
        self.label = RunLabel::default();
    }

    /// What stays the same however a run comes into hand.
    fn take_in_hand(&mut self, ready: Arc<Ready>) {
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

    /// Takes the snapshot that came before its line was told of.
    fn look_early(&mut self) {
        if let Some(snapshot) = self.early.take_if(|early| Some(early.line) == self.line) {
            self.look(snapshot);
        }
    }

    /// What the run in hand is called.
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

    /// What a person changed about the graph before training on it, as a line of
    /// the run says it.
    pub fn edits(&self) -> Option<&str> {
        self.ready.as_ref()?.edits.as_deref()
    }

    /// The run in hand as one among others.
    pub fn strand(&self) -> Strand {
        Strand {
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
        }
    }

    fn branch(&mut self, line: LineId, parent: LineId, epoch: usize) {
        let strand = self.strand();
        self.others.push(strand);
        self.run = self.run.before(epoch);
        self.line = Some(line);
        self.parting = Some(Parting { from: name_of(parent), epoch });
        self.label = RunLabel::default();
        self.at = epoch;
        self.filter_ghosts.retain(|ghost| ghost.epoch <= epoch);
        self.look_early();
    }

    fn switch(&mut self, ready: Arc<Ready>) {
        let place = self.others.iter().position(|other| other.line == Some(ready.line));
        let Some(place) = place else { return };
        let strand = self.strand();
        let other = std::mem::replace(&mut self.others[place], strand);
        self.take_in_hand(ready);
        self.at = other.run.epochs;
        self.run = other.run;
        self.in_force(other.settings);
        self.parting = other.parting;
        (self.path, self.label) = (other.path, other.label);
    }

    /// The other runs whose curves are shown.
    pub fn shown(&self) -> impl Iterator<Item = &Strand> {
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

    /// Takes a snapshot, and keeps its filter now and then. One may come before
    /// its line is told of, or after another was taken in hand.
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

    /// How the spectrum came to be, in a few words.
    pub fn ground_line(&self) -> String {
        let Some(ready) = &self.ready else { return String::new() };
        let ground = &ready.ground;
        let count = ground.operator.points().len();
        let kind = ground.matrix.kind();
        match ground.choice.engine {
            Engine::Chebyshev => format!("{kind} by sparse products"),
            engine => format!("{count} eigenpairs of {kind} ({engine})"),
        }
    }
}

/// What a line is called.
fn name_of(line: LineId) -> String {
    format!("run {}", line.0)
}

/// What differs between two sets, as marks on curves say it.
pub(super) fn difference(from: &Settings, to: &Settings) -> String {
    let changed = TABLE.iter().filter_map(|setting| {
        let (old, new) = ((setting.get)(from), (setting.get)(to));
        let name = if setting.symbol.is_empty() { setting.key } else { setting.symbol };
        (old != new).then(|| format!("{name} {old}→{new}"))
    });
    changed.collect::<Vec<_>>().join(", ")
}
