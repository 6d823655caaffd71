//! State of the Runs screen: all runs of this graph, from this session and from disk,
//! and their comparison.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::compared_run::ComparedRun;
use super::run::Run;
use super::session::Session;
use crate::graph::{LabelKind, Labels};
use crate::train::run::{Left, RunFolder, metrics, saved_runs};
use crate::train::{
    Band, ClassCounts, Difference, Predictions, PreparedRun, Scalars, Score, confusion, count,
    decided, mean_and_deviation, right,
};

/// The detail shown for the selected run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Scores per class.
    #[default]
    Classes,
    /// Confusion matrix.
    Confusion,
    /// Differences from the current run.
    Difference,
}

/// Another method on the split of the current run.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its name.
    pub method: &'static str,
    /// Its score.
    pub score: Score,
    /// Whether its prediction for each test node is right; empty for regression.
    pub right: Vec<bool>,
}

/// How the runs are displayed.
#[derive(Debug, Clone, Default)]
pub struct RunsView {
    /// The selected row: 0 is the current run.
    pub chosen: usize,
    /// The detail shown for it.
    pub detail: Detail,
    /// Whether saved runs were searched for.
    pub looked: bool,
    /// Seeds done and requested, while a repetition runs.
    pub repeating: Option<(usize, usize)>,
    /// Other methods on the split of the current run, with their scores.
    pub rivals: Vec<Rival>,
    /// The graph and split they were run on.
    pub compared: Option<Arc<PreparedRun>>,
    /// Whether they are running.
    pub comparing: bool,
}

/// Per-class scores of a run on the test labels.
pub(super) struct ClassTable {
    /// The names of the classes.
    pub names: Vec<String>,
    /// The counts of each class.
    pub counts: Vec<ClassCounts>,
    /// The confusion matrix: true classes in rows, predicted ones in columns; empty
    /// for multi-label graphs.
    pub confusion: Vec<Vec<u32>>,
}

/// Comparison of the predictions of two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Disagreement {
    /// Test nodes that both predict.
    pub nodes: usize,
    /// The number of these they predict differently.
    pub differ: usize,
    /// Only the current run is right.
    pub only_current: usize,
    /// Only the other is right.
    pub only_other: usize,
}

impl Disagreement {
    /// Accuracy of the current run minus the other's, in percent, and the half-width
    /// of the 95 % interval of a paired comparison over the nodes.
    pub(super) fn accuracy_difference(&self) -> (f64, f64) {
        let nodes = self.nodes.max(1) as f64;
        let (ahead, behind) = (self.only_current as f64, self.only_other as f64);
        let mean = (ahead - behind) / nodes;
        let variance = ((ahead + behind) / nodes - mean * mean).max(0.0) / nodes;
        (100.0 * mean, 100.0 * 1.96 * variance.sqrt())
    }
}

/// The compared run of a row; `None` for the current run.
pub(super) fn other(session: &Session, row: usize) -> Option<&ComparedRun> {
    session.others.get(row.checked_sub(1)?)
}

/// Number of runs.
pub(super) fn len(session: &Session) -> usize {
    session.others.len() + 1
}

/// The per-class scores of a row, if its predictions are loaded.
pub(super) fn class_table(session: &Session, row: usize) -> Option<ClassTable> {
    let (ready, predictions) = predictions(session, row)?;
    let labels = ready.prepared.graph.labels();
    let Labels::Classes(classes) = labels else { return None };
    let (outputs, groups, test) = (&predictions.from_x, &ready.groups, &ready.split.test);
    let (counts, _) = count(classes, labels.kind(), outputs, groups, test);
    let confusion = match labels.kind() {
        LabelKind::One => confusion(classes, outputs, groups, test),
        _ => Vec::new(),
    };
    Some(ClassTable { names: classes.names().to_vec(), counts, confusion })
}

/// How the predictions of a row differ from those of the current run, if both are
/// loaded and share the same test nodes.
pub(super) fn disagreement(session: &Session, row: usize) -> Option<Disagreement> {
    let (ready, here) = predictions(session, 0)?;
    let (other_ready, there) = predictions(session, row)?;
    let Labels::Classes(classes) = ready.prepared.graph.labels() else { return None };
    if row == 0 || ready.split.test != other_ready.split.test {
        return None;
    }
    let kind = ready.prepared.graph.labels().kind();
    let mut found = Disagreement::default();
    for node in &ready.split.test {
        let said = |ready: &PreparedRun, own: &Predictions| {
            own.from_x.row(&ready.groups, *node).map(|row| decided(row, kind))
        };
        let (Some(one), Some(two)) = (said(ready, here), said(other_ready, there)) else {
            continue;
        };
        let truth: Vec<u16> = classes.of(*node).iter().map(|own| own.0).collect();
        found.nodes += 1;
        found.differ += usize::from(one != two);
        found.only_current += usize::from(one == truth && two != truth);
        found.only_other += usize::from(two == truth && one != truth);
    }
    Some(found)
}

/// Accuracy of the current run minus that of each other method on the same test
/// nodes, in percent; the intervals hold simultaneously.
pub(super) fn leads(session: &Session, view: &RunsView) -> Vec<Option<Difference>> {
    let rivals = &view.rivals;
    let percent = |right: &[bool]| -> Vec<f64> {
        right.iter().map(|right| if *right { 100.0 } else { 0.0 }).collect()
    };
    let ours = predictions(session, 0).map_or_else(Vec::new, |(ready, here)| {
        let labels = ready.prepared.graph.labels();
        percent(&right(labels, &here.from_x, &ready.groups, &ready.split.test))
    });
    let same = compared_alike(session, view);
    let lead = |rival: &Rival| {
        let comparable = same && !ours.is_empty() && ours.len() == rival.right.len();
        comparable.then(|| Difference::between(&ours, &percent(&rival.right), rivals.len()))
    };
    rivals.iter().map(lead).collect()
}

/// Whether the other methods used the graph and training labels of the current run.
pub(super) fn compared_alike(session: &Session, view: &RunsView) -> bool {
    let (Some(one), Some(other)) = (&session.ready, &view.compared) else { return false };
    one.split == other.split && one.edits == other.edits
}

fn predictions(session: &Session, row: usize) -> Option<(&PreparedRun, &Predictions)> {
    let (ready, snapshot) = match row {
        0 => (&session.ready, &session.snapshot),
        _ => other(session, row).map(|own| (&own.ready, &own.snapshot))?,
    };
    Some((ready.as_deref()?, &snapshot.as_deref()?.predictions))
}

/// The runs saved in a folder, as compared runs without snapshots; those in `known`
/// are skipped. A run that cannot be read is returned as its error.
pub(super) fn from_disk(
    shelf: &Path,
    known: &[PathBuf],
    types: &[String],
    kind: LabelKind,
) -> Vec<Result<ComparedRun, String>> {
    let runs = saved_runs(shelf).into_iter().filter(|run| run.left != Left::InUse);
    let runs = runs.filter(|run| !known.contains(&run.path));
    runs.filter_map(|own| {
        let read = RunFolder::read(&own.path).and_then(|read| Ok((read, metrics(&own.path)?)));
        let ((record, state), figures) = match read {
            Ok(read) => read,
            Err(error) => return Some(Err(error.to_string())),
        };
        if figures.is_empty() {
            return None;
        }
        let last = figures.last().map_or(0, |last| last.epoch + 1);
        let done = state.map_or(last, |state| state.epoch);
        Some(Ok(ComparedRun {
            origin: format!("saved {}", age(own.at)),
            label: record.label.clone(),
            run: run_of(&figures, types, kind),
            settings: record.settings_at(done).clone(),
            path: Some(own.path),
            ..ComparedRun::default()
        }))
    })
    .collect()
}

/// A short text for how long ago a time was.
pub(super) fn age(at: SystemTime) -> String {
    match at.elapsed().unwrap_or_default().as_secs() {
        seconds @ 0..=119 => format!("{seconds} s ago"),
        seconds @ 120..=7199 => format!("{} min ago", seconds / 60),
        seconds @ 7200..=172_799 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

fn run_of(figures: &[Scalars], types: &[String], kind: LabelKind) -> Run {
    let mut run = Run::new(kind);
    for scalars in figures {
        run.push(scalars, types);
    }
    run
}

/// A repetition over seeds as a compared run: its mean, with a band around it.
pub(super) fn banded(band: &Band, ready: &Arc<PreparedRun>, session: &Session) -> ComparedRun {
    let (types, kind) =
        (ready.prepared.graph.types().names(), ready.prepared.graph.labels().kind());
    ComparedRun {
        origin: format!("{} seeds", band.seeds),
        run: run_of(&band.mean, types, kind),
        band: Some([run_of(&band.low, types, kind), run_of(&band.high, types, kind)]),
        filters: filter_band(&band.filters),
        settings: session.settings.clone(),
        shown: true,
        ..ComparedRun::default()
    }
}

/// The mean of several filters, and one standard deviation below and above.
fn filter_band(filters: &[Vec<f32>]) -> Option<[Vec<f32>; 3]> {
    let points = filters.iter().map(Vec::len).min()?;
    let shifted = |shift: f64| -> Vec<f32> {
        let at = |point: usize| {
            let values: Vec<f64> = filters.iter().map(|own| f64::from(own[point])).collect();
            let (mean, deviation) = mean_and_deviation(&values);
            (mean + shift * deviation) as f32
        };
        (0..points).map(at).collect()
    };
    Some([shifted(0.0), shifted(-1.0), shifted(1.0)])
}
