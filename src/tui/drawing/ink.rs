//! Which cells a shape touches.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Point, Shape};

/// Smoothed edges reach so far beyond a shape, in columns.
const EDGE: f32 = 0.12;
/// Rows per column: cells are about twice as high as wide.
const ASPECT: f32 = 0.5;

/// Marks the cells that a shape touches as cells of its drawing.
pub(super) fn touch(area: Rect, shape: &Shape, mark: char, buffer: &mut Buffer) {
    let mut cells = Cells { area, mark, buffer };
    match shape {
        Shape::Line { paths, width, .. } => {
            for path in paths {
                if let [only] = path.as_slice() {
                    cells.around(*only, width / 2.0);
                }
                path.windows(2).for_each(|pair| cells.line(pair[0], pair[1], width / 2.0));
            }
        }
        Shape::Band { spans, .. } => {
            for pair in spans.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                let steps = ((to[0] - from[0]).abs() * 4.0).ceil().max(1.0) as usize;
                for step in 0..=steps {
                    let fraction = step as f32 / steps as f32;
                    let at = |n: usize| from[n] + fraction * (to[n] - from[n]);
                    cells.line([at(0), at(1)], [at(0), at(2)], 0.0);
                }
            }
        }
        Shape::Column { left, top, right, bottom, .. } => {
            let (rows, columns) = (*bottom - *top, *right - *left);
            for row in 0..=(rows.ceil() as usize) {
                for column in 0..=(columns.ceil() as usize) {
                    let x = (left + column as f32).min(right - 0.01);
                    let y = (bottom - 0.01 - row as f32).max(*top);
                    cells.set(x, y);
                }
            }
        }
        Shape::Level { row, .. } => {
            (0..area.width).for_each(|x| cells.set_empty(f32::from(x), *row));
        }
        Shape::Upright { column, .. } => {
            (0..area.height).for_each(|y| cells.set_empty(*column, f32::from(y)));
        }
        Shape::Mark { at, radius, .. } => cells.around(*at, radius * 1.2),
    }
}

struct Cells<'a> {
    area: Rect,
    mark: char,
    buffer: &'a mut Buffer,
}

impl Cells<'_> {
    /// The cell at a point of the drawing.
    fn place(&self, x: f32, y: f32) -> Option<(u16, u16)> {
        let inside = x >= 0.0
            && y >= 0.0
            && x < f32::from(self.area.width)
            && y < f32::from(self.area.height);
        inside.then(|| (self.area.x + x as u16, self.area.y + y as u16))
    }

    fn set(&mut self, x: f32, y: f32) {
        let place = self.place(x, y);
        if let Some(cell) = place.and_then(|place| self.buffer.cell_mut(place)) {
            cell.set_char(self.mark);
        }
    }

    /// The same, but text stays.
    fn set_empty(&mut self, x: f32, y: f32) {
        let cell = self.place(x, y).and_then(|place| self.buffer.cell(place));
        if cell.is_some_and(|cell| cell.symbol() == " ") {
            self.set(x, y);
        }
    }

    fn around(&mut self, [x, y]: Point, reach: f32) {
        let (wide, high) = (reach + EDGE, (reach + EDGE) * ASPECT);
        for x in [x - wide, x, x + wide] {
            for y in [y - high, y, y + high] {
                self.set(x, y);
            }
        }
    }

    fn line(&mut self, from: Point, to: Point, reach: f32) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let steps = (dx.abs() * 4.0).max(dy.abs() * 8.0).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let share = step as f32 / steps as f32;
            self.around([from[0] + share * dx, from[1] + share * dy], reach);
        }
    }
}
