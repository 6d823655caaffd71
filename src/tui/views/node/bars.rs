//! Bars in a line of text, and numbers with their sign.

use ratatui::style::Style;

use crate::tui::state::State;
use crate::tui::widgets::{Writer, short};

const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A share of 1 as a bar of so many columns.
pub(crate) fn bar(state: &State, writer: &mut Writer<'_>, share: f64, width: u16, style: Style) {
    let start = writer.place();
    let eighths = (share.clamp(0.0, 1.0) * f64::from(width) * 8.0).round() as usize;
    let glyphs = state.look.glyphs;
    let text = if glyphs == crate::tui::glyphs::Glyphs::Ascii {
        "#".repeat((eighths + 4) / 8)
    } else {
        format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
    };
    writer.put(&text, style);
    writer.go(start + width);
}

/// A share from −1 to 1 as a bar to the left or the right of a middle line. The
/// sign is in the place, in the colour, and in ASCII in the letters.
pub(crate) fn signed_bar(state: &State, writer: &mut Writer<'_>, share: f64, half: u16) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let start = writer.place();
    let length = (share.abs().min(1.0) * f64::from(half)).round() as u16;
    // What counts at all is seen; what rounds to nothing is not.
    let length = if share.abs() < 0.01 { 0 } else { length.max(1) };
    let against = share < 0.0;
    let sign = glyphs.pick(if against { "-" } else { "+" }, if against { "▒" } else { "█" });
    let from = if against { start + half - length } else { start + half + 1 };
    writer.go(from).put(&sign.repeat(usize::from(length)), sign_style(state, share));
    writer.go(start + half).put(glyphs.pick("|", "│"), theme.border);
    writer.go(start + 2 * half + 1);
}

/// The style of what speaks for or against.
pub(crate) fn sign_style(state: &State, value: f64) -> Style {
    let theme = &state.look.theme;
    if value < 0.0 { theme.curves[5] } else { theme.curves[3] }
}

/// A number with its sign.
pub(crate) fn signed(value: f64) -> String {
    let text = short(value.abs());
    if text == "0" {
        return text;
    }
    format!("{}{text}", if value < 0.0 { "−" } else { "+" })
}

/// A number with its sign and so many decimals, so that a column adds up.
pub(crate) fn aligned(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    let zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    let text = if zero { format!("{:+.digits$}", 0.0) } else { text };
    text.replace('-', "−")
}

/// Decimals by which the numbers of a column are told.
pub(crate) fn decimals(size: f64) -> usize {
    match size {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 0.1 || size == 0.0 => 3,
        _ => 5,
    }
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
