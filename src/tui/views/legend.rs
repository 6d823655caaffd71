//! The names of curves with their values: the newest, or those at the cursor. A click
//! on a name shows or hides its curve.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::{HitTarget, Hits};
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
    hits: &mut Hits,
) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let most = match area.height {
        10.. => 3,
        7.. => 2,
        _ => 1,
    };
    // Names are shortened before a third row is taken.
    let named: usize =
        state.listed_curves(run, pane).iter().map(|curve| curve.name.width() + 9).sum();
    let narrow = area.width < 46 || named > 2 * usize::from(area.width);
    let (mut row, mut first) = (0, true);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    for curve in state.listed_curves(run, pane) {
        let shows = state.graph.curves.shows(curve);
        let value = match state.read_out() {
            Some(epoch) => curve.series.at(epoch),
            None => curve.series.last(),
        };
        let value = match value {
            _ if !shows => "off".to_owned(),
            Some(value) => figure(pane, value),
            None => "-".to_owned(),
        };
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
        let start = writer.place();
        let (style, text) = if shows {
            (theme.curves[curve.colour], theme.text)
        } else {
            (theme.ghost, theme.ghost)
        };
        writer.put(&format!("{} ", glyphs.shape(curve.shape)), style);
        writer.put(&format!("{name} "), theme.faint).put(&value, text);
        let place = Rect { x: start, y: area.y + row, width: writer.place() - start, height: 1 };
        hits.add(place, HitTarget::Command(curve.figure.group().command()));
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
