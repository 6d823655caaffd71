//! `gesf-tui export`: embeddings, filter and predictions for other programs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::output;
use super::overwriting::ForceArgs;
use super::reopen::reopen;
use crate::export;

/// Run and output folder.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Run folder created by `train --out`
    run: PathBuf,
    /// Output folder (default: `export` inside the run)
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
