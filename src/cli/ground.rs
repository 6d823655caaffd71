//! A graph made ready for a model, with its progress shown.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::progress::Display;
use crate::graph::Graph;
use crate::model::settings::Settings;
use crate::model::{Ground, ModelError};
use crate::spectral::{Cache, Cancel};

/// Where spectra are kept.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct SpectraArgs {
    /// Neither use nor fill the cache of spectra
    #[arg(long)]
    no_cache: bool,
}

impl SpectraArgs {
    /// The cache, unless it is not wanted.
    pub(super) fn cache(&self) -> Option<Cache> {
        self.finder()()
    }

    /// What finds the cache, when it is needed.
    pub(super) fn finder(&self) -> fn() -> Option<Cache> {
        if self.no_cache { || None } else { Cache::usual }
    }
}

/// What Ctrl-C cancels, from now on.
pub(super) fn cancelled_by_ctrl_c() -> anyhow::Result<Cancel> {
    let cancel = Cancel::default();
    let asked = cancel.clone();
    ctrlc::set_handler(move || asked.cancel()).context("cannot listen for Ctrl-C")?;
    Ok(cancel)
}

/// Makes a graph ready. The steps are shown under a name, if there is one.
pub(super) fn prepare(
    graph: &Arc<Graph>,
    settings: &Settings,
    cache: Option<&Cache>,
    cancel: &Cancel,
    (name, display): (&str, &mut Display),
) -> Result<Ground, ModelError> {
    let prefix = if name.is_empty() { String::new() } else { format!("{name}: ") };
    Ground::prepare(graph, settings, cache, cancel, &mut |progress| {
        display.show(&format!("{prefix}{}", progress.stage), progress.done, progress.total);
    })
}
