//! The writer: networkx's node-link form, one element per line.

use std::io;

use hashbrown::HashSet;

use super::super::super::column::EXACT_INTEGER;
use super::super::super::{Cell, Column, Direction, RawGraph};

/// Writes node-link JSON. Columns with a reserved name (`id`, `source`, …) get an
/// underscore appended.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    let directed = raw.direction == Direction::Directed;
    let multigraph = has_parallel_rows(raw);
    writeln!(
        out,
        "{{\"directed\": {directed}, \"multigraph\": {multigraph}, \"graph\": {{}},\n\"nodes\": ["
    )?;
    let columns = raw.node_columns_with_attributes();
    let names = property_names(&columns, &["id"]);
    for (row, id) in raw.ids.iter().enumerate() {
        write!(out, "{}{{\"id\": ", if row == 0 { "" } else { ",\n" })?;
        string(id, out)?;
        cells(&columns, &names, row, out)?;
        write!(out, "}}")?;
    }
    write!(out, "\n],\n\"edges\": [\n")?;
    let columns = &raw.edges.columns;
    let names = property_names(columns, &["source", "target", "weight"]);
    for (row, (source, target, weight)) in raw.edges.iter().enumerate() {
        write!(out, "{}{{\"source\": ", if row == 0 { "" } else { ",\n" })?;
        string(raw.ids.text(source), out)?;
        write!(out, ", \"target\": ")?;
        string(raw.ids.text(target), out)?;
        if raw.edges.weights.is_some() {
            write!(out, ", \"weight\": ")?;
            serde_json::to_writer(&mut *out, &weight)?;
        }
        cells(columns, &names, row, out)?;
        write!(out, "}}")?;
    }
    write!(out, "\n]}}\n")
}

/// networkx keeps only the last of several edges between two nodes, unless the
/// graph is marked as a multigraph.
fn has_parallel_rows(raw: &RawGraph) -> bool {
    let mut seen = HashSet::with_capacity(raw.edges.len());
    raw.edges.iter().any(|(source, target, _)| {
        let swap = raw.direction == Direction::Undirected && target < source;
        !seen.insert(if swap { (target, source) } else { (source, target) })
    })
}

/// A distinct name for each column, none of them reserved. Later columns are named
/// first, so that the attributes, which come last, keep their name.
fn property_names(columns: &[Column], reserved: &[&str]) -> Vec<String> {
    let mut taken: HashSet<String> = reserved.iter().map(ToString::to_string).collect();
    let mut names: Vec<String> = columns
        .iter()
        .rev()
        .map(|column| {
            let mut name = column.name.clone();
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        })
        .collect();
    names.reverse();
    names
}

fn cells(
    columns: &[Column],
    names: &[String],
    row: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for (column, name) in columns.iter().zip(names) {
        let cell = column.cells.get(row).unwrap_or(&Cell::Empty);
        if cell.is_empty() {
            continue;
        }
        write!(out, ", ")?;
        string(name, out)?;
        write!(out, ": ")?;
        match cell {
            Cell::Empty => {}
            Cell::Text(text) => string(text, out)?,
            Cell::Number(number) => write_number(*number, out)?,
            Cell::Flag(flag) => write!(out, "{flag}")?,
        }
    }
    Ok(())
}

/// Integers without a fraction, so that ids and counts look natural; large ones
/// keep their exponent, so that they are read as numbers again.
fn write_number(number: f64, out: &mut dyn io::Write) -> io::Result<()> {
    if number.fract() == 0.0 && number.abs() <= EXACT_INTEGER {
        write!(out, "{number}")
    } else {
        serde_json::to_writer(out, &number).map_err(io::Error::from)
    }
}

fn string(text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}
