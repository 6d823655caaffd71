//! Edge lists: one edge per row, two ids and optionally a weight, any separator,
//! comments, with or without a header.
//!
//! There are two parsers. Rows of plain numbers, as in large graphs, are parsed in
//! parallel and numbered through a table. At the first other row the whole text is
//! parsed by the general parser, which also produces the error messages.

mod careful;
mod header;
mod kinds;
mod layout;
mod numbers;
mod widths;

use std::io;

use super::super::{Cell, Column, Direction, GraphError, RawGraph, Reading};
use layout::Layout;

/// The columns of the two ends among these names, if the names tell.
#[cfg(feature = "parquet")]
pub(super) fn named_ends(names: &[impl AsRef<str>]) -> Option<(usize, usize)> {
    header::named_ends(names)
}

/// Reads an edge list.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph { direction: stated_direction(text), ..RawGraph::default() };
    read_rows(text, &mut raw, Ends::Add, reading)?;
    if rows_say_directed(&raw) {
        raw.direction = Direction::Directed;
    }
    Ok(raw)
}

/// Gephi has a column that marks each edge as directed or not.
fn rows_say_directed(raw: &RawGraph) -> bool {
    let named = |column: &&Column| column.name.eq_ignore_ascii_case("type");
    let directed = |cell: &Cell| cell.to_string().eq_ignore_ascii_case("directed");
    let column = raw.edges.columns.iter().find(named);
    column.is_some_and(|column| column.cells.iter().all(directed))
}

/// What to do with an unknown id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Add it as a new node.
    Add,
    /// The nodes are listed elsewhere; the row is skipped and counted.
    Listed,
}

/// Reads the rows of an edge list into a graph that may already have nodes.
pub(super) fn read_rows(
    text: &str,
    raw: &mut RawGraph,
    ends: Ends,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    let layout = Layout::detect(text);
    kinds::refuse_others(text, &layout, reading)?;
    if layout.header_guessed {
        reading.note("the first row was read as column names");
    }
    if raw.ids.is_empty()
        && ends == Ends::Add
        && let Some((ids, edges)) = numbers::read(text, &layout)
    {
        (raw.ids, raw.edges) = (ids, edges);
        return Ok(());
    }
    careful::read(text, &layout, raw, ends, reading)
}

/// The opening comments of SNAP files state whether edges are directed.
fn stated_direction(text: &str) -> Direction {
    let comments = text.lines().take_while(|line| layout::is_comment(line)).take(20);
    let said = |line: &str| line.to_ascii_lowercase().contains("directed");
    match comments.filter(|line| said(line)).last() {
        Some(line) if !line.to_ascii_lowercase().contains("undirected") => Direction::Directed,
        _ => Direction::Undirected,
    }
}

/// Writes an edge list: tab-separated rows, with a header only if there are columns
/// beyond the weight, or if the first ids would be taken for a header.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    if raw.direction == Direction::Directed {
        writeln!(out, "# Directed graph")?;
    }
    write_rows(raw, out, !raw.edges.columns.is_empty() || begins_like_a_header(raw))
}

/// Whether the first row would be read as a header.
fn begins_like_a_header(raw: &RawGraph) -> bool {
    let row = |(source, target, _)| {
        let ends = [source, target].map(|end| super::table::tsv_cell(raw.ids.text(end)));
        format!("{}\t{}\n", ends[0], ends[1])
    };
    let first: String = raw.edges.iter().take(layout::PROBE_ROWS).map(row).collect();
    Layout::detect(&first).has_header
}

/// Writes the rows, optionally with a header.
pub(super) fn write_rows(raw: &RawGraph, out: &mut dyn io::Write, header: bool) -> io::Result<()> {
    let edges = &raw.edges;
    let weighted = edges.weights.is_some();
    if header {
        write!(out, "source\ttarget{}", if weighted { "\tweight" } else { "" })?;
        for column in &edges.columns {
            write!(out, "\t{}", super::table::tsv_cell(&column.name))?;
        }
        writeln!(out)?;
    }
    for (row, (source, target, weight)) in edges.iter().enumerate() {
        let ids = [raw.ids.text(source), raw.ids.text(target)].map(super::table::tsv_cell);
        write!(out, "{}\t{}", ids[0], ids[1])?;
        if weighted {
            write!(out, "\t{weight}")?;
        }
        if header {
            for column in &edges.columns {
                let cell = column.cells.get(row).map(ToString::to_string).unwrap_or_default();
                write!(out, "\t{}", super::table::tsv_cell(&cell))?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
