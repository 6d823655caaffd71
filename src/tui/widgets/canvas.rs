//! A grid of dots finer than the terminal's cells, for drawing curves.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::glyphs::Glyphs;

/// Dash pattern of a line, so that curves differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Continuous.
    Solid,
    /// Long dashes.
    Dashed,
    /// Single dots.
    Dotted,
}

impl Pattern {
    fn shows(self, at: usize) -> bool {
        match self {
            Self::Solid => true,
            Self::Dashed => at % 8 < 5,
            Self::Dotted => at.is_multiple_of(3),
        }
    }
}

/// Dots over a rectangle of cells. A cell takes the style that most of its dots were
/// drawn in; of equal counts, the one drawn later. One style may be kept behind all
/// others.
pub(crate) struct Canvas {
    area: Rect,
    glyphs: Glyphs,
    /// The dots of every cell, by style, in the order the styles were first used.
    layers: Vec<(Style, Vec<u8>)>,
    /// Position of the pen along the curve.
    drawn: usize,
    /// Whether the pen is two dots wide.
    broad: bool,
    /// The style that a cell takes only if it has no other.
    behind: Option<Style>,
}

impl Canvas {
    /// An empty canvas.
    pub(crate) fn new(area: Rect, glyphs: Glyphs) -> Self {
        Self { area, glyphs, layers: Vec::new(), drawn: 0, broad: false, behind: None }
    }

    /// The same with a broad pen, or a normal one.
    pub(crate) fn with_pen(self, broad: bool) -> Self {
        Self { broad, ..self }
    }

    /// The same with a style that gives way to all others.
    pub(crate) fn with_behind(self, style: Style) -> Self {
        Self { behind: Some(style), ..self }
    }

    /// Width in dots.
    pub(crate) fn width(&self) -> usize {
        usize::from(self.area.width) * self.glyphs.dots().0
    }

    /// Height in dots.
    pub(crate) fn height(&self) -> usize {
        usize::from(self.area.height) * self.glyphs.dots().1
    }

    /// Sets a dot; positions outside the canvas are ignored.
    pub(crate) fn dot(&mut self, x: i64, y: i64, style: Style) {
        if x < 0 || y < 0 || x >= self.width() as i64 || y >= self.height() as i64 {
            return;
        }
        let (across, down) = self.glyphs.dots();
        let (x, y) = (x as usize, y as usize);
        let bit = (y % down) * across + x % across;
        let cell = (y / down) * usize::from(self.area.width) + x / across;
        // The style used last is nearly always the one wanted.
        let known = self.layers.iter().rposition(|(own, _)| *own == style);
        let layer = known.unwrap_or_else(|| {
            let cells = usize::from(self.area.width) * usize::from(self.area.height);
            self.layers.push((style, vec![0; cells]));
            self.layers.len() - 1
        });
        self.layers[layer].1[cell] |= 1 << bit;
    }

    /// Starts another curve: its pattern restarts.
    pub(crate) fn lift(&mut self) {
        self.drawn = 0;
    }

    /// A line between two dots that continues the pattern of the previous line.
    pub(crate) fn line(
        &mut self,
        from: (i64, i64),
        to: (i64, i64),
        style: Style,
        pattern: Pattern,
    ) {
        let limit = 4 * (self.width() + self.height()) as i64;
        let (dx, dy) = ((to.0 - from.0), (to.1 - from.1));
        let steps = dx.abs().max(dy.abs()).min(limit);
        let from_step = i64::from(self.drawn > 0 && steps > 0);
        for step in from_step..=steps {
            let share = if steps == 0 { 0.0 } else { step as f64 / steps as f64 };
            let x = from.0 + (dx as f64 * share).round() as i64;
            let y = from.1 + (dy as f64 * share).round() as i64;
            if pattern.shows(self.drawn) {
                self.dot(x, y, style);
                if self.broad {
                    self.dot(x, y - 1, style);
                    self.dot(x + 1, y, style);
                }
            }
            self.drawn += usize::from(steps > 0);
        }
    }

    /// Draws the dots into a buffer; empty cells stay unchanged.
    pub(crate) fn draw(&self, buffer: &mut Buffer) {
        let width = usize::from(self.area.width);
        for at in 0..width * usize::from(self.area.height) {
            let dots = self.layers.iter().fold(0, |all, (_, cells)| all | cells[at]);
            let strength = |(style, cells): &&(Style, Vec<u8>)| {
                let is_in_front = cells[at] != 0 && Some(*style) != self.behind;
                (is_in_front, cells[at].count_ones())
            };
            let strongest = self.layers.iter().max_by_key(strength);
            let Some((style, _)) = strongest.filter(|_| dots != 0) else { continue };
            let x = self.area.x + (at % width) as u16;
            let y = self.area.y + (at / width) as u16;
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_char(self.glyphs.cell(dots)).set_style(*style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(glyphs: Glyphs) -> Vec<String> {
        let area = Rect::new(0, 0, 6, 3);
        let mut canvas = Canvas::new(area, glyphs);
        let (right, bottom) = (canvas.width() as i64 - 1, canvas.height() as i64 - 1);
        canvas.line((0, bottom), (right, 0), Style::new(), Pattern::Solid);
        canvas.dot(-1, 400, Style::new());
        let mut buffer = Buffer::empty(area);
        canvas.draw(&mut buffer);
        (0..3).map(|y| (0..6).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn a_line_is_drawn_at_every_glyph_level() {
        assert_eq!(drawn(Glyphs::Ascii), ["    .'", "  .'  ", ".'    "]);
        assert_eq!(drawn(Glyphs::Block), ["    ▄▀", "  ▄▀  ", "▄▀    "]);
        assert_eq!(drawn(Glyphs::Braille), ["    ⡠⠊", "  ⡠⠊  ", "⡠⠊    "]);
    }

    #[test]
    fn a_curve_drawn_later_does_not_recolour_the_dots_of_another() {
        let area = Rect::new(0, 0, 1, 1);
        let (red, blue) = (Style::new().red(), Style::new().blue());
        let colour = |later: i64| {
            let mut canvas = Canvas::new(area, Glyphs::Braille);
            canvas.line((0, 0), (1, 0), red, Pattern::Solid);
            canvas.lift();
            canvas.line((0, 3), (later, 3), blue, Pattern::Solid);
            let mut buffer = Buffer::empty(area);
            canvas.draw(&mut buffer);
            buffer[(0, 0)].style().fg
        };
        assert_eq!(colour(0), red.fg, "one dot of the later curve against two");
        assert_eq!(colour(1), blue.fg, "of equal counts the later curve");
    }

    #[test]
    fn a_style_kept_behind_gives_way_to_any_dot_of_another() {
        let area = Rect::new(0, 0, 1, 1);
        let (grey, red) = (Style::new().gray(), Style::new().red());
        let mut canvas = Canvas::new(area, Glyphs::Braille).with_behind(grey);
        canvas.dot(0, 3, red);
        canvas.line((0, 0), (1, 0), grey, Pattern::Solid);
        let mut buffer = Buffer::empty(area);
        canvas.draw(&mut buffer);
        assert_eq!(buffer[(0, 0)].style().fg, red.fg);
    }
}
