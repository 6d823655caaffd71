//! The experiment on sum, mean and max: two neighbourhoods to edit.

use super::super::{Command, CommandScope, Effects, command, none};
use super::is_open;
use crate::lab::{Experiment, Multisets, PAIRS, Side};
use crate::tui::lab::slots;
use crate::tui::state::State;

pub(in crate::tui::commands) const ROWS: &[Command] = &[
    command!("add-neighbour", ["a"], "add", "Add a neighbour.", Lab, aggregators, |state| edit(
        state,
        |sets, side, _| sets.add(side, 1)
    )),
    command!(
        "remove-neighbour",
        ["x", "delete", "backspace"],
        "remove",
        "Remove a neighbour.",
        Lab,
        aggregators,
        |state| edit_one(state, Multisets::remove)
    ),
    command!(
        "duplicate-neighbour",
        ["d"],
        "duplicate",
        "Duplicate a neighbour.",
        Lab,
        aggregators,
        |state| edit_one(state, Multisets::duplicate)
    ),
    command!("duplicate-all", ["D"], "", "Duplicate every neighbour.", Lab, aggregators, |state| {
        edit(state, |sets, side, _| sets.duplicate_all(side))
    }),
    command!(
        "raise-neighbour",
        ["up", "k", "+", "="],
        "change",
        "Increase a neighbour's value by one.",
        Lab,
        aggregators,
        |state| edit_one(state, |sets, side, at| sets.change(side, at, 1))
    ),
    command!(
        "lower-neighbour",
        ["down", "j", "-"],
        "",
        "Decrease a neighbour's value by one.",
        Lab,
        aggregators,
        |state| edit_one(state, |sets, side, at| sets.change(side, at, -1))
    ),
    command!(
        "scale-neighbours",
        ["*"],
        "",
        "Double every neighbour's value, if all stay in range.",
        Lab,
        aggregators,
        |state| edit(state, |sets, side, _| sets.scale(side, 2))
    ),
    command!(
        "next-pair",
        ["p", "space"],
        "next pair",
        "Load the next pair of the table.",
        Lab,
        aggregators,
        next_pair
    ),
    command!(
        "reset-neighbours",
        ["r"],
        "",
        "Reset both neighbourhoods.",
        Lab,
        aggregators,
        reset_neighbours
    ),
];

fn aggregators(state: &State) -> bool {
    is_open(state, Experiment::Aggregators)
}

/// Edits the neighbourhood under the cursor, or reports that it cannot. The cursor
/// stays on its side.
fn edit(
    state: &mut State,
    change: impl FnOnce(&mut Multisets, Side, Option<usize>) -> bool,
) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let places = slots(&lab.multisets);
    let Some(&(side, at)) = places.get(state.lab_view.cursor(lab)) else { return none() };
    let before = lab.multisets.side(side).len();
    if !change(&mut lab.multisets, side, at) {
        let why = "not possible: values range from 0 to 9, at most 12 of them";
        state.notices.say(why, state.now);
    }
    let after = lab.multisets.side(side).len();
    let last = after.saturating_sub(1);
    let wanted = if after == before + 1 { last } else { at.unwrap_or(0).min(last) };
    let wanted = (side, (after > 0).then_some(wanted));
    let place = slots(&lab.multisets).iter().position(|own| *own == wanted);
    state.lab_view.put_cursor(lab, place.unwrap_or(0));
    none()
}

/// Edits the neighbour under the cursor.
fn edit_one(
    state: &mut State,
    change: impl FnOnce(&mut Multisets, Side, usize) -> bool,
) -> Effects {
    edit(state, |sets, side, at| at.is_some_and(|at| change(sets, side, at)))
}

fn next_pair(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let next = state.lab_view.pair.map_or(0, |at| (at + 1) % PAIRS.len());
    lab.multisets.show_pair(next);
    state.lab_view.pair = Some(next);
    state.notices.say(PAIRS[next].0, state.now);
    none()
}

fn reset_neighbours(state: &mut State) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.multisets.reset();
    }
    none()
}
