//! `gesf-tui [PATH]`: the explorer.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::described::described;
use super::graph_args::{GraphArgs, graph_path};
use super::output::Harmless;
use super::overwriting::ForceArgs;
use super::prepared_graph::SpectraArgs;
use super::settings_args::SettingsArgs;
use crate::escape::harmless_line;
use crate::folders;
use crate::lab::lessons::Lesson;
use crate::model::settings::{keys, set};
use crate::train::StateLine;
use crate::tui::{
    Config, Depth, Described, Home, Launch, Learn, Replay, Screen, Speed, Typed, explore, narrate,
};

/// Open a graph in the explorer.
#[derive(Debug, Args)]
pub(super) struct OpenArgs {
    /// Graph to open: a file or a folder; without one, choose on the screen
    #[arg(value_parser = graph_path())]
    path: Option<PathBuf>,
    /// Train at most this many epochs per second, to watch it
    #[arg(long, value_name = "EPOCHS", value_parser = positive)]
    speed: Option<f32>,
    #[command(flatten)]
    view: ViewArgs,
    /// Start with training paused
    #[arg(long)]
    paused: bool,
    /// Open the run described by a state line, at its epoch (see `state`)
    #[arg(long, value_name = "LINE", conflicts_with_all = ["preset", "set", "labelled", "seed", "epochs"])]
    state: Option<StateLine>,
    /// Record the session to this file, for `replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Plain-text mode with typed commands: for screen readers, logs and
    /// terminals that cannot draw
    #[arg(long)]
    plain: bool,
    /// Write a log to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Appearance options.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct LookArgs {
    /// Colour theme
    #[arg(long, value_parser = ["auto", "dark", "light", "high-contrast", "colour-blind"])]
    theme: Option<String>,
    /// Characters used to draw curves, or pixels; `auto` asks the terminal
    #[arg(long, value_parser = PossibleValuesParser::new(Config::glyph_names()))]
    glyphs: Option<String>,
    /// Projector mode: fewer, larger items, high contrast, and the keys pressed
    #[arg(long)]
    projector: bool,
    #[command(flatten)]
    spectra: SpectraArgs,
}

pub(super) fn positive(text: &str) -> Result<f32, String> {
    let found = text.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
    found.ok_or_else(|| "expected a number above 0".to_owned())
}

/// View options.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ViewArgs {
    /// Initial screen
    #[arg(long, value_name = "SCREEN", value_parser = ["overview", "train", "filter", "node", "map", "lab", "runs"])]
    screen: Option<String>,
    /// Share of the labelled nodes used for training
    #[arg(long, value_name = "SHARE")]
    labelled: Option<f64>,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

impl ViewArgs {
    /// Everything as usual, except for the appearance.
    pub(super) fn of_look(look: &LookArgs) -> Self {
        Self { look: look.clone(), ..Self::default() }
    }

    /// The launch configuration of a session for a page: there is no terminal to ask for
    /// its colours, and drawings are sent as shapes.
    pub(super) fn launch_for_page(&self) -> anyhow::Result<Launch> {
        let mut view = self.clone();
        view.look.theme.get_or_insert_with(|| "dark".to_owned());
        view.look.glyphs.get_or_insert_with(|| "braille".to_owned());
        let mut launch = view.launch(None, Depth::True)?;
        launch.look.show_pixels(self.look.glyphs.is_none());
        Ok(launch)
    }

    /// How graphs are read.
    pub(super) fn graph(&self) -> &GraphArgs {
        &self.graph
    }

    /// The requested number of epochs.
    pub(super) fn epochs(&self) -> Option<usize> {
        self.settings.epochs()
    }

    /// The launch configuration, from the command line and the config file.
    pub(super) fn launch(&self, path: Option<PathBuf>, depth: Depth) -> anyhow::Result<Launch> {
        let config = Config::load().map_err(anyhow::Error::msg)?;
        let screen = self.screen.as_deref().or(config.screen.as_deref());
        let glyphs = self.look.glyphs.as_deref();
        let look = config.look(self.look.theme.as_deref(), glyphs, depth);
        let graphics = config.graphics(glyphs, &look);
        let (settings, labelled) = (self.settings.clone(), self.labelled);
        // Errors in options are reported before the terminal is taken over.
        settings.change(&mut crate::model::settings::Settings::default())?;
        Ok(Launch {
            path,
            options: self.graph.options(),
            screen: screen.and_then(Screen::named),
            paused: config.paused,
            notify: config.notify.unwrap_or(true),
            described: None,
            record: None,
            replay: None,
            learn: None,
            projector: self.look.projector,
            notice: None,
            hint: config.notes().into_iter().next().map(|note| format!("config.toml, {note}")),
            keymap: config.keymap(),
            speed: None,
            look,
            graphics,
            presets: folders::config().map(|folder| folder.join("presets")),
            home: Home::of_user(),
            jobs: None,
            cache: self.look.spectra.finder(),
            settings: Box::new(move |manifest| {
                let found = settings.resolve_for(manifest, |own| config.refine_settings(own));
                let mut found = found.map_err(|error| format!("{error:#}"))?;
                if let Some(share) = labelled {
                    set(&mut found, keys::LABELLED, &share.to_string())
                        .map_err(|e| e.to_string())?;
                }
                Ok(found)
            }),
        })
    }
}

impl OpenArgs {
    fn launch(&self, depth: Depth) -> anyhow::Result<Launch> {
        let mut launch = self.view.launch(self.path.clone(), depth)?;
        launch.paused |= self.paused;
        launch.record.clone_from(&self.record);
        launch.speed = self.speed.map(Speed::limited);
        if let Some(line) = &self.state {
            let (given, here) = (self.path.as_deref(), [PathBuf::from(".")]);
            let found = described(line, given, &here, &self.view.graph, true).context("--state")?;
            launch.described = Some(found);
            launch.notice = line.made_elsewhere().map(|why| format!("the state line was {why}"));
        }
        Ok(launch)
    }
}

pub(super) fn run(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    for path in [&args.record, &args.log].into_iter().flatten() {
        args.force.file(path)?;
    }
    if args.plain {
        let launch = args.launch(Depth::None)?;
        if let Some(notice) = &launch.notice {
            eprintln!("{}", harmless_line(notice));
        }
        let input = std::io::BufReader::new(std::io::stdin());
        let typed = if std::io::stdin().is_terminal() { Typed::Live } else { Typed::Ahead };
        let code = narrate(&launch, input, typed, &mut Harmless::new(std::io::stdout()))?;
        return Ok(ExitCode::from(code));
    }
    needs_a_terminal(args.path.as_deref())?;
    if let Some(path) = &args.path
        && !path.exists()
    {
        bail!("{}: No such file or folder\n  help: check the spelling", path.display());
    }
    if let Some(path) = &args.log {
        log_to(path)?;
    }
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let launch = args.launch(depth)?;
    let code = explore(launch).context("the terminal")?;
    Ok(ExitCode::from(code))
}

/// What a recorded session begins with.
pub(super) enum Beginning {
    /// A graph, and the screen it was opened on.
    Graph(Box<Described>, Option<String>),
    /// A demo.
    Demo(Box<Lesson>),
}

/// Replays a recorded session.
pub(super) fn replay(
    view: &ViewArgs,
    first: Beginning,
    replay: Replay,
) -> anyhow::Result<ExitCode> {
    needs_a_terminal(None)?;
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let mut launch = view.launch(None, depth)?;
    match first {
        Beginning::Graph(first, screen) => {
            launch.screen = screen.as_deref().and_then(Screen::named).or(launch.screen);
            let elsewhere = first.line.made_elsewhere();
            launch.notice = elsewhere.map(|why| format!("the recording was {why}"));
            launch.described = Some(*first);
        }
        Beginning::Demo(demo) => launch.learn = Some(Learn::Lesson(demo)),
    }
    launch.replay = Some(replay);
    Ok(ExitCode::from(explore(launch).context("the terminal")?))
}

/// Opens a lesson, or the list of lessons; records the session if there is a file for it.
pub(super) fn learn(
    look: &LookArgs,
    learn: Learn,
    record: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    needs_a_terminal(None)?;
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let view = ViewArgs::of_look(look);
    let mut launch = view.launch(None, depth)?;
    launch.learn = Some(learn);
    launch.record = record;
    Ok(ExitCode::from(explore(launch).context("the terminal")?))
}

fn needs_a_terminal(path: Option<&Path>) -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        return Ok(());
    }
    let path = path.map_or("PATH".into(), Path::to_string_lossy);
    Err(anyhow!(
        "the explorer needs a terminal, found none\n  help: `gesf-tui train {path}` trains \
         without one, `gesf-tui --plain {path}` runs in plain-text mode, `gesf-tui info {path}` \
         summarises the graph, `gesf-tui shot {path} OUT.svg` renders a screen"
    ))
}

fn log_to(path: &Path) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| path.display().to_string())?;
    tracing_subscriber::fmt().with_writer(Mutex::new(file)).with_ansi(false).init();
    Ok(())
}
