//! A run that is not in hand: the one before a restart, a branch, a run from
//! disk. Its curves can lie beside those of the run in hand.

use std::path::PathBuf;
use std::sync::Arc;

use super::run::Run;
use crate::model::settings::Settings;
use crate::train::run::RunLabel;
use crate::train::{LineId, Ready, Snapshot};

/// Where a branch parts from another run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// The name of the other run.
    pub from: String,
    /// The first epoch that is not shared.
    pub epoch: usize,
}

/// What a run is called: by its label, else by how it came to be; and whether its
/// graph was edited.
pub(super) fn named(origin: &str, label: &RunLabel, ready: Option<&Ready>) -> String {
    let name = if label.name.is_empty() { origin } else { &label.name };
    let edited = ready.is_some_and(|ready| ready.edits.is_some());
    if edited { format!("{name}, edited") } else { name.to_owned() }
}

impl Strand {
    /// What it is called: as a person named it, else as it came to be.
    pub fn name(&self) -> String {
        named(&self.origin, &self.label, self.ready.as_deref())
    }
}

/// A run, and what is known of it.
#[derive(Debug, Clone, Default)]
pub struct Strand {
    /// What it is called unless a person named it.
    pub origin: String,
    /// The line of the training thread, if it is one of this session.
    pub line: Option<LineId>,
    /// Where it parts from another run, if it does.
    pub parting: Option<Parting>,
    /// Its figures.
    pub run: Run,
    /// One deviation below and above it, where it is the mean of several.
    pub band: Option<[Run; 2]>,
    /// The settings in force at its end.
    pub settings: Settings,
    /// What it stands on.
    pub ready: Option<Arc<Ready>>,
    /// Its last snapshot.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Where it is kept.
    pub path: Option<PathBuf>,
    /// What a person calls it, and what is noted about it.
    pub label: RunLabel,
    /// Whether its curves are shown beside those in hand.
    pub shown: bool,
}
