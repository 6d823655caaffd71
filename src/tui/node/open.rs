//! Opening nodes, and the way back.

use std::sync::Arc;

use super::{Pane, Source};
use crate::explain::{Edits, Moment};
use crate::graph::NodeId;
use crate::tui::message::Effect;
use crate::tui::state::{Screen, State};

/// Nodes one can go back to.
const REMEMBERED: usize = 100;

/// Opens a node on its screen, from wherever one is; one can go back from it.
pub(in crate::tui) fn open_node(state: &mut State, node: NodeId) -> Vec<Effect> {
    let known = |ready: &crate::train::Ready| node.index() < ready.ground.graph.node_count();
    if !state.session.ready.as_deref().is_some_and(known) {
        return Vec::new();
    }
    if let Some(before) = state.chosen_node.filter(|before| *before != node) {
        let view = &mut state.node;
        view.back.push(before);
        if view.back.len() > REMEMBERED {
            view.back.remove(0);
        }
        view.forward.clear();
    }
    state.chosen_node = Some(node);
    state.screen = Screen::Node;
    if state.node.pane == Pane::List {
        state.node.pane = Pane::Table;
    }
    Vec::new()
}

/// Opens the node one came from.
pub(in crate::tui) fn go_back(state: &mut State) -> Vec<Effect> {
    if let Some(node) = state.node.back.pop() {
        state.node.forward.extend(state.chosen_node.replace(node));
    }
    Vec::new()
}

/// Opens the node one went back from.
pub(in crate::tui) fn go_forward(state: &mut State) -> Vec<Effect> {
    if let Some(node) = state.node.forward.pop() {
        state.node.back.extend(state.chosen_node.replace(node));
    }
    Vec::new()
}

/// Moves in the list; the node there is open, and the way back stays as it is.
pub(in crate::tui) fn go_in_list(state: &mut State, by: isize) {
    let list = &mut state.node.list;
    list.at = list.at.saturating_add_signed(by).min(list.rows.len().saturating_sub(1));
    if let Some(&node) = list.rows.get(list.at) {
        state.chosen_node = Some(node);
    }
}

/// Puts everything in order for the graph in hand and the node that is open,
/// whoever chose it.
pub(in crate::tui) fn settle(state: &mut State, source: &Source) {
    let graph = &source.ready.ground.graph;
    let view = &mut state.node;
    let other = |moment: &Moment| !std::ptr::eq(moment.graph(), Arc::as_ptr(graph));
    if view.moment.as_deref().is_some_and(other) {
        let same = view.moment.as_ref().is_some_and(|moment| {
            let before = moment.graph();
            let id = |node: NodeId| before.ids().text(node) == graph.ids().text(node);
            before.node_count() == graph.node_count() && state.chosen_node.is_none_or(id)
        });
        if !same {
            state.chosen_node = None;
            (view.back, view.forward) = (Vec::new(), Vec::new());
        }
        view.list.forget();
        (view.account, view.moment) = (None, None);
        view.edits = Edits::default();
        view.asked = None;
    }
    let nodes = graph.node_count();
    state.chosen_node = state.chosen_node.filter(|node| node.index() < nodes);
    if state.chosen_node.is_none() {
        let first = view.list.rows.get(view.list.at).copied();
        state.chosen_node = first.or((nodes > 0).then_some(NodeId(0)));
    }
    if view.settled != state.chosen_node {
        view.settled = state.chosen_node;
        (view.class, view.picked) = (None, None);
        view.list.go_to(state.chosen_node);
    }
}
