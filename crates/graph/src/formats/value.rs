//! A value of a markup format: its text, and its type in the format. Also numbers
//! as text that round-trips.

use std::borrow::Cow;

use super::super::column::EXACT_INTEGER;
use super::super::{Cell, Column};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Text, even if it looks like a number.
    Text,
    /// An integer.
    Integer,
    /// A number.
    Real,
    /// True or false.
    Flag,
    /// Whatever it looks like.
    Literal,
}

/// A value with its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value<'t> {
    /// The text in the source.
    pub(super) text: Cow<'t, str>,
    /// Its type in the source.
    pub(super) reads: Reads,
}

/// A named value of a node or an edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Property<'t> {
    /// The name of the column it belongs to.
    pub(super) name: Cow<'t, str>,
    /// The value.
    pub(super) value: Value<'t>,
}

impl Value<'_> {
    /// The value as a cell. Text that does not match its declared type stays text;
    /// NaN becomes an empty cell, as many tools write it for missing values.
    pub(super) fn cell(&self) -> Cell {
        let text = self.text.as_ref();
        let known = match self.reads {
            Reads::Text => None,
            Reads::Integer => integer(text.trim()).or_else(|| missing(text)),
            Reads::Real => real(text.trim()).or_else(|| missing(text)),
            Reads::Flag => flag(text.trim(), true),
            Reads::Literal => literal(text).or_else(|| missing(text)).or_else(|| flag(text, false)),
        };
        known.unwrap_or_else(|| Cell::text(text))
    }
}

fn real(text: &str) -> Option<Cell> {
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Cell::Number)
}

/// Integers that are not exact in `f64` become text.
fn integer(text: &str) -> Option<Cell> {
    real(text).filter(|cell| matches!(cell, Cell::Number(n) if n.abs() < EXACT_INTEGER))
}

fn missing(text: &str) -> Option<Cell> {
    let text = text.trim();
    let said = ["nan", "NaN", "NAN"].contains(&text.trim_start_matches(['-', '+']));
    (said || text.is_empty()).then_some(Cell::Empty)
}

fn flag(text: &str, digits: bool) -> Option<Cell> {
    let is = |word: &str, digit: &str| text.eq_ignore_ascii_case(word) || digits && text == digit;
    match () {
        () if is("true", "1") => Some(Cell::Flag(true)),
        () if is("false", "0") => Some(Cell::Flag(false)),
        () => None,
    }
}

/// An unquoted token that is a number. Codes such as `007` and integers too long
/// for `f64` are not: they would change when written.
fn literal(text: &str) -> Option<Cell> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let whole = digits.bytes().all(|b| b.is_ascii_digit());
    if whole && digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    if whole { integer(text) } else { real(text) }
}

/// Converts a column to numbers if some are numbers and the rest are texts that
/// parse as such: some tools quote only negative numbers or those with an exponent.
pub(super) fn settle_numbers(columns: &mut [Column]) {
    for column in columns {
        let some = column.cells.iter().any(|cell| matches!(cell, Cell::Number(_)));
        let all = column.cells.iter().all(|cell| cell.is_empty() || cell.number().is_some());
        if some && all {
            for cell in &mut column.cells {
                *cell = cell.number().map_or(Cell::Empty, Cell::Number);
            }
        }
    }
}

/// A number with a decimal point, in the fewest digits that round-trip.
pub(super) fn real_text(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        let text = format!("{number:e}");
        // GML requires the point even before an exponent.
        return match text.split_once('e') {
            Some((digits, power)) if !digits.contains('.') => format!("{digits}.0e{power}"),
            _ => text,
        };
    }
    let text = number.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

/// Whether a number is an integer below a limit.
pub(super) fn is_whole(number: f64, limit: f64) -> bool {
    number.fract() == 0.0 && number.abs() < limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(text: &str, reads: Reads) -> Cell {
        Value { text: text.into(), reads }.cell()
    }

    #[test]
    fn unquoted_tokens_are_read_as_what_they_look_like() {
        for (text, expected) in [
            ("3", Cell::Number(3.0)),
            ("-1.E-05", Cell::Number(-1e-5)),
            ("+.5", Cell::Number(0.5)),
            ("007", Cell::text("007")),
            ("12345678901234567890", Cell::text("12345678901234567890")),
            ("NaN", Cell::Empty),
            ("Inf", Cell::text("Inf")),
            ("True", Cell::Flag(true)),
            ("1e999", Cell::text("1e999")),
            ("-", Cell::text("-")),
        ] {
            assert_eq!(cell(text, Reads::Literal), expected, "{text}");
        }
    }

    #[test]
    fn a_declared_type_is_respected_if_the_text_allows_it() {
        assert_eq!(cell("12", Reads::Text), Cell::text("12"));
        assert_eq!(cell(" 12\n", Reads::Integer), Cell::Number(12.0));
        assert_eq!(cell("1e-05", Reads::Real), Cell::Number(1e-5));
        assert_eq!(cell("many", Reads::Integer), Cell::text("many"));
        assert_eq!(cell("1", Reads::Flag), Cell::Flag(true));
        assert_eq!(cell("maybe", Reads::Flag), Cell::text("maybe"));
        assert_eq!(cell("nan", Reads::Real), Cell::Empty);
        assert_eq!(cell("9007199254740993", Reads::Integer), Cell::text("9007199254740993"));
    }

    proptest! {
        #[test]
        fn every_number_round_trips_through_its_text(number in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            let text = real_text(number);
            prop_assert!(text.contains('.'));
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
            prop_assert_eq!(cell(&text, Reads::Literal), Cell::Number(number));
        }
    }
}
