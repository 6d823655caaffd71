//! Commands of the Overview screen.

use super::map::wrong_after;
use super::{Command, CommandScope, Effects, always, ask, command, none};
use crate::tui::layers::Prompt;
use crate::tui::overview::{go_to_node, open_box};
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "overview-open",
        ["enter"],
        "open",
        "Open the screen that shows the focused box in full.",
        Overview,
        always,
        |state| open_box(state, state.graph.overview)
    ),
    command!(
        "overview-next",
        ["right", "l"],
        "boxes",
        "Focus the next box.",
        Overview,
        always,
        |state| focus(state, 1)
    ),
    command!(
        "overview-previous",
        ["left", "h"],
        "",
        "Focus the previous box.",
        Overview,
        always,
        |state| focus(state, -1)
    ),
    command!(
        "follow-next-node",
        ["down", "j"],
        "next node",
        "Follow the next node through the model.",
        Overview,
        always,
        |state| follow(state, 1)
    ),
    command!(
        "follow-previous-node",
        ["up", "k"],
        "",
        "Follow the previous node through the model.",
        Overview,
        always,
        |state| follow(state, -1)
    ),
    command!(
        "follow-wrong-node",
        ["W"],
        "next wrong",
        "Follow the next misclassified node through the model.",
        Overview,
        always,
        follow_wrong
    ),
    command!(
        "follow-named-node",
        ["/"],
        "find node",
        "Follow a node by id or name; repeat the search for the next match.",
        Overview,
        always,
        |state| {
            let before = state.graph.map.sought.clone();
            ask(state, Prompt::FindNode, &before)
        }
    ),
];

fn focus(state: &mut State, by: isize) -> Effects {
    state.graph.overview = state.graph.overview.rotated(by);
    none()
}

fn follow(state: &mut State, by: isize) -> Effects {
    go_to_node(state, by);
    none()
}

fn follow_wrong(state: &mut State) -> Effects {
    match wrong_after(state, state.graph.chosen_node, None) {
        Some(node) => state.graph.chosen_node = Some(node),
        None => state.notices.say("no node is misclassified", state.now),
    }
    none()
}
