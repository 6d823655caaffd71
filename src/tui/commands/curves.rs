//! The curves of the Train screen.

use super::{Command, Effects, Place, always, command, go_to, none};
use crate::tui::state::{Plots, State};
use crate::tui::widgets::Spread;

pub(super) const ROWS: &[Command] = &[
    command!(
        "go-to-cursor",
        ["enter"],
        "go there",
        "Goes to the epoch under the cursor; every screen shows it.",
        Curves,
        |state| state.curves.cursor.is_some(),
        |state| go_to(state, state.curves.cursor.unwrap_or(0))
    ),
    command!(
        "log-axis",
        ["y"],
        "log",
        "Switches the loss between a logarithmic and an even axis.",
        Curves,
        always,
        log_axis
    ),
    command!(
        "smooth",
        ["S"],
        "smooth",
        "Smooths the curves: not, a little, more, much.",
        Curves,
        always,
        smooth
    ),
    command!(
        "other-plot",
        ["c"],
        "plots",
        "Shows both plots, the loss alone, or the score alone.",
        Curves,
        always,
        other_plot
    ),
];

fn log_axis(state: &mut State) -> Effects {
    let spread = &mut state.curves.spread;
    *spread = if *spread == Spread::Log { Spread::Linear } else { Spread::Log };
    none()
}

fn smooth(state: &mut State) -> Effects {
    state.curves.smoothing = (state.curves.smoothing + 1) % 4;
    let how = ["not", "a little", "more", "much"][state.curves.smoothing];
    state.notices.say(format!("smoothed: {how}"), state.now);
    none()
}

fn other_plot(state: &mut State) -> Effects {
    state.curves.plots = match state.curves.plots {
        Plots::Both => Plots::Loss,
        Plots::Loss => Plots::Score,
        Plots::Score => Plots::Both,
    };
    none()
}
