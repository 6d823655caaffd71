//! How the explorer is started, and how it opens a graph.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::commands::Keymap;
use super::look::Look;
use super::opening::{Begin, Opening};
use super::picker::manifest_of;
use super::player::Replay;
use super::recorder::Fingerprint;
use super::state::{Screen, State};
use crate::graph::{LoadOptions, Manifest, STANDARD_INPUT, Sample, load, locate};
use crate::lab::lessons::Lesson;
use crate::model::settings::{Settings, set};
use crate::spectral::Cache;
use crate::train::run::{RunFolder, is_run};
use crate::train::{Source, StateLine};

/// Which settings suit a graph, given what it says of itself.
pub type Chooser = Box<dyn Fn(&Manifest) -> Result<Settings, String>>;

/// What the explorer is started with.
pub struct Launch {
    /// The graph; where there is none, one is chosen first.
    pub path: Option<PathBuf>,
    /// A moment of a run to open instead.
    pub described: Option<Described>,
    /// How graphs are read.
    pub options: LoadOptions,
    /// Which settings suit a graph.
    pub settings: Chooser,
    /// Where spectra are kept.
    pub cache: fn() -> Option<Cache>,
    /// Whether training waits to be started.
    pub paused: bool,
    /// The screen to begin with.
    pub screen: Screen,
    /// Colours and glyphs.
    pub look: Look,
    /// Which keys do what.
    pub keymap: Keymap,
    /// Where the person's presets are.
    pub presets: Option<PathBuf>,
    /// Where what is done is written down.
    pub record: Option<PathBuf>,
    /// What is played after that.
    pub replay: Option<Replay>,
    /// What is to be learned, if anything is.
    pub learn: Option<Learn>,
    /// Whether things are shown large, for a room.
    pub projector: bool,
    /// What a person should know before anything else.
    pub notice: Option<String>,
}

/// What is to be learned.
#[derive(Debug, Clone)]
pub enum Learn {
    /// A lesson that is chosen on the screen.
    Choose,
    /// This one.
    Lesson(Box<Lesson>),
}

/// A moment of a run as a line describes it, its graph found on this machine.
#[derive(Debug, Clone)]
pub struct Described {
    /// Where the graph is.
    pub path: PathBuf,
    /// How it is read.
    pub options: LoadOptions,
    /// The run and its epoch.
    pub line: StateLine,
    /// Whether training holds at the epoch, or goes on from there.
    pub holds: bool,
}

impl Launch {
    /// A beginning as the launch asks for it, whose runs are kept there.
    pub fn begin(&self, paused: bool, shelves: Option<PathBuf>) -> Begin {
        Begin { cache: (self.cache)(), paused, shelves }
    }

    /// Prepares the opening of what it is started with, if that is a graph.
    pub fn open_first(&self) -> Option<Result<Opening, String>> {
        let described = self.described.as_ref().map(|own| self.open_described(own));
        described.or_else(|| self.path.as_deref().map(|path| self.open(path)))
    }

    /// Prepares the opening of a moment of a run.
    pub fn open_described(&self, described: &Described) -> Result<Opening, String> {
        let mut opening = self.open_graph(&described.path, described.options.clone())?;
        opening.settings = described.line.settings.clone();
        (opening.epoch, opening.changes) = (described.line.epoch, described.line.changes.clone());
        opening.edits.clone_from(&described.line.edits);
        opening.holds = Some(described.holds);
        Ok(opening)
    }

    /// Prepares the opening of a graph, or of a run of one; reading happens
    /// later, elsewhere.
    pub fn open(&self, path: &Path) -> Result<Opening, String> {
        if is_run(path) {
            let (record, state) = RunFolder::read(path).map_err(|error| error.to_string())?;
            let mut opening = self.open_graph(&record.graph, record.load)?;
            opening.settings = record.settings;
            opening.epoch = state.map_or(0, |state| state.epoch);
            opening.changes = record.changes;
            opening.resume = Some(path.to_owned());
            return Ok(opening);
        }
        self.open_graph(path, self.options.clone())
    }

    fn open_graph(&self, path: &Path, options: LoadOptions) -> Result<Opening, String> {
        let path = locate(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let manifest = manifest_of(&path).unwrap_or_default();
        let settings = (self.settings)(&manifest)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let title = manifest.title.or(stem).unwrap_or_else(|| "graph".to_owned());
        if path != Path::new(STANDARD_INPUT) && !path.exists() {
            let why = format!("{}: no such file or folder", path.display());
            return Err(why);
        }
        let (place, how) = (path.clone(), options.clone());
        let fingerprint = Fingerprint::default();
        let known = fingerprint.clone();
        let source: Source = Box::new(move || match load(&place, &how) {
            Ok((graph, _)) => {
                // It is read once, so it is known only once.
                let _ = known.set(format!("{:016x}", graph.fingerprint()));
                Ok(Arc::new(graph))
            }
            Err(error) => Err(error.to_string()),
        });
        let (resume, epoch, changes, holds) = (None, 0, Vec::new(), None);
        Ok(Opening {
            title,
            settings,
            path,
            options,
            source,
            resume,
            epoch,
            edits: String::new(),
            changes,
            holds,
            fingerprint,
        })
    }

    /// Prepares the opening of a lesson's graph: the settings are those of the
    /// lesson over those of the graph, whatever else a person prefers.
    pub fn open_lesson(&self, lesson: &Lesson) -> Result<Opening, String> {
        let sample = Sample::named(&lesson.graph);
        let path = sample.map_or_else(|| PathBuf::from(&lesson.graph), Sample::path);
        let mut opening = self.open_graph(&path, LoadOptions::default())?;
        let manifest = manifest_of(&opening.path).unwrap_or_default();
        let mut settings = Settings::default();
        let text =
            |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let own = manifest.settings.iter().map(|(key, value)| (key.clone(), text(value)));
        for (key, value) in own.chain(lesson.settings.iter().cloned()) {
            set(&mut settings, &key, &value).map_err(|error| error.to_string())?;
        }
        opening.settings = settings;
        Ok(opening)
    }

    /// A state with nothing open.
    pub fn state(&self) -> State {
        let mut state = State::new("gesf-tui".to_owned(), Settings::default(), self.look.clone());
        state.keymap = self.keymap.clone();
        state.screen = self.screen;
        state.own_presets = self.presets.as_deref().map(own_presets).unwrap_or_default();
        if self.projector {
            state.turn_projector();
        }
        state
    }
}

/// The presets in a folder: name and text.
fn own_presets(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let is_toml = path.extension().is_some_and(|ending| ending == "toml");
            let name = path.file_stem().filter(|_| is_toml)?.to_string_lossy().into_owned();
            Some((name, crate::files::read_small(&path).ok()?))
        })
        .collect();
    found.sort();
    found
}
