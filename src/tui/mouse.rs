//! The mouse: everything it does has a key as well.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::commands::{Command, go_to, go_to_screen, zoom};
use super::layers::Layer;
use super::message::Effect;
use super::state::{Focus, PlotKind, Screen, State};
use super::update::choose;
use super::views::Target;

/// Takes a movement, a click or a turn of the wheel.
pub(super) fn update(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    let place = Position::new(event.column, event.row);
    let target = state.hits.at(place);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            if let Some(target) = target {
                return click(state, target, event.column);
            }
            state.layers.pop();
            Vec::new()
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            if let Some(Target::Plot) = target {
                point(state, event.column);
            }
            Vec::new()
        }
        MouseEventKind::ScrollUp => wheel(state, target, event.column, true),
        MouseEventKind::ScrollDown => wheel(state, target, event.column, false),
        _ => Vec::new(),
    }
}

fn click(state: &mut State, target: Target, column: u16) -> Vec<Effect> {
    match target {
        Target::Command(name) => match Command::named(name) {
            Some(command) if command.applies(state) => (command.run)(state),
            _ => Vec::new(),
        },
        Target::Screen(screen) => go_to_screen(state, screen),
        Target::Run(row) => {
            let again = state.runs.chosen == row;
            state.runs.chosen = row;
            let taking = Command::named("take-run").filter(|own| again && own.applies(state));
            taking.map(|command| (command.run)(state)).unwrap_or_default()
        }
        Target::Setting(row) => {
            let again = state.focus == Focus::Settings && state.panel.row == row;
            state.focus = Focus::Settings;
            state.panel.go(row as isize - state.panel.row as isize);
            let typing = Command::named("type-value").filter(|_| again);
            typing.map(|command| (command.run)(state)).unwrap_or_default()
        }
        Target::Plot => {
            if state.screen == Screen::Train {
                state.focus = Focus::Plot;
            }
            let before = state.curves.cursor;
            point(state, column);
            // A second click at the same place goes there.
            match state.curves.cursor {
                Some(epoch) if state.screen == Screen::Train && before == Some(epoch) => {
                    go_to(state, epoch)
                }
                _ => Vec::new(),
            }
        }
        Target::Choice(at) => {
            match state.layers.last_mut() {
                Some(Layer::Help(search) | Layer::Palette(search)) => search.chosen = at,
                Some(Layer::Presets(chosen)) => *chosen = at,
                _ => {}
            }
            if state.layers.is_empty() {
                return super::picker::click(state, at);
            }
            choose(state)
        }
        Target::Nothing => Vec::new(),
    }
}

/// Puts the cursor where the mouse is.
fn point(state: &mut State, column: u16) {
    let Some(value) = state.hits.value(column) else { return };
    match state.plot() {
        Some(PlotKind::Curves) => {
            let last = state.session.run.epochs.saturating_sub(1);
            state.curves.cursor = Some((value.max(0.0).round() as usize).min(last));
        }
        Some(PlotKind::Filter) => {
            state.filter.cursor = state.facts.as_ref().and_then(|facts| facts.nearest(value));
        }
        None => {}
    }
}

fn wheel(state: &mut State, target: Option<Target>, column: u16, up: bool) -> Vec<Effect> {
    match (state.layers.last_mut(), target) {
        (Some(Layer::Help(search) | Layer::Palette(search)), _) => {
            search.chosen = search.chosen.saturating_add_signed(if up { -1 } else { 1 });
        }
        (None, Some(Target::Plot)) => {
            let around = state.hits.value(column);
            zoom(state, if up { 0.8 } else { 1.25 }, around);
        }
        (None, Some(Target::Setting(_))) => state.panel.go(if up { -1 } else { 1 }),
        _ => {}
    }
    Vec::new()
}
