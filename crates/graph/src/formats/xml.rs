//! The XML layer of GraphML and GEXF: events with their lines, resolved attributes and
//! references, and readable errors.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::super::error::quoted;
use super::super::{GraphError, Reading};

const ADVICE: &str = "fix the XML there, or export the graph again";

/// The events of a document.
pub(super) struct Document<'t> {
    text: &'t str,
    events: quick_xml::Reader<&'t [u8]>,
    counted_to: usize,
    line: u64,
}

impl<'t> Document<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut events = quick_xml::Reader::from_str(text);
        events.config_mut().expand_empty_elements = true;
        Self { text, events, counted_to: 0, line: 1 }
    }

    /// The next event, with the line it begins on.
    pub(super) fn next(&mut self, reading: &Reading) -> Result<(u64, Event<'t>), GraphError> {
        let line = self.line_at(self.events.buffer_position());
        match self.events.read_event() {
            Ok(event) => Ok((line, event)),
            Err(error) => {
                let line = self.line_at(self.events.error_position());
                Err(broken(line, &error, reading))
            }
        }
    }

    /// Events only go forward, so that each line break is counted once.
    fn line_at(&mut self, position: u64) -> u64 {
        let end = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        if let Some(passed) = self.text.as_bytes().get(self.counted_to..end) {
            self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.counted_to = end;
        }
        self.line
    }
}

/// The attributes of an element by their local names.
pub(super) struct Attributes<'e>(Vec<(&'e str, Cow<'e, str>)>);

impl<'e> Attributes<'e> {
    pub(super) fn of(
        element: &'e BytesStart<'_>,
        line: u64,
        reading: &Reading,
    ) -> Result<Self, GraphError> {
        let mut attributes = element.attributes();
        // The check for repeated names is quadratic.
        attributes.with_checks(false);
        let mut found = Vec::new();
        for attribute in attributes {
            let attribute = attribute.map_err(|error| broken(line, &error.into(), reading))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| broken(line, &error, reading))?;
            found.push((attribute.key.local_name().into_inner(), value));
        }
        Ok(Self(found))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_ref())
    }
}

/// The text of a reference such as `&amp;` or `&#233;`. Entities declared in a
/// document type are not expanded.
pub(super) fn resolve(
    reference: &BytesRef<'_>,
    line: u64,
    reading: &Reading,
) -> Result<String, GraphError> {
    if let Some(predefined) = resolve_predefined_entity(reference) {
        return Ok(predefined.to_owned());
    }
    match reference.resolve_char_ref() {
        Ok(Some(letter)) => Ok(letter.to_string()),
        Ok(None) => Err(reading.broken(
            Some(line),
            format!("the entity {}", quoted(&format!("&{};", reference.as_ref()))),
            "one of &amp; &lt; &gt; &quot; &apos;, or a number such as &#233;",
            "write the character itself",
        )),
        Err(error) => Err(broken(line, &error, reading)),
    }
}

pub(super) fn broken(line: u64, error: &quick_xml::Error, reading: &Reading) -> GraphError {
    use quick_xml::Error;
    let advice = match error {
        Error::Escape(_) => "write & as &amp;, and characters instead of named entities",
        Error::IllFormed(quick_xml::errors::IllFormedError::UnclosedReference) => {
            "write & as &amp;"
        }
        _ => ADVICE,
    };
    // The message repeats names from the file, which could contain terminal
    // escapes.
    let shown = error.to_string().replace(char::is_control, "\u{fffd}");
    reading.broken(Some(line), shown, "well-formed XML", advice)
}

/// The name of an element for a message.
pub(super) fn tag(name: &str) -> String {
    quoted(&format!("<{name}>"))
}
