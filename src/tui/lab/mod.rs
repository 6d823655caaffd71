//! The Lab screen: the experiments of the lab, and how they are looked at.
//!
//! In: keys and the mouse, by way of the commands, and what was learned at a
//! desk meanwhile. Out: what the views draw. The experiments themselves are the
//! lab's own; here is where the cursor stands, what is held, and what learns.

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

/// Fixes the weights, the shuffles and the signals of every experiment.
const SEED: u64 = 1;
/// Fewer neighbours are not much of a set.
const FEW: usize = 4;
/// Nodes times eigenpairs beyond which a filter is not planted on a graph: each
/// stroke of a drawn one would be felt.
const HEAVY: usize = 4_000_000;

/// Something that learns at a desk while the screen goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learning {
    /// Whether it goes on by itself.
    pub on: bool,
    /// Whether a stretch of it is under way.
    asked: bool,
    /// What was learned for an older question is of no use.
    round: u64,
}

/// How the experiments are looked at.
#[derive(Default)]
pub struct LabView {
    /// Where the cursor stands in each experiment: a card, a number, a point.
    cursors: [usize; 5],
    /// The card that was picked up.
    pub held: Option<usize>,
    /// Whether the mouse picked it up and has not let go.
    pub dragged: bool,
    /// The graph the cards are of.
    graph: Option<Arc<Graph>>,
    /// The node opened elsewhere that the cards were laid around.
    followed: Option<NodeId>,
    /// The node the cards lie around.
    pub around: Option<NodeId>,
    /// The pair of the table that was laid out last.
    pub pair: Option<usize>,
    /// The value of the polynomial before the last swap.
    pub before: Option<i128>,
    /// The networks h(Σ g(x)).
    pub study: Learning,
    /// What they have come to.
    pub study_figures: StudyFigures,
    /// Whether they differ in the size of the sets, not in the width of g.
    pub by_size: bool,
    /// The learners of the planted filter.
    pub recovery: Learning,
    /// What they have come to.
    pub recovery_figures: RecoveryFigures,
    /// The one learner that is drawn; all where there is none.
    pub only: Option<usize>,
    /// Why there is no lab.
    pub trouble: Option<String>,
}

impl LabView {
    /// Where the cursor stands, among what there is.
    pub fn cursor(&self, lab: &Lab) -> usize {
        self.cursors[lab.open as usize].min(count(lab).saturating_sub(1))
    }

    /// Puts the cursor somewhere, among what there is.
    pub fn put_cursor(&mut self, lab: &Lab, at: usize) {
        self.cursors[lab.open as usize] = at.min(count(lab).saturating_sub(1));
    }

    /// The node the cards lie around, by its name.
    pub fn around_name(&self) -> Option<&str> {
        let graph = self.graph.as_ref()?;
        self.around.filter(|node| node.index() < graph.node_count()).map(|node| graph.name(node))
    }
}

/// How many places the cursor has in the experiment that is open.
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

/// The places of two neighbourhoods, one after the other; an empty one has a
/// place without a neighbour.
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

/// Makes the lab where it is looked at for the first time, and lays other
/// cards where another graph was opened, or another node of it.
pub(super) fn settle(state: &mut State) {
    if state.screen != Screen::Lab {
        return;
    }
    let graph = state.session.ready.as_ref().map(|ready| ready.ground.graph.clone());
    let known = match (&graph, &state.lab_view.graph) {
        (None, _) => true,
        (Some(now), Some(then)) => {
            Arc::ptr_eq(now, then) || now.fingerprint() == then.fingerprint()
        }
        (Some(_), None) => false,
    };
    let opened = state.chosen_node.filter(|_| state.lab_view.followed != state.chosen_node);
    let settled = known && opened.is_none();
    if settled && (state.lab.is_some() || state.lab_view.trouble.is_some()) {
        return;
    }
    state.lab_view.followed = state.chosen_node;
    let first = || graph.as_deref().map(first_worth_seeing);
    let node = opened.or_else(first);
    lay_around(state, graph, node);
}

/// Lays the neighbours of a node; everything else stays as it is.
pub(super) fn look_around(state: &mut State, node: NodeId) {
    let graph = state.session.ready.as_ref().map(|ready| ready.ground.graph.clone());
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

/// The node with several neighbours that comes next, or the one before.
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

/// The spectrum of the graph that is open, with its name, where a filter can be
/// planted on it.
pub(super) fn own_stage(state: &State) -> Option<(String, Arc<crate::spectral::Spectrum>)> {
    let spectrum = super::spectrum::eigenpairs(state)?;
    let light = spectrum.count() > 0 && spectrum.nodes() * spectrum.count() <= HEAVY;
    light.then(|| (state.session.title.clone(), spectrum.clone()))
}
