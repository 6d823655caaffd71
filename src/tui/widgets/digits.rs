//! Large digits of several rows, readable from the back of a room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::glyphs::Glyphs;

/// Digit size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// Three rows: each cell has two dots, one above the other.
    Small,
    /// Five rows: each dot is two cells wide.
    Large,
}

/// Dots per digit, horizontally and vertically.
const DOTS: (usize, usize) = (3, 5);

/// Rows of dots, the highest bit at the left; unknown characters are empty.
fn dots(sign: char) -> [u8; DOTS.1] {
    match sign {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 1, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '.' => [0, 0, 0, 0, 2],
        '-' | '−' => [0, 0, 7, 0, 0],
        '%' => [5, 1, 2, 4, 5],
        'e' => [0, 7, 6, 4, 7],
        _ => [0; DOTS.1],
    }
}

impl Size {
    /// Rows per digit; glyph levels that cannot halve a cell need all five.
    pub(crate) fn rows(self, glyphs: Glyphs) -> u16 {
        match (self, glyphs) {
            (Self::Small, Glyphs::Ascii) | (Self::Large, _) => 5,
            (Self::Small, _) => 3,
        }
    }

    /// Width of a text in columns.
    pub(crate) fn columns(self, text: &str) -> u16 {
        let dot = if self == Self::Large { 2 } else { 1 };
        text.chars().count() as u16 * (DOTS.0 as u16 + 1) * dot
    }
}

/// Draws digits, starting at the upper left corner of the area.
pub(crate) fn figures(
    buffer: &mut Buffer,
    area: Rect,
    text: &str,
    size: Size,
    style: Style,
    glyphs: Glyphs,
) {
    let area = area.intersection(*buffer.area());
    let wide = if size == Size::Large { 2 } else { 1 };
    let halves = size == Size::Small && glyphs != Glyphs::Ascii;
    let full = glyphs.pick("#", "█");
    for (at, sign) in text.chars().enumerate() {
        let rows = dots(sign);
        let lit = |x: usize, y: usize| rows.get(y).is_some_and(|row| row >> (2 - x) & 1 == 1);
        for x in 0..DOTS.0 {
            for y in 0..usize::from(size.rows(glyphs)) {
                let symbol = if halves {
                    match (lit(x, 2 * y), lit(x, 2 * y + 1)) {
                        (true, true) => "█",
                        (true, false) => "▀",
                        (false, true) => "▄",
                        (false, false) => continue,
                    }
                } else if lit(x, y) {
                    full
                } else {
                    continue;
                };
                for part in 0..wide {
                    let column = (at * (DOTS.0 + 1) + x) * wide + part;
                    let (column, row) = (area.x + column as u16, area.y + y as u16);
                    if column < area.right() && row < area.bottom() {
                        buffer[(column, row)].set_symbol(symbol).set_style(style);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, size: Size, glyphs: Glyphs) -> Vec<String> {
        let area = Rect::new(0, 0, size.columns(text), size.rows(glyphs));
        let mut buffer = Buffer::empty(area);
        figures(&mut buffer, area, text, size, Style::new(), glyphs);
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..area.height).map(|y| row(y).trim_end().to_owned()).collect()
    }

    #[test]
    fn digits_are_drawn_at_both_sizes_and_in_ascii() {
        assert_eq!(drawn("47", Size::Small, Glyphs::Braille), ["█ █ ▀▀█", "▀▀█  ▄▀", "  ▀  ▀"]);
        let large = drawn("1", Size::Large, Glyphs::Braille);
        assert_eq!(large, ["  ██", "████", "  ██", "  ██", "██████"]);
        assert_eq!(drawn("1", Size::Small, Glyphs::Ascii), [" #", "##", " #", " #", "###"]);
    }

    #[test]
    fn text_that_does_not_fit_is_cut() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 2));
        let style = Style::new();
        let area = Rect::new(0, 0, 90, 9);
        figures(&mut buffer, area, "888", Size::Large, style, Glyphs::Braille);
        assert_eq!(buffer, Buffer::with_lines(["████", "██  "]));
    }
}
