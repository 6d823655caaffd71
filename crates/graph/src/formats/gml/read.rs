//! Reads GML: keys and values in order, with a stack of open lists.

use std::borrow::Cow;

use super::super::super::error::quoted;
use super::super::super::{
    Cell, Direction, GraphError, IdTable, LABEL_SEPARATOR, RawGraph, Reading,
};
use super::super::elements::Elements;
use super::super::value::{Property, Reads, Value};
use super::lexer::{Lexer, Token};

/// Maximum nesting depth of lists, beyond what any tool writes.
const DEEPEST: usize = 64;
/// Maximum length of a key, including those of the enclosing lists.
const LONGEST_KEY: usize = 256;
/// NetworkX marks a list of one value by an extra value with this text.
const LIST_MARK: &str = "_networkx_list_start";

/// An open list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Graph,
    Node,
    Edge,
    /// A list within a node or an edge, with the previous length of the key prefix.
    Within(usize),
    /// A list without relevance for the graph.
    Other,
}

struct Gml<'t, 'r> {
    elements: Elements,
    open: Vec<Open>,
    /// The properties of the open node or edge, and its first line.
    properties: Vec<Property<'t>>,
    line: u64,
    prefix: String,
    direction: Direction,
    graphs: usize,
    reading: &'r mut Reading,
}

/// Reads GML.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut lexer = Lexer::new(text);
    let mut gml = Gml {
        elements: Elements::new(text.len()),
        open: Vec::new(),
        properties: Vec::new(),
        line: 0,
        prefix: String::new(),
        direction: Direction::Undirected,
        graphs: 0,
        reading,
    };
    loop {
        let (line, token) = lexer.next(gml.reading)?;
        match token {
            Token::Bare(key) if is_key(key) => {
                let (_, value) = lexer.next(gml.reading)?;
                gml.entry(key, value, line)?;
            }
            Token::Close if !gml.open.is_empty() => gml.close()?,
            Token::End if gml.open.is_empty() => return gml.finish(),
            Token::End => {
                let found = format!("the end of the file with {} lists open", gml.open.len());
                let advice = "the file is truncated: download or export it again";
                return Err(gml.reading.broken(Some(line), found, "`]` for each of them", advice));
            }
            other => {
                let advice = "check this line and the previous one: a key without a value?";
                let expected = "a key, such as `node`, or `]`";
                return Err(gml.reading.broken(Some(line), other.shown(), expected, advice));
            }
        }
    }
}

fn is_key(word: &str) -> bool {
    !word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

impl<'t> Gml<'t, '_> {
    fn entry(&mut self, key: &'t str, value: Token<'t>, line: u64) -> Result<(), GraphError> {
        let value = match value {
            Token::Open => return self.open_list(key, line),
            Token::Bare(word) => Value { text: Cow::Borrowed(word), reads: Reads::Literal },
            Token::Text(text) => Value { text, reads: Reads::Text },
            Token::Close | Token::End => {
                let found = format!("{} with no value", quoted(key));
                let advice = "give the key a value, or remove it";
                return Err(self.reading.broken(Some(line), found, "a value or a list", advice));
            }
        };
        match self.open.last() {
            Some(Open::Graph) if key.eq_ignore_ascii_case("directed") => {
                let directed = value.text == "1" || value.text.eq_ignore_ascii_case("true");
                self.direction = if directed { Direction::Directed } else { Direction::Undirected };
            }
            Some(Open::Graph) if is_one_of(key, &["node", "edge"]) => {
                let found = format!("{} {}", quoted(key), quoted(&value.text));
                let expected = format!("`{} [`", key.to_ascii_lowercase());
                self.reading.bad_row(line, found, expected, "write its entries in a list")?;
            }
            Some(Open::Node | Open::Edge | Open::Within(_)) => {
                let name = self.full_name(key, line)?;
                self.properties.push(Property { name, value });
            }
            Some(Open::Graph | Open::Other) | None => {}
        }
        Ok(())
    }

    fn full_name(&self, key: &'t str, line: u64) -> Result<Cow<'t, str>, GraphError> {
        if self.prefix.len() + key.len() > LONGEST_KEY {
            let found = format!("a key of {} letters", self.prefix.len() + key.len());
            let expected = format!("at most {LONGEST_KEY}, with the lists around it");
            return Err(self.reading.broken(Some(line), found, expected, "shorten the key"));
        }
        Ok(match self.prefix.as_str() {
            "" => Cow::Borrowed(key),
            prefix => Cow::Owned(format!("{prefix}{key}")),
        })
    }

    fn open_list(&mut self, key: &'t str, line: u64) -> Result<(), GraphError> {
        if self.open.len() == DEEPEST {
            let found = format!("lists nested more than {DEEPEST} deep");
            let advice = "check the brackets before this line";
            return Err(self.reading.broken(Some(line), found, "lists closed by `]`", advice));
        }
        let opened = match self.open.last() {
            None if key.eq_ignore_ascii_case("graph") => {
                self.graphs += 1;
                if self.graphs == 1 { Open::Graph } else { Open::Other }
            }
            Some(Open::Graph) if key.eq_ignore_ascii_case("node") => Open::Node,
            Some(Open::Graph) if key.eq_ignore_ascii_case("edge") => Open::Edge,
            Some(Open::Node | Open::Edge | Open::Within(_)) => {
                let name = self.full_name(key, line)?;
                let before = self.prefix.len();
                self.prefix = format!("{name}.");
                Open::Within(before)
            }
            _ => Open::Other,
        };
        if matches!(opened, Open::Node | Open::Edge) {
            self.line = line;
        }
        self.open.push(opened);
        Ok(())
    }

    fn close(&mut self) -> Result<(), GraphError> {
        match self.open.pop() {
            Some(Open::Node) => self.add_node(),
            Some(Open::Edge) => self.add_edge(),
            Some(Open::Within(before)) => {
                self.prefix.truncate(before);
                Ok(())
            }
            Some(Open::Graph | Open::Other) | None => Ok(()),
        }
    }

    fn add_node(&mut self) -> Result<(), GraphError> {
        let mut properties = std::mem::take(&mut self.properties);
        let id = take(&mut properties, "id");
        let row = self.elements.list_node(id.as_deref(), self.line, self.reading)?;
        let Some(row) = row else { return Ok(()) };
        let mut lists = Vec::new();
        for property in properties {
            // It may be the id, and tools differ in its case.
            let label = property.name.eq_ignore_ascii_case("label");
            let name = if label { Cow::Borrowed("label") } else { property.name };
            if property.value.text == LIST_MARK {
                continue;
            }
            if self.elements.node_cell(row, &name).is_empty() {
                let cell = property.value.cell();
                self.elements.set_node(row, &name, cell, self.line, self.reading)?;
            } else {
                lists.push((name, property.value.text));
            }
        }
        self.add_repeated(row, lists)
    }

    /// Further values of a key are appended to the first; by key, so that each text
    /// is built only once.
    fn add_repeated(
        &mut self,
        row: usize,
        mut lists: Vec<(Cow<'t, str>, Cow<'t, str>)>,
    ) -> Result<(), GraphError> {
        lists.sort_by(|one, other| one.0.cmp(&other.0));
        for values in lists.chunk_by(|one, other| one.0 == other.0) {
            let Some((name, _)) = values.first() else { continue };
            let mut text = self.elements.node_cell(row, name).to_string();
            for (_, value) in values {
                text.push(LABEL_SEPARATOR);
                text.push_str(value);
            }
            self.elements.set_node(row, name, Cell::text(&text), self.line, self.reading)?;
        }
        Ok(())
    }

    fn add_edge(&mut self) -> Result<(), GraphError> {
        let mut properties = std::mem::take(&mut self.properties);
        let source = take(&mut properties, "source");
        let target = take(&mut properties, "target");
        let ends = [source.as_deref(), target.as_deref()];
        self.elements.list_edge(ends, &properties, self.line, self.reading)
    }

    fn finish(self) -> Result<RawGraph, GraphError> {
        if self.graphs == 0 {
            let advice = "check the file and its format (--format)";
            return Err(self.reading.broken(None, "no graph", "`graph [`", advice));
        }
        if self.graphs > 1 {
            let further = self.graphs - 1;
            self.reading
                .note(format!("only the first graph was read; {further} more are in the file"));
        }
        let mut raw = self.elements.finish(self.direction, self.reading)?;
        labels_as_ids(&mut raw);
        Ok(raw)
    }
}

fn is_one_of(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// Removes and returns the property with this name, ignoring case.
fn take<'t>(properties: &mut Vec<Property<'t>>, name: &str) -> Option<Cow<'t, str>> {
    let at = properties.iter().position(|p| p.name.eq_ignore_ascii_case(name))?;
    Some(properties.remove(at).value.text)
}

/// Returns the labels as ids if every node has a distinct one.
pub(super) fn distinct_labels(cells: &[Cell]) -> Option<IdTable> {
    let mut ids = IdTable::default();
    for cell in cells {
        if cell.is_empty() || ids.insert(&cell.to_string()).is_err() {
            return None;
        }
    }
    Some(ids)
}

fn labels_as_ids(raw: &mut RawGraph) {
    let Some(at) = raw.node_columns.iter().position(|column| column.name == "label") else {
        return;
    };
    if let Some(ids) = distinct_labels(&raw.node_columns[at].cells) {
        raw.ids = ids;
        raw.node_columns.remove(at);
    }
}
