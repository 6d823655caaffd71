//! `gesf-tui merge`: the output of a command from the shards of several machines, byte
//! for byte as one machine would have printed it.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::shards::document::{Document, Merged};
use super::{compare, evaluate, sweep};

/// Shards to merge.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Files with the output of `--shard`, in any order; - for standard input
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Print stable JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    let mut shards = Vec::new();
    for path in &args.shards {
        read(path, &mut shards)?;
    }
    let merged = Merged::of(shards)?;
    let command = merged.command().to_owned();
    match command.as_str() {
        evaluate::COMMAND => evaluate::print_merged(merged, args.json),
        sweep::COMMAND => sweep::print_merged(merged, args.json),
        compare::COMMAND => compare::print_merged(merged, args.json),
        other => bail!("found shards of `{other}`, expected evaluate, sweep or compare"),
    }
}

/// The shards in a file, one per line.
fn read(path: &Path, shards: &mut Vec<(String, Document)>) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let text = if name == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).context("standard input")?;
        text
    } else {
        std::fs::read_to_string(path).with_context(|| name.clone())?
    };
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let shard = serde_json::from_str(text).with_context(|| {
            format!("{name}, line {line}: found something else, expected the output of --shard")
        })?;
        shards.push((name.clone(), shard));
    }
    Ok(())
}
