//! The map: every node at its place, in the colour and shape of its kind.
//!
//! ```text
//! wide    points, edges, cross-hair, box | legend
//!                                        | the node under the cursor
//!                                        | the selection
//! narrow  legend line, points, a line about the node
//! ```

mod edges;
mod marks;
mod names;
mod points;
mod side;

pub(super) use side::legend_line;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::Hits;
use crate::graph::NodeId;
use crate::tui::glyphs::{Glyphs, Shape};
use crate::tui::map::{ColourBy, Facts, Frame, NodeMark, Window, facts};
use crate::tui::panes::Pane;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, split_columns, wrapped};

/// Columns of the cards at the side.
const SIDE: u16 = 34;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let beside = area.width >= 96;
    let width = if beside { state.panes.width(Pane::MapCards, SIDE, area.width) } else { 0 };
    let (main, cards) = split_columns(area, area.width - width);
    let map = &state.graph.map;
    let progress = map.progress();
    let dot = if progress.is_empty() { "" } else { " · " };
    let by = format!("{}{}", map.colour.name(), subject(state));
    let title = format!("{} by {by}{dot}{progress}", map.layout.name());
    let inside = card(buffer, main, &title, true, &state.look);
    if beside {
        side::draw(state, buffer, cards);
        hits.add_edge(Pane::MapCards, area, cards.x, width);
    }
    let room = if beside { inside } else { side::lines(state, buffer, inside) };
    let Some(places) = map.places() else { return wait(state, buffer, room) };
    if room.width < 4 || room.height < 2 {
        return;
    }
    let frame = Frame::new(room, map.window);
    hits.add_map(frame);
    let shown = points::Shown::of(state, places, &frame);
    let drawings = &mut hits.drawings;
    cross(state, places, &frame, buffer);
    edges::draw(state, places, &frame, &shown, map.shown_node(), (&mut *buffer, &mut *drawings));
    points::draw(state, &frame, &shown, (&mut *buffer, drawings));
    boxed(state, &frame, buffer);
    names::draw(state, places, &frame, &shown, buffer);
}

/// The eigenvalue or the node that the colours refer to, if they do.
fn subject(state: &State) -> String {
    let eigenvalue = || {
        let facts = state.graph.facts.as_ref()?;
        let value = facts.values.get(state.graph.filter.cursor?)?;
        Some(format!(" of σ = {:.4}", value.sigma))
    };
    let node = || {
        let graph = &state.graph.session.ready.as_ref()?.prepared.graph;
        let node = state.graph.chosen_node.filter(|own| own.index() < graph.node_count())?;
        Some(format!(" from {}", graph.name(node)))
    };
    let found = match state.graph.map.colour {
        ColourBy::Eigenvector => eigenvalue(),
        ColourBy::Distance => node(),
        _ => None,
    };
    found.unwrap_or_default()
}

/// The whole map in a small area, with the node in focus; returns whether there are
/// positions.
pub(super) fn small(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) -> bool {
    let Some(places) = state.graph.map.places() else { return false };
    if area.width < 4 || area.height < 2 {
        return true;
    }
    let frame = Frame::new(area, Window::default());
    hits.add_map(frame);
    let shown = points::Shown::of(state, places, &frame);
    let drawings = &mut hits.drawings;
    let chosen = state.graph.chosen_node;
    edges::draw(state, places, &frame, &shown, chosen, (&mut *buffer, &mut *drawings));
    points::draw(state, &frame, &shown, (&mut *buffer, &mut *drawings));
    let chosen = chosen.and_then(|node| places.get(node.index()));
    let Some(place) = chosen else { return true };
    if state.look.glyphs == Glyphs::Pixel {
        points::ring(state, &frame, *place, (buffer, drawings));
    } else if let Some((x, y)) = frame.seen(*place) {
        let style = state.look.theme.accent.add_modifier(Modifier::REVERSED);
        let sign = state.look.glyphs.pick('@', '◉');
        buffer[(area.x + x, area.y + y)].set_char(sign).set_style(style);
    }
    true
}

/// The sign of a mark, for lists of nodes beside a map.
pub(super) fn sign(state: &State, mark: NodeMark) -> (char, Style) {
    marks::shown(mark, marks::Weight::FULL, &state.look)
}

/// The sign of a mark in a picture.
pub(super) fn drawn(mark: NodeMark) -> Shape {
    marks::drawn_sign(mark)
}

/// Facts about a node, as the map tells them.
pub(super) fn node_facts(state: &State, node: NodeId) -> Option<Facts> {
    let ready = state.graph.session.ready.as_ref()?;
    Some(facts(ready, state.graph.session.snapshot.as_deref(), node))
}

/// Why there is nothing to see.
fn wait(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let trouble = state.graph.map.trouble();
    let style = if trouble.is_some() { theme.warn } else { theme.faint };
    let text = trouble.unwrap_or_else(|| "computing the layout".to_owned());
    let lines = wrapped(&text, usize::from(area.width.saturating_sub(4)));
    let top = (area.height.saturating_sub(lines.len() as u16)) / 3;
    let room = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    for (at, line) in lines.iter().enumerate() {
        Writer::new(buffer, room, top + at as u16, glyphs).put(line.trim(), style);
    }
}

/// Two thin lines through the node under the cursor.
fn cross(state: &State, places: &[crate::layout::Position], frame: &Frame, buffer: &mut Buffer) {
    let at = state.graph.map.cursor.and_then(|node| places.get(node.index()));
    let Some((x, y)) = at.and_then(|place| frame.seen(*place)) else { return };
    let (area, look) = (frame.area, &state.look);
    let [across, down] = look.glyphs.pick(["-", "|"], ["╌", "┆"]);
    for column in area.x..area.right() {
        buffer[(column, area.y + y)].set_symbol(across).set_style(look.theme.border);
    }
    for row in area.y..area.bottom() {
        buffer[(area.x + x, row)].set_symbol(down).set_style(look.theme.border);
    }
}

/// The box that is being spanned.
fn boxed(state: &State, frame: &Frame, buffer: &mut Buffer) {
    let Some((from, to)) = state.graph.map.span() else { return };
    let (a, b) = (frame.cell(from), frame.cell(to));
    let area = frame.area;
    let clamp = |value: f64, most: u16| value.clamp(0.0, f64::from(most.saturating_sub(1))) as u16;
    let (left, right) = (clamp(a.0.min(b.0), area.width), clamp(a.0.max(b.0), area.width));
    let (top, bottom) = (clamp(a.1.min(b.1), area.height), clamp(a.1.max(b.1), area.height));
    let style = state.look.theme.accent;
    let [across, down, corners] = state.look.glyphs.pick(["-", "|", "++++"], ["─", "│", "┌┐└┘"]);
    let mut put = |x: u16, y: u16, sign: &str| {
        buffer[(area.x + x, area.y + y)].set_symbol(sign).set_style(style);
    };
    for x in left..=right {
        put(x, top, across);
        put(x, bottom, across);
    }
    for y in top..=bottom {
        put(left, y, down);
        put(right, y, down);
    }
    let places = [(left, top), (right, top), (left, bottom), (right, bottom)];
    for ((x, y), sign) in places.into_iter().zip(corners.chars()) {
        put(x, y, sign.encode_utf8(&mut [0; 4]));
    }
}
