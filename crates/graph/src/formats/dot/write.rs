//! Writes DOT: nodes first, to preserve their order, then edges.

use std::borrow::Cow;
use std::io;

use super::super::super::column::EXACT_INTEGER;
use super::super::super::{Cell, Column, Direction, RawGraph};
use super::super::value::is_whole;

/// Writes DOT.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    let (kind, sign) = match raw.direction {
        Direction::Directed => ("digraph", "->"),
        Direction::Undirected => ("graph", "--"),
    };
    writeln!(out, "{kind} {{")?;
    let columns = raw.node_columns_with_attributes();
    for (row, id) in raw.ids.iter().enumerate() {
        write!(out, "  {}", quoted(id))?;
        write_attributes(&attributes(&columns, row), out)?;
    }
    for (row, (source, target, weight)) in raw.edges.iter().enumerate() {
        let [source, target] = [source, target].map(|end| quoted(raw.ids.text(end)));
        write!(out, "  {source} {sign} {target}")?;
        let mut attributes = attributes(&raw.edges.columns, row);
        if raw.edges.weights.is_some() {
            attributes.push(format!("weight={weight}"));
        }
        write_attributes(&attributes, out)?;
    }
    writeln!(out, "}}")
}

fn attributes(columns: &[Column], row: usize) -> Vec<String> {
    let attribute = |column: &Column| {
        let value = match column.cells.get(row)? {
            Cell::Empty => return None,
            Cell::Text(text) => quoted(text),
            Cell::Number(number) => number_text(*number),
            Cell::Flag(flag) => flag.to_string(),
        };
        Some(format!("{}={value}", name(&column.name)))
    };
    columns.iter().filter_map(attribute).collect()
}

fn write_attributes(attributes: &[String], out: &mut dyn io::Write) -> io::Result<()> {
    if attributes.is_empty() {
        return writeln!(out, ";");
    }
    writeln!(out, " [{}];", attributes.join(", "))
}

/// DOT numbers have no exponent. An integer too large to be exact is written with a
/// point, which marks it as a number.
fn number_text(number: f64) -> String {
    let text = number.to_string();
    let pointed = text.contains('.') || is_whole(number, EXACT_INTEGER);
    if pointed { text } else { text + ".0" }
}

const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "node", "edge", "subgraph"];

/// A name, quoted if necessary.
fn name(text: &str) -> Cow<'_, str> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(letters)
        && !KEYWORDS.iter().any(|keyword| text.eq_ignore_ascii_case(keyword));
    if plain { Cow::Borrowed(text) } else { Cow::Owned(quoted(text)) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
