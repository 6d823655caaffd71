//! A frame of a session, and what changed since another one.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::tui::{Drawings, State, hints};

/// What is on the screen of a session.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    buffer: Buffer,
    /// Front and background colour where a cell has none.
    colours: [u32; 2],
    /// Curves, points and bars as shapes.
    drawings: Drawings,
    /// The keys that mean something and what they do.
    hints: Vec<(String, &'static str)>,
}

/// A run of cells: column, row, front, background, modifiers, text. A cell that is two
/// columns wide is a run of its own.
type Run = (u16, u16, i32, i32, u8, String);

/// What a page needs to show a frame.
#[derive(Debug, Serialize)]
struct Change<'a> {
    frame: u64,
    size: [u16; 2],
    colours: [String; 2],
    cells: Vec<Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawings: Option<&'a Drawings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<&'a [(String, &'static str)]>,
}

const BOLD: u8 = 1;
const DIM: u8 = 2;
const UNDERLINED: u8 = 4;
const ITALIC: u8 = 8;

impl Frame {
    /// A frame that shows nothing.
    pub(super) fn empty() -> Self {
        Self {
            buffer: Buffer::empty(Rect::ZERO),
            colours: [0xdd_dddd, 0x11_1111],
            drawings: Drawings::default(),
            hints: Vec::new(),
        }
    }

    /// The frame of a state.
    pub(super) fn of(state: &State, buffer: Buffer, drawings: Drawings) -> Self {
        let background = state.look.theme.background;
        let colour = |own: Option<Color>, usual| own.and_then(number).unwrap_or(usual);
        let colours = [colour(background.fg, 0xdd_dddd), colour(background.bg, 0x11_1111)];
        Self { buffer, colours, drawings, hints: hints(state) }
    }

    /// Whether nothing was drawn yet.
    pub(super) fn is_blank(&self) -> bool {
        self.buffer.area().is_empty()
    }

    /// What changed since the frame a page shows; `None` if nothing did.
    pub(super) fn since(&self, shown: Option<&Self>, number: u64) -> Option<String> {
        if shown == Some(self) {
            return None;
        }
        let area = *self.buffer.area();
        let same = |own: &&Self| own.buffer.area() == &area && own.colours == self.colours;
        let before = shown.filter(same);
        let hex = |colour: u32| format!("#{colour:06x}");
        let change = Change {
            frame: number,
            size: [area.width, area.height],
            colours: self.colours.map(hex),
            cells: changed(&self.buffer, before.map(|own| &own.buffer)),
            drawings: Some(&self.drawings)
                .filter(|own| before.map(|before| &before.drawings) != Some(own)),
            hints: (shown.map(|own| &own.hints) != Some(&self.hints))
                .then_some(self.hints.as_slice()),
        };
        serde_json::to_string(&change).ok()
    }

    /// The text of the screen, line by line.
    #[cfg(test)]
    fn text(&self) -> String {
        let area = *self.buffer.area();
        let line = |y| (0..area.width).map(|x| self.buffer[(x, y)].symbol()).collect::<String>();
        (0..area.height).map(|y| line(y) + "\n").collect()
    }
}

/// The cells that differ, in runs of one style.
fn changed(buffer: &Buffer, before: Option<&Buffer>) -> Vec<Run> {
    let area = *buffer.area();
    let mut runs: Vec<Run> = Vec::new();
    for y in 0..area.height {
        // The run that the next cell may continue: its next column.
        let mut next = None;
        let mut x = 0;
        while x < area.width {
            let cell = &buffer[(x, y)];
            let width = (cell.symbol().width() as u16).max(1);
            let end = (x + width).min(area.width);
            let is_same = |x| before.is_some_and(|own| own[(x, y)] == buffer[(x, y)]);
            if (x..end).all(is_same) {
                x = end;
                continue;
            }
            let (front, back, modifiers) = style(cell);
            let alone = width > 1 || cell.symbol().chars().count() != 1;
            let run = runs.last_mut().filter(|run| {
                next == Some(x) && !alone && (run.2, run.3, run.4) == (front, back, modifiers)
            });
            match run {
                Some(run) => run.5.push_str(cell.symbol()),
                None => runs.push((x, y, front, back, modifiers, cell.symbol().to_owned())),
            }
            next = (!alone).then_some(end);
            x = end;
        }
    }
    runs
}

/// Front and background, -1 for the usual ones, and modifiers.
fn style(cell: &Cell) -> (i32, i32, u8) {
    let code = |colour: Color| number(colour).map_or(-1, |own| own as i32);
    let (mut front, mut back) = (code(cell.fg), code(cell.bg));
    let mut modifiers = 0;
    for (modifier, bit) in [
        (Modifier::BOLD, BOLD),
        (Modifier::DIM, DIM),
        (Modifier::UNDERLINED, UNDERLINED),
        (Modifier::ITALIC, ITALIC),
    ] {
        modifiers |= if cell.modifier.contains(modifier) { bit } else { 0 };
    }
    if cell.modifier.contains(Modifier::REVERSED) {
        // The usual colours exchanged: -2 is the usual one of the other kind.
        let other = |colour: i32| if colour == -1 { -2 } else { colour };
        (front, back) = (other(back), other(front));
    }
    (front, back, modifiers)
}

fn number(colour: Color) -> Option<u32> {
    match colour {
        Color::Rgb(red, green, blue) => {
            Some(u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn frame(lines: &[&str]) -> Frame {
        Frame { buffer: Buffer::with_lines(lines.iter().copied()), ..Frame::empty() }
    }

    fn cells(text: &str) -> serde_json::Value {
        let change: serde_json::Value = serde_json::from_str(text).unwrap();
        change["cells"].clone()
    }

    #[test]
    fn only_changed_cells_are_sent() {
        let (one, mut two) = (frame(&["abc", "def"]), frame(&["abc", "dEF"]));
        assert_eq!(one.since(Some(&one), 2), None);
        let sent = two.since(Some(&one), 2).unwrap();
        assert_eq!(cells(&sent), serde_json::json!([[1, 1, -1, -1, 0, "EF"]]));
        two.buffer[(1, 0)].set_style(Style::new().fg(Color::Rgb(1, 2, 3)));
        let sent = two.since(Some(&one), 3).unwrap();
        assert_eq!(cells(&sent)[0], serde_json::json!([1, 0, 0x01_0203, -1, 0, "b"]));
        assert_eq!(two.text(), "abc\ndEF\n");
    }

    #[test]
    fn a_page_that_shows_nothing_or_another_size_gets_everything() {
        let (one, wider) = (frame(&["ab"]), frame(&["abc"]));
        for shown in [None, Some(&one)] {
            let sent = wider.since(shown, 1).unwrap();
            assert_eq!(cells(&sent), serde_json::json!([[0, 0, -1, -1, 0, "abc"]]));
        }
    }

    #[test]
    fn wide_and_combined_characters_are_runs_of_their_own() {
        let sent = frame(&["a漢b"]).since(None, 1).unwrap();
        let expected = serde_json::json!([
            [0, 0, -1, -1, 0, "a"],
            [1, 0, -1, -1, 0, "漢"],
            [3, 0, -1, -1, 0, "b"]
        ]);
        assert_eq!(cells(&sent), expected);
    }
}
