//! The mouse in the lab: drags cards onto each other, draws curves.

use super::renew_recovery;
use crate::lab::Experiment;
use crate::tui::commands::Command;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::views::HitTarget;

/// Handles a button press on a lab element.
pub(in crate::tui) fn click(
    state: &mut State,
    target: HitTarget,
    place: (u16, u16),
) -> Option<Vec<Effect>> {
    match target {
        HitTarget::Card(at) => Some(pick(state, at)),
        HitTarget::Plot => Some(draw(state, place)),
        _ => None,
    }
}

/// Picks up a card, or swaps it with the one being held.
fn pick(state: &mut State, at: usize) -> Vec<Effect> {
    let Some(lab) = &state.lab else { return Vec::new() };
    state.lab_view.put_cursor(lab, at);
    if !matches!(lab.open, Experiment::Shuffle | Experiment::Types) {
        return Vec::new();
    }
    match state.lab_view.held {
        Some(held) if held != at => run(state, "swap-cards"),
        _ => {
            (state.lab_view.held, state.lab_view.dragged) = (Some(at), true);
            Vec::new()
        }
    }
}

/// Handles movement with the button down.
pub(in crate::tui) fn drag(
    state: &mut State,
    target: Option<HitTarget>,
    place: (u16, u16),
) -> Vec<Effect> {
    match target {
        Some(HitTarget::Card(at)) if state.lab_view.dragged => {
            if let Some(lab) = &state.lab {
                state.lab_view.put_cursor(lab, at);
            }
            Vec::new()
        }
        Some(HitTarget::Plot) => draw(state, place),
        _ => Vec::new(),
    }
}

/// Handles a button release: a dragged card is swapped with its target, or returns.
pub(in crate::tui) fn drop_held(state: &mut State, target: Option<HitTarget>) -> Vec<Effect> {
    if !std::mem::take(&mut state.lab_view.dragged) {
        return Vec::new();
    }
    let Some(lab) = &state.lab else { return Vec::new() };
    match (state.lab_view.held, target) {
        (Some(held), Some(HitTarget::Card(at))) if held != at => {
            state.lab_view.put_cursor(lab, at);
            run(state, "swap-cards")
        }
        // A click picks up; the next card clicked is swapped with it.
        (Some(held), Some(HitTarget::Card(at))) if held == at => Vec::new(),
        _ => {
            state.lab_view.held = None;
            Vec::new()
        }
    }
}

/// The wheel over a number increases or decreases it.
pub(in crate::tui) fn wheel(state: &mut State, target: Option<HitTarget>, up: bool) -> Vec<Effect> {
    let Some(lab) = &state.lab else { return Vec::new() };
    let Some(HitTarget::Card(at)) = target else { return Vec::new() };
    let name = match (lab.open, up) {
        (Experiment::Aggregators, true) => "raise-neighbour",
        (Experiment::Aggregators, false) => "lower-neighbour",
        (Experiment::Theorem, true) => "raise-number",
        (Experiment::Theorem, false) => "lower-number",
        _ => return Vec::new(),
    };
    state.lab_view.put_cursor(lab, at);
    run(state, name)
}

/// Draws the planted filter through the mouse position.
fn draw(state: &mut State, (column, row): (u16, u16)) -> Vec<Effect> {
    let at = state.hits.value(column).zip(state.hits.height(row));
    let Some((s, height)) = at else { return Vec::new() };
    if state.lab.as_ref().is_none_or(|lab| lab.open != Experiment::Filters) {
        return Vec::new();
    }
    let effects = renew_recovery(state, |recovery| recovery.draw(s, height));
    if let Some(lab) = &state.lab {
        let last = super::count(lab).saturating_sub(1);
        let nearest = (f64::midpoint(s, 1.0).clamp(0.0, 1.0) * last as f64).round();
        state.lab_view.put_cursor(lab, nearest as usize);
    }
    effects
}

fn run(state: &mut State, name: &str) -> Vec<Effect> {
    match Command::named(name) {
        Some(command) if command.applies(state) => command.carry_out(state),
        _ => Vec::new(),
    }
}
