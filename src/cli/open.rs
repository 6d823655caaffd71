//! `gesf-tui [PATH]`: the explorer.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::graph_args::GraphArgs;
use super::settings_args::SettingsArgs;
use crate::folders;
use crate::model::settings::set;
use crate::spectral::Cache;
use crate::tui::{Config, Depth, Launch, Screen, explore};

/// Opens a graph in the explorer.
#[derive(Debug, Args)]
pub(super) struct OpenArgs {
    /// The graph to open: a file or a folder; without one, choose on the screen
    path: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArgs,
    /// Wait with the training until it is started by a key
    #[arg(long)]
    paused: bool,
    /// Write what happens to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// What a graph is shown with.
#[derive(Debug, Clone, Args)]
pub(super) struct ViewArgs {
    /// The screen to begin with
    #[arg(long, value_name = "SCREEN", value_parser = ["train", "filter", "map"])]
    screen: Option<String>,
    /// The share of the labelled nodes whose labels training sees
    #[arg(long, value_name = "SHARE")]
    labelled: Option<f64>,
    /// The colours
    #[arg(long, value_parser = ["auto", "dark", "light", "high-contrast", "colour-blind"])]
    theme: Option<String>,
    /// How curves are drawn
    #[arg(long, value_parser = ["auto", "ascii", "block", "braille", "octant"])]
    glyphs: Option<String>,
    /// Neither use nor fill the cache of spectra
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

impl ViewArgs {
    /// How many epochs were asked for.
    pub(super) fn epochs(&self) -> Option<usize> {
        self.settings.epochs()
    }

    /// The explorer's start, as asked for here and in the config file.
    pub(super) fn launch(&self, path: Option<PathBuf>, depth: Depth) -> anyhow::Result<Launch> {
        let config = Config::load().map_err(anyhow::Error::msg)?;
        let screen = self.screen.as_deref().or(config.screen.as_deref());
        let look = config.look(self.theme.as_deref(), self.glyphs.as_deref(), depth);
        let (settings, labelled) = (self.settings.clone(), self.labelled);
        // What is asked for wrongly is said before the screen is taken.
        settings.change(&mut crate::model::settings::Settings::default())?;
        Ok(Launch {
            path,
            options: self.graph.options(),
            screen: screen.and_then(Screen::named).unwrap_or_default(),
            paused: config.paused,
            keymap: config.keymap(),
            look,
            presets: folders::config().map(|folder| folder.join("presets")),
            cache: if self.no_cache { || None } else { Cache::usual },
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

pub(super) fn run(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    if !(std::io::stdout().is_terminal() && std::io::stdin().is_terminal()) {
        let path = args.path.as_deref().map_or("PATH".into(), Path::to_string_lossy);
        return Err(anyhow!(
            "the explorer needs a terminal, and this is none\n  help: `gesf-tui train {path}` trains \
             without one, `gesf-tui info {path}` shows what is in the graph, `gesf-tui shot {path} \
             OUT.svg` draws a screen"
        ));
    }
    if let Some(path) = &args.path
        && !path.exists()
    {
        bail!("{}: No such file or folder\n  help: check the spelling", path.display());
    }
    if let Some(path) = &args.log {
        log_to(path)?;
    }
    let depth = Depth::of_terminal(|name| std::env::var(name).ok());
    let mut launch = args.view.launch(args.path.clone(), depth)?;
    launch.paused |= args.paused;
    let code = explore(launch).context("the terminal")?;
    Ok(ExitCode::from(code))
}

fn log_to(path: &Path) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| path.display().to_string())?;
    tracing_subscriber::fmt().with_writer(Mutex::new(file)).with_ansi(false).init();
    Ok(())
}
