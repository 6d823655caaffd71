//! Records the shapes of a drawing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::drawing::{BROAD, Drawings, FINE, Ink, LINE, Pattern, Point, Shape};
use crate::tui::glyphs::Glyphs;

/// The position of a fraction of a range on so many cells: at its ends in the middle of
/// the first and the last dot.
pub(super) fn position(share: f64, cells: u16, dots: usize) -> f32 {
    let (dots, last) = (dots.max(1) as f64, (usize::from(cells) * dots).saturating_sub(1) as f64);
    let exact = (share * last + 0.5) / dots;
    let near = exact as f32;
    // Rounding must not move it to the next dot.
    let is_beyond = (f64::from(near) * dots).floor() > (exact * dots).floor();
    if is_beyond { near.next_down() } else { near }
}

/// Shapes over a rectangle of cells; one style may be kept behind all others.
pub(crate) struct Canvas {
    area: Rect,
    glyphs: Glyphs,
    shapes: Vec<Shape>,
    /// Whether the next line starts a new shape.
    is_lifted: bool,
    /// Whether the pen is broad.
    is_broad: bool,
    /// The style that gives way to all others.
    behind: Option<Style>,
}

impl Canvas {
    /// An empty canvas.
    pub(crate) fn new(area: Rect, glyphs: Glyphs) -> Self {
        Self { area, glyphs, shapes: Vec::new(), is_lifted: true, is_broad: false, behind: None }
    }

    /// The same with a broad pen, or a normal one.
    pub(crate) fn with_pen(self, is_broad: bool) -> Self {
        Self { is_broad, ..self }
    }

    /// The same with a style that gives way to all others.
    pub(crate) fn with_behind(self, style: Style) -> Self {
        Self { behind: Some(style), ..self }
    }

    /// The number of positions across at which a curve is worth a point.
    pub(crate) fn columns(&self) -> usize {
        usize::from(self.area.width) * self.glyphs.dots().0
    }

    /// The point at fractions of the width, from the left, and of the height, from below.
    pub(crate) fn point(&self, across: f64, up: f64) -> Point {
        let (wide, high) = self.glyphs.dots();
        [position(across, self.area.width, wide), position(1.0 - up, self.area.height, high)]
    }

    /// Starts another curve: its pattern restarts.
    pub(crate) fn lift(&mut self) {
        self.is_lifted = true;
    }

    fn width(&self, style: Style, pattern: Pattern) -> f32 {
        // Dots finer than a line cannot be seen.
        if self.is_broad {
            BROAD
        } else if Some(style) == self.behind && pattern != Pattern::Dotted {
            FINE
        } else {
            LINE
        }
    }

    fn ink(&self, style: Style) -> Ink {
        Ink { style, behind: Some(style) == self.behind }
    }

    /// A line between two points that continues the pattern of the previous line.
    #[allow(clippy::float_cmp)] // The same point, not a near one.
    pub(crate) fn line(&mut self, from: Point, to: Point, style: Style, pattern: Pattern) {
        let ink = self.ink(style);
        if !std::mem::take(&mut self.is_lifted)
            && let Some(Shape::Line { paths, pattern: before, ink: same, .. }) =
                self.shapes.last_mut()
            && (*before, *same) == (pattern, ink)
        {
            match paths.last_mut() {
                Some(path) if path.last() == Some(&from) => {
                    if from != to {
                        path.push(to);
                    }
                }
                _ => paths.push(path(from, to)),
            }
            return;
        }
        let width = self.width(style, pattern);
        self.shapes.push(Shape::Line { paths: vec![path(from, to)], pattern, width, ink });
    }

    /// The ranges of a curve: for each position the column, and the rows of the lowest
    /// and the highest value.
    pub(crate) fn band(&mut self, spans: Vec<[f32; 3]>, style: Style) {
        let (width, ink) = (self.width(style, Pattern::Solid), self.ink(style));
        self.shapes.push(Shape::Band { spans, width, ink });
    }

    /// A column of cells filled from below to a fraction of the height.
    pub(crate) fn column(&mut self, column: u16, share: f64, style: Style) {
        let bottom = f32::from(self.area.height);
        let (left, top) = (f32::from(column), bottom * (1.0 - share as f32));
        let ink = self.ink(style);
        self.shapes.push(Shape::Column { left, top, right: left + 1.0, bottom, ink });
    }

    /// A dashed line across at a fraction of the height.
    pub(crate) fn level(&mut self, up: f64, style: Style) {
        let (row, ink) = (self.point(0.0, up)[1], self.ink(style));
        self.shapes.push(Shape::Level { row, ink });
    }

    /// Draws the shapes; cells without a shape stay.
    pub(crate) fn draw(self, buffer: &mut Buffer, drawings: &mut Drawings) {
        drawings.add(self.area, self.shapes, self.glyphs, buffer);
    }
}

#[allow(clippy::float_cmp)] // The same point, not a near one.
fn path(from: Point, to: Point) -> Vec<Point> {
    if from == to { vec![from] } else { vec![from, to] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(canvas: Canvas, area: Rect) -> Buffer {
        let mut buffer = Buffer::empty(area);
        canvas.draw(&mut buffer, &mut Drawings::default());
        buffer
    }

    fn drawn(glyphs: Glyphs) -> Vec<String> {
        let area = Rect::new(0, 0, 6, 3);
        let mut canvas = Canvas::new(area, glyphs);
        let (from, to) = (canvas.point(0.0, 0.0), canvas.point(1.0, 1.0));
        canvas.line(from, to, Style::new(), Pattern::Solid);
        let outside = [-1.0, 400.0];
        canvas.line(outside, outside, Style::new(), Pattern::Solid);
        let buffer = draw(canvas, area);
        (0..3).map(|y| (0..6).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn a_line_is_drawn_at_every_glyph_level() {
        assert_eq!(drawn(Glyphs::Ascii), ["    .'", "  .'  ", ".'    "]);
        assert_eq!(drawn(Glyphs::Block), ["    ▄▀", "  ▄▀  ", "▄▀    "]);
        assert_eq!(drawn(Glyphs::Braille), ["    ⡠⠊", "  ⡠⠊  ", "⡠⠊    "]);
    }

    /// The middle of a braille dot.
    fn dot(x: u8, y: u8) -> Point {
        [f32::from(x) / 2.0 + 0.25, f32::from(y) / 4.0 + 0.125]
    }

    #[test]
    fn a_curve_drawn_later_does_not_recolour_the_dots_of_another() {
        let area = Rect::new(0, 0, 1, 1);
        let (red, blue) = (Style::new().red(), Style::new().blue());
        let colour = |later: u8| {
            let mut canvas = Canvas::new(area, Glyphs::Braille);
            canvas.line(dot(0, 0), dot(1, 0), red, Pattern::Solid);
            canvas.lift();
            canvas.line(dot(0, 3), dot(later, 3), blue, Pattern::Solid);
            draw(canvas, area)[(0, 0)].style().fg
        };
        assert_eq!(colour(0), red.fg, "one dot of the later curve against two");
        assert_eq!(colour(1), blue.fg, "of equal counts the later curve");
    }

    #[test]
    fn a_style_kept_behind_gives_way_to_any_dot_of_another() {
        let area = Rect::new(0, 0, 1, 1);
        let (grey, red) = (Style::new().gray(), Style::new().red());
        let mut canvas = Canvas::new(area, Glyphs::Braille).with_behind(grey);
        canvas.line(dot(0, 3), dot(0, 3), red, Pattern::Solid);
        canvas.lift();
        canvas.line(dot(0, 0), dot(1, 0), grey, Pattern::Solid);
        assert_eq!(draw(canvas, area)[(0, 0)].style().fg, red.fg);
    }

    #[test]
    fn lines_that_continue_are_one_shape_until_the_pen_is_lifted() {
        let mut canvas = Canvas::new(Rect::new(0, 0, 9, 9), Glyphs::Pixel);
        let points = [[1.0, 1.0], [2.0, 3.0], [5.0, 3.0]];
        for pair in points.windows(2) {
            canvas.line(pair[0], pair[1], Style::new(), Pattern::Solid);
        }
        canvas.line([7.0, 1.0], [8.0, 1.0], Style::new(), Pattern::Solid);
        canvas.lift();
        canvas.line([8.0, 1.0], [8.0, 2.0], Style::new(), Pattern::Solid);
        let [Shape::Line { paths, .. }, Shape::Line { .. }] = canvas.shapes.as_slice() else {
            panic!("{:?}", canvas.shapes);
        };
        assert_eq!(*paths, [points.to_vec(), vec![[7.0, 1.0], [8.0, 1.0]]]);
    }
}
