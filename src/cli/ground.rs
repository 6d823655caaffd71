//! A graph made ready for a model, with its progress shown.

use std::sync::Arc;

use super::progress::Display;
use crate::graph::Graph;
use crate::model::settings::Settings;
use crate::model::{Ground, ModelError};
use crate::spectral::{Cache, Cancel};

/// The cache of spectra, unless it is not wanted.
pub(super) fn cache(unwanted: bool) -> Option<Cache> {
    if unwanted { None } else { Cache::usual() }
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
