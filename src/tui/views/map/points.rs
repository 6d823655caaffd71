//! Nodes as signs, one a cell: the sign of the kind that most of the nodes in
//! it are of, the heavier and brighter the more there are.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::marks::{Weight, drawn_sign, shown};
use crate::graph::NodeId;
use crate::layout::Position;
use crate::tui::drawing::{Drawings, Ink, Point, Shape};
use crate::tui::glyphs::{Glyphs, Shape as Sign};
use crate::tui::map::{Frame, inside};
use crate::tui::state::State;

/// Nodes that are looked at one by one, at most.
const FEW: usize = 2000;

/// Half the width of a node in columns: of a single one, and at most.
const SINGLE: f32 = 0.36;
const LARGEST: f32 = 0.6;

/// What is in a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    count: u32,
    /// The kind most of them are of.
    kind: u8,
    /// How many of them are selected.
    selected: u32,
}

/// What is in view.
pub(super) struct Shown {
    cells: Vec<Cell>,
    most: u32,
    /// Cells with a node.
    filled: usize,
    count: usize,
    /// The nodes, where they are few enough to look at one by one.
    pub(super) few: Vec<NodeId>,
}

impl Shown {
    /// Counts what is in each cell.
    pub(super) fn of(state: &State, places: &[Position], frame: &Frame) -> Self {
        let width = usize::from(frame.area.width);
        let room = width * usize::from(frame.area.height);
        let paint = &state.graph.map.paint;
        let kinds = paint.entries.len().max(1);
        let mut cells = vec![Cell::default(); room];
        let mut counts = vec![0_u32; room * kinds];
        let mut own = Self { cells: Vec::new(), most: 0, filled: 0, count: 0, few: Vec::new() };
        let at = |place: Position| {
            let (x, y) = frame.seen(place)?;
            Some(usize::from(y) * width + usize::from(x))
        };
        for (node, place) in places.iter().enumerate() {
            let Some(cell) = at(*place) else { continue };
            let kind = usize::from(paint.of.get(node).copied().unwrap_or(0)).min(kinds - 1);
            counts[cell * kinds + kind] += 1;
            own.count += 1;
            if own.few.len() <= FEW {
                own.few.push(NodeId::from(node));
            }
        }
        if own.few.len() > FEW {
            own.few.clear();
        }
        for (cell, counts) in cells.iter_mut().zip(counts.chunks(kinds)) {
            cell.count = counts.iter().sum();
            // Of equal counts the later kind, which in an error is the worse.
            let kind = (0..kinds).max_by_key(|kind| counts[*kind]);
            cell.kind = kind.unwrap_or(0) as u8;
            own.most = own.most.max(cell.count);
            own.filled += usize::from(cell.count > 0);
        }
        let spanned = state.graph.map.span().map(|(from, to)| inside(places, from, to));
        for node in spanned.as_ref().unwrap_or(&state.graph.map.selected) {
            if let Some(cell) = places.get(node.index()).and_then(|place| at(*place)) {
                cells[cell].selected += 1;
            }
        }
        own.cells = cells;
        own
    }

    /// Whether no node is drawn in a row of cells of the terminal.
    pub(super) fn is_free(&self, frame: &Frame, room: Rect) -> bool {
        let (area, width) = (frame.area, usize::from(frame.area.width));
        let row = usize::from(room.y.saturating_sub(area.y)) * width;
        let from = usize::from(room.x.saturating_sub(area.x));
        let cells = self.cells.get(row + from..row + from + usize::from(room.width));
        cells.is_some_and(|cells| cells.iter().all(|cell| cell.count == 0))
    }

    /// The weight of a cell: full where hardly two nodes share one.
    fn weight(&self, cell: Cell) -> Weight {
        if self.count * 2 < self.filled * 3 {
            Weight::FULL
        } else {
            Weight::of(cell.count, self.most)
        }
    }
}

pub(super) fn draw(
    state: &State,
    frame: &Frame,
    shown_now: &Shown,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    if state.look.glyphs == Glyphs::Pixel && !state.graph.map.letters {
        return exact(state, frame, shown_now, (buffer, drawings));
    }
    let look = &state.look;
    let area = frame.area;
    let entries = &state.graph.map.paint.entries;
    for (at, cell) in shown_now.cells.iter().enumerate() {
        let Some(entry) = entries.get(usize::from(cell.kind)).filter(|_| cell.count > 0) else {
            continue;
        };
        let width = usize::from(area.width);
        let place = (area.x + (at % width) as u16, area.y + (at / width) as u16);
        let (sign, style) = shown(entry.mark, shown_now.weight(*cell), look);
        let letter = entry.mark.letter().filter(|_| state.graph.map.letters);
        let sign = letter.unwrap_or(sign);
        let drawn = &mut buffer[place];
        drawn.set_char(sign).set_style(look.theme.background).set_style(style);
        if cell.selected > 0 {
            drawn.set_style(look.theme.selection);
        }
    }
    let map = &state.graph.map;
    let places = map.places().unwrap_or_default();
    for (node, by_mouse) in [(map.cursor, false), (map.hover, true)] {
        let at = node.and_then(|node| Some((node, *places.get(node.index())?)));
        let Some((node, place)) = at else { continue };
        if let (Some((x, y)), Some(entry)) = (frame.seen(place), map.paint.entry(node)) {
            let (sign, _) = shown(entry.mark, Weight::FULL, look);
            let style = if by_mouse {
                look.theme.accent
            } else {
                look.theme.accent.add_modifier(Modifier::REVERSED)
            };
            buffer[(area.x + x, area.y + y)].set_char(sign).set_style(style);
        }
    }
}

/// Nodes as shapes at their exact places; where they are many, one shape for each cell,
/// larger the more nodes are in it.
fn exact(
    state: &State,
    frame: &Frame,
    shown_now: &Shown,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let (map, look, area) = (&state.graph.map, &state.look, frame.area);
    let places = map.places().unwrap_or_default();
    let width = usize::from(area.width);
    let mut put = |at: Point, kind: u8, radius: f32| {
        let Some(entry) = map.paint.entries.get(usize::from(kind)) else { return };
        let (_, style) = shown(entry.mark, Weight::FULL, look);
        let ink = Ink { style, behind: false };
        let mark = Shape::Mark { at, sign: drawn_sign(entry.mark), radius, ink };
        drawings.over(area, mark, Glyphs::Pixel, buffer);
    };
    for &node in &shown_now.few {
        if let Some(place) = places.get(node.index()) {
            put(
                exact_point(frame, *place),
                map.paint.of.get(node.index()).copied().unwrap_or(0),
                SINGLE,
            );
        }
    }
    for (at, cell) in shown_now.cells.iter().enumerate() {
        let (x, y) = ((at % width) as u16, (at / width) as u16);
        if cell.count > 0 && shown_now.few.is_empty() {
            let share = (cell.count as f32).ln_1p() / (shown_now.most as f32).ln_1p().max(1.0);
            let middle = [f32::from(x) + 0.5, f32::from(y) + 0.5];
            put(middle, cell.kind, 0.2 + (LARGEST - 0.2) * share);
        }
    }
    for (at, cell) in shown_now.cells.iter().enumerate().filter(|(_, cell)| cell.selected > 0) {
        let (x, y) = ((at % width) as u16, (at / width) as u16);
        if cell.count > 0 {
            buffer[(area.x + x, area.y + y)].set_style(look.theme.selection);
        }
    }
    for node in [map.cursor, map.hover].into_iter().flatten() {
        if let Some(place) = places.get(node.index()).filter(|own| frame.seen(**own).is_some()) {
            ring(state, frame, *place, (&mut *buffer, &mut *drawings));
        }
    }
}

/// A ring around a node.
pub(super) fn ring(
    state: &State,
    frame: &Frame,
    place: Position,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let ink = Ink { style: state.look.theme.accent, behind: false };
    let at = exact_point(frame, place);
    let ring = Shape::Mark { at, sign: Sign::Ring, radius: 0.75, ink };
    drawings.over(frame.area, ring, Glyphs::Pixel, buffer);
}

fn exact_point(frame: &Frame, place: Position) -> Point {
    let (x, y) = frame.cell(place);
    [x as f32, y as f32]
}
