//! The Lab screen: one file for what each experiment has, here what all have.

pub(super) mod aggregators;
pub(super) mod cards;
pub(super) mod filters;
pub(super) mod theorem;

use super::{Command, Effects, Place, always, command, none};
use crate::lab::Experiment;
use crate::tui::lab::count;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "lab-left",
        ["left", "h"],
        "",
        "Moves the cursor to the left.",
        Lab,
        always,
        |state| go(state, -1)
    ),
    command!(
        "lab-right",
        ["right", "l"],
        "",
        "Moves the cursor to the right.",
        Lab,
        always,
        |state| go(state, 1)
    ),
    command!(
        "lab-shuffle",
        ["1"],
        "",
        "Opens the experiment of the shuffled neighbours.",
        Lab,
        always,
        |state| open(state, Experiment::Shuffle)
    ),
    command!("lab-types", ["2"], "", "Opens the experiment of the types.", Lab, always, |state| {
        open(state, Experiment::Types)
    }),
    command!(
        "lab-aggregators",
        ["3"],
        "",
        "Opens the experiment of sum, mean and max.",
        Lab,
        always,
        |state| open(state, Experiment::Aggregators)
    ),
    command!(
        "lab-theorem",
        ["4"],
        "",
        "Opens the experiment of the theorem.",
        Lab,
        always,
        |state| open(state, Experiment::Theorem)
    ),
    command!(
        "lab-filters",
        ["5"],
        "",
        "Opens the experiment of the planted filters.",
        Lab,
        always,
        |state| open(state, Experiment::Filters)
    ),
    command!(
        "next-experiment",
        [".", ">"],
        "experiment",
        "Opens the next experiment.",
        Lab,
        always,
        |state| turn(state, 1)
    ),
    command!(
        "previous-experiment",
        [",", "<"],
        "",
        "Opens the experiment before.",
        Lab,
        always,
        |state| turn(state, -1)
    ),
];

fn is_open(state: &State, experiment: Experiment) -> bool {
    state.lab.as_ref().is_some_and(|lab| lab.open == experiment)
}

/// Opens an experiment; what is held stays behind.
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
