//! A drawing as characters: each cell is a small grid of dots.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{BROAD, Pattern, Point, Run, Shape};
use crate::tui::glyphs::Glyphs;

/// Draws shapes into a buffer, if only into some cells; cells without a dot stay.
pub(super) fn paint(
    area: Rect,
    shapes: &[Shape],
    glyphs: Glyphs,
    buffer: &mut Buffer,
    only: Option<&[Run]>,
) {
    let mut canvas = Cells { area, glyphs, only, buffer };
    let mut dots = Dots::new(area, glyphs);
    for shape in shapes {
        match shape {
            Shape::Line { paths, pattern, width, ink } => {
                let style = (ink.style, ink.behind);
                dots.drawn = 0;
                dots.broad = *width >= BROAD;
                for path in paths {
                    dots.path(path, style, *pattern);
                }
            }
            Shape::Band { spans, width, ink } => {
                let style = (ink.style, ink.behind);
                dots.broad = *width >= BROAD;
                for (at, [x, low, high]) in spans.iter().enumerate() {
                    // The curve itself has the other ends.
                    dots.drawn = at.min(1);
                    let (from, to) = (dots.at([*x, *low]), dots.at([*x, *high]));
                    dots.line(from, to, style, Pattern::Solid);
                }
            }
            Shape::Column { left, top, bottom, ink, .. } => {
                canvas.column(*left, *top, *bottom, ink.style);
            }
            Shape::Level { row, ink } => canvas.level(*row, ink.style),
            Shape::Upright { .. } | Shape::Mark { .. } => {}
        }
    }
    dots.draw(&mut canvas);
    for shape in shapes {
        match shape {
            Shape::Upright { column, pattern, width, ink } => {
                let heavy = *width >= BROAD;
                canvas.upright(*column, (*pattern, heavy), ink.style);
            }
            Shape::Mark { at: [x, y], sign, ink, .. } => {
                canvas.put(x.floor(), y.floor(), glyphs.shape(*sign), ink.style);
            }
            _ => {}
        }
    }
}

/// The cells of a drawing.
struct Cells<'a> {
    area: Rect,
    glyphs: Glyphs,
    only: Option<&'a [Run]>,
    buffer: &'a mut Buffer,
}

impl Cells<'_> {
    /// The symbol of a cell, if it is one of the drawing.
    fn symbol(&self, x: f32, y: f32) -> Option<&str> {
        let (column, row) = self.place(x, y)?;
        self.buffer.cell((self.area.x + column, self.area.y + row)).map(Cell::symbol)
    }

    fn place(&self, x: f32, y: f32) -> Option<(u16, u16)> {
        let inside = x >= 0.0
            && y >= 0.0
            && x < f32::from(self.area.width)
            && y < f32::from(self.area.height);
        let (column, row) = (x as u16, y as u16);
        let holds =
            |run: &Run| run.row == row && (run.column..run.column + run.width).contains(&column);
        let shown = self.only.is_none_or(|runs| runs.iter().any(holds));
        (inside && shown).then_some((column, row))
    }

    fn put(&mut self, x: f32, y: f32, sign: char, style: Style) {
        let Some((column, row)) = self.place(x, y) else { return };
        if let Some(cell) = self.buffer.cell_mut((self.area.x + column, self.area.y + row)) {
            cell.set_char(sign).set_style(style);
        }
    }

    fn column(&mut self, left: f32, top: f32, bottom: f32, style: Style) {
        let eighths = ((bottom - top) * 8.0).round() as usize;
        for row in 0..eighths.div_ceil(8) {
            let part = (eighths - 8 * row).min(8);
            self.put(left, bottom - 1.0 - row as f32, self.glyphs.column(part), style);
        }
    }

    fn level(&mut self, row: f32, style: Style) {
        for x in (0..self.area.width).map(f32::from) {
            if self.symbol(x, row.floor()) == Some(" ") {
                self.put(x, row.floor(), self.glyphs.pick('-', '╌'), style);
            }
        }
    }

    fn upright(&mut self, column: f32, (pattern, heavy): (Pattern, bool), style: Style) {
        let (plain, rich) = match (pattern, heavy) {
            (Pattern::Solid, false) => ('|', '│'),
            (Pattern::Solid, true) => ('|', '┃'),
            _ => (':', '┊'),
        };
        for y in 0..self.area.height {
            if self.symbol(column, f32::from(y)) == Some(" ") {
                self.put(column, f32::from(y), self.glyphs.pick(plain, rich), style);
            }
        }
    }
}

/// Dots over a rectangle of cells. A cell takes the style that most of its dots were
/// drawn in; of equal counts, the one drawn later. Shapes that stay behind give way to
/// all others.
struct Dots {
    /// Cells across, and dots across and down.
    cells: usize,
    size: (i64, i64),
    glyphs: Glyphs,
    /// The dots of every cell, by style, in the order the styles were first used.
    layers: Vec<((Style, bool), Vec<u8>)>,
    /// Position of the pen along the line.
    drawn: usize,
    /// Whether the pen is two dots wide.
    broad: bool,
}

impl Dots {
    fn new(area: Rect, glyphs: Glyphs) -> Self {
        let (across, down) = glyphs.dots();
        let cells = usize::from(area.width);
        let size = ((cells * across) as i64, (usize::from(area.height) * down) as i64);
        Self { cells, size, glyphs, layers: Vec::new(), drawn: 0, broad: false }
    }

    /// The dot at a point.
    fn at(&self, [x, y]: Point) -> (i64, i64) {
        let (across, down) = self.glyphs.dots();
        let dot = |at: f32, dots: usize| (at * dots as f32).floor() as i64;
        (dot(x, across), dot(y, down))
    }

    /// Sets a dot; positions outside are ignored.
    fn dot(&mut self, x: i64, y: i64, style: (Style, bool)) {
        if x < 0 || y < 0 || x >= self.size.0 || y >= self.size.1 {
            return;
        }
        let (across, down) = self.glyphs.dots();
        let (x, y) = (x as usize, y as usize);
        let bit = (y % down) * across + x % across;
        let cell = (y / down) * self.cells + x / across;
        // The style used last is nearly always the one wanted.
        let known = self.layers.iter().rposition(|(own, _)| *own == style);
        let layer = known.unwrap_or_else(|| {
            let cells = self.cells * (self.size.1 as usize / down);
            self.layers.push((style, vec![0; cells]));
            self.layers.len() - 1
        });
        self.layers[layer].1[cell] |= 1 << bit;
    }

    /// A path that continues the pattern of the previous one.
    fn path(&mut self, points: &[Point], style: (Style, bool), pattern: Pattern) {
        let Some(first) = points.first() else { return };
        let (x, y) = self.at(*first);
        self.stamp(x, y, style, pattern);
        for pair in points.windows(2) {
            self.line(self.at(pair[0]), self.at(pair[1]), style, pattern);
        }
    }

    /// Sets the dots of the pen, if the pattern shows here.
    fn stamp(&mut self, x: i64, y: i64, style: (Style, bool), pattern: Pattern) {
        let shows = match pattern {
            Pattern::Solid => true,
            Pattern::Dashed => self.drawn % 8 < 5,
            Pattern::Dotted => self.drawn.is_multiple_of(3),
        };
        if !shows {
            return;
        }
        self.dot(x, y, style);
        if self.broad {
            self.dot(x, y - 1, style);
            self.dot(x + 1, y, style);
        }
    }

    fn line(&mut self, from: (i64, i64), to: (i64, i64), style: (Style, bool), pattern: Pattern) {
        let (dx, dy) = ((to.0 - from.0), (to.1 - from.1));
        let steps = dx.abs().max(dy.abs());
        let from_step = i64::from(self.drawn > 0 && steps > 0);
        for step in from_step..=steps {
            let share = if steps == 0 { 0.0 } else { step as f64 / steps as f64 };
            let x = from.0 + (dx as f64 * share).round() as i64;
            let y = from.1 + (dy as f64 * share).round() as i64;
            self.stamp(x, y, style, pattern);
            self.drawn += usize::from(steps > 0);
        }
    }

    fn draw(&self, canvas: &mut Cells) {
        let cells = self.layers.first().map_or(0, |(_, cells)| cells.len());
        for at in 0..cells {
            let dots = self.layers.iter().fold(0, |all, (_, cells)| all | cells[at]);
            let strength = |((_, behind), cells): &&((Style, bool), Vec<u8>)| {
                let is_in_front = cells[at] != 0 && !behind;
                (is_in_front, cells[at].count_ones())
            };
            let strongest = self.layers.iter().max_by_key(strength);
            let Some(((style, _), _)) = strongest.filter(|_| dots != 0) else { continue };
            let (x, y) = ((at % self.cells) as f32, (at / self.cells) as f32);
            canvas.put(x, y, self.glyphs.cell(dots), *style);
        }
    }
}
