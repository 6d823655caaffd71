//! Reopens a saved run for inspection.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use super::prepared_graph;
use super::progress::Display;
use super::train::reload;
use crate::spectral::{Cache, Cancel};
use crate::train::Trainer;
use crate::train::run::RunFolder;

/// The trainer of a run at its last save.
pub(super) fn reopen(run: &Path, quiet: bool) -> anyhow::Result<Trainer> {
    let (record, state) = RunFolder::read(run)?;
    let Some(state) = state else {
        bail!(
            "{}: found a run without a saved model, expected one\n  help: resume it: gesf-tui \
             train --resume {}",
            run.display(),
            run.display()
        );
    };
    let graph = Arc::new(reload(&record, run)?);
    let mut display = Display::new(quiet);
    let (cache, cancel) = (Cache::usual(), Cancel::default());
    let place = ("", &mut display);
    let prepared =
        prepared_graph::prepare(&graph, &record.settings, cache.as_ref(), &cancel, place)?;
    display.finish();
    let mut trainer = Trainer::new(prepared, record.settings)?;
    trainer.restore(&state)?;
    Ok(trainer)
}
