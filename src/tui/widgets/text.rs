//! Text that stays inside its area.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::escape::harmless_line;
use crate::tui::glyphs::Glyphs;

/// The text cut to a number of columns; cut text ends in an ellipsis. Control
/// characters are escaped.
pub(crate) fn clipped(text: &str, width: usize) -> String {
    let text = &*harmless_line(text);
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 0;
    for letter in text.chars() {
        let wide = letter.width().unwrap_or(0);
        if used + wide + 1 > width {
            break;
        }
        used += wide;
        short.push(letter);
    }
    if width > 0 {
        short.push('…');
    }
    short
}

/// The text in lines of at most a number of columns, wrapped between words.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let gap = usize::from(!line.is_empty());
            if !line.is_empty() && line.width() + gap + word.width() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&clipped(word, width));
        }
        lines.push(line);
    }
    lines
}

/// Writes pieces of text one after the other on a line of a rectangle.
pub(crate) struct Writer<'a> {
    buffer: &'a mut Buffer,
    glyphs: Glyphs,
    x: u16,
    y: u16,
    end: u16,
}

impl<'a> Writer<'a> {
    /// Starts at a line of the area; a line outside writes nothing.
    pub(crate) fn new(buffer: &'a mut Buffer, area: Rect, line: u16, glyphs: Glyphs) -> Self {
        let area = area.intersection(*buffer.area());
        let end = if line < area.height { area.right() } else { area.x };
        Self { buffer, glyphs, x: area.x, y: area.y + line, end }
    }

    /// Columns left.
    pub(crate) fn room(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// The column of the next piece.
    pub(crate) fn place(&self) -> u16 {
        self.x
    }

    /// Writes a piece, cut to the remaining columns.
    pub(crate) fn put(&mut self, text: &str, style: Style) -> &mut Self {
        let room = self.room();
        if room > 0 {
            let text = self.glyphs.text(&clipped(text, room));
            let (x, _) = self.buffer.set_stringn(self.x, self.y, text, room, style);
            self.x = x;
        }
        self
    }

    /// Moves to a column counted from the left end of the buffer.
    pub(crate) fn go(&mut self, x: u16) -> &mut Self {
        self.x = x.min(self.end);
        self
    }

    /// Writes a right-aligned piece, if it fits.
    pub(crate) fn right(&mut self, text: &str, style: Style) {
        let text = &*harmless_line(text);
        let width = self.glyphs.text(text).width();
        if width <= self.room() {
            self.x = self.end - width as u16;
            self.put(text, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_wrapped_to_its_area() {
        assert_eq!(clipped("embedding", 6), "embed…");
        assert_eq!(clipped("図形図形", 5), "図形…");
        assert_eq!(
            wrapped("a learned filter over frequencies", 12),
            ["a learned", "filter over", "frequencies"]
        );
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(clipped("a\u{1b}[2J\u{202e}\tb", 40), r"a\u{1b}[2J\u{202e} b");
        assert_eq!(clipped("\u{9b}31m", 4), r"\u{…");
    }

    #[test]
    fn a_line_outside_its_area_is_not_written() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
        Writer::new(&mut buffer, Rect::new(0, 0, 4, 1), 3, Glyphs::Braille).put("x", Style::new());
        Writer::new(&mut buffer, Rect::new(2, 0, 9, 1), 0, Glyphs::Braille)
            .put("long", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["  l…"]));
    }
}
