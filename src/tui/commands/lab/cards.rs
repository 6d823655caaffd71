//! Cards on a table: the experiments of the shuffled neighbours and of the types.

use super::super::{Command, Effects, Place, command, none};
use super::is_open;
use crate::lab::Experiment;
use crate::tui::lab::{look_around, other_node};
use crate::tui::state::State;

pub(in crate::tui::commands) const ROWS: &[Command] = &[
    command!(
        "shuffle-cards",
        ["space", "s"],
        "shuffle",
        "Lays the cards in a new random order.",
        Lab,
        shuffle,
        shuffle_cards
    ),
    command!(
        "swap-cards",
        ["enter"],
        "pick up, swap",
        "Picks up the card under the cursor; with one in hand, swaps the two.",
        Lab,
        cards,
        swap_cards
    ),
    command!(
        "put-back",
        ["esc"],
        "put back",
        "Puts the card in hand back to its place.",
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
        "as at first",
        "Lays the cards as they were at first.",
        Lab,
        cards,
        reset_cards
    ),
    command!(
        "ignore-types",
        ["space", "i"],
        "ignore types",
        "Looks at the cards with types, or without.",
        Lab,
        types,
        ignore_types
    ),
    command!(
        "around-next",
        [")"],
        "next node",
        "Lays the neighbours of the next node of the graph.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, true)
    ),
    command!(
        "around-previous",
        ["("],
        "",
        "Lays the neighbours of the node before.",
        Lab,
        |state| cards(state) && state.lab_view.around.is_some(),
        |state| around(state, false)
    ),
    command!(
        "card-above",
        ["up", "k"],
        "",
        "Moves the cursor to the row above.",
        Lab,
        cards,
        |state| go_row(state, false)
    ),
    command!(
        "card-below",
        ["down", "j"],
        "",
        "Moves the cursor to the row below.",
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
        // Put down where it was.
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

/// Goes to the card of the row above or below, as the rows are drawn.
fn go_row(state: &mut State, down: bool) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let next = state.hits.card_beyond(state.lab_view.cursor(lab), down);
    state.lab_view.put_cursor(lab, next);
    none()
}
