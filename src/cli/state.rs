//! `gesf-tui state`: prints the state line of a run.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::output;
use crate::train::StateLine;
use crate::train::run::RunFolder;

/// Print a state line.
#[derive(Debug, Args)]
pub(super) struct StateArgs {
    /// Run folder
    run: PathBuf,
    /// Epoch (default: the latest)
    #[arg(long, value_name = "N")]
    epoch: Option<usize>,
}

pub(super) fn run(args: &StateArgs) -> anyhow::Result<()> {
    let (record, state) = RunFolder::read(&args.run)?;
    let newest = state.map_or(0, |state| state.epoch);
    let line = StateLine::of(&record, args.epoch.unwrap_or(newest));
    writeln!(output::stdout(), "{line}")?;
    Ok(())
}
