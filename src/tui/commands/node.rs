//! The Node screen.

use super::{Command, Effects, Place, always, ask, command, none};
use crate::explain::{Aim, Ranking, Voice};
use crate::graph::ClassId;
use crate::tui::layers::Prompt;
use crate::tui::line::Line;
use crate::tui::node::{
    self, Pane, go_back, go_forward, next_filter, next_sort, open_node, sort_by,
};
use crate::tui::state::State;

/// Rows that a page is.
const PAGE: isize = 10;
const END: isize = isize::MAX / 2;

pub(super) const ROWS: &[Command] = &[
    command!(
        "open-contributor",
        ["enter"],
        "open",
        "Opens the chosen neighbour; in the list, goes to what made the node.",
        Node,
        always,
        enter
    ),
    command!(
        "search-nodes",
        ["/"],
        "search",
        "Finds nodes by letters of their id, name or label.",
        Node,
        always,
        search
    ),
    command!("next-row", ["down", "j"], "", "Goes to the next row.", Node, always, |state| go(
        state, 1
    )),
    command!("previous-row", ["up", "k"], "", "Goes to the row before.", Node, always, |state| {
        go(state, -1)
    }),
    command!("page-down", ["pagedown"], "", "Goes a page down.", Node, always, |state| go(
        state, PAGE
    )),
    command!("page-up", ["pageup"], "", "Goes a page up.", Node, always, |state| go(state, -PAGE)),
    command!("first-row", ["home"], "", "Goes to the first row.", Node, always, |state| go(
        state, -END
    )),
    command!("last-row", ["end", "G"], "", "Goes to the last row.", Node, always, |state| go(
        state, END
    )),
    command!(
        "next-pane",
        ["right", "l"],
        "part",
        "Goes to the next part of the screen: list, facts, contributors, picture, test.",
        Node,
        always,
        |state| pane(state, 1)
    ),
    command!(
        "previous-pane",
        ["left", "h"],
        "",
        "Goes to the part of the screen before.",
        Node,
        always,
        |state| pane(state, -1)
    ),
    command!(
        "back-to-node",
        ["backspace", "alt-left"],
        "back",
        "Opens the node one came from.",
        Node,
        |state| !state.node.back.is_empty(),
        go_back
    ),
    command!(
        "forward-to-node",
        ["alt-right"],
        "",
        "Opens the node one went back from.",
        Node,
        |state| !state.node.forward.is_empty(),
        go_forward
    ),
    command!(
        "to-list",
        ["esc"],
        "",
        "Clears the search, or goes back to the list.",
        Node,
        |state| state.node.pane != Pane::List || !state.node.list.query.text.is_empty(),
        to_list
    ),
    command!(
        "explained-class",
        ["c"],
        "class",
        "Explains the next class; every node begins with the one predicted.",
        Node,
        explains_classes,
        |state| class(state, 1)
    ),
    command!(
        "previous-explained-class",
        ["C"],
        "",
        "Explains the class before.",
        Node,
        explains_classes,
        |state| class(state, -1)
    ),
    command!(
        "slice-by",
        ["g"],
        "by",
        "Adds contributions up by neighbour, by distance, by type or by label.",
        Node,
        always,
        slice_by
    ),
    command!(
        "rank-by",
        ["r"],
        "",
        "Sorts contributors by size, or from the strongest support to the strongest objection.",
        Node,
        always,
        rank_by
    ),
    command!(
        "toggle-neighbour",
        ["d", "delete"],
        "mute",
        "What if the chosen neighbour were silent? Again: it speaks.",
        Node,
        has_row,
        node::toggle
    ),
    command!(
        "cut-edge",
        ["-"],
        "cut",
        "Asks what would be without the edge to the chosen neighbour or, where there is none, with one.",
        Node,
        has_row,
        node::cut
    ),
    command!(
        "add-edge",
        ["+", "="],
        "",
        "Asks what would be with an edge to a node that one names.",
        Node,
        is_open,
        |state| ask(state, Prompt::Join, "")
    ),
    command!(
        "hide-label",
        ["H"],
        "",
        "What if training did not see this node's label? Shows once it is retrained.",
        Node,
        is_open,
        node::hide
    ),
    command!(
        "flip-label",
        ["L"],
        "",
        "What if this node had the next label? Shows once it is retrained.",
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
        |state| has_edits(state) || state.session.edits().is_some(),
        node::undo
    ),
    command!("redo-edit", ["ctrl-y"], "", "Makes it again.", Node, always, redo),
    command!(
        "retrain",
        ["T"],
        "retrain",
        "Starts training anew on the graph with the what-ifs made true.",
        Node,
        has_edits,
        node::retrain
    ),
    command!(
        "freeze",
        ["z"],
        "freeze",
        "Holds this moment while training goes on; again: follows it.",
        Node,
        always,
        freeze
    ),
    command!(
        "faithfulness",
        ["F"],
        "test",
        "Tests the explanation: takes the strongest away and watches, against chance.",
        Node,
        always,
        faithfulness
    ),
    command!(
        "next-filter",
        ["w"],
        "filter",
        "Shows all nodes, those that are wrong, confident and wrong, least sure, of a kind.",
        Node,
        always,
        |state| next_filter(state, 1)
    ),
    command!(
        "previous-filter",
        ["W"],
        "",
        "Takes the filter of the list before.",
        Node,
        always,
        |state| next_filter(state, -1)
    ),
    command!(
        "sort-nodes",
        ["o"],
        "sort",
        "Sorts the list by the next column.",
        Node,
        always,
        next_sort
    ),
    command!(
        "reverse-nodes",
        ["O"],
        "",
        "Turns the order of the list round.",
        Node,
        always,
        |state| sort_by(state, state.node.list.query.sort)
    ),
    command!(
        "voice",
        ["x"],
        "",
        "Lists what is predicted from the embedding x, or from what the neighbours say, R.",
        Node,
        always,
        voice
    ),
    command!(
        "hops-around",
        ["y"],
        "",
        "Draws the neighbourhood one hop or two hops wide.",
        Node,
        always,
        hops
    ),
];

fn is_open(state: &State) -> bool {
    state.node.known().is_some()
}

fn has_row(state: &State) -> bool {
    is_open(state) && state.node.row().is_some() && state.node.pane != Pane::List
}

fn has_edits(state: &State) -> bool {
    !state.node.edits.list().is_empty()
}

fn explains_classes(state: &State) -> bool {
    state.node.known().is_some_and(|account| matches!(account.found.aim, Aim::Class(_)))
}

fn enter(state: &mut State) -> Effects {
    if state.node.pane == Pane::List {
        state.node.pane = Pane::Table;
        return none();
    }
    match state.node.row() {
        Some(node) => open_node(state, node),
        None => none(),
    }
}

fn search(state: &mut State) -> Effects {
    state.node.pane = Pane::List;
    state.node.list.typed = Some(Line::new(&state.node.list.query.text));
    none()
}

fn go(state: &mut State, by: isize) -> Effects {
    if state.node.pane == Pane::List {
        node::go_in_list(state, by);
    } else {
        state.node.go_in_table(by);
    }
    none()
}

fn pane(state: &mut State, by: isize) -> Effects {
    state.node.pane = state.node.pane.moved(by);
    if state.node.pane == Pane::Faithfulness {
        state.node.faithfulness = true;
    }
    none()
}

fn to_list(state: &mut State) -> Effects {
    if state.node.pane == Pane::List {
        state.node.list.query.text.clear();
        return node::search_again(state);
    }
    state.node.pane = Pane::List;
    none()
}

fn class(state: &mut State, by: isize) -> Effects {
    let Some(account) = state.node.known() else { return none() };
    let count = account.found.answers.len() as isize;
    if let Aim::Class(class) = account.found.aim
        && count > 0
    {
        let now = state.node.class.unwrap_or(class).index() as isize;
        state.node.class = Some(ClassId((now + by).rem_euclid(count) as u16));
    }
    none()
}

fn slice_by(state: &mut State) -> Effects {
    state.node.slicing = state.node.slicing.next();
    none()
}

fn rank_by(state: &mut State) -> Effects {
    state.node.ranking = match state.node.ranking {
        Ranking::Size => Ranking::Support,
        Ranking::Support => Ranking::Size,
    };
    let said = match state.node.ranking {
        Ranking::Size => "contributors by size, for or against",
        Ranking::Support => "contributors from support to objection",
    };
    state.notices.say(said, state.now);
    none()
}

fn redo(state: &mut State) -> Effects {
    state.node.edits.redo();
    none()
}

fn freeze(state: &mut State) -> Effects {
    node::freeze(state);
    none()
}

fn faithfulness(state: &mut State) -> Effects {
    let here = state.node.pane == Pane::Faithfulness;
    if here {
        state.node.pane = Pane::Table;
    } else if state.size.0 < node::ROOMY {
        state.node.pane = Pane::Faithfulness;
    }
    let roomy = state.size.0 >= node::ROOMY;
    state.node.faithfulness = if roomy && !here { !state.node.faithfulness } else { !here };
    none()
}

fn voice(state: &mut State) -> Effects {
    let query = &mut state.node.list.query;
    query.from = if query.from == Voice::X { Voice::R } else { Voice::X };
    node::search_again(state)
}

fn hops(state: &mut State) -> Effects {
    state.node.hops = if state.node.hops == 1 { 2 } else { 1 };
    none()
}
