//! `gesf-tui [PATH]`: the explorer.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::described::described;
use super::graph_args::{GraphArgs, graph_path};
use super::ground::SpectraArgs;
use super::output::Harmless;
use super::overwriting::ForceArgs;
use super::settings_args::SettingsArgs;
use crate::escape::harmless_line;
use crate::folders;
use crate::model::settings::set;
use crate::train::StateLine;
use crate::tui::{
    Config, Depth, Described, Launch, Learn, Replay, Screen, Typed, explore, narrate,
};

/// Opens a graph in the explorer.
#[derive(Debug, Args)]
pub(super) struct OpenArgs {
    /// The graph to open: a file or a folder; without one, choose on the screen
    #[arg(value_parser = graph_path())]
    path: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArgs,
    /// Wait with the training until it is started by a key
    #[arg(long)]
    paused: bool,
    /// Open the run that such a line describes, at its epoch (see `state`)
    #[arg(long, value_name = "LINE", conflicts_with_all = ["preset", "set", "labelled", "seed", "epochs"])]
    state: Option<StateLine>,
    /// Write what is done to this file, for `replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Say what happens in sentences and take commands typed as words: for
    /// screen readers, logs and terminals that cannot draw
    #[arg(long)]
    plain: bool,
    /// Write what happens to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// How things look, whatever is shown.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct LookArgs {
    /// The colours
    #[arg(long, value_parser = ["auto", "dark", "light", "high-contrast", "colour-blind"])]
    theme: Option<String>,
    /// How curves are drawn
    #[arg(long, value_parser = ["auto", "ascii", "block", "braille", "octant"])]
    glyphs: Option<String>,
    /// Show fewer and larger things in strong contrast, and the keys pressed
    #[arg(long)]
    projector: bool,
    #[command(flatten)]
    spectra: SpectraArgs,
}

/// What a graph is shown with.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ViewArgs {
    /// The screen to begin with
    #[arg(long, value_name = "SCREEN", value_parser = ["train", "filter", "node", "map", "lab", "runs"])]
    screen: Option<String>,
    /// The share of the labelled nodes whose labels training sees
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
    /// How graphs are to be read.
    pub(super) fn graph(&self) -> &GraphArgs {
        &self.graph
    }

    /// How many epochs were asked for.
    pub(super) fn epochs(&self) -> Option<usize> {
        self.settings.epochs()
    }

    /// The explorer's start, as asked for here and in the config file.
    pub(super) fn launch(&self, path: Option<PathBuf>, depth: Depth) -> anyhow::Result<Launch> {
        let config = Config::load().map_err(anyhow::Error::msg)?;
        let screen = self.screen.as_deref().or(config.screen.as_deref());
        let look = config.look(self.look.theme.as_deref(), self.look.glyphs.as_deref(), depth);
        let (settings, labelled) = (self.settings.clone(), self.labelled);
        // What is asked for wrongly is said before the screen is taken.
        settings.change(&mut crate::model::settings::Settings::default())?;
        Ok(Launch {
            path,
            options: self.graph.options(),
            screen: screen.and_then(Screen::named).unwrap_or_default(),
            paused: config.paused,
            described: None,
            record: None,
            replay: None,
            learn: None,
            projector: self.look.projector,
            notice: None,
            keymap: config.keymap(),
            look,
            presets: folders::config().map(|folder| folder.join("presets")),
            cache: self.look.spectra.finder(),
            settings: Box::new(move |manifest| {
                let found = settings.resolve_for(manifest, |own| config.refine_settings(own));
                let mut found = found.map_err(|error| format!("{error:#}"))?;
                if let Some(share) = labelled {
                    set(&mut found, "labelled", &share.to_string()).map_err(|e| e.to_string())?;
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
        if let Some(line) = &self.state {
            let (given, here) = (self.path.as_deref(), [PathBuf::from(".")]);
            let found = described(line, given, &here, &self.view.graph, true).context("--state")?;
            launch.described = Some(found);
            launch.notice = line.made_elsewhere().map(|why| format!("the line was {why}"));
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

/// Plays a recorded session, which begins with a graph on a screen.
pub(super) fn replay(
    view: &ViewArgs,
    first: Described,
    screen: Option<&str>,
    replay: Replay,
) -> anyhow::Result<ExitCode> {
    needs_a_terminal(Some(&first.path))?;
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let mut launch = view.launch(None, depth)?;
    launch.screen = screen.and_then(Screen::named).unwrap_or(launch.screen);
    launch.notice = first.line.made_elsewhere().map(|why| format!("the recording was {why}"));
    launch.described = Some(first);
    launch.replay = Some(replay);
    Ok(ExitCode::from(explore(launch).context("the terminal")?))
}

/// Opens a lesson, or the list of them.
pub(super) fn learn(look: &LookArgs, learn: Learn) -> anyhow::Result<ExitCode> {
    needs_a_terminal(None)?;
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let view = ViewArgs { look: look.clone(), ..ViewArgs::default() };
    let mut launch = view.launch(None, depth)?;
    launch.learn = Some(learn);
    Ok(ExitCode::from(explore(launch).context("the terminal")?))
}

fn needs_a_terminal(path: Option<&Path>) -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        return Ok(());
    }
    let path = path.map_or("PATH".into(), Path::to_string_lossy);
    Err(anyhow!(
        "the explorer needs a terminal, and this is none\n  help: `gesf-tui train {path}` trains \
         without one, `gesf-tui --plain {path}` tells in sentences, `gesf-tui info {path}` shows what \
         is in the graph, `gesf-tui shot {path} OUT.svg` draws a screen"
    ))
}

fn log_to(path: &Path) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| path.display().to_string())?;
    tracing_subscriber::fmt().with_writer(Mutex::new(file)).with_ansi(false).init();
    Ok(())
}
