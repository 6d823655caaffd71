//! Commands for the curves of the Train screen.

use super::{Command, CommandScope, Effects, always, command, go_to, none};
use crate::tui::run::CurveGroup;
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
    command!(
        "toggle-total",
        ["alt-1"],
        "",
        "Show or hide the total loss.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::Total)
    ),
    command!(
        "toggle-reconstruction",
        ["alt-2"],
        "",
        "Show or hide the reconstruction loss.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::Reconstruction)
    ),
    command!(
        "toggle-supervised",
        ["alt-3"],
        "",
        "Show or hide the supervised loss.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::Supervised)
    ),
    command!(
        "toggle-penalty",
        ["alt-4"],
        "",
        "Show or hide the weight penalty.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::Penalty)
    ),
    command!(
        "toggle-withheld",
        ["alt-5"],
        "",
        "Show or hide the loss at the withheld labels.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::Withheld)
    ),
    command!(
        "toggle-scores-x",
        ["alt-6"],
        "",
        "Show or hide the scores of predictions from x.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::ScoreX)
    ),
    command!(
        "toggle-scores-r",
        ["alt-7"],
        "",
        "Show or hide the scores of predictions from R.",
        Curves,
        always,
        |state| toggle(state, CurveGroup::ScoreR)
    ),
];

fn toggle(state: &mut State, group: CurveGroup) -> Effects {
    let hidden = &mut state.graph.curves.hidden;
    match hidden.iter().position(|own| *own == group) {
        Some(at) => drop(hidden.swap_remove(at)),
        None => hidden.push(group),
    }
    none()
}

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
