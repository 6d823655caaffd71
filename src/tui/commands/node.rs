//! Commands of the Node screen.

use super::{Command, CommandScope, Effects, always, ask, command, none};
use crate::explain::{Aim, PredictFrom, Ranking};
use crate::graph::ClassId;
use crate::tui::layers::Prompt;
use crate::tui::node::{
    self, NodePane, go_back, go_forward, next_filter, next_sort, open_node, sort_by,
};
use crate::tui::state::State;
use crate::tui::text_input::TextInput;

/// Rows per page.
const PAGE: isize = 10;
const END: isize = isize::MAX / 2;

pub(super) const ROWS: &[Command] = &[
    command!(
        "open-contributor",
        ["enter"],
        "open",
        "Open the chosen neighbour; in the list, go to the node's contributors.",
        Node,
        always,
        enter
    ),
    command!(
        "search-nodes",
        ["/"],
        "search",
        "Search nodes by id, name or label.",
        Node,
        always,
        search
    ),
    command!("next-row", ["down", "j"], "", "Go to the next row.", Node, always, |state| go(
        state, 1
    )),
    command!("previous-row", ["up", "k"], "", "Go to the previous row.", Node, always, |state| {
        go(state, -1)
    }),
    command!("page-down", ["pagedown"], "", "Go down a page.", Node, always, |state| go(
        state, PAGE
    )),
    command!("page-up", ["pageup"], "", "Go up a page.", Node, always, |state| go(state, -PAGE)),
    command!("first-row", ["home"], "", "Go to the first row.", Node, always, |state| go(
        state, -END
    )),
    command!("last-row", ["end", "G"], "", "Go to the last row.", Node, always, |state| go(
        state, END
    )),
    command!(
        "next-pane",
        ["right", "l"],
        "pane",
        "Go to the next pane: list, facts, contributors, picture, faithfulness.",
        Node,
        always,
        |state| pane(state, 1)
    ),
    command!(
        "previous-pane",
        ["left", "h"],
        "",
        "Go to the previous pane.",
        Node,
        always,
        |state| pane(state, -1)
    ),
    command!(
        "back-to-node",
        ["backspace", "alt-left"],
        "back",
        "Go back to the previous node.",
        Node,
        |state| !state.graph.node.back.is_empty(),
        go_back
    ),
    command!(
        "forward-to-node",
        ["alt-right"],
        "",
        "Go forward to the next node.",
        Node,
        |state| !state.graph.node.forward.is_empty(),
        go_forward
    ),
    command!(
        "to-list",
        ["esc"],
        "",
        "Clear the search, or go back to the list.",
        Node,
        |state| state.graph.node.pane != NodePane::List
            || !state.graph.node.list.query.text.is_empty(),
        to_list
    ),
    command!(
        "next-class",
        ["c"],
        "class",
        "Explain the next class, starting from the predicted one.",
        Node,
        explains_classes,
        |state| class(state, 1)
    ),
    command!(
        "previous-class",
        ["C"],
        "",
        "Explain the previous class.",
        Node,
        explains_classes,
        |state| class(state, -1)
    ),
    command!(
        "group-by",
        ["g"],
        "by",
        "Sum contributions by neighbour, distance, type or label.",
        Node,
        always,
        slice_by
    ),
    command!(
        "rank-by",
        ["r"],
        "",
        "Sort contributors by absolute value, or from positive to negative.",
        Node,
        always,
        rank_by
    ),
    command!(
        "toggle-neighbour",
        ["d", "delete"],
        "exclude",
        "Exclude the chosen neighbour from the prediction, or include it again.",
        Node,
        has_row,
        node::toggle
    ),
    command!(
        "cut-edge",
        ["-"],
        "cut",
        "What-if: remove the edge to the chosen neighbour, or add one if there is none.",
        Node,
        has_row,
        node::cut
    ),
    command!(
        "add-edge",
        ["+", "="],
        "",
        "What-if: add an edge to a node given by id or name.",
        Node,
        is_open,
        |state| ask(state, Prompt::Join, "")
    ),
    command!(
        "hide-label",
        ["H"],
        "",
        "What-if: exclude this node's label from training; retrain to apply.",
        Node,
        is_open,
        node::hide
    ),
    command!(
        "flip-label",
        ["L"],
        "",
        "What-if: give this node the next label; retrain to apply.",
        Node,
        is_open,
        node::flip
    ),
    command!(
        "undo-edit",
        ["u"],
        "undo",
        "Undo the last what-if, or go back to the run before the graph was edited.",
        Node,
        |state| has_edits(state) || state.graph.session.edits().is_some(),
        node::undo
    ),
    command!("redo-edit", ["ctrl-y"], "", "Redo the last what-if.", Node, always, redo),
    command!(
        "retrain",
        ["T"],
        "retrain",
        "Restart training on the graph with the what-ifs applied.",
        Node,
        has_edits,
        node::retrain
    ),
    command!(
        "freeze",
        ["z"],
        "freeze",
        "Freeze the current epoch while training continues; press again to follow.",
        Node,
        always,
        freeze
    ),
    command!(
        "faithfulness",
        ["F"],
        "test",
        "Test faithfulness: remove the top contributors and compare with random ones.",
        Node,
        always,
        faithfulness
    ),
    command!(
        "next-filter",
        ["w"],
        "filter",
        "Filter nodes: all, wrong, confident and wrong, least confident, by split or class.",
        Node,
        always,
        |state| next_filter(state, 1)
    ),
    command!(
        "previous-filter",
        ["W"],
        "",
        "Switch to the previous list filter.",
        Node,
        always,
        |state| next_filter(state, -1)
    ),
    command!(
        "sort-nodes",
        ["o"],
        "sort",
        "Sort the list by the next column.",
        Node,
        always,
        next_sort
    ),
    command!("reverse-nodes", ["O"], "", "Reverse the order of the list.", Node, always, |state| {
        sort_by(state, state.graph.node.list.query.sort)
    }),
    command!(
        "predict-from",
        ["x"],
        "",
        "Show predictions from the embedding x, or from its reconstruction R(x).",
        Node,
        always,
        predict_from
    ),
    command!(
        "neighbourhood-hops",
        ["y"],
        "",
        "Draw the one-hop or two-hop neighbourhood.",
        Node,
        always,
        hops
    ),
];

fn is_open(state: &State) -> bool {
    state.graph.node.known().is_some()
}

fn has_row(state: &State) -> bool {
    is_open(state) && state.graph.node.row().is_some() && state.graph.node.pane != NodePane::List
}

fn has_edits(state: &State) -> bool {
    !state.graph.node.edits.list().is_empty()
}

fn explains_classes(state: &State) -> bool {
    state
        .graph
        .node
        .known()
        .is_some_and(|explanation| matches!(explanation.found.aim, Aim::Class(_)))
}

fn enter(state: &mut State) -> Effects {
    if state.graph.node.pane == NodePane::List {
        state.graph.node.pane = NodePane::Table;
        return none();
    }
    match state.graph.node.row() {
        Some(node) => open_node(state, node),
        None => none(),
    }
}

fn search(state: &mut State) -> Effects {
    state.graph.node.pane = NodePane::List;
    state.graph.node.list.typed = Some(TextInput::new(&state.graph.node.list.query.text));
    none()
}

fn go(state: &mut State, by: isize) -> Effects {
    if state.graph.node.pane == NodePane::List {
        node::go_in_list(state, by);
    } else {
        state.graph.node.go_in_table(by);
    }
    none()
}

fn pane(state: &mut State, by: isize) -> Effects {
    state.graph.node.pane = state.graph.node.pane.moved(by);
    if state.graph.node.pane == NodePane::Faithfulness {
        state.graph.node.faithfulness = true;
    }
    none()
}

fn to_list(state: &mut State) -> Effects {
    if state.graph.node.pane == NodePane::List {
        state.graph.node.list.query.text.clear();
        return node::search_again(state);
    }
    state.graph.node.pane = NodePane::List;
    none()
}

fn class(state: &mut State, by: isize) -> Effects {
    let Some(explanation) = state.graph.node.known() else { return none() };
    let count = explanation.found.answers.len() as isize;
    if let Aim::Class(class) = explanation.found.aim
        && count > 0
    {
        let now = state.graph.node.class.unwrap_or(class).index() as isize;
        state.graph.node.class = Some(ClassId((now + by).rem_euclid(count) as u16));
    }
    none()
}

fn slice_by(state: &mut State) -> Effects {
    state.graph.node.slicing = state.graph.node.slicing.next();
    none()
}

fn rank_by(state: &mut State) -> Effects {
    state.graph.node.ranking = match state.graph.node.ranking {
        Ranking::Size => Ranking::Support,
        Ranking::Support => Ranking::Size,
    };
    let said = match state.graph.node.ranking {
        Ranking::Size => "contributors by absolute value",
        Ranking::Support => "contributors from positive to negative",
    };
    state.notices.say(said, state.now);
    none()
}

fn redo(state: &mut State) -> Effects {
    state.graph.node.edits.redo();
    none()
}

fn freeze(state: &mut State) -> Effects {
    node::freeze(state);
    none()
}

fn faithfulness(state: &mut State) -> Effects {
    let here = state.graph.node.pane == NodePane::Faithfulness;
    if here {
        state.graph.node.pane = NodePane::Table;
    } else if state.size.0 < node::ROOMY {
        state.graph.node.pane = NodePane::Faithfulness;
    }
    let roomy = state.size.0 >= node::ROOMY;
    state.graph.node.faithfulness =
        if roomy && !here { !state.graph.node.faithfulness } else { !here };
    none()
}

fn predict_from(state: &mut State) -> Effects {
    let query = &mut state.graph.node.list.query;
    query.from = if query.from == PredictFrom::X { PredictFrom::R } else { PredictFrom::X };
    node::search_again(state)
}

fn hops(state: &mut State) -> Effects {
    state.graph.node.hops = if state.graph.node.hops == 1 { 2 } else { 1 };
    none()
}
