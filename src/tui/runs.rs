//! What the Runs screen knows: every run of this graph, from this session and
//! from disk, and what is compared about them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::run::Run;
use super::session::Session;
use super::strand::Strand;
use crate::graph::{LabelKind, Labels};
use crate::train::run::{Left, RunFolder, metrics, shelved};
use crate::train::{
    Band, ClassCounts, Difference, Predictions, Ready, Scalars, Score, confusion, count, decided,
    right,
};

/// What is shown of the chosen run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// What each class got.
    #[default]
    Classes,
    /// Which class was taken for which.
    Confusion,
    /// What differs from the run in hand.
    Difference,
}

/// Another method on the split of the run in hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its name.
    pub method: &'static str,
    /// How it did.
    pub score: Score,
    /// Whether it predicted each test node right; empty for numbers.
    pub right: Vec<bool>,
}

/// How the runs are looked at.
#[derive(Debug, Clone, Default)]
pub struct RunsView {
    /// The chosen row: 0 is the run in hand.
    pub chosen: usize,
    /// What is shown of it.
    pub detail: Detail,
    /// Whether the runs on disk were looked for.
    pub looked: bool,
    /// Seeds done and asked for, while a repetition runs.
    pub repeating: Option<(usize, usize)>,
    /// Other methods on the split of the run in hand, and how they did.
    pub rivals: Vec<Rival>,
    /// What they were run on.
    pub compared: Option<Arc<Ready>>,
    /// Whether they are being run.
    pub comparing: bool,
}

/// How good each class of a run is found, on labels held back.
pub(super) struct ClassTable {
    /// The names of the classes.
    pub names: Vec<String>,
    /// What each got.
    pub counts: Vec<ClassCounts>,
    /// Which (rows) was taken for which (columns); empty where a node can have
    /// several.
    pub confusion: Vec<Vec<u32>>,
}

/// The predictions of two runs side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Disagreement {
    /// Nodes held back that both were asked about.
    pub nodes: usize,
    /// Of these, those of which they say different things.
    pub differ: usize,
    /// Only the run in hand is right.
    pub only_in_hand: usize,
    /// Only the other is right.
    pub only_other: usize,
}

impl Disagreement {
    /// How far the run in hand is ahead in accuracy, in percent, and half of the
    /// 95 % interval of a paired comparison over the nodes.
    pub(super) fn accuracy_difference(&self) -> (f64, f64) {
        let nodes = self.nodes.max(1) as f64;
        let (ahead, behind) = (self.only_in_hand as f64, self.only_other as f64);
        let mean = (ahead - behind) / nodes;
        let variance = ((ahead + behind) / nodes - mean * mean).max(0.0) / nodes;
        (100.0 * mean, 100.0 * 1.96 * variance.sqrt())
    }
}

/// The strand of a row; none for the run in hand.
pub(super) fn other(session: &Session, row: usize) -> Option<&Strand> {
    session.others.get(row.checked_sub(1)?)
}

/// How many runs there are.
pub(super) fn len(session: &Session) -> usize {
    session.others.len() + 1
}

/// What each class of a row got, where predictions of it are at hand.
pub(super) fn class_table(session: &Session, row: usize) -> Option<ClassTable> {
    let (ready, predictions) = predictions(session, row)?;
    let labels = ready.ground.graph.labels();
    let Labels::Classes(classes) = labels else { return None };
    let (outputs, groups, held) = (&predictions.from_x, &ready.groups, &ready.split.held);
    let (counts, _) = count(classes, labels.kind(), outputs, groups, held);
    let confusion = match labels.kind() {
        LabelKind::One => confusion(classes, outputs, groups, held),
        _ => Vec::new(),
    };
    Some(ClassTable { names: classes.names().to_vec(), counts, confusion })
}

/// How a row's predictions differ from those in hand, where both are at hand
/// and were judged on the same nodes.
pub(super) fn disagreement(session: &Session, row: usize) -> Option<Disagreement> {
    let (ready, here) = predictions(session, 0)?;
    let (other_ready, there) = predictions(session, row)?;
    let Labels::Classes(classes) = ready.ground.graph.labels() else { return None };
    if row == 0 || ready.split.held != other_ready.split.held {
        return None;
    }
    let kind = ready.ground.graph.labels().kind();
    let mut found = Disagreement::default();
    for node in &ready.split.held {
        let said = |ready: &Ready, own: &Predictions| {
            own.from_x.row(&ready.groups, *node).map(|row| decided(row, kind))
        };
        let (Some(one), Some(two)) = (said(ready, here), said(other_ready, there)) else {
            continue;
        };
        let truth: Vec<u16> = classes.of(*node).iter().map(|own| own.0).collect();
        found.nodes += 1;
        found.differ += usize::from(one != two);
        found.only_in_hand += usize::from(one == truth && two != truth);
        found.only_other += usize::from(two == truth && one != truth);
    }
    Some(found)
}

/// How far the run in hand is ahead of each other method in accuracy on the same
/// test nodes, in percent; the intervals hold for all methods together.
pub(super) fn leads(session: &Session, view: &RunsView) -> Vec<Option<Difference>> {
    let rivals = &view.rivals;
    let percent = |right: &[bool]| -> Vec<f64> {
        right.iter().map(|right| if *right { 100.0 } else { 0.0 }).collect()
    };
    let ours = predictions(session, 0).map_or_else(Vec::new, |(ready, here)| {
        let labels = ready.ground.graph.labels();
        percent(&right(labels, &here.from_x, &ready.groups, &ready.split.held))
    });
    let same = compared_alike(session, view);
    let lead = |rival: &Rival| {
        let comparable = same && !ours.is_empty() && ours.len() == rival.right.len();
        comparable.then(|| Difference::between(&ours, &percent(&rival.right), rivals.len()))
    };
    rivals.iter().map(lead).collect()
}

/// Whether the other methods saw the graph and the labels of the run in hand.
pub(super) fn compared_alike(session: &Session, view: &RunsView) -> bool {
    let (Some(one), Some(other)) = (&session.ready, &view.compared) else { return false };
    one.split == other.split && one.edits == other.edits
}

fn predictions(session: &Session, row: usize) -> Option<(&Ready, &Predictions)> {
    let (ready, snapshot) = match row {
        0 => (&session.ready, &session.snapshot),
        _ => other(session, row).map(|own| (&own.ready, &own.snapshot))?,
    };
    Some((ready.as_deref()?, &snapshot.as_deref()?.predictions))
}

/// The runs on a shelf, as strands without states; those in `known` are left out.
/// What is wrong with one that cannot be read stands in its place.
pub(super) fn from_disk(
    shelf: &Path,
    known: &[PathBuf],
    types: &[String],
    kind: LabelKind,
) -> Vec<Result<Strand, String>> {
    let runs = shelved(shelf).into_iter().filter(|run| run.left != Left::InUse);
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
        Some(Ok(Strand {
            origin: format!("saved {}", age(own.at)),
            label: record.label.clone(),
            run: run_of(&figures, types, kind),
            settings: record.settings_at(done).clone(),
            path: Some(own.path),
            ..Strand::default()
        }))
    })
    .collect()
}

/// How long ago, in a word or two.
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

/// A repetition over seeds as a strand: its mean, with a band around it.
pub(super) fn banded(band: &Band, ready: &Arc<Ready>, session: &Session) -> Strand {
    let (types, kind) = (ready.ground.graph.types().names(), ready.ground.graph.labels().kind());
    Strand {
        origin: format!("{} seeds", band.seeds),
        run: run_of(&band.mean, types, kind),
        band: Some([run_of(&band.low, types, kind), run_of(&band.high, types, kind)]),
        settings: session.settings.clone(),
        shown: true,
        ..Strand::default()
    }
}
