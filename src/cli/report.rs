//! `gesf-tui report`: a run as Markdown with figures, and as one HTML file.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;

use super::ground;
use super::progress::Display;
use super::train::reload;
use crate::export::report::write_report;
use crate::spectral::Cancel;
use crate::train::Trainer;
use crate::train::run::{RunFolder, metrics_lines};

/// Which run, and where to.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The folder of a run that `train --out` made
    run: PathBuf,
    /// The folder to write to; `report` inside the run if not named
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    let (record, state) = RunFolder::read(&args.run)?;
    let Some(state) = state else {
        bail!(
            "{}: found a run without a model yet, expected one\n  help: go on with it: gesf-tui \
             train --resume {}",
            args.run.display(),
            args.run.display()
        );
    };
    let graph = Arc::new(reload(&record, &args.run)?);
    let mut display = Display::new(false);
    let (cache, cancel) = (ground::cache(false), Cancel::default());
    let place = ("", &mut display);
    let ground = ground::prepare(&graph, &record.settings, cache.as_ref(), &cancel, place)?;
    display.finish();
    let mut trainer = Trainer::new(ground, record.settings.clone())?;
    trainer.restore(&state)?;
    let lines = metrics_lines(&args.run).with_context(|| args.run.display().to_string())?;
    let folder = args.out.clone().unwrap_or_else(|| args.run.join("report"));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let written = write_report(&trainer, &record, &lines, &folder, &cancel)?;
    let mut out = anstream::stdout().lock();
    written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
    Ok(())
}
