//! `gesf-tui export`: what a run learned, for other programs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::output;
use super::overwriting::ForceArgs;
use super::reopen::reopen;
use crate::export;

/// Which run, and where to.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The folder of a run that `train --out` made
    run: PathBuf,
    /// The folder to write to; `export` inside the run if not named
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    let folder = args.out.clone().unwrap_or_else(|| args.run.join("export"));
    args.force.folder(&folder)?;
    let trainer = reopen(&args.run, false)?;
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let written = export::write_run(&trainer, &folder)?;
    let mut out = output::stdout();
    written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
    Ok(())
}
