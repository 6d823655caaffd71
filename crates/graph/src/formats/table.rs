//! Node tables: a column of ids and further columns with a header, or just `id
//! label` rows as in SNAP.

use std::borrow::Cow;
use std::io;

use super::super::error::quoted;
use super::super::{Cell, Columns, GraphError, IdTable, RawGraph, Reading};
use super::room::Room;

const ID_NAMES: [&str; 5] = ["id", "node", "node_id", "nodeid", "key"];

/// Whether a column of this name holds the ids.
pub(super) fn is_id_name(name: &str) -> bool {
    ID_NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// Text for a tab-separated file: without tabs and line breaks.
pub(super) fn tsv_cell(text: &str) -> Cow<'_, str> {
    if text.contains(['\t', '\n', '\r']) {
        Cow::Owned(text.replace(['\t', '\n', '\r'], " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether ids may occur more than once in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Each id has one row.
    Refuse,
    /// Further rows of an id add labels to it.
    AddLabels,
}

/// Reads a node table into a graph that may already have nodes; new ids are added.
pub fn read_nodes(
    text: &str,
    raw: &mut RawGraph,
    repeats: Repeats,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    let mut records = records(text);
    let mut record = csv::StringRecord::new();
    let mut header: Option<Vec<String>> = None;
    let mut columns = Columns::default();
    let known_cells = raw.node_columns.iter().map(|column| column.cells.len()).sum();
    let room = Room::of(text).and_cells(known_cells);
    for column in std::mem::take(&mut raw.node_columns) {
        for (row, cell) in column.cells.into_iter().enumerate() {
            columns.set(&column.name, row, cell);
        }
    }
    let mut seen = vec![false; raw.ids.len()];
    while next_record(&mut records, &mut record, reading)? {
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Vec<&str> = fields(&record);
        if fields.iter().all(|field| field.is_empty()) {
            continue;
        }
        if header.is_none() {
            let is_header = is_id_name(fields[0]);
            header = Some(names_of(&fields, is_header));
            if is_header {
                continue;
            }
        }
        let names = header.as_deref().unwrap_or_default();
        let Some(row) = node_row(fields[0], line, &mut raw.ids, &mut seen, repeats, reading)?
        else {
            continue;
        };
        if fields.len() > names.len() {
            let found = format!("{} columns ({})", fields.len(), quoted(&fields.join("\t")));
            let expected = format!("{} as in the first row", names.len());
            reading.bad_row(line, found, expected, "fix the row")?;
            continue;
        }
        for (name, field) in names.iter().zip(&fields).skip(1) {
            match row {
                Row::New(row) if !field.is_empty() => columns.set(name, row, Cell::parse(field)),
                Row::Again(row) if !field.is_empty() => add_label(&mut columns, name, row, field),
                _ => {}
            }
        }
        room.check(&columns, raw.ids.len(), line, reading)?;
    }
    raw.node_columns = columns.finish(raw.ids.len());
    Ok(())
}

enum Row {
    New(usize),
    Again(usize),
}

fn node_row(
    id: &str,
    line: u64,
    ids: &mut IdTable,
    seen: &mut Vec<bool>,
    repeats: Repeats,
    reading: &mut Reading,
) -> Result<Option<Row>, GraphError> {
    if id.is_empty() {
        reading.bad_row(line, "an empty id", "the id of a node", "give the node an id")?;
        return Ok(None);
    }
    let row = ids.intern(id).index();
    seen.resize(ids.len(), false);
    if !std::mem::replace(&mut seen[row], true) {
        return Ok(Some(Row::New(row)));
    }
    if repeats == Repeats::AddLabels {
        return Ok(Some(Row::Again(row)));
    }
    let found = format!("the id {} a second time", quoted(id));
    reading.bad_row(line, found, "each id once", "remove or rename one of the two")?;
    Ok(None)
}

/// Several rows of one id are several labels of one node.
fn add_label(columns: &mut Columns, name: &str, row: usize, field: &str) {
    let separator = super::super::LABEL_SEPARATOR;
    let text = match columns.get(name, row) {
        Cell::Empty => field.to_owned(),
        known => format!("{known}{separator}{field}"),
    };
    columns.set(name, row, Cell::text(&text));
}

/// Column names from a header, or `id`, `labels`, `column_3`, … without one.
fn names_of(fields: &[&str], is_header: bool) -> Vec<String> {
    let name = |(at, field): (usize, &&str)| match at {
        _ if is_header => (*field).to_owned(),
        0 => "id".to_owned(),
        1 => "labels".to_owned(),
        _ => format!("column_{}", at + 1),
    };
    fields.iter().enumerate().map(name).collect()
}

fn fields(record: &csv::StringRecord) -> Vec<&str> {
    // Rows separated by blanks are read as one field.
    if record.len() == 1 {
        let parts: Vec<&str> = record[0].split_ascii_whitespace().collect();
        if parts.len() > 1 {
            return parts;
        }
    }
    record.iter().map(str::trim).collect()
}

fn records(text: &str) -> csv::Reader<&[u8]> {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .unwrap_or_default();
    let delimiter = [b'\t', b',', b';'].into_iter().find(|&d| first.as_bytes().contains(&d));
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .delimiter(delimiter.unwrap_or(b'\t'))
        // Tab-separated files do not use quoting: a quote is text.
        .quoting(delimiter.is_some_and(|d| d != b'\t'))
        .from_reader(text.as_bytes())
}

fn next_record(
    records: &mut csv::Reader<&[u8]>,
    record: &mut csv::StringRecord,
    reading: &Reading,
) -> Result<bool, GraphError> {
    records.read_record(record).map_err(|error| {
        let line = error.position().map(csv::Position::line);
        reading.broken(line, error.to_string(), "rows of a table", "fix the row")
    })
}

/// Writes the node table of a folder: `id`, then every column.
pub(super) fn write_nodes(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "id")?;
    for column in &raw.node_columns {
        write!(out, "\t{}", tsv_cell(&column.name))?;
    }
    writeln!(out)?;
    for (row, id) in raw.ids.iter().enumerate() {
        write!(out, "{}", tsv_cell(id))?;
        for column in &raw.node_columns {
            let cell = column.cells.get(row).map(ToString::to_string).unwrap_or_default();
            write!(out, "\t{}", tsv_cell(&cell))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
