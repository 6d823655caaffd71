//! Writes GraphML: a key per column, and the values of each node and edge.

use std::borrow::Cow;
use std::io;

use hashbrown::HashSet;

use super::super::super::column::EXACT_INTEGER;
use super::super::super::{Cell, Column, Direction, RawGraph};
use super::super::value::{is_whole, real_text};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"#;

/// Writes GraphML.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    let node_columns = raw.node_columns_with_attributes();
    let node_keys = KeySet::of(&node_columns, "n");
    let edge_keys = KeySet::of(&raw.edges.columns, "e");
    out.write_all(HEAD.as_bytes())?;
    node_keys.declare("node", out)?;
    edge_keys.declare("edge", out)?;
    if raw.edges.weights.is_some() {
        let key = r#"  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>"#;
        writeln!(out, "{key}")?;
    }
    let direction = match raw.direction {
        Direction::Directed => "directed",
        Direction::Undirected => "undirected",
    };
    writeln!(out, "  <graph id=\"G\" edgedefault=\"{direction}\">")?;
    let ids = Ids::of(raw);
    for row in 0..raw.ids.len() {
        let start = format!("    <node id=\"{}\"", escape(ids.get(row)));
        write_element(out, &start, "node", |out| node_keys.write_row(row, out))?;
    }
    for (row, (source, target, weight)) in raw.edges.iter().enumerate() {
        let ends = [source, target].map(|end| escape(ids.get(end.index())));
        let start = format!("    <edge source=\"{}\" target=\"{}\"", ends[0], ends[1]);
        write_element(out, &start, "edge", |out| {
            edge_keys.write_row(row, out)?;
            if raw.edges.weights.is_some() {
                writeln!(out, "      <data key=\"weight\">{weight}</data>")?;
            }
            Ok(())
        })?;
    }
    writeln!(out, "  </graph>\n</graphml>")
}

/// An element with its data, or an empty element without data.
fn write_element(
    out: &mut dyn io::Write,
    start: &str,
    name: &str,
    data: impl Fn(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut inside = Vec::new();
    data(&mut inside)?;
    if inside.is_empty() {
        return writeln!(out, "{start}/>");
    }
    writeln!(out, "{start}>")?;
    out.write_all(&inside)?;
    writeln!(out, "    </{name}>")
}

/// The GraphML types of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Long,
    Double,
    Boolean,
    String,
}

impl Kind {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Long, "long", "l"),
        (Self::Double, "double", "d"),
        (Self::Boolean, "boolean", "b"),
        (Self::String, "string", "s"),
    ];
}

/// The columns with their keys. A column of mixed cells has a key of the same name
/// for each type in it, so that each cell keeps its type.
struct KeySet<'c> {
    columns: &'c [Column],
    kinds: Vec<Vec<Kind>>,
    prefix: &'static str,
}

impl<'c> KeySet<'c> {
    fn of(columns: &'c [Column], prefix: &'static str) -> Self {
        Self { columns, kinds: columns.iter().map(kinds).collect(), prefix }
    }

    fn declare(&self, domain: &str, out: &mut dyn io::Write) -> io::Result<()> {
        for (at, (column, kinds)) in self.columns.iter().zip(&self.kinds).enumerate() {
            for (kind, kind_name, suffix) in Kind::ALL {
                if kinds.contains(&kind) {
                    let suffix = if kinds.len() > 1 { suffix } else { "" };
                    writeln!(
                        out,
                        "  <key id=\"{}{at}{suffix}\" for=\"{domain}\" attr.name=\"{}\" \
                         attr.type=\"{kind_name}\"/>",
                        self.prefix,
                        escape(&column.name),
                    )?;
                }
            }
        }
        Ok(())
    }

    fn write_row(&self, row: usize, out: &mut dyn io::Write) -> io::Result<()> {
        for (at, (column, kinds)) in self.columns.iter().zip(&self.kinds).enumerate() {
            let Some(cell) = column.cells.get(row) else { continue };
            let Some(kind) = kind_in(cell, kinds) else { continue };
            let of_kind = |(known, _, _): &&(Kind, &str, &str)| *known == kind;
            let several = kinds.len() > 1;
            let suffix = Kind::ALL.iter().find(of_kind).filter(|_| several).map_or("", |k| k.2);
            let text = match (cell, kind) {
                (Cell::Number(number), Kind::Double) => real_text(*number),
                (cell, _) => escape(&cell.to_string()).into_owned(),
            };
            writeln!(out, "      <data key=\"{}{at}{suffix}\">{text}</data>", self.prefix)?;
        }
        Ok(())
    }
}

fn kinds(column: &Column) -> Vec<Kind> {
    let any = |kind| column.cells.iter().any(|cell| kind_of(cell) == Some(kind));
    let mut kinds: Vec<Kind> = Kind::ALL.iter().map(|k| k.0).filter(|&kind| any(kind)).collect();
    // Integers among other numbers are doubles too.
    if kinds.contains(&Kind::Double) {
        kinds.retain(|&kind| kind != Kind::Long);
    }
    kinds
}

fn kind_of(cell: &Cell) -> Option<Kind> {
    Some(match cell {
        Cell::Empty => return None,
        Cell::Text(_) => Kind::String,
        Cell::Number(number) if is_whole(*number, EXACT_INTEGER) => Kind::Long,
        Cell::Number(_) => Kind::Double,
        Cell::Flag(_) => Kind::Boolean,
    })
}

fn kind_in(cell: &Cell, kinds: &[Kind]) -> Option<Kind> {
    let kind = kind_of(cell)?;
    Some(if kinds.contains(&kind) { kind } else { Kind::Double })
}

/// The ids as valid XML text: distinct even if characters had to be replaced.
enum Ids<'r> {
    AsTheyAre(&'r RawGraph),
    Mended(Vec<String>),
}

impl<'r> Ids<'r> {
    fn of(raw: &'r RawGraph) -> Self {
        if !raw.ids.iter().any(|id| id.contains(is_forbidden)) {
            return Self::AsTheyAre(raw);
        }
        let held = raw.ids.iter().filter(|id| !id.contains(is_forbidden));
        let mut taken: HashSet<String> = held.map(str::to_owned).collect();
        let mend = |(row, id): (usize, &str)| {
            if !id.contains(is_forbidden) {
                return id.to_owned();
            }
            let mut mended = id.replace(is_forbidden, "\u{fffd}");
            while !taken.insert(mended.clone()) {
                mended = format!("{mended}_{row}");
            }
            mended
        };
        Self::Mended(raw.ids.iter().enumerate().map(mend).collect())
    }

    fn get(&self, row: usize) -> &str {
        match self {
            Self::AsTheyAre(raw) => raw.ids.text(row.into()),
            Self::Mended(ids) => ids.get(row).map_or("", String::as_str),
        }
    }
}

/// Characters that XML 1.0 cannot represent.
fn is_forbidden(letter: char) -> bool {
    matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Text for an element or an attribute; line breaks and tabs become references,
/// since a parser would change them.
fn escape(text: &str) -> Cow<'_, str> {
    let special =
        |c: char| matches!(c, '&' | '<' | '>' | '"' | '\t' | '\n' | '\r') || is_forbidden(c);
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            letter if is_forbidden(letter) => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    Cow::Owned(escaped)
}
