//! A run that was kept, brought back to be looked at.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use super::ground;
use super::progress::Display;
use super::train::reload;
use crate::spectral::{Cache, Cancel};
use crate::train::Trainer;
use crate::train::run::RunFolder;

/// The trainer of a run as it was kept last.
pub(super) fn reopen(run: &Path, quiet: bool) -> anyhow::Result<Trainer> {
    let (record, state) = RunFolder::read(run)?;
    let Some(state) = state else {
        bail!(
            "{}: found a run without a model yet, expected one\n  help: go on with it: gesf-tui \
             train --resume {}",
            run.display(),
            run.display()
        );
    };
    let graph = Arc::new(reload(&record, run)?);
    let mut display = Display::new(quiet);
    let (cache, cancel) = (Cache::usual(), Cancel::default());
    let place = ("", &mut display);
    let ground = ground::prepare(&graph, &record.settings, cache.as_ref(), &cancel, place)?;
    display.finish();
    let mut trainer = Trainer::new(ground, record.settings)?;
    trainer.restore(&state)?;
    Ok(trainer)
}
