//! The names of curves with their values: the newest, or those at the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::tui::run::{PlotPane, Run};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, short};

/// Draws the line and says what it took: rows.
pub(super) fn draw(
    state: &State,
    run: &Run,
    pane: PlotPane,
    buffer: &mut Buffer,
    area: Rect,
) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let most = match area.height {
        10.. => 3,
        7.. => 2,
        _ => 1,
    };
    // Names are shortened before a third row is taken.
    let named: usize = state.curves_of(run, pane).iter().map(|curve| curve.name.width() + 9).sum();
    let narrow = area.width < 46 || named > 2 * usize::from(area.width);
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
        let width = format!("{gap}? {name} {value}").width();
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
        other => {
            other.replace(" (x)", " x").replace(" (R)", " R").replace("reconstruction", "recon")
        }
    }
}

/// A value as the plot's readers want it.
pub(super) fn figure(pane: PlotPane, value: f32) -> String {
    match pane {
        PlotPane::Loss => short(f64::from(value)),
        PlotPane::Score => format!("{:.1} %", 100.0 * value),
    }
}
