//! A graph about to be opened, and the start of its training.

use std::path::{Path, PathBuf};

use super::recorder::Fingerprint;
use super::session::ToEdit;
use super::state::{GraphState, State};
use super::state_change::StateChange;
use crate::graph::{GraphReference, LoadOptions, STANDARD_INPUT};
use crate::model::settings::Settings;
use crate::spectral::Cache;
use crate::train::run::folder_of_graph;
use crate::train::{
    Change, GraphLoader, ReplayPlan, SaveTarget, Start, StateLine, TrainingCommand, Worker,
};

/// How training starts.
pub struct Begin {
    /// The spectrum cache.
    pub cache: Option<Cache>,
    /// Whether training starts paused.
    pub paused: bool,
    /// The folder with the runs of all graphs.
    pub runs_folder: Option<PathBuf>,
    /// Most runs that are saved.
    pub most_runs: Option<usize>,
    /// Memory limit for checkpoints, in bytes.
    pub checkpoint_memory: usize,
}

/// A graph about to be opened.
pub struct Opening {
    /// Its title until the manifest is loaded.
    pub title: String,
    /// The initial settings.
    pub settings: Settings,
    pub(super) path: PathBuf,
    pub(super) options: LoadOptions,
    pub(super) source: GraphLoader,
    pub(super) resume: Option<PathBuf>,
    /// The epoch to go to.
    pub(super) epoch: usize,
    /// The edits of the graph.
    pub(super) edits: String,
    /// Setting changes up to that epoch and after it.
    pub(super) changes: Vec<Change>,
    /// Whether training pauses at the epoch, if a state line is opened.
    pub(super) holds: Option<bool>,
    pub(super) fingerprint: Fingerprint,
}

impl Opening {
    /// Whether it opens a chosen epoch of a run.
    pub fn leads_somewhere(&self) -> bool {
        self.resume.is_some() || self.holds.is_some()
    }

    /// The state line of this opening, without the graph's fingerprint.
    pub(super) fn line(&self) -> StateLine {
        let line = StateLine {
            graph: GraphReference::of(&self.path, "", &self.options),
            epoch: self.epoch,
            version: None,
            threads: None,
            edits: self.edits.clone(),
            settings: self.settings.clone(),
            changes: self.changes.clone(),
        };
        line.made_here()
    }

    /// The fingerprint of the graph, once it is loaded.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.clone()
    }

    /// Whether training pauses at its epoch; `paused` is the default.
    pub(super) fn is_held(&self, paused: bool) -> bool {
        self.holds.unwrap_or(paused)
    }

    /// What to train again for a state line; `None` at the start.
    fn plan(&self) -> Option<ReplayPlan> {
        let leads = self.holds.is_some() && (self.epoch > 0 || !self.changes.is_empty());
        leads.then(|| ReplayPlan { epoch: self.epoch, changes: self.changes.clone() })
    }

    /// The folder with the runs of the graph.
    pub fn shelf(&self, runs_folder: &Path) -> PathBuf {
        folder_of_graph(runs_folder, &self.path)
    }

    /// Starts the training thread, and an empty session.
    pub fn start(
        self,
        state: &mut State,
        begin: Begin,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Worker, String> {
        let Begin { cache, paused, runs_folder, most_runs, checkpoint_memory } = begin;
        let (paused, plan) = (self.is_held(paused), self.plan());
        let edited = !self.edits.is_empty();
        let mut graph = GraphState::new(self.title, self.settings.clone());
        graph.session.standard_input = self.path == Path::new(STANDARD_INPUT);
        graph.session.planned = plan.as_ref().filter(|_| paused).map(|plan| plan.epoch);
        if edited {
            let plan = plan.clone().unwrap_or(ReplayPlan { epoch: 0, changes: Vec::new() });
            graph.session.to_edit = Some(ToEdit { edits: self.edits, plan, holds: paused });
        }
        let name = self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        StateChange::Opened { graph: Box::new(graph), name }.apply(state);
        if self.resume.is_some() && state.access.offered().is_none() {
            // A run may name any file; the user should see which before it is read.
            let said = format!("graph of this run: {}", self.path.display());
            StateChange::Said(said).apply(state);
        }
        let keep =
            runs_folder.filter(|_| self.path != Path::new(STANDARD_INPUT)).map(|runs_folder| {
                SaveTarget {
                    folder: folder_of_graph(&runs_folder, &self.path),
                    graph: self.path,
                    load: self.options,
                    most_runs,
                }
            });
        let (source, settings, resume) = (self.source, self.settings, self.resume);
        // Training on an edited graph starts once the original is prepared.
        let (plan, paused) = if edited { (None, true) } else { (plan, paused) };
        let goes_on = plan.is_some() && !paused;
        let start =
            Start { source, settings, cache, paused, keep, resume, plan, checkpoint_memory };
        let worker = Worker::start(start, wake)
            .map_err(|error| format!("cannot start the training thread: {error}"))?;
        if state.speed.limit().is_some() {
            worker.send(TrainingCommand::Speed(state.speed.limit()));
        }
        if goes_on {
            worker.send(TrainingCommand::Resume);
        }
        Ok(worker)
    }
}
