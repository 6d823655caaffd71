//! The mouse: everything it does has a key as well.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::commands::{Command, go_to, go_to_screen, zoom};
use super::layers::{Layer, choose};
use super::map::nearest;
use super::message::Effect;
use super::node::{self, NodePane};
use super::overview::{click_map, open_box};
use super::state::{Focus, PlotKind, Screen, State};
use super::views::HitTarget;
use super::{lab, panes};

/// The name of the target under the mouse, for recordings.
pub(super) fn target_name(state: &State, event: MouseEvent) -> String {
    let target = state.hits.at(Position::new(event.column, event.row));
    target.map(|target| format!("{target:?}")).unwrap_or_default()
}

/// Handles a movement, a click or a turn of the wheel.
pub(super) fn update(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    let place = Position::new(event.column, event.row);
    let target = state.hits.at(place);
    let in_lab = state.screen == Screen::Lab && state.layers.is_empty();
    match event.kind {
        MouseEventKind::Drag(MouseButton::Left) if state.panes.dragged.is_some() => {
            panes::drag(state, event.column);
            return Vec::new();
        }
        MouseEventKind::Up(_) => state.panes.dragged = None,
        _ => {}
    }
    if let (MouseEventKind::Down(MouseButton::Left), Some(HitTarget::Edge(pane))) =
        (event.kind, target)
    {
        state.panes.dragged = Some(pane);
        return Vec::new();
    }
    if state.screen == Screen::Map && state.layers.is_empty() && map_mouse(state, event, target) {
        return Vec::new();
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            if let Some(target) = target {
                if state.screen == Screen::Overview && target == HitTarget::Map {
                    return click_map(state, event.column, event.row);
                }
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
            if let Some(HitTarget::Plot) = target {
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

fn click(state: &mut State, target: HitTarget, column: u16) -> Vec<Effect> {
    match target {
        HitTarget::Overview(which) => open_box(state, which),
        HitTarget::Command(name) => match Command::named(name) {
            Some(command) if command.applies(state) => command.carry_out(state),
            _ => Vec::new(),
        },
        HitTarget::Screen(screen) => go_to_screen(state, screen),
        HitTarget::Run(row) => {
            let again = state.graph.runs.chosen == row;
            state.graph.runs.chosen = row;
            let taking = Command::named("switch-run").filter(|own| again && own.applies(state));
            taking.map(|command| command.carry_out(state)).unwrap_or_default()
        }
        HitTarget::Setting(row) => {
            let again = state.graph.focus == Focus::Settings && state.graph.panel.row == row;
            state.graph.focus = Focus::Settings;
            state.graph.panel.go(row as isize - state.graph.panel.row as isize);
            let typing = Command::named("type-value").filter(|_| again);
            typing.map(|command| command.carry_out(state)).unwrap_or_default()
        }
        HitTarget::NodeRow(at) => {
            let again = state.graph.node.pane == NodePane::List && state.graph.node.list.at == at;
            state.graph.node.pane = if again { NodePane::Table } else { NodePane::List };
            let here = state.graph.node.list.at;
            node::go_in_list(state, at as isize - here as isize);
            Vec::new()
        }
        HitTarget::NodeSort(sort) => node::sort_by(state, sort),
        HitTarget::Contributor(own) => {
            // A second click opens it.
            if state.graph.node.row() == Some(own) && state.graph.node.pane != NodePane::List {
                return node::open_node(state, own);
            }
            state.graph.node.picked = Some(own);
            state.graph.node.pane = NodePane::Table;
            Vec::new()
        }
        HitTarget::NodePane(pane) => {
            state.graph.node.pane = pane;
            Vec::new()
        }
        HitTarget::Plot => {
            if state.screen == Screen::Train {
                state.graph.focus = Focus::Plot;
            }
            let before = state.graph.curves.cursor;
            point(state, column);
            // A second click at the same place goes to that epoch.
            match state.graph.curves.cursor {
                Some(epoch) if state.screen == Screen::Train && before == Some(epoch) => {
                    go_to(state, epoch)
                }
                _ => Vec::new(),
            }
        }
        HitTarget::Choice(at) => {
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
        HitTarget::Edge(_)
        | HitTarget::Card(_)
        | HitTarget::Lesson
        | HitTarget::Map
        | HitTarget::Nothing => Vec::new(),
    }
}

/// Moves the cursor to the mouse.
fn point(state: &mut State, column: u16) {
    let Some(value) = state.hits.value(column) else { return };
    match state.plot() {
        Some(PlotKind::Curves) => {
            let last = state.graph.session.run.epochs.saturating_sub(1);
            state.graph.curves.cursor = Some((value.max(0.0).round() as usize).min(last));
        }
        Some(PlotKind::Filter) => {
            state.graph.filter.cursor =
                state.graph.facts.as_ref().and_then(|facts| facts.nearest(value));
        }
        None => {}
    }
}

fn wheel(state: &mut State, target: Option<HitTarget>, at: Position, up: bool) -> Vec<Effect> {
    match (state.layers.last_mut(), target) {
        (Some(Layer::Help(search) | Layer::Palette(search)), _) => {
            search.chosen = search.chosen.saturating_add_signed(if up { -1 } else { 1 });
        }
        (None, Some(HitTarget::Plot)) => {
            let around = state.hits.value(at.x);
            zoom(state, if up { 0.8 } else { 1.25 }, around);
        }
        (None, Some(HitTarget::NodeRow(_) | HitTarget::NodePane(NodePane::List))) => {
            node::go_in_list(state, if up { -3 } else { 3 });
        }
        (None, Some(HitTarget::Contributor(_) | HitTarget::NodePane(_))) => {
            state.graph.node.go_in_table(if up { -1 } else { 1 });
        }
        (None, Some(HitTarget::Map)) => {
            if let Some(frame) = state.hits.map() {
                let around = frame.place(at.x, at.y).map(f64::from);
                state.graph.map.window.scale(if up { 1.25 } else { 0.8 }, around);
            }
        }
        (None, Some(HitTarget::Setting(_))) => state.graph.panel.go(if up { -1 } else { 1 }),
        (None, Some(HitTarget::Lesson)) => {
            let name = if up { "lesson-up" } else { "lesson-down" };
            return Command::named(name).map(|own| own.carry_out(state)).unwrap_or_default();
        }
        _ => {}
    }
    Vec::new()
}

/// Maximum distance to a node under the mouse, in columns.
const NEAR: f64 = 3.0;

/// The mouse on the map: hovering describes a node, a click moves the cursor there
/// and a second one opens it, a drag selects a box, a drag with another button pans.
/// Returns whether the event was handled.
fn map_mouse(state: &mut State, event: MouseEvent, target: Option<HitTarget>) -> bool {
    let Some(frame) = state.hits.map() else { return false };
    let area = frame.area;
    let over = target == Some(HitTarget::Map);
    let column = event.column.clamp(area.x, area.right().saturating_sub(1));
    let row = event.row.clamp(area.y, area.bottom().saturating_sub(1));
    let place = frame.place(column, row);
    let map = &mut state.graph.map;
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
            // The pressed point stays under the mouse.
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
