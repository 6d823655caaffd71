//! `gesf-tui shot`: a screenshot without a terminal.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::graph_args::graph_path;
use super::open::ViewArgs;
use super::overwriting::ForceArgs;
use crate::files::write_atomically;
use crate::tui::{Chord, Depth, Shot, headless, picture};

/// Screenshot options.
#[derive(Debug, Args)]
pub(super) struct ShotArgs {
    /// Graph: a file or a folder
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Output file: .svg, .html or .txt
    out: PathBuf,
    /// Size in columns and rows
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "120x40", value_parser = size)]
    size: (u16, u16),
    /// Keys to press first, separated by spaces: "e down right"
    #[arg(long, value_name = "KEYS", default_value = "")]
    keys: String,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    view: ViewArgs,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let found = text.split_once(['x', '×']).and_then(|(columns, rows)| {
        Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?))
    });
    let sane =
        |(columns, rows): &(u16, u16)| (1..=1000).contains(columns) && (1..=500).contains(rows);
    found.filter(sane).ok_or_else(|| "expected columns and rows, for example 120x40".to_owned())
}

pub(super) fn run(args: &ShotArgs) -> anyhow::Result<()> {
    args.force.file(&args.out)?;
    let launch = args.view.launch(None, Depth::True)?;
    let keys: Result<Vec<Chord>, String> = args.keys.split_whitespace().map(str::parse).collect();
    let keys = keys.map_err(|why| anyhow!("--keys: {why}"))?;
    let epochs = args.view.epochs().unwrap_or(100);
    let shot = Shot { size: args.size, epochs, keys };
    let state = headless(&launch, &args.path, &shot).map_err(anyhow::Error::msg)?;
    let picture = picture(&state, args.size, &args.out).map_err(anyhow::Error::msg)?;
    write_atomically(&args.out, |out| out.write_all(picture.as_bytes()))
        .with_context(|| args.out.display().to_string())
}
