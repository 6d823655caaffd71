//! How the explorer is started, and how it opens a graph.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::appearance::Appearance;
use super::commands::Keymap;
use super::graphics::GraphicsChoice;
use super::home::Home;
use super::opening::{Begin, Opening};
use super::picker::manifest_of;
use super::player::Replay;
use super::recorder::Fingerprint;
use super::speed::Speed;
use super::state::{Screen, State};
use crate::graph::{LoadOptions, Manifest, STANDARD_INPUT, Sample, load, locate};
use crate::lab::lessons::Lesson;
use crate::model::settings::{Settings, set};
use crate::spectral::Cache;
use crate::train::run::{RunFolder, is_run};
use crate::train::{GraphLoader, StateLine};

/// Selects settings for a graph from its manifest.
pub type Chooser = Box<dyn Fn(&Manifest) -> Result<Settings, String>>;

/// Launch configuration of the explorer.
pub struct Launch {
    /// The graph; without one, the picker opens.
    pub path: Option<PathBuf>,
    /// A run at an epoch to open instead.
    pub described: Option<Described>,
    /// How graphs are read.
    pub options: LoadOptions,
    /// Selects settings for a graph.
    pub settings: Chooser,
    /// Locates the spectrum cache.
    pub cache: fn() -> Option<Cache>,
    /// Whether training starts paused.
    pub paused: bool,
    /// The initial screen, if the user chose one.
    pub screen: Option<Screen>,
    /// Colours and glyphs.
    pub look: Appearance,
    /// When pictures are sent.
    pub graphics: GraphicsChoice,
    /// The key bindings.
    pub keymap: Keymap,
    /// The training speed; without one, the speed chosen last.
    pub speed: Option<Speed>,
    /// The folder of the user's presets.
    pub presets: Option<PathBuf>,
    /// Where files are saved, and which may be touched.
    pub home: Home,
    /// Long computations that run at the same time; all if `None`.
    pub jobs: Option<usize>,
    /// The file to record the session to.
    pub record: Option<PathBuf>,
    /// The recording to play.
    pub replay: Option<Replay>,
    /// The lesson to open, if any.
    pub learn: Option<Learn>,
    /// Whether projector mode is on.
    pub projector: bool,
    /// Whether the end of a long run is notified.
    pub notify: bool,
    /// A notice to show first.
    pub notice: Option<String>,
    /// A hint that fades.
    pub hint: Option<String>,
}

/// The lesson to open.
#[derive(Debug, Clone)]
pub enum Learn {
    /// The user chooses on the screen.
    Choose,
    /// This one.
    Lesson(Box<Lesson>),
}

/// A run at an epoch as given by a state line, with its graph found on this machine.
#[derive(Debug, Clone)]
pub struct Described {
    /// The path of the graph.
    pub path: PathBuf,
    /// Its load options.
    pub options: LoadOptions,
    /// The run and its epoch.
    pub line: StateLine,
    /// Whether training pauses at the epoch or continues.
    pub holds: bool,
}

impl Launch {
    /// The training start for this launch; runs are saved in `runs_folder`.
    pub fn begin(&self, paused: bool, runs_folder: Option<PathBuf>) -> Begin {
        let Home { most_runs, checkpoint_memory, .. } = self.home;
        Begin { cache: (self.cache)(), paused, runs_folder, most_runs, checkpoint_memory }
    }

    /// Prepares to open the graph given at launch, if any.
    pub fn open_first(&self) -> Option<Result<Opening, String>> {
        let described = self.described.as_ref().map(|own| self.open_described(own));
        described.or_else(|| self.path.as_deref().map(|path| self.open(path)))
    }

    /// Prepares to open a run at an epoch.
    pub fn open_described(&self, described: &Described) -> Result<Opening, String> {
        let mut opening = self.open_graph(&described.path, described.options.clone())?;
        opening.settings = described.line.settings.clone();
        (opening.epoch, opening.changes) = (described.line.epoch, described.line.changes.clone());
        opening.edits.clone_from(&described.line.edits);
        opening.holds = Some(described.holds);
        Ok(opening)
    }

    /// Prepares to open a graph, or a run of one; loading happens later, in the
    /// training thread.
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
        // A saved run names its graph: that may be any file of the machine.
        let access = &self.home.access;
        if let Some(why) = access.refuses_to_open(path).or(access.refuses_options(&options)) {
            return Err(why);
        }
        let path = locate(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut manifest = manifest_of(&path).unwrap_or_default();
        manifest.split = options.split_name().or(manifest.split);
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
        let source: GraphLoader = Box::new(move || match load(&place, &how) {
            Ok((graph, _)) => {
                // The graph is loaded once, so this is set once.
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

    /// Prepares to open a lesson's graph: the lesson's settings override those of the
    /// graph; the user's preferences are ignored.
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

    /// The first screen on a terminal with a number of columns: as chosen, else the
    /// overview of a graph that is opened from its start, if it fits.
    pub fn first_screen(&self, columns: u16) -> Screen {
        let leads_elsewhere =
            self.described.is_some() || self.learn.is_some() || self.replay.is_some();
        let usual = if leads_elsewhere { Screen::Train } else { Screen::Overview };
        self.screen.or(Some(usual)).filter(|own| own.fits(columns)).unwrap_or_default()
    }

    /// A state with no graph open.
    pub fn state(&self) -> State {
        let mut state = State::new("gesf-tui".to_owned(), Settings::default(), self.look.clone());
        state.keymap = self.keymap.clone();
        state.access = self.home.access.clone();
        state.screen = self.screen.unwrap_or_default();
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
