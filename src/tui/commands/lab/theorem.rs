//! The theorem experiment: numbers, their power sums, networks, groups.

use super::super::{Command, CommandScope, Effects, command, none};
use super::is_open;
use crate::lab::Experiment;
use crate::lab::theorem::{SetTarget, Swapped};
use crate::tui::lab::{by_size, renew_study, toggle_study};
use crate::tui::state::State;

/// Step by which a number of the set moves.
const NUDGE: f64 = 0.5;

pub(in crate::tui::commands) const ROWS: &[Command] = &[
    command!(
        "fit",
        ["space"],
        "learn",
        "Train the networks h(Σ g(x)), or pause them.",
        Lab,
        theorem,
        toggle_study
    ),
    command!("raise-number", ["up", "k"], "change", "Increase a number.", Lab, theorem, |state| {
        change_number(state, true)
    }),
    command!("lower-number", ["down", "j"], "", "Decrease a number.", Lab, theorem, |state| {
        change_number(state, false)
    }),
    command!("more-sums", ["+", "="], "sums", "Use one more power sum.", Lab, theorem, |state| {
        look_at(state, 1)
    }),
    command!("fewer-sums", ["-"], "", "Use one power sum fewer.", Lab, theorem, |state| {
        look_at(state, -1)
    }),
    command!(
        "next-symmetric",
        ["o"],
        "target",
        "Choose the next symmetric function to learn.",
        Lab,
        theorem,
        next_symmetric
    ),
    command!("add-number", ["a"], "add", "Add a number to the set.", Lab, theorem, add_number),
    command!(
        "remove-number",
        ["x", "delete", "backspace"],
        "remove",
        "Remove a number.",
        Lab,
        theorem,
        remove_number
    ),
    command!(
        "swap-numbers",
        ["s", "enter"],
        "swap",
        "Swap two numbers of the polynomial.",
        Lab,
        theorem,
        swap_numbers
    ),
    command!(
        "swap-across",
        ["S"],
        "",
        "Swap a number of one group of the polynomial with one of the other.",
        Lab,
        theorem,
        |state| swap(state, Swapped::Across)
    ),
    command!(
        "width-or-size",
        ["z"],
        "width, size",
        "Compare networks by the width of g, or by the size of the sets.",
        Lab,
        theorem,
        by_size
    ),
];

fn theorem(state: &State) -> bool {
    is_open(state, Experiment::Theorem)
}

fn change_number(state: &mut State, up: bool) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    match at.checked_sub(lab.theorem.numbers().len()) {
        Some(of_groups) => {
            state.lab_view.before = None;
            lab.groups.change(of_groups, if up { 1 } else { -1 });
        }
        None => {
            lab.theorem.change(at, if up { NUDGE } else { -NUDGE });
        }
    }
    none()
}

fn look_at(state: &mut State, by: isize) -> Effects {
    if let Some(lab) = &mut state.lab {
        lab.theorem.look_at(lab.theorem.sums().saturating_add_signed(by));
    }
    none()
}

fn next_symmetric(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = SetTarget::ALL.iter().position(|own| *own == lab.theorem.target()).unwrap_or(0);
    lab.theorem.choose(SetTarget::ALL[(at + 1) % SetTarget::ALL.len()]);
    let figures = &mut state.lab_view.study_figures;
    (figures.widths, figures.sizes) = (Vec::new(), Vec::new());
    renew_study(state)
}

fn add_number(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    // A value that is not in the set yet: repeated roots are recovered with fewer
    // digits.
    let fresh = (0..=12).map(|n| if n % 2 == 0 { n / 2 } else { -(n / 2) - 1 }).map(f64::from);
    let there = |value: &f64| lab.theorem.numbers().iter().any(|own| (own - value).abs() < 0.25);
    let value = fresh.clone().find(|value| *value != 0.0 && !there(value)).unwrap_or(0.0);
    if lab.theorem.add(value) {
        let last = lab.theorem.numbers().len() - 1;
        state.lab_view.put_cursor(lab, last);
    } else {
        state.notices.say("the set is full", state.now);
    }
    none()
}

fn remove_number(state: &mut State) -> Effects {
    let Some(lab) = &mut state.lab else { return none() };
    let at = state.lab_view.cursor(lab);
    if lab.theorem.remove(at) {
        state.lab_view.put_cursor(lab, at.min(lab.theorem.numbers().len().saturating_sub(1)));
    }
    none()
}

/// Swaps within the group under the cursor, or within the first if there is none.
fn swap_numbers(state: &mut State) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let of_groups = state.lab_view.cursor(lab).checked_sub(lab.theorem.numbers().len());
    swap(state, if of_groups.is_some_and(|at| at > 1) { Swapped::Second } else { Swapped::First })
}

fn swap(state: &mut State, which: Swapped) -> Effects {
    if let Some(lab) = &mut state.lab {
        state.lab_view.before = Some(lab.groups.direct());
        lab.groups.swap(which);
    }
    none()
}
