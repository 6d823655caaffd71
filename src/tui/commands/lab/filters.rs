//! The experiment on planted filters.

use super::super::{Command, CommandScope, Effects, command, none};
use super::is_open;
use crate::lab::filters::{Drawn, PlantedFilter, Recovery, SyntheticGraph};
use crate::lab::{Experiment, Lab};
use crate::tui::lab::{own_stage, renew_recovery, toggle_recovery};
use crate::tui::state::State;

/// Step by which a point of a drawn filter moves.
const STROKE: f64 = 0.1;

pub(in crate::tui::commands) const ROWS: &[Command] = &[
    command!(
        "learn",
        ["space"],
        "learn",
        "Train the learners on the signals, or pause them.",
        Lab,
        filters,
        toggle_recovery
    ),
    command!("next-planted", ["o"], "filter", "Plant the next filter.", Lab, filters, next_planted),
    command!("next-stage", ["g"], "graph", "Switch to the next graph.", Lab, filters, next_stage),
    command!(
        "raise-point",
        ["up", "k", "+", "="],
        "draw",
        "Raise a point of the filter.",
        Lab,
        filters,
        |state| draw_point(state, STROKE)
    ),
    command!(
        "lower-point",
        ["down", "j", "-"],
        "",
        "Lower a point of the filter.",
        Lab,
        filters,
        |state| draw_point(state, -STROKE)
    ),
    command!("forget", ["r"], "reset", "Reset the learners.", Lab, filters, |state| {
        renew_recovery(state, Recovery::restart)
    }),
    command!(
        "one-learner",
        ["c"],
        "one, all",
        "Show one learner, then the next, then all.",
        Lab,
        filters,
        one_learner
    ),
];

fn filters(state: &State) -> bool {
    is_open(state, Experiment::Filters)
}

fn next_planted(state: &mut State) -> Effects {
    let Some(now) = state.lab.as_ref().map(|lab| lab.recovery.planted().target().name()) else {
        return none();
    };
    let all = PlantedFilter::all();
    let at = all.iter().position(|own| own.name() == now).unwrap_or(0);
    let next = all[(at + 1) % all.len()].clone();
    renew_recovery(state, |recovery| recovery.plant(next))
}

/// Cycles through the synthetic graphs, then the open one.
fn next_stage(state: &mut State) -> Effects {
    let Some(now) = state.lab.as_ref().map(|lab| lab.recovery.name().to_owned()) else {
        return none();
    };
    let at = SyntheticGraph::ALL.iter().position(|own| own.name() == now);
    let next = at.map_or(0, |at| at + 1);
    match (SyntheticGraph::ALL.get(next), own_stage(state)) {
        (Some(made), _) => {
            renew_recovery(state, |recovery| recovery.move_to(made.name(), made.spectrum()?))
        }
        (None, Some((name, spectrum))) => {
            renew_recovery(state, |recovery| recovery.move_to(&name, spectrum))
        }
        (None, None) => renew_recovery(state, |recovery| {
            recovery.move_to(SyntheticGraph::Path.name(), SyntheticGraph::Path.spectrum()?)
        }),
    }
}

fn draw_point(state: &mut State, by: f64) -> Effects {
    let Some(lab) = &state.lab else { return none() };
    let Some(s) = point(lab, state.lab_view.cursor(lab)) else { return none() };
    let height = lab.recovery.planted().target().at(s).unwrap_or(0.0) + by;
    renew_recovery(state, |recovery| recovery.draw(s, height))
}

/// The position s of a point of a drawn filter.
fn point(lab: &Lab, at: usize) -> Option<f64> {
    match lab.recovery.planted().target() {
        PlantedFilter::Drawn(drawn) => drawn.points().nth(at),
        _ => Drawn::default().points().nth(at),
    }
    .map(|(s, _)| s)
}

fn one_learner(state: &mut State) -> Effects {
    let learners = state.lab.as_ref().map_or(0, |lab| lab.recovery.learners().len());
    let next = state.lab_view.only.map_or(0, |at| at + 1);
    state.lab_view.only = (next < learners).then_some(next);
    none()
}
