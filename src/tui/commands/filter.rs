//! The Filter screen.

use super::{Command, Effects, Place, always, command, none};
use crate::tui::filter::REFERENCES;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "axis",
        ["x"],
        "σ ↔ 1−σ",
        "Switches between the eigenvalue σ and the frequency 1 − σ.",
        Filter,
        always,
        axis
    ),
    command!(
        "reference",
        ["r"],
        "reference",
        "Draws a known filter beside the learned one: the next one.",
        Filter,
        always,
        reference
    ),
    command!("hops", ["c"], "hops", "Shows or hides the hop weights.", Filter, always, hops),
];

fn axis(state: &mut State) -> Effects {
    state.filter.frequency = !state.filter.frequency;
    none()
}

fn reference(state: &mut State) -> Effects {
    state.filter.reference = (state.filter.reference + 1) % (REFERENCES.len() + 1);
    none()
}

fn hops(state: &mut State) -> Effects {
    state.filter.hops = !state.filter.hops;
    none()
}
