//! `gesf-tui replay`: plays a recorded session on the screen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::described::described;
use super::graph_args::{GraphArgs, graph_path};
use super::open::{self, Beginning};
use crate::lab::lessons;
use crate::tui::{Described, First, Recording, Replay, SPEEDS};

/// Recording and speed.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Recording written by `gesf-tui PATH --record FILE`, or by `gesf-tui demo`
    file: PathBuf,
    /// Paths of its graphs, in the order they are opened; others are searched
    /// for beside the recording and in the current folder
    #[arg(value_name = "PATH", value_parser = graph_path())]
    graphs: Vec<PathBuf>,
    /// Playback speed factor
    #[arg(long, value_name = "TIMES", default_value_t = 1.0)]
    speed: f64,
    #[command(flatten)]
    view: open::ViewArgs,
}

pub(super) fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    if !SPEEDS.contains(&args.speed) {
        let (least, most) = (SPEEDS.start(), SPEEDS.end());
        bail!("--speed: found {}, expected a number from {least} to {most}", args.speed);
    }
    let name = args.file.display().to_string();
    let text = crate::files::read_small(&args.file).with_context(|| name.clone())?;
    let recording = Recording::parse(&text, &name).map_err(anyhow::Error::msg)?;
    let mut graphs = found(&recording, args).with_context(|| name.clone())?;
    let first = match &recording.first {
        First::Graph(opened) => Beginning::Graph(Box::new(graphs.remove(0)), opened.screen.clone()),
        // A recording cannot name a file to read.
        First::Demo(id) => match lessons::find_demo(id) {
            Ok(built) => Beginning::Demo(Box::new(lessons::parse(built.text, built.id, &[])?)),
            Err(nearest) => {
                bail!("{name}: found the demo `{id}`, expected a built-in one such as `{nearest}`")
            }
        },
    };
    let replay = Replay { actions: recording.actions, graphs, speed: args.speed };
    open::replay(&args.view, first, replay)
}

/// The graphs of a recording, in the order they are opened. The load options of the
/// command line apply to the first.
fn found(recording: &Recording, args: &ReplayArgs) -> anyhow::Result<Vec<Described>> {
    // The parent of a bare file name is an empty path.
    let beside = args.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folders = [beside.unwrap_or(Path::new(".")).to_owned(), PathBuf::from(".")];
    let mut names: Vec<&str> = Vec::new();
    let opened = recording.opened().enumerate().map(|(number, opened)| {
        let name = opened.line.graph.name.as_str();
        let place = names.iter().position(|own| *own == name).unwrap_or(names.len());
        if place == names.len() {
            names.push(name);
        }
        let given = args.graphs.get(place).map(PathBuf::as_path);
        let plain = GraphArgs::default();
        let asked = if number == 0 { args.view.graph() } else { &plain };
        described(&opened.line, given, &folders, asked, opened.paused)
    });
    opened.collect()
}
