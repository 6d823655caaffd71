//! State of the Lab screen: the experiments and how they are displayed.
//!
//! In: keys and the mouse, through commands, and results of background jobs. Out:
//! what the views draw. The experiments are implemented in the lab crate; this module
//! holds the cursor, the card that is held, and the training state.

mod figures;
mod learning;
mod mouse;

use std::sync::Arc;

pub(super) use figures::{GRID, RecoveryFigures, StudyFigures};
pub use learning::{Chunk, Learned};
pub(super) use learning::{
    by_size, renew_recovery, renew_study, take, toggle_recovery, toggle_study, train_recovery,
    train_study,
};
pub(super) use mouse::{click, drag, drop_held, wheel};

use super::state::{Screen, State};
use crate::graph::{Graph, NodeId};
use crate::lab::filters::Drawn;
use crate::lab::{Experiment, Lab, Multisets, Side};

/// Fixes the weights, shuffles and signals of every experiment.
const SEED: u64 = 1;
/// Minimum number of neighbours for a meaningful set.
const FEW: usize = 4;
/// Nodes times eigenpairs above which no filter is planted on a graph: redrawing the
/// filter would lag.
const HEAVY: usize = 4_000_000;

/// A background training in the lab.
#[derive(Debug, Clone, Copy, Default)]
pub struct LabTraining {
    /// Whether it is running.
    pub on: bool,
    /// Whether a job is under way.
    asked: bool,
    /// Generation; results of an older one are discarded.
    round: u64,
}

/// How the experiments are displayed.
#[derive(Default)]
pub struct LabView {
    /// The cursor in each experiment: a card, a number, a point.
    cursors: [usize; 5],
    /// The card being held.
    pub held: Option<usize>,
    /// Whether the mouse is dragging it.
    pub dragged: bool,
    /// The graph of the cards.
    graph: Option<Arc<Graph>>,
    /// The node opened elsewhere whose neighbours the cards show.
    followed: Option<NodeId>,
    /// The node whose neighbours the cards show.
    pub around: Option<NodeId>,
    /// The example pair loaded last.
    pub pair: Option<usize>,
    /// The value of the polynomial before the last swap.
    pub before: Option<i128>,
    /// The networks h(Σ g(x)).
    pub study: LabTraining,
    /// Their results.
    pub study_figures: StudyFigures,
    /// Whether they vary in set size instead of the width of g.
    pub by_size: bool,
    /// The learners of the planted filter.
    pub recovery: LabTraining,
    /// Their results.
    pub recovery_figures: RecoveryFigures,
    /// The only learner drawn; all if `None`.
    pub only: Option<usize>,
    /// Why the lab is unavailable.
    pub trouble: Option<String>,
}

impl LabView {
    /// The cursor, clamped to the available positions.
    pub fn cursor(&self, lab: &Lab) -> usize {
        self.cursors[lab.open as usize].min(count(lab).saturating_sub(1))
    }

    /// Moves the cursor, clamped to the available positions.
    pub fn put_cursor(&mut self, lab: &Lab, at: usize) {
        self.cursors[lab.open as usize] = at.min(count(lab).saturating_sub(1));
    }

    /// The name of the node whose neighbours the cards show.
    pub fn around_name(&self) -> Option<&str> {
        let graph = self.graph.as_ref()?;
        self.around.filter(|node| node.index() < graph.node_count()).map(|node| graph.name(node))
    }
}

/// Number of cursor positions in the open experiment.
pub(super) fn count(lab: &Lab) -> usize {
    match lab.open {
        Experiment::Shuffle => lab.shuffle.cards().len(),
        Experiment::Types => lab.types.places().len(),
        Experiment::Aggregators => slots(&lab.multisets).len(),
        // The numbers of the set, then those of the polynomial.
        Experiment::Theorem => lab.theorem.numbers().len() + lab.groups.numbers().len(),
        Experiment::Filters => Drawn::default().points().len(),
    }
}

/// The positions of two neighbourhoods, one after the other; an empty one has one
/// position without a neighbour.
pub(super) fn slots(sets: &Multisets) -> Vec<(Side, Option<usize>)> {
    [Side::Left, Side::Right]
        .into_iter()
        .flat_map(|side| {
            let members = sets.side(side).len();
            let empty = (members == 0).then_some((side, None));
            (0..members).map(move |at| (side, Some(at))).chain(empty)
        })
        .collect()
}

/// Creates the lab when first opened, and loads other cards when another graph or
/// node was opened.
pub(super) fn settle(state: &mut State) {
    if state.screen != Screen::Lab {
        return;
    }
    let graph = state.graph.session.ready.as_ref().map(|ready| ready.prepared.graph.clone());
    let known = match (&graph, &state.lab_view.graph) {
        (None, _) => true,
        (Some(now), Some(then)) => {
            Arc::ptr_eq(now, then) || now.fingerprint() == then.fingerprint()
        }
        (Some(_), None) => false,
    };
    let opened =
        state.graph.chosen_node.filter(|_| state.lab_view.followed != state.graph.chosen_node);
    let settled = known && opened.is_none();
    if settled && (state.lab.is_some() || state.lab_view.trouble.is_some()) {
        return;
    }
    state.lab_view.followed = state.graph.chosen_node;
    let first = || graph.as_deref().map(first_worth_seeing);
    let node = opened.or_else(first);
    lay_around(state, graph, node);
}

/// Loads the neighbours of a node as cards; everything else stays.
pub(super) fn look_around(state: &mut State, node: NodeId) {
    let graph = state.graph.session.ready.as_ref().map(|ready| ready.prepared.graph.clone());
    lay_around(state, graph, Some(node));
}

fn lay_around(state: &mut State, graph: Option<Arc<Graph>>, node: Option<NodeId>) {
    match (Lab::new(graph.as_deref().zip(node), SEED), &mut state.lab) {
        (Ok(fresh), Some(lab)) => {
            (lab.near, lab.shuffle, lab.types) = (fresh.near, fresh.shuffle, fresh.types);
        }
        (Ok(fresh), empty) => {
            state.lab_view.study_figures = StudyFigures::of(&fresh.study);
            state.lab_view.recovery_figures = RecoveryFigures::of(&fresh.recovery);
            *empty = Some(fresh);
        }
        (Err(error), _) => state.lab_view.trouble = Some(error.to_string()),
    }
    let view = &mut state.lab_view;
    (view.graph, view.around, view.held) = (graph, node, None);
    (view.cursors[0], view.cursors[1]) = (0, 0);
}

/// The first node with a few neighbours, or the first of all.
fn first_worth_seeing(graph: &Graph) -> NodeId {
    nodes(graph).find(|node| graph.neighbours(*node).len() >= FEW).unwrap_or(NodeId(0))
}

/// The next node with several neighbours, or the previous one.
pub(super) fn other_node(state: &State, forward: bool) -> Option<NodeId> {
    let view = &state.lab_view;
    let (graph, now) = (view.graph.as_ref()?, view.around?);
    let several = |node: &NodeId| graph.neighbours(*node).len() > 1;
    if forward {
        let later = nodes(graph).skip(now.index() + 1).find(several);
        later.or_else(|| nodes(graph).find(several))
    } else {
        let earlier = nodes(graph).take(now.index()).filter(several).last();
        earlier.or_else(|| nodes(graph).filter(several).last())
    }
}

fn nodes(graph: &Graph) -> impl Iterator<Item = NodeId> + use<> {
    (0..graph.node_count()).map(NodeId::from)
}

/// The spectrum and name of the open graph, if a filter can be planted on it.
pub(super) fn own_stage(state: &State) -> Option<(String, Arc<crate::spectral::Spectrum>)> {
    let spectrum = super::spectrum::eigenpairs(state)?;
    let light = spectrum.count() > 0 && spectrum.nodes() * spectrum.count() <= HEAVY;
    light.then(|| (state.graph.session.title.clone(), spectrum.clone()))
}
