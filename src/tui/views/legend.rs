//! The names of curves with their values: the newest, or those at the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::run::{Pane, Run};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, short};

/// Draws the line and says what it took: rows.
pub(super) fn draw(state: &State, run: &Run, pane: Pane, buffer: &mut Buffer, area: Rect) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let narrow = area.width < 46;
    let most = if area.height >= 7 { 2 } else { 1 };
    let (mut row, mut first) = (0, true);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    for curve in state.curves_of(run, pane) {
        let value = match state.read_out() {
            Some(epoch) => curve.series.at(epoch),
            None => curve.series.last(),
        };
        let value = value.map_or("-".to_owned(), |value| figure(pane, value));
        let name = if narrow { shortened(&curve.name) } else { curve.name.clone() };
        let gap = if first { "" } else { "  " };
        let width =
            unicode_width::UnicodeWidthStr::width(format!("{gap}? {name} {value}").as_str());
        let fits = width <= writer.room();
        if !fits && row + 1 >= most {
            break;
        }
        if fits {
            writer.put(gap, theme.text);
        } else {
            row += 1;
            writer = Writer::new(buffer, area, row, glyphs);
        }
        first = false;
        let style = theme.curves[curve.colour];
        writer.put(&format!("{} ", glyphs.shape(curve.shape)), style);
        writer.put(&format!("{name} "), theme.faint).put(&value, theme.text);
    }
    row + 1
}

fn shortened(name: &str) -> String {
    match name {
        "supervised" => "superv".to_owned(),
        other => other.replace(", by ", " ").replace("reconstruction", "recon"),
    }
}

/// A value as the plot's readers want it.
pub(super) fn figure(pane: Pane, value: f32) -> String {
    match pane {
        Pane::Loss => short(f64::from(value)),
        Pane::Score => format!("{:.1} %", 100.0 * value),
    }
}
