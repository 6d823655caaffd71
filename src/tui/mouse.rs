//! The mouse: everything it does has a key as well.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::commands::{Command, go_to, go_to_screen, zoom};
use super::lab;
use super::layers::{Layer, choose};
use super::map::nearest;
use super::message::Effect;
use super::node::{self, Pane};
use super::state::{Focus, PlotKind, Screen, State};
use super::views::Target;

/// What is under the mouse, in a word that a recording keeps.
pub(super) fn target_name(state: &State, event: MouseEvent) -> String {
    let target = state.hits.at(Position::new(event.column, event.row));
    target.map(|target| format!("{target:?}")).unwrap_or_default()
}

/// Takes a movement, a click or a turn of the wheel.
pub(super) fn update(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    let place = Position::new(event.column, event.row);
    let target = state.hits.at(place);
    let in_lab = state.screen == Screen::Lab && state.layers.is_empty();
    if state.screen == Screen::Map && state.layers.is_empty() && map_mouse(state, event, target) {
        return Vec::new();
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            if let Some(target) = target {
                let own = in_lab.then(|| lab::click(state, target, (event.column, event.row)));
                return own.flatten().unwrap_or_else(|| click(state, target, event.column));
            }
            state.layers.pop();
            Vec::new()
        }
        MouseEventKind::Up(MouseButton::Left) if in_lab => lab::drop_held(state, target),
        MouseEventKind::Drag(MouseButton::Left) if in_lab => {
            lab::drag(state, target, (event.column, event.row))
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            if let Some(Target::Plot) = target {
                point(state, event.column);
            }
            Vec::new()
        }
        MouseEventKind::ScrollUp if in_lab => lab::wheel(state, target, true),
        MouseEventKind::ScrollDown if in_lab => lab::wheel(state, target, false),
        MouseEventKind::ScrollUp => wheel(state, target, place, true),
        MouseEventKind::ScrollDown => wheel(state, target, place, false),
        _ => Vec::new(),
    }
}

fn click(state: &mut State, target: Target, column: u16) -> Vec<Effect> {
    match target {
        Target::Command(name) => match Command::named(name) {
            Some(command) if command.applies(state) => command.carry_out(state),
            _ => Vec::new(),
        },
        Target::Screen(screen) => go_to_screen(state, screen),
        Target::Run(row) => {
            let again = state.runs.chosen == row;
            state.runs.chosen = row;
            let taking = Command::named("take-run").filter(|own| again && own.applies(state));
            taking.map(|command| command.carry_out(state)).unwrap_or_default()
        }
        Target::Setting(row) => {
            let again = state.focus == Focus::Settings && state.panel.row == row;
            state.focus = Focus::Settings;
            state.panel.go(row as isize - state.panel.row as isize);
            let typing = Command::named("type-value").filter(|_| again);
            typing.map(|command| command.carry_out(state)).unwrap_or_default()
        }
        Target::NodeRow(at) => {
            let again = state.node.pane == Pane::List && state.node.list.at == at;
            state.node.pane = if again { Pane::Table } else { Pane::List };
            let here = state.node.list.at;
            node::go_in_list(state, at as isize - here as isize);
            Vec::new()
        }
        Target::NodeSort(sort) => node::sort_by(state, sort),
        Target::Contributor(own) => {
            // A second click opens it.
            if state.node.row() == Some(own) && state.node.pane != Pane::List {
                return node::open_node(state, own);
            }
            state.node.picked = Some(own);
            state.node.pane = Pane::Table;
            Vec::new()
        }
        Target::Pane(pane) => {
            state.node.pane = pane;
            Vec::new()
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
                Some(Layer::Lessons(shelf)) => shelf.chosen = at,
                _ => {}
            }
            if state.layers.is_empty() {
                return super::picker::click(state, at);
            }
            choose(state)
        }
        Target::Card(_) | Target::Lesson | Target::Map | Target::Nothing => Vec::new(),
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

fn wheel(state: &mut State, target: Option<Target>, at: Position, up: bool) -> Vec<Effect> {
    match (state.layers.last_mut(), target) {
        (Some(Layer::Help(search) | Layer::Palette(search)), _) => {
            search.chosen = search.chosen.saturating_add_signed(if up { -1 } else { 1 });
        }
        (None, Some(Target::Plot)) => {
            let around = state.hits.value(at.x);
            zoom(state, if up { 0.8 } else { 1.25 }, around);
        }
        (None, Some(Target::NodeRow(_) | Target::Pane(Pane::List))) => {
            node::go_in_list(state, if up { -3 } else { 3 });
        }
        (None, Some(Target::Contributor(_) | Target::Pane(_))) => {
            state.node.go_in_table(if up { -1 } else { 1 });
        }
        (None, Some(Target::Map)) => {
            if let Some(frame) = state.hits.map() {
                let around = frame.place(at.x, at.y).map(f64::from);
                state.map.window.scale(if up { 1.25 } else { 0.8 }, around);
            }
        }
        (None, Some(Target::Setting(_))) => state.panel.go(if up { -1 } else { 1 }),
        (None, Some(Target::Lesson)) => {
            let name = if up { "lesson-up" } else { "lesson-down" };
            return Command::named(name).map(|own| own.carry_out(state)).unwrap_or_default();
        }
        _ => {}
    }
    Vec::new()
}

/// A node is pointed at within so many columns.
const NEAR: f64 = 3.0;

/// The mouse on the map: over a node it tells of it, a click puts the cursor
/// there and a second one opens it, a drag selects what is in the box, a drag
/// with another button moves the view. Says whether it was meant for the map.
fn map_mouse(state: &mut State, event: MouseEvent, target: Option<Target>) -> bool {
    let Some(frame) = state.hits.map() else { return false };
    let area = frame.area;
    let over = target == Some(Target::Map);
    let column = event.column.clamp(area.x, area.right().saturating_sub(1));
    let row = event.row.clamp(area.y, area.bottom().saturating_sub(1));
    let place = frame.place(column, row);
    let map = &mut state.map;
    let near = map.places().and_then(|places| nearest(places, &frame, place, NEAR));
    match event.kind {
        MouseEventKind::Moved => map.hover = near.filter(|_| over),
        MouseEventKind::Down(MouseButton::Left) if over => {
            (map.pressed, map.hover) = (Some(place), None);
            (map.corner, map.reach) = (None, None);
            let again = near.filter(|node| map.cursor == Some(*node));
            map.cursor = near.or(map.cursor);
            if let Some(node) = again {
                node::open_node(state, node);
            }
        }
        MouseEventKind::Down(_) if over => map.pressed = Some(place),
        MouseEventKind::Drag(MouseButton::Left) if map.pressed.is_some() => {
            (map.corner, map.reach) = (map.pressed, Some(place));
        }
        MouseEventKind::Drag(_) => {
            // What was pressed on stays under the mouse.
            let Some(from) = map.pressed else { return false };
            let way = [0, 1].map(|axis| f64::from(from[axis] - place[axis]) * map.window.zoom);
            map.window.pan(way);
        }
        MouseEventKind::Up(_) => {
            if map.corner.is_some() && map.pressed.is_some() {
                map.close_box();
            }
            map.pressed = None;
        }
        _ => return false,
    }
    true
}
