//! Drawings: curves, points and bars as a list of shapes, independent of the
//! resolution. The same list becomes characters (`cells`), pixels (`pixels`) or vector
//! shapes (`shot`).
//!
//! At glyph level `pixel` the cells of a drawing stay empty and are marked until the
//! frame is complete. What is written over them later, text or a dialog, takes the cell
//! away from the drawing.

mod cells;
mod clip;
mod ink;
mod pixels;
mod shape;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use serde::{Serialize, Serializer};

use super::glyphs::{Glyphs, Shape as Sign};
pub(super) use pixels::Picture;
pub use shape::{Ink, Pattern, Shape};
pub(crate) use shape::{Outline, Point, SIGN_LINE, outline};

/// The first of the private characters that mark the cells of a drawing.
const FIRST_MARK: u32 = 0xF_0000;
/// Width of a line in columns: normal, broad, and of one that stays behind.
pub(super) const LINE: f32 = 0.18;
pub(super) const BROAD: f32 = 0.36;
pub(super) const FINE: f32 = 0.11;

/// A run of cells of a row, from the upper left corner of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Run {
    /// The row.
    pub row: u16,
    /// The first column.
    pub column: u16,
    /// The number of cells.
    pub width: u16,
}

/// Shapes over an area of cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawing {
    /// The cells: column, row, width, height.
    #[serde(serialize_with = "numbers")]
    pub area: Rect,
    /// The shapes, lowest first.
    pub shapes: Vec<Shape>,
    /// The cells that show it; others have text.
    pub visible: Vec<Run>,
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn numbers<S: Serializer>(area: &Rect, serializer: S) -> Result<S::Ok, S::Error> {
    [area.x, area.y, area.width, area.height].serialize(serializer)
}

/// The drawings of a frame; none below glyph level `pixel`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Drawings {
    list: Vec<Drawing>,
}

impl Drawings {
    /// The drawings.
    pub fn list(&self) -> &[Drawing] {
        &self.list
    }

    /// Draws shapes over an area.
    pub(super) fn add(
        &mut self,
        area: Rect,
        shapes: Vec<Shape>,
        glyphs: Glyphs,
        buffer: &mut Buffer,
    ) {
        let shapes: Vec<Shape> =
            shapes.into_iter().filter_map(|shape| clip::clip(shape, area)).collect();
        if glyphs != Glyphs::Pixel {
            return cells::paint(area, &shapes, glyphs, buffer, None);
        }
        let mark = mark(self.list.len());
        for shape in &shapes {
            ink::touch(area, shape, mark, buffer);
        }
        self.list.push(Drawing { area, shapes, visible: Vec::new() });
    }

    /// Draws another shape over the latest drawing of an area.
    pub(super) fn over(&mut self, area: Rect, shape: Shape, glyphs: Glyphs, buffer: &mut Buffer) {
        let latest = self.list.iter().rposition(|drawing| drawing.area == area);
        let Some(at) = latest else { return self.add(area, vec![shape], glyphs, buffer) };
        if let Some(shape) = clip::clip(shape, area) {
            ink::touch(area, &shape, mark(at), buffer);
            self.list[at].shapes.push(shape);
        }
    }

    /// Draws a sign over the latest drawing of an area.
    pub(super) fn sign(
        &mut self,
        area: Rect,
        (at, sign): (Point, Sign),
        style: Style,
        glyphs: Glyphs,
        buffer: &mut Buffer,
    ) {
        let ink = Ink { style, behind: false };
        self.over(area, Shape::Mark { at, sign, radius: 0.42, ink }, glyphs, buffer);
    }

    /// Completes the frame: finds the cells that no text took away, and empties them.
    pub(super) fn complete(&mut self, buffer: &mut Buffer) {
        for (at, drawing) in self.list.iter_mut().enumerate() {
            drawing.shapes.sort_by_key(Shape::depth);
            let area = drawing.area.intersection(*buffer.area());
            let symbol = mark(at).to_string();
            for y in area.y..area.bottom() {
                let mut open: Option<Run> = None;
                for x in area.x..area.right() {
                    let cell = &mut buffer[(x, y)];
                    if cell.symbol() != symbol {
                        drawing.visible.extend(open.take());
                        continue;
                    }
                    cell.set_symbol(" ");
                    let (row, column) = (y - drawing.area.y, x - drawing.area.x);
                    open.get_or_insert(Run { row, column, width: 0 }).width += 1;
                }
                drawing.visible.extend(open);
            }
        }
    }

    /// Writes the drawings as characters, for output without shapes.
    pub(super) fn as_text(&self, buffer: &mut Buffer) {
        for drawing in &self.list {
            let visible = Some(drawing.visible.as_slice());
            cells::paint(drawing.area, &drawing.shapes, Glyphs::Braille, buffer, visible);
        }
    }
}

/// The character that marks the cells of a drawing.
fn mark(at: usize) -> char {
    char::from_u32(FIRST_MARK + (at as u32).min(0xFFFD)).unwrap_or(' ')
}

#[cfg(test)]
mod tests;
