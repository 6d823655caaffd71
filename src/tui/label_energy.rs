//! At which eigenvalues the labels have more energy than labels that ignore the edges
//! would: the evidence for or against a filter. Computed in the background when the
//! Filter screen shows it.

use std::sync::Arc;

use super::filter::BINS;
use super::jobs::Job;
use super::message::Effect;
use super::state::{Screen, State};
use crate::graph::{Labels, NodeId};
use crate::spectral::{Cancel, Density};
use crate::train::PreparedRun;

/// Chebyshev moments: a resolution of a few columns.
const MOMENTS: usize = 96;

/// Larger graphs would need gigabytes for a picture of a few columns.
const LARGEST: usize = 200_000;

/// Which labels are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnergyOf {
    /// The training labels.
    #[default]
    Train,
    /// The test labels: to judge by, never used in training.
    Test,
    /// None.
    Off,
}

impl EnergyOf {
    /// The next choice, wrapping around.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Train => Self::Test,
            Self::Test => Self::Off,
            Self::Off => Self::Train,
        }
    }
}

/// The energy of the labels of a run above that of labels that ignore the edges, in
/// each bin of [-1, 1]; the largest is 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelEnergy {
    /// Of the training labels.
    pub train: Vec<f64>,
    /// Of the test labels.
    pub test: Vec<f64>,
}

impl LabelEnergy {
    /// Computes it; `None` if cancelled or if there are no labels.
    pub fn of(ready: &PreparedRun, cancel: &Cancel) -> Option<Self> {
        let train = excess(ready, &ready.split.train, cancel)?;
        Some(Self { train, test: excess(ready, &ready.split.test, cancel).unwrap_or_default() })
    }

    /// The bins to show.
    pub fn bins(&self, of: EnergyOf) -> &[f64] {
        match of {
            EnergyOf::Train => &self.train,
            EnergyOf::Test => &self.test,
            EnergyOf::Off => &[],
        }
    }
}

/// The status of the label energy of the open graph.
#[derive(Debug, Default)]
pub struct LabelEnergyState {
    /// The run it was requested for.
    asked: Option<Arc<PreparedRun>>,
    /// The result, once available.
    pub found: Option<Arc<LabelEnergy>>,
}

/// Requests the label energy when the Filter screen shows it.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let Some(ready) = state.graph.session.ready.clone() else { return Vec::new() };
    let own = &mut state.graph.label_energy;
    let is_asked = own.asked.as_ref().is_some_and(|asked| is_same(asked, &ready));
    let is_large = ready.prepared.graph.node_count() > LARGEST;
    if state.screen != Screen::Filter || is_asked || is_large {
        return Vec::new();
    }
    (own.asked, own.found) = (Some(ready.clone()), None);
    vec![Effect::Ask(Job::LabelEnergy(ready))]
}

/// Stores a result, unless the labels or the matrix have changed since.
pub(super) fn take(state: &mut State, of: &PreparedRun, found: Arc<LabelEnergy>) {
    let own = &mut state.graph.label_energy;
    if own.asked.as_ref().is_some_and(|asked| is_same(asked, of)) {
        own.found = Some(found);
    }
}

fn is_same(one: &PreparedRun, other: &PreparedRun) -> bool {
    Arc::ptr_eq(&one.prepared.matrix, &other.prepared.matrix) && one.split == other.split
}

/// The share of the labels' energy in each bin beyond that of white noise on the same
/// nodes.
fn excess(ready: &PreparedRun, nodes: &[NodeId], cancel: &Cancel) -> Option<Vec<f64>> {
    let matrix = &ready.prepared.matrix;
    let signals = signals(ready.prepared.graph.labels(), nodes, matrix.size());
    if signals.is_empty() {
        return None;
    }
    let places: Vec<usize> = nodes.iter().map(|node| node.index()).collect();
    let labels = Density::of_signals(matrix, signals, MOMENTS, cancel, &mut |_| {}).ok()?;
    let noise = Density::of_nodes(matrix, &places, MOMENTS, cancel, &mut |_| {}).ok()?;
    let ratio = ready.prepared.operator.scale() / labels.scale();
    let edge = |at: usize| (2.0 * at as f64 / BINS as f64 - 1.0) * ratio;
    let share = |of: &Density, at: usize| of.count_above(edge(at)) - of.count_above(edge(at + 1));
    let bins: Vec<f64> =
        (0..BINS).map(|at| (share(&labels, at) - share(&noise, at)).max(0.0)).collect();
    let most = bins.iter().copied().fold(0.0, f64::max);
    Some(bins.into_iter().map(|bin| if most > 0.0 { bin / most } else { 0.0 }).collect())
}

/// The labels of some nodes as signals with mean zero: one for each class, or the
/// target itself.
fn signals(labels: &Labels, nodes: &[NodeId], size: usize) -> Vec<Vec<f64>> {
    let value = |class: usize, node: NodeId| match labels {
        Labels::None => None,
        Labels::Classes(classes) => {
            let is_own = classes.of(node).iter().any(|own| own.index() == class);
            Some(f64::from(u8::from(is_own)))
        }
        Labels::Numeric(values) => values.get(node.index()).copied().flatten().map(f64::from),
    };
    let count = match labels {
        Labels::None => 0,
        Labels::Classes(classes) => classes.names().len(),
        Labels::Numeric(_) => 1,
    };
    let signal = |class: usize| {
        let known: Vec<(NodeId, f64)> =
            nodes.iter().filter_map(|&node| Some((node, value(class, node)?))).collect();
        let mean = known.iter().map(|(_, value)| value).sum::<f64>() / known.len().max(1) as f64;
        let mut signal = vec![0.0; size];
        for (node, value) in known {
            signal[node.index()] = value - mean;
        }
        signal
    };
    let varies = |signal: &Vec<f64>| signal.iter().any(|value| *value != 0.0);
    (0..count).map(signal).filter(varies).collect()
}
