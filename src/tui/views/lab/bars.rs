//! Numbers between −1 and 1 as bars to both sides of a line.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::tui::appearance::Appearance;

/// A bar in a row of cells: `half` cells to each side of the line. Where it was
/// before is marked, if that is elsewhere.
pub(super) fn bar(
    look: &Appearance,
    buffer: &mut Buffer,
    (x, y): (u16, u16),
    half: u16,
    (value, before): (f64, f64),
    style: Style,
) {
    let middle = x + half;
    let cells = |value: f64| (value.abs().min(1.0) * f64::from(half)).round() as u16;
    let sign = look.glyphs.pick(if value < 0.0 { "-" } else { "+" }, "█");
    for n in 1..=cells(value) {
        let at = if value < 0.0 { middle - n } else { middle + n };
        put(buffer, (at, y), sign, style);
    }
    put(buffer, (middle, y), look.glyphs.pick("|", "│"), look.theme.border);
    if (value - before).abs() * f64::from(half) >= 0.5 {
        let at = if before < 0.0 { middle - cells(before) } else { middle + cells(before) };
        put(buffer, (at, y), look.glyphs.pick("o", "◇"), look.theme.accent);
    }
}

fn put(buffer: &mut Buffer, place: (u16, u16), symbol: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(place) {
        cell.set_symbol(symbol).set_style(style);
    }
}
