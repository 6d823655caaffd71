//! Cards: the experiments on shuffled neighbours and on types.

use super::super::{Command, CommandScope, Effects, command, none};
use super::is_open;
use crate::lab::Experiment;
use crate::tui::lab::{look_around, other_node};
use crate::tui::state::State;

pub(in crate::tui::commands) const ROWS: &[Command] = &[
    command!(
        "shuffle-cards",
        ["space", "s"],
        "shuffle",
        "Shuffle the cards.",
        Lab,
        shuffle,
        shuffle_cards
    ),
    command!(
        "swap-cards",
        ["enter"],
        "pick up, swap",
        "Pick up the card under the cursor, or swap it with the one picked up.",
        Lab,
        cards,
        swap_cards
    ),
    command!(
        "put-back",
        ["esc"],
        "put back",
        "Put the picked-up card back.",
        Lab,
        |state| cards(state) && state.lab_view.held.is_some(),
        |state| {
            state.lab_view.held = None;
            none()
        }
    ),
    command!(
        "reset-cards",
        ["r"],
        "reset",
        "Reset the order of the cards.",
        Lab,
        cards,
        reset_cards
    ),
    command!(
        "ignore-types",
        ["space", "i"],
        "ignore types",
        "Use or ignore the types of the cards.",
        Lab,
        types,
        ignore_types
    ),
    command!(
        "next-neighbourhood",
        [">"],
        "next node",
        "Show the neighbours of the next node of the graph.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, true)
    ),
    command!(
        "previous-neighbourhood",
        ["<"],
        "",
        "Show the neighbours of the previous node.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, false)
    ),
    command!(
        "card-above",
        ["up", "k"],
        "",
        "Move the cursor to the row above.",
        Lab,
        cards,
        |state| go_row(state, false)
    ),
    command!(
        "card-below",
        ["down", "j"],
        "",
        "Move the cursor to the row below.",
        Lab,
        cards,
        |state| go_row(state, true)
    ),
];

fn shuffle(state: &State) -> bool {
    is_open(state, Experiment::Shuffle)
}

fn types(state: &State) -> bool {
    is_open(state, Experiment::Types)
}

fn cards(state: &State) -> bool {
    shuffle(state) || types(state)
}

fn shuffle_cards(state: &mut State) -> Effects {
    state.lab_view.held = None;
    if let Some(lab) = &mut state.lab {
        lab.shuffle.shuffle();
    }
    none()
}

fn swap_cards(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    state.lab_view.dragged = false;
    match state.lab_view.held.take() {
        None => state.lab_view.held = Some(at),
        // Dropped on its own place.
        Some(held) if held == at => {}
        Some(held) if lab.open == Experiment::Types => {
            lab.types.swap(held, at);
        }
        Some(held) => {
            lab.shuffle.swap(held, at);
        }
    }
    none()
}

fn reset_cards(state: &mut State) -> Effects {
    state.lab_view.held = None;
    match &mut state.lab {
        Some(lab) if lab.open == Experiment::Types => lab.types.reset(),
        Some(lab) => lab.shuffle.reset(),
        None => {}
    }
    none()
}

fn ignore_types(state: &mut State) -> Effects {
    if let Some(lab) = &mut state.lab {
        let ignored = lab.types.are_ignored();
        lab.types.ignore_types(!ignored);
    }
    none()
}

fn around(state: &mut State, forward: bool) -> Effects {
    if let Some(node) = other_node(state, forward) {
        look_around(state, node);
    }
    none()
}

/// Moves to the card in the row above or below, as drawn.
fn go_row(state: &mut State, down: bool) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let next = state.hits.card_beyond(state.lab_view.cursor(lab), down);
    state.lab_view.put_cursor(lab, next);
    none()
}
