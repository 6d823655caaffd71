//! Filters learned on other graphs, to compare with: the latest saved run of each graph
//! that has hop weights.

use std::path::{Path, PathBuf};

use super::state::State;
use crate::train::run::{Left, RunFolder, metrics, saved_runs};

/// Saved runs of a graph that are read at most, to find one with hop weights.
const TRIED: usize = 8;

/// The filter at the end of a run on another graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFilter {
    /// The name of the graph.
    pub graph: String,
    /// The epochs it was trained.
    pub epochs: usize,
    /// The hop weights: of one hop, of two, …
    pub weights: Vec<f32>,
}

impl GraphFilter {
    /// ρ at s.
    pub fn response(&self, s: f64) -> f64 {
        (1..).zip(&self.weights).map(|(power, weight)| f64::from(*weight) * s.powi(power)).sum()
    }

    /// The graph and the hop weights in a few words.
    pub fn describe(&self) -> String {
        let weights: Vec<String> = self.weights.iter().map(|own| format!("{own:.2}")).collect();
        format!("{} (epoch {}, α {})", self.graph, self.epochs, weights.join(" "))
    }
}

/// The filters of other graphs.
#[derive(Debug, Clone, Default)]
pub struct GraphFilters {
    /// Those found on disk, once they were searched for.
    pub found: Option<Vec<GraphFilter>>,
    /// The one that is shown.
    pub chosen: Option<usize>,
}

impl GraphFilters {
    /// The filter that is shown.
    pub fn shown(&self) -> Option<&GraphFilter> {
        self.found.as_ref()?.get(self.chosen?)
    }

    /// Shows the next filter, and none after the last.
    pub fn choose_next(&mut self) {
        let count = self.found.as_ref().map_or(0, Vec::len);
        let next = self.chosen.map_or(0, |own| own + 1);
        self.chosen = (next < count).then_some(next);
    }
}

/// Stores the filters that were found, and shows the first.
pub(super) fn take(state: &mut State, found: Vec<GraphFilter>) {
    if found.is_empty() {
        state.notices.say("no saved run of another graph has hop weights", state.now);
    }
    let others = &mut state.graph.filter.other_graphs;
    others.found = Some(found);
    others.choose_next();
}

/// The filters in a folder of runs by graph, in the order of the graphs' names; the
/// folder of the open graph is skipped.
pub(super) fn from_disk(runs_folder: &Path, own: &Path) -> Vec<GraphFilter> {
    let folders = std::fs::read_dir(runs_folder).into_iter().flatten().flatten();
    let folders = folders.map(|entry| entry.path()).filter(|path| path != own && path.is_dir());
    let mut found: Vec<GraphFilter> = folders.filter_map(|shelf| latest(&shelf)).collect();
    found.sort_by(|a, b| a.graph.cmp(&b.graph));
    found
}

/// The latest run of a graph with hop weights; runs that cannot be read are skipped.
fn latest(shelf: &Path) -> Option<GraphFilter> {
    let runs = saved_runs(shelf).into_iter().filter(|run| run.left != Left::InUse).take(TRIED);
    runs.map(|run| run.path).find_map(|path: PathBuf| {
        let record = RunFolder::record(&path).ok()?;
        let last = metrics(&path).ok()?.into_iter().next_back()?;
        let name = record.graph.file_stem()?.to_string_lossy().into_owned();
        let (epochs, weights) = (last.epoch + 1, last.hop_weights);
        (!weights.is_empty()).then_some(GraphFilter { graph: name, epochs, weights })
    })
}
