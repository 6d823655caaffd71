//! Single values: slices of the text, their lines, and their cells.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::super::{Cell, LABEL_SEPARATOR};

/// Larger integers are not exact in `f64`: they stay text.
const EXACT_INTEGER: u64 = 1 << 53;

/// A property of an element: its name and the slice of text that holds it.
pub(super) type Property<'a> = (Cow<'a, str>, &'a RawValue);

/// The properties of an element, in order.
pub(super) struct Properties<'a>(pub(super) Vec<Property<'a>>);

impl<'a> Properties<'a> {
    /// The property with this name; of a repeated one the last, as usual in JSON.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Properties<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Properties<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object with properties")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut properties = Vec::new();
                while let Some(Key(name)) = map.next_key()? {
                    properties.push((name, map.next_value()?));
                }
                Ok(Properties(properties))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The kind of a value, given by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Flag,
    Number,
    Text,
    List,
    Object,
}

pub(super) fn kind(value: &RawValue) -> Kind {
    match value.get().as_bytes().first() {
        Some(b'"') => Kind::Text,
        Some(b'[') => Kind::List,
        Some(b'{') => Kind::Object,
        Some(b't' | b'f') => Kind::Flag,
        Some(b'n') | None => Kind::Null,
        Some(_) => Kind::Number,
    }
}

/// The value as plain text: numbers as written, lists and objects as compact JSON.
/// An error means that a string is not valid Unicode.
pub(super) fn plain(value: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    Ok(match kind(value) {
        Kind::Null => Cow::Borrowed(""),
        Kind::Text => serde_json::from_str::<Key>(value.get())?.0,
        Kind::Flag | Kind::Number => Cow::Borrowed(value.get()),
        Kind::List | Kind::Object => Cow::Owned(compact(value.get())),
    })
}

/// The value as a cell of a column.
pub(super) fn cell(value: &RawValue) -> Result<Cell, serde_json::Error> {
    Ok(match kind(value) {
        Kind::Flag => Cell::Flag(value.get() == "true"),
        Kind::Number => number(value.get()),
        Kind::List => list(value)?,
        Kind::Null | Kind::Text | Kind::Object => Cell::text(&plain(value)?),
    })
}

fn number(text: &str) -> Cell {
    let whole = !text.contains(['.', 'e', 'E']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let exact = !whole || digits.parse::<u64>().is_ok_and(|n| n <= EXACT_INTEGER);
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && exact => Cell::Number(number),
        _ => Cell::text(text),
    }
}

fn list(value: &RawValue) -> Result<Cell, serde_json::Error> {
    let items: Vec<&RawValue> = serde_json::from_str(value.get())?;
    if items.iter().any(|item| matches!(kind(item), Kind::List | Kind::Object)) {
        return Ok(Cell::text(&compact(value.get())));
    }
    let mut joined = String::new();
    for item in items.into_iter().filter(|item| kind(item) != Kind::Null) {
        if !joined.is_empty() {
            joined.push(LABEL_SEPARATOR);
        }
        joined.push_str(&plain(item)?);
    }
    Ok(Cell::text(&joined))
}

/// The same JSON without whitespace.
fn compact(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    json.chars()
        .filter(|&c| {
            let keep = in_string || !c.is_ascii_whitespace();
            if escaped {
                escaped = false;
            } else if c == '"' {
                in_string = !in_string;
            } else {
                escaped = in_string && c == '\\';
            }
            keep
        })
        .collect()
}

/// Finds the line of a slice of the text. Lookups are mostly in order, so it
/// continues counting from the last one.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line on which a slice of the text starts.
    pub(super) fn line(&mut self, slice: &RawValue) -> u64 {
        let offset = slice.get().as_ptr() as usize - self.text.as_ptr() as usize;
        let offset = offset.min(self.text.len());
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        let passed = &self.text.as_bytes()[self.at..offset];
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = offset;
        self.line
    }
}
