//! `gesf-tui report`: a run as Markdown with figures, and as one HTML file.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::output;
use super::overwriting::ForceArgs;
use super::reopen::reopen;
use crate::export::report::write_report;
use crate::spectral::Cancel;
use crate::train::run::{RunFolder, metrics_lines};

/// Run and output folder.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Run folder created by `train --out`
    run: PathBuf,
    /// Output folder (default: `report` inside the run)
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    let folder = args.out.clone().unwrap_or_else(|| args.run.join("report"));
    args.force.folder(&folder)?;
    let trainer = reopen(&args.run, false)?;
    let record = RunFolder::record(&args.run)?;
    let lines = metrics_lines(&args.run).with_context(|| args.run.display().to_string())?;
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let written = write_report(&trainer, &record, &lines, &folder, &Cancel::default())?;
    let mut out = output::stdout();
    written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
    Ok(())
}
