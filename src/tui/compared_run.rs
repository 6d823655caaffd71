//! A run other than the current one: the one before a restart, a branch, a saved run.
//! Its curves can be drawn next to those of the current run.

use std::path::PathBuf;
use std::sync::Arc;

use super::filter::rho;
use super::history::Series;
use super::run::Run;
use crate::model::settings::Settings;
use crate::train::run::RunLabel;
use crate::train::{BranchId, PreparedRun, Snapshot};

/// Where a branch diverges from another run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// The name of the other run.
    pub from: String,
    /// The first epoch that is not shared.
    pub epoch: usize,
}

/// The display name of a run: its label, or else its origin; and whether its graph
/// was edited.
pub(super) fn named(origin: &str, label: &RunLabel, ready: Option<&PreparedRun>) -> String {
    let name = if label.name.is_empty() { origin } else { &label.name };
    let edited = ready.is_some_and(|ready| ready.edits.is_some());
    if edited { format!("{name}, edited") } else { name.to_owned() }
}

impl ComparedRun {
    /// ρ at s at the end of the run, as far as it is known; for several seeds the mean.
    pub fn response(&self, s: f64) -> Option<f64> {
        if let Some([mean, ..]) = &self.filters {
            return Some(rho(mean, s));
        }
        if let Some(snapshot) = &self.snapshot {
            return Some(rho(&snapshot.curve, s));
        }
        let weights: Option<Vec<f32>> = self.run.hops.iter().map(Series::last).collect();
        let terms = |(power, weight): (i32, f32)| f64::from(weight) * s.powi(power);
        weights.filter(|own| !own.is_empty()).map(|own| (1..).zip(own).map(terms).sum())
    }

    /// The display name: the user's label, or else the origin.
    pub fn name(&self) -> String {
        named(&self.origin, &self.label, self.ready.as_deref())
    }
}

/// A run and its data.
#[derive(Debug, Clone, Default)]
pub struct ComparedRun {
    /// Its default name.
    pub origin: String,
    /// Its branch in the training thread, if it belongs to this session.
    pub line: Option<BranchId>,
    /// Where it diverges from another run, if it does.
    pub parting: Option<Parting>,
    /// Its figures.
    pub run: Run,
    /// One standard deviation below and above, if it is a mean of several runs.
    pub band: Option<[Run; 2]>,
    /// ρ over the grid of a snapshot, if it is a mean of several runs: the mean, and one
    /// standard deviation below and above.
    pub filters: Option<[Vec<f32>; 3]>,
    /// The settings in effect at its end.
    pub settings: Settings,
    /// The graph and split it was trained on.
    pub ready: Option<Arc<PreparedRun>>,
    /// Its last snapshot.
    pub snapshot: Option<Arc<Snapshot>>,
    /// The folder it is saved in.
    pub path: Option<PathBuf>,
    /// The user's name and note.
    pub label: RunLabel,
    /// Whether its curves are shown next to those of the current run.
    pub shown: bool,
}
