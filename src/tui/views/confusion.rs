//! A confusion matrix: figures where there is room, shades where there is not.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::runs::ClassTable;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, clipped};

/// The narrowest column that holds a figure.
const FIGURE: u16 = 5;

pub(super) fn draw(state: &State, table: &ClassTable, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let count = table.names.len() as u16;
    let name = (area.width / 4).clamp(6, 20);
    let room = area.width.saturating_sub(name + 1);
    let figures = count > 0 && room / count >= FIGURE;
    let column = if figures { (room / count).min(12) } else { (room / count.max(1)).clamp(1, 2) };
    if figures {
        let mut writer = Writer::new(buffer, area, 0, glyphs);
        for (at, class) in table.names.iter().enumerate() {
            writer.go(area.x + name + 1 + at as u16 * column);
            writer.put(&clipped(class, usize::from(column) - 1), theme.faint);
        }
    }
    let top = u16::from(figures);
    for (at, (class, row)) in table.names.iter().zip(&table.confusion).enumerate() {
        let line = at as u16 + top;
        if line >= area.height {
            break;
        }
        let whole: u32 = row.iter().sum();
        let mut writer = Writer::new(buffer, area, line, glyphs);
        writer.put(&clipped(class, usize::from(name) - 1), theme.text);
        for (to, &found) in row.iter().enumerate() {
            writer.go(area.x + name + 1 + to as u16 * column);
            let share = f64::from(found) / f64::from(whole.max(1));
            let style = match (to == at, share) {
                (true, _) => theme.good,
                (false, share) if share >= 0.1 => theme.bad,
                _ => theme.faint,
            };
            if figures {
                let text = if found == 0 { "·".to_owned() } else { found.to_string() };
                writer.put(&text, style);
            } else {
                let shades = glyphs.pick([" ", ".", ":", "*", "#"], [" ", "░", "▒", "▓", "█"]);
                let step = if found == 0 { 0 } else { 1 + (share * 3.99) as usize };
                writer.put(shades[step.min(4)], style);
            }
        }
    }
}
