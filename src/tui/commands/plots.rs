//! Commands shared by all plots: cursor, zoom, ghosts.

use super::{Command, CommandScope, Effects, always, command, none};
use crate::tui::state::{PlotKind, State};

/// Step of a cursor movement.
#[derive(Debug, Clone, Copy)]
enum Stride {
    Step,
    Far,
    End,
}

pub(super) const ROWS: &[Command] = &[
    command!(
        "cursor-right",
        ["right", "l"],
        "",
        "Move the cursor right.",
        Plots,
        always,
        |state| move_cursor(state, true, Stride::Step)
    ),
    command!(
        "cursor-left",
        ["left", "h"],
        "cursor",
        "Move the cursor left.",
        Plots,
        always,
        |state| move_cursor(state, false, Stride::Step)
    ),
    command!(
        "cursor-far-right",
        ["shift-right", "L"],
        "",
        "Move the cursor right by a large step.",
        Plots,
        always,
        |state| move_cursor(state, true, Stride::Far)
    ),
    command!(
        "cursor-far-left",
        ["shift-left", "H"],
        "",
        "Move the cursor left by a large step.",
        Plots,
        always,
        |state| move_cursor(state, false, Stride::Far)
    ),
    command!(
        "cursor-first",
        ["home", "g"],
        "",
        "Move the cursor to the left end.",
        Plots,
        always,
        |state| move_cursor(state, false, Stride::End)
    ),
    command!(
        "cursor-last",
        ["end", "G"],
        "",
        "Move the cursor to the right end.",
        Plots,
        always,
        |state| move_cursor(state, true, Stride::End)
    ),
    command!("hide-cursor", ["esc"], "no cursor", "Hide the cursor.", Plots, has_cursor, no_cursor),
    command!(
        "zoom-in",
        ["up", "k", "+", "="],
        "zoom",
        "Zoom in around the cursor.",
        Plots,
        always,
        |state| zoom_by(state, 0.6)
    ),
    command!("zoom-out", ["down", "j", "-"], "", "Zoom out.", Plots, always, |state| zoom_by(
        state,
        1.0 / 0.6
    )),
    command!("pan-left", [",", "<"], "", "Pan left.", Plots, always, |state| pan(state, false)),
    command!("pan-right", [".", ">"], "", "Pan right.", Plots, always, |state| {
        pan(state, true)
    }),
    command!(
        "show-all",
        ["a"],
        "all",
        "Show the full range; press again for the range of the data.",
        Plots,
        always,
        fit
    ),
    command!("ghosts", ["o"], "ghosts", "Show or hide previous curves.", Plots, always, ghosts),
];

fn has_cursor(state: &State) -> bool {
    match state.plot() {
        Some(PlotKind::Curves) => state.graph.curves.cursor.is_some(),
        Some(PlotKind::Filter) => state.graph.filter.cursor.is_some(),
        None => false,
    }
}

fn no_cursor(state: &mut State) -> Effects {
    match state.plot() {
        Some(PlotKind::Curves) => state.graph.curves.cursor = None,
        Some(PlotKind::Filter) => state.graph.filter.cursor = None,
        None => {}
    }
    none()
}

/// Moves the cursor by a fraction of the range, at least by one.
fn move_cursor(state: &mut State, right: bool, stride: Stride) -> Effects {
    match state.plot() {
        Some(PlotKind::Curves) => {
            let (from, to) = state.in_view();
            let last = state.graph.session.run.epochs.saturating_sub(1);
            let by = match stride {
                Stride::Step => (to - from) * 0.01,
                Stride::Far => (to - from) * 0.1,
                Stride::End => last as f64,
            };
            let by = by.round().max(1.0) as isize;
            let start = state.graph.curves.cursor.unwrap_or(last);
            let moved = start.saturating_add_signed(if right { by } else { -by });
            state.graph.curves.cursor = Some(moved.min(last));
        }
        Some(PlotKind::Filter) => {
            let Some(facts) = &state.graph.facts else { return none() };
            let last = facts.values.len().saturating_sub(1);
            let by = match stride {
                Stride::Step => 1,
                Stride::Far => (last / 10).max(1) as isize,
                Stride::End => last as isize,
            };
            // On the frequency axis, right is towards lower σ.
            let up = right != state.graph.filter.frequency;
            let start = state.graph.filter.cursor.unwrap_or(last);
            let moved = start.saturating_add_signed(if up { by } else { -by });
            state.graph.filter.cursor = (!facts.values.is_empty()).then_some(moved.min(last));
        }
        None => {}
    }
    none()
}

/// Zooms in or out around a value: the cursor's, or the middle.
pub(in crate::tui) fn zoom(state: &mut State, factor: f64, around: Option<f64>) {
    let scaled = |(from, to): (f64, f64), around: f64, whole: (f64, f64), least: f64| {
        let width = ((to - from) * factor).max(least);
        let share = ((around - from) / (to - from)).clamp(0.0, 1.0);
        let width = width.min(whole.1 - whole.0);
        let start = (around - share * width).clamp(whole.0, whole.1 - width);
        (start, start + width)
    };
    match state.plot() {
        Some(PlotKind::Curves) => {
            let (view, whole) = (state.in_view(), state.whole());
            let cursor = state.graph.curves.cursor.map(|epoch| epoch as f64);
            let around = around.or(cursor).unwrap_or(f64::midpoint(view.0, view.1));
            let next = scaled(view, around, whole, 8.0);
            state.graph.curves.window = (next.1 - next.0 < whole.1 - whole.0 - 0.5).then_some(next);
        }
        Some(PlotKind::Filter) => {
            let view = state.filter_window();
            let cursor = state.graph.filter.cursor.zip(state.graph.facts.as_ref());
            let cursor = cursor.and_then(|(at, facts)| Some(facts.values.get(at)?.s));
            let around = around.or(cursor).unwrap_or(f64::midpoint(view.0, view.1));
            state.graph.filter.window = Some(scaled(view, around, (-1.0, 1.0), 0.002));
        }
        None => {}
    }
}

fn zoom_by(state: &mut State, factor: f64) -> Effects {
    zoom(state, factor, None);
    none()
}

fn pan(state: &mut State, right: bool) -> Effects {
    let moved = |(from, to): (f64, f64), whole: (f64, f64), right: bool| {
        let by = (to - from) * if right { 0.25 } else { -0.25 };
        let start = (from + by).clamp(whole.0, (whole.1 - (to - from)).max(whole.0));
        (start, start + to - from)
    };
    match state.plot() {
        Some(PlotKind::Curves) => {
            let whole = state.whole();
            state.graph.curves.window =
                state.graph.curves.window.map(|view| moved(view, whole, right));
        }
        Some(PlotKind::Filter) => {
            let right = right != state.graph.filter.frequency;
            let view = state.filter_window();
            state.graph.filter.window = Some(moved(view, (-1.0, 1.0), right));
        }
        None => {}
    }
    none()
}

fn fit(state: &mut State) -> Effects {
    match state.plot() {
        Some(PlotKind::Curves) => {
            let all = state.graph.curves.window.take().is_none();
            state.graph.curves.so_far ^= all;
        }
        Some(PlotKind::Filter) => {
            let window = &mut state.graph.filter.window;
            *window = if window.is_none() { Some((-1.0, 1.0)) } else { None };
        }
        None => {}
    }
    none()
}

fn ghosts(state: &mut State) -> Effects {
    let ghosts = match state.plot() {
        Some(PlotKind::Curves) => &mut state.graph.curves.ghosts,
        Some(PlotKind::Filter) => &mut state.graph.filter.ghosts,
        None => return none(),
    };
    *ghosts = !*ghosts;
    none()
}
