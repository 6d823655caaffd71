//! A graph about to be opened, and the start of its training.

use std::path::{Path, PathBuf};

use super::recorder::Fingerprint;
use super::session::ToEdit;
use super::state::State;
use crate::graph::{GraphReference, LoadOptions, STANDARD_INPUT};
use crate::model::settings::Settings;
use crate::spectral::Cache;
use crate::train::run::shelf_of;
use crate::train::{Change, Command as Order, Itinerary, Keep, Source, Start, StateLine, Worker};

/// How training begins.
pub struct Begin {
    /// Where spectra are kept.
    pub cache: Option<Cache>,
    /// Whether it waits to be told.
    pub paused: bool,
    /// Where the runs of all graphs are kept.
    pub shelves: Option<PathBuf>,
}

/// A graph about to be opened.
pub struct Opening {
    /// Its name until it says its own.
    pub title: String,
    /// The settings to begin with.
    pub settings: Settings,
    pub(super) path: PathBuf,
    pub(super) options: LoadOptions,
    pub(super) source: Source,
    pub(super) resume: Option<PathBuf>,
    /// The epoch it leads to.
    pub(super) epoch: usize,
    /// What was changed about the graph.
    pub(super) edits: String,
    /// Changes of settings on the way there and after.
    pub(super) changes: Vec<Change>,
    /// Whether training holds at its epoch, where a line describes it.
    pub(super) holds: Option<bool>,
    pub(super) fingerprint: Fingerprint,
}

impl Opening {
    /// Whether it leads to a moment of a run that was chosen.
    pub fn leads_somewhere(&self) -> bool {
        self.resume.is_some() || self.holds.is_some()
    }

    /// The moment it leads to; of the graph, all but the fingerprint.
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

    /// The fingerprint of the graph, once it is read.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.clone()
    }

    /// Whether training holds at its epoch, where `paused` is the usual.
    pub(super) fn is_held(&self, paused: bool) -> bool {
        self.holds.unwrap_or(paused)
    }

    /// What is trained anew, where a line describes it; nothing at the start.
    fn plan(&self) -> Option<Itinerary> {
        let leads = self.holds.is_some() && (self.epoch > 0 || !self.changes.is_empty());
        leads.then(|| Itinerary { epoch: self.epoch, changes: self.changes.clone() })
    }

    /// Where the runs of the graph are kept.
    pub fn shelf(&self, shelves: &Path) -> PathBuf {
        shelf_of(shelves, &self.path)
    }

    /// Starts the training thread, and a session that knows nothing yet.
    pub fn start(
        self,
        state: &mut State,
        begin: Begin,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Worker, String> {
        let Begin { cache, paused, shelves } = begin;
        let (paused, plan) = (self.is_held(paused), self.plan());
        let edited = !self.edits.is_empty();
        let fresh = State::new(self.title, self.settings.clone(), state.look.clone());
        state.session = fresh.session;
        state.session.standard_input = self.path == Path::new(STANDARD_INPUT);
        state.session.planned = plan.as_ref().filter(|_| paused).map(|plan| plan.epoch);
        if edited {
            let plan = plan.clone().unwrap_or(Itinerary { epoch: 0, changes: Vec::new() });
            state.session.to_edit = Some(ToEdit { edits: self.edits, plan, holds: paused });
        }
        state.home = fresh.home;
        state.facts = None;
        state.panel = fresh.panel;
        state.curves = fresh.curves;
        state.filter = fresh.filter;
        state.node = fresh.node;
        state.map = fresh.map;
        state.chosen_node = None;
        state.runs = fresh.runs;
        state.focus = fresh.focus;
        state.picker = None;
        if self.resume.is_some() {
            // A run may name any file; a person should see which before it is read.
            let said = format!("the run is of the graph {}", self.path.display());
            state.notices.say(said, state.now);
        }
        let name = self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        state.learning.graph = name.unwrap_or_default();
        let keep = shelves.filter(|_| self.path != Path::new(STANDARD_INPUT)).map(|shelves| Keep {
            folder: shelf_of(&shelves, &self.path),
            graph: self.path,
            load: self.options,
        });
        let (source, settings, resume) = (self.source, self.settings, self.resume);
        // An edited graph is trained on once the graph itself is ready.
        let (plan, paused) = if edited { (None, true) } else { (plan, paused) };
        let goes_on = plan.is_some() && !paused;
        let start = Start { source, settings, cache, paused, keep, resume, plan };
        let worker = Worker::start(start, wake)
            .map_err(|error| format!("cannot start the training thread: {error}"))?;
        if goes_on {
            worker.send(Order::Resume);
        }
        Ok(worker)
    }
}
