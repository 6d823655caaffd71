//! Commands of the Lab screen: one file per experiment, shared ones here.

pub(super) mod aggregators;
pub(super) mod cards;
pub(super) mod filters;
pub(super) mod theorem;

use super::{Command, CommandScope, Effects, always, command, none};
use crate::lab::Experiment;
use crate::tui::lab::count;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!("lab-left", ["left", "h"], "", "Move the cursor left.", Lab, always, |state| go(
        state, -1
    )),
    command!("lab-right", ["right", "l"], "", "Move the cursor right.", Lab, always, |state| go(
        state, 1
    )),
    command!(
        "lab-shuffle",
        ["1"],
        "",
        "Open the experiment on shuffled neighbours.",
        Lab,
        always,
        |state| open(state, Experiment::Shuffle)
    ),
    command!("lab-types", ["2"], "", "Open the experiment on types.", Lab, always, |state| {
        open(state, Experiment::Types)
    }),
    command!(
        "lab-aggregators",
        ["3"],
        "",
        "Open the experiment on sum, mean and max.",
        Lab,
        always,
        |state| open(state, Experiment::Aggregators)
    ),
    command!(
        "lab-theorem",
        ["4"],
        "",
        "Open the experiment on the theorem.",
        Lab,
        always,
        |state| open(state, Experiment::Theorem)
    ),
    command!(
        "lab-filters",
        ["5"],
        "",
        "Open the experiment on planted filters.",
        Lab,
        always,
        |state| open(state, Experiment::Filters)
    ),
    command!(
        "next-experiment",
        ["."],
        "experiment",
        "Open the next experiment.",
        Lab,
        always,
        |state| turn(state, 1)
    ),
    command!(
        "previous-experiment",
        [","],
        "",
        "Open the previous experiment.",
        Lab,
        always,
        |state| turn(state, -1)
    ),
];

fn is_open(state: &State, experiment: Experiment) -> bool {
    state.lab.as_ref().is_some_and(|lab| lab.open == experiment)
}

/// Opens an experiment; a card that is held is dropped.
fn open(state: &mut State, experiment: Experiment) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.open = experiment;
        (state.lab_view.held, state.lab_view.dragged) = (None, false);
    }
    none()
}

fn turn(state: &mut State, by: isize) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let places = Experiment::ALL.len() as isize;
    let next = (lab.open as isize + by).rem_euclid(places);
    open(state, Experiment::ALL[next as usize])
}

fn go(state: &mut State, by: isize) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let places = count(lab).max(1) as isize;
    let next = (state.lab_view.cursor(lab) as isize + by).rem_euclid(places);
    state.lab_view.put_cursor(lab, next as usize);
    none()
}
