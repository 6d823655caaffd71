//! Opening nodes, and going back.

use std::sync::Arc;

use super::{ExplainSource, NodePane};
use crate::explain::{Edits, ExplainContext};
use crate::graph::NodeId;
use crate::tui::message::Effect;
use crate::tui::state::{Screen, State};

/// Maximum length of the back history.
const REMEMBERED: usize = 100;

/// Opens a node on its screen from anywhere, and adds to the back history.
pub(in crate::tui) fn open_node(state: &mut State, node: NodeId) -> Vec<Effect> {
    let known =
        |ready: &crate::train::PreparedRun| node.index() < ready.prepared.graph.node_count();
    if !state.graph.session.ready.as_deref().is_some_and(known) {
        return Vec::new();
    }
    if let Some(before) = state.graph.chosen_node.filter(|before| *before != node) {
        let view = &mut state.graph.node;
        view.back.push(before);
        if view.back.len() > REMEMBERED {
            view.back.remove(0);
        }
        view.forward.clear();
    }
    state.graph.chosen_node = Some(node);
    state.screen = Screen::Node;
    if state.graph.node.pane == NodePane::List {
        state.graph.node.pane = NodePane::Table;
    }
    Vec::new()
}

/// Goes back to the previous node.
pub(in crate::tui) fn go_back(state: &mut State) -> Vec<Effect> {
    if let Some(node) = state.graph.node.back.pop() {
        state.graph.node.forward.extend(state.graph.chosen_node.replace(node));
    }
    Vec::new()
}

/// Goes forward again.
pub(in crate::tui) fn go_forward(state: &mut State) -> Vec<Effect> {
    if let Some(node) = state.graph.node.forward.pop() {
        state.graph.node.back.extend(state.graph.chosen_node.replace(node));
    }
    Vec::new()
}

/// Moves in the list and opens that node without changing the back history.
pub(in crate::tui) fn go_in_list(state: &mut State, by: isize) {
    let list = &mut state.graph.node.list;
    list.at = list.at.saturating_add_signed(by).min(list.rows.len().saturating_sub(1));
    if let Some(&node) = list.rows.get(list.at) {
        state.graph.chosen_node = Some(node);
    }
}

/// Initialises the state for the current graph and the open node, however it was
/// opened.
pub(in crate::tui) fn settle(state: &mut State, source: &ExplainSource) {
    let graph = &source.ready.prepared.graph;
    let view = &mut state.graph.node;
    let other = |context: &ExplainContext| !std::ptr::eq(context.graph(), Arc::as_ptr(graph));
    if view.context.as_deref().is_some_and(other) {
        let same = view.context.as_ref().is_some_and(|context| {
            let before = context.graph();
            let id = |node: NodeId| before.ids().text(node) == graph.ids().text(node);
            before.node_count() == graph.node_count() && state.graph.chosen_node.is_none_or(id)
        });
        if !same {
            state.graph.chosen_node = None;
            (view.back, view.forward) = (Vec::new(), Vec::new());
        }
        view.list.forget();
        (view.explanation, view.context) = (None, None);
        view.edits = Edits::default();
        view.asked = None;
    }
    let nodes = graph.node_count();
    state.graph.chosen_node = state.graph.chosen_node.filter(|node| node.index() < nodes);
    if state.graph.chosen_node.is_none() {
        let first = view.list.rows.get(view.list.at).copied();
        state.graph.chosen_node = first.or((nodes > 0).then_some(NodeId(0)));
    }
    if view.settled != state.graph.chosen_node {
        view.settled = state.graph.chosen_node;
        (view.class, view.picked) = (None, None);
        view.list.go_to(state.graph.chosen_node);
    }
}
