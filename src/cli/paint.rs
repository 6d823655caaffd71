//! Colours and small bars for printed output. The stream strips colour where it is
//! unsupported, so no information depends on colour alone.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::escape::{harmless, harmless_line};

pub(super) const TITLE: Style = Style::new().bold();
pub(super) const HEADING: Style = AnsiColor::Cyan.on_default().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const BAR: Style = AnsiColor::Blue.on_default();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(super) const ABOVE: Style = AnsiColor::Green.on_default();
pub(super) const BELOW: Style = AnsiColor::Red.on_default();

/// All styles; no other escape sequence is printed.
pub(super) const STYLES: [Style; 7] = [TITLE, HEADING, FAINT, BAR, WARNING, ABOVE, BELOW];

/// Text in a style.
pub(super) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    let text = text.to_string();
    format!("{style}{}{style:#}", harmless(&text))
}

/// A bar of at most `width` columns, with a resolution of an eighth of a column.
pub(super) fn bar(value: f64, most: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
    let eighths = (share * width as f64 * 8.0).round() as usize;
    // Non-zero values stay visible.
    let eighths = if value > 0.0 { eighths.max(1) } else { eighths };
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

/// A bar to the right of an axis for positive values, to the left for negative ones:
/// `width` columns on each side, with a resolution of half a column.
pub(super) fn signed_bar(value: f64, most: f64, width: usize) -> String {
    let share = if most > 0.0 { (value / most).clamp(-1.0, 1.0) } else { 0.0 };
    let halves = (share.abs() * width as f64 * 2.0).round() as usize;
    // Non-zero values stay visible.
    let halves = if share == 0.0 { 0 } else { halves.max(1) };
    let (full, half) = ("█".repeat(halves / 2), halves % 2 == 1);
    let empty = " ".repeat(width - halves.div_ceil(2));
    if value < 0.0 {
        format!("{empty}{}{full}│{}", if half { "▐" } else { "" }, " ".repeat(width))
    } else {
        format!("{}│{full}{}{empty}", " ".repeat(width), if half { "▌" } else { "" })
    }
}

/// Text truncated or padded to a width in columns.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let text = &*harmless_line(text);
    let own = text.width();
    if own <= width {
        return format!("{text}{}", " ".repeat(width - own));
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + unicode_width::UnicodeWidthChar::width(c).unwrap_or(0) + 1 > width {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    fitted(&cut, width)
}

/// A count with thin spaces between groups of three digits: 19 717.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Text wrapped to lines of at most `width` columns.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in harmless(text).split_whitespace() {
        let line = lines.last_mut().filter(|line| line.width() + 1 + word.width() <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_proportional_and_never_empty_for_a_positive_value() {
        assert_eq!(bar(1.0, 2.0, 4), "██");
        assert_eq!(bar(1.0, 16.0, 2), "▏");
        assert_eq!(bar(1.0, 1e9, 10), "▏");
        assert_eq!(bar(0.0, 2.0, 4), "");
    }

    #[test]
    fn a_signed_bar_extends_to_the_side_of_its_sign_and_has_a_fixed_width() {
        assert_eq!(signed_bar(1.0, 2.0, 4), "    │██  ");
        assert_eq!(signed_bar(-1.5, 2.0, 2), "▐█│  ");
        assert_eq!(signed_bar(1e-9, 2.0, 2), "  │▌ ");
        assert_eq!(signed_bar(0.0, 0.0, 2), "  │  ");
    }

    #[test]
    fn texts_are_fitted_by_columns_not_by_characters() {
        assert_eq!(fitted("abc", 5), "abc  ");
        assert_eq!(fitted("日本語", 4), "日… ");
    }

    #[test]
    fn counts_are_grouped_from_five_digits_on() {
        assert_eq!(grouped(2708), "2708");
        assert_eq!(grouped(19717), "19 717");
        assert_eq!(grouped(10_000_000), "10 000 000");
    }

    #[test]
    fn long_text_wraps_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert!(wrapped("", 8).is_empty());
    }
}
