//! Prepares a graph for a model, with progress output.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::progress::Display;
use crate::graph::Graph;
use crate::model::settings::Settings;
use crate::model::{ModelError, PreparedGraph};
use crate::spectral::{Cache, Cancel};

/// Spectrum cache options.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct SpectraArgs {
    /// Do not read or write the spectrum cache
    #[arg(long)]
    no_cache: bool,
}

impl SpectraArgs {
    /// The cache, unless disabled.
    pub(super) fn cache(&self) -> Option<Cache> {
        self.finder()()
    }

    /// A function that locates the cache when it is needed.
    pub(super) fn finder(&self) -> fn() -> Option<Cache> {
        if self.no_cache { || None } else { Cache::usual }
    }
}

/// A token that Ctrl-C cancels from now on.
pub(super) fn cancelled_by_ctrl_c() -> anyhow::Result<Cancel> {
    let cancel = Cancel::default();
    let asked = cancel.clone();
    ctrlc::set_handler(move || asked.cancel()).context("cannot listen for Ctrl-C")?;
    Ok(cancel)
}

/// Prepares a graph. Progress is shown under a name, if there is one.
pub(super) fn prepare(
    graph: &Arc<Graph>,
    settings: &Settings,
    cache: Option<&Cache>,
    cancel: &Cancel,
    (name, display): (&str, &mut Display),
) -> Result<PreparedGraph, ModelError> {
    let prefix = if name.is_empty() { String::new() } else { format!("{name}: ") };
    PreparedGraph::prepare(graph, settings, cache, cancel, &mut |progress| {
        display.show(&format!("{prefix}{}", progress.stage), progress.done, progress.total);
    })
}
