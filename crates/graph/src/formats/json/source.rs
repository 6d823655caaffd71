//! The JSON text and its reader state: elements become properties, ids and cells,
//! and every error gets its element and line.

use std::borrow::Cow;
use std::fmt;

use serde_json::value::RawValue;

use super::super::super::error::quoted;
use super::super::super::{Columns, GraphError, Reading};
use super::super::room::Room;
use super::document::List;
use super::value::{self, Kind, Lines, Properties};

/// The text with its lines, and the reader state.
pub(super) struct Source<'a, 'r> {
    pub(super) lines: Lines<'a>,
    pub(super) room: Room,
    pub(super) reading: &'r mut Reading,
}

/// One element: its slice of the text, and its name in messages.
#[derive(Clone, Copy)]
pub(super) struct Element<'v> {
    pub(super) slice: &'v RawValue,
    list: &'static str,
    at: usize,
    /// The position within the list at `at`, for nested lists.
    within: Option<usize>,
    in_data: bool,
}

impl<'v> Element<'v> {
    /// The elements of a list.
    pub(super) fn all(list: &List<'v>) -> impl Iterator<Item = Self> {
        let (name, in_data) = (list.name, list.in_data);
        list.items.iter().enumerate().map(move |(at, &slice)| Self {
            slice,
            list: name,
            at,
            within: None,
            in_data,
        })
    }

    /// The elements of this element; `None` if it is not a list.
    pub(super) fn inner(self) -> Option<impl Iterator<Item = Self>> {
        let items: Vec<&RawValue> = serde_json::from_str(self.slice.get()).ok()?;
        let inner = items.into_iter().enumerate();
        Some(inner.map(move |(within, slice)| Self { slice, within: Some(within), ..self }))
    }

    /// Its position in the list.
    pub(super) fn position(self) -> usize {
        self.at
    }

    /// Its properties; `None` if it is not an object.
    pub(super) fn properties(self) -> Option<Properties<'v>> {
        let own: Properties = serde_json::from_str(self.slice.get()).ok()?;
        if !self.in_data {
            return Some(own);
        }
        serde_json::from_str(own.get("data")?.get()).ok()
    }

    /// Whether it is just an id.
    pub(super) fn is_bare_id(self) -> bool {
        !self.in_data && matches!(value::kind(self.slice), Kind::Text | Kind::Number)
    }

    /// Whether it has that property with a value other than null.
    pub(super) fn has(self, name: &str) -> bool {
        let value = self.properties().and_then(|properties| properties.get(name));
        value.is_some_and(|value| value::kind(value) != Kind::Null)
    }
}

impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.list, self.at)?;
        self.within.map_or(Ok(()), |within| write!(f, "[{within}]"))
    }
}

impl Source<'_, '_> {
    /// An invalid element: an error, or the element is skipped.
    pub(super) fn bad(
        &mut self,
        slice: &RawValue,
        found: impl Into<String>,
        expected: &str,
        advice: &str,
    ) -> Result<(), GraphError> {
        let line = self.lines.line(slice);
        self.reading.bad_row(line, found, expected, advice)
    }

    /// The properties of an element; `None` if it is skipped.
    pub(super) fn properties<'v>(
        &mut self,
        element: Element<'v>,
    ) -> Result<Option<Properties<'v>>, GraphError> {
        let properties = element.properties();
        if properties.is_none() {
            let found = format!("{element} that is {}", quoted(element.slice.get()));
            let expected = if element.in_data { "an object with `data`" } else { "an object" };
            self.bad(element.slice, found, expected, "write it as { … }")?;
        }
        Ok(properties)
    }

    /// The text of an id; `None` if the element is skipped.
    pub(super) fn id<'v>(
        &mut self,
        id: &'v RawValue,
        element: Element,
    ) -> Result<Option<Cow<'v, str>>, GraphError> {
        let usable = !matches!(value::kind(id), Kind::Null | Kind::Object);
        match value::plain(id) {
            Ok(text) if usable && !text.is_empty() => Ok(Some(text)),
            _ => {
                let found = format!("{element} with {} for an id", quoted(id.get()));
                self.bad(id, found, "a string or a number", "give the node an id")?;
                Ok(None)
            }
        }
    }

    /// Refuses columns that would fill the memory.
    pub(super) fn check_room(
        &mut self,
        columns: &Columns,
        rows: usize,
        element: Element,
    ) -> Result<(), GraphError> {
        if self.room.holds(columns, rows) {
            return Ok(());
        }
        let line = self.lines.line(element.slice);
        self.room.check(columns, rows, line, self.reading)
    }

    /// Sets a cell; an unreadable value is an error and the cell stays empty.
    pub(super) fn set(
        &mut self,
        columns: &mut Columns,
        row: usize,
        (name, value): (&str, &RawValue),
        element: Element,
    ) -> Result<(), GraphError> {
        if let Ok(cell) = value::cell(value) {
            if !cell.is_empty() {
                columns.set(name, row, cell);
            }
            return Ok(());
        }
        let found = format!("{element}.{name}: {}", quoted(value.get()));
        self.bad(value, found, "text in valid Unicode", "fix the escapes in it")
    }
}
