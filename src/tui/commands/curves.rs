//! Commands for the curves of the Train screen.

use super::{Command, CommandScope, Effects, always, command, go_to, none};
use crate::tui::state::{Plots, State};
use crate::tui::widgets::AxisScale;

pub(super) const ROWS: &[Command] = &[
    command!(
        "go-to-cursor",
        ["enter"],
        "go there",
        "Go to the epoch under the cursor; every screen shows it.",
        Curves,
        |state| state.graph.curves.cursor.is_some(),
        |state| go_to(state, state.graph.curves.cursor.unwrap_or(0))
    ),
    command!(
        "log-axis",
        ["y"],
        "log",
        "Switch the loss between a logarithmic and a linear axis.",
        Curves,
        always,
        log_axis
    ),
    command!(
        "smooth",
        ["S"],
        "smooth",
        "Cycle the smoothing of the curves: off, light, medium, strong.",
        Curves,
        always,
        smooth
    ),
    command!(
        "other-plot",
        ["c"],
        "plots",
        "Show both plots, the loss only, or the score only.",
        Curves,
        always,
        other_plot
    ),
];

fn log_axis(state: &mut State) -> Effects {
    let spread = &mut state.graph.curves.spread;
    *spread = if *spread == AxisScale::Log { AxisScale::Linear } else { AxisScale::Log };
    none()
}

fn smooth(state: &mut State) -> Effects {
    state.graph.curves.smoothing = (state.graph.curves.smoothing + 1) % 4;
    let how = ["off", "light", "medium", "strong"][state.graph.curves.smoothing];
    state.notices.say(format!("smoothing: {how}"), state.now);
    none()
}

fn other_plot(state: &mut State) -> Effects {
    state.graph.curves.plots = match state.graph.curves.plots {
        Plots::Both => Plots::Loss,
        Plots::Loss => Plots::Score,
        Plots::Score => Plots::Both,
    };
    none()
}
