//! Commands of the Filter screen.

use super::{Command, CommandScope, Effects, always, command, none};
use crate::tui::filter::REFERENCES;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "axis",
        ["x"],
        "σ ↔ 1−σ",
        "Switch between the eigenvalue σ and the frequency 1 − σ.",
        Filter,
        always,
        axis
    ),
    command!(
        "reference",
        ["r"],
        "reference",
        "Show the next reference filter beside the learned one.",
        Filter,
        always,
        reference
    ),
    command!("hops", ["c"], "hops", "Show or hide the hop weights.", Filter, always, hops),
];

fn axis(state: &mut State) -> Effects {
    state.graph.filter.frequency = !state.graph.filter.frequency;
    none()
}

fn reference(state: &mut State) -> Effects {
    state.graph.filter.reference = (state.graph.filter.reference + 1) % (REFERENCES.len() + 1);
    none()
}

fn hops(state: &mut State) -> Effects {
    state.graph.filter.hops = !state.graph.filter.hops;
    none()
}
