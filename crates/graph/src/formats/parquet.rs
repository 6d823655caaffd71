//! Parquet tables of nodes and edges, as pandas, Polars, Spark or DuckDB write them.
//!
//! A folder has `edges.parquet` and optionally `nodes.parquet`; a file alone has
//! edges. The ends are columns such as `source` and `target` (else the first two),
//! the id of a node is a column such as `id` (else the first). A node column of lists
//! of numbers holds the features. All other columns are kept.

#[cfg(feature = "parquet")]
mod rows;

use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{Cell, Columns, Features, GraphError, NodeId, RawGraph, Reading, input};
use super::edge_list;
use super::table::is_id_name;
use super::weights::{checked_weight, is_weight};

const NODES: &str = "nodes.parquet";
const EDGES: &str = "edges.parquet";

/// A table as it is read: the names of its columns and its rows.
#[derive(Debug, Default)]
pub(super) struct Table {
    names: Vec<String>,
    rows: Vec<Vec<Value>>,
}

/// One value of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    One(Cell),
    Numbers(Vec<f32>),
}

impl Value {
    /// As the id of a node, or as a weight.
    fn text(&self) -> String {
        match self {
            Self::One(cell) => cell.to_string(),
            Self::Numbers(_) => String::new(),
        }
    }
}

/// Whether a folder holds such tables.
pub fn is_folder(folder: &Path) -> bool {
    folder.join(EDGES).is_file()
}

/// Reads a folder of tables, or one table of edges.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let back = reading.file().to_owned();
    let mut raw = RawGraph::default();
    let (nodes, edges): (Option<PathBuf>, PathBuf) = if path.is_dir() {
        (Some(path.join(NODES)).filter(|own| own.is_file()), path.join(EDGES))
    } else {
        (None, path.to_owned())
    };
    if let Some(nodes) = &nodes {
        reading.enter(nodes.display().to_string());
        let bytes = input::read_bytes(nodes, reading)?;
        add_nodes(bytes, &mut raw, reading)?;
    }
    reading.enter(edges.display().to_string());
    let bytes = input::read_bytes(&edges, reading)?;
    add_edges(bytes, &mut raw, nodes.is_some(), reading)?;
    reading.enter(back);
    Ok(raw)
}

/// Reads one table of edges.
pub fn read_edges(bytes: Vec<u8>, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph::default();
    add_edges(bytes, &mut raw, false, reading)?;
    Ok(raw)
}

/// Reads one table of nodes.
pub fn read_nodes(bytes: Vec<u8>, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph::default();
    add_nodes(bytes, &mut raw, reading)?;
    Ok(raw)
}

#[cfg(feature = "parquet")]
fn table(bytes: Vec<u8>, reading: &Reading) -> Result<Table, GraphError> {
    rows::read(bytes).map_err(|why| {
        let found = format!("a table that cannot be read ({why})");
        let advice = "write it with snappy, gzip or no compression, or as CSV";
        reading.broken(None, found, "a Parquet file of numbers and texts", advice)
    })
}

#[cfg(not(feature = "parquet"))]
fn table(_bytes: Vec<u8>, reading: &Reading) -> Result<Table, GraphError> {
    let advice = "write it as CSV, or install the program with `--features parquet`";
    Err(reading.broken(None, "a Parquet file", "a program built to read Parquet", advice))
}

fn add_nodes(bytes: Vec<u8>, raw: &mut RawGraph, reading: &mut Reading) -> Result<(), GraphError> {
    let table = table(bytes, reading)?;
    let id_at = table.names.iter().position(|name| is_id_name(name)).unwrap_or(0);
    let mut columns = Columns::default();
    let (mut features, mut width) = (Features::new(), 0);
    for (line, row) in (1..).zip(table.rows) {
        let id = row.get(id_at).map(Value::text).unwrap_or_default();
        if id.is_empty() || raw.ids.insert(&id).is_err() {
            let found = format!("the id {}", quoted(&id));
            reading.bad_row(line, found, "an id that no other row has", "fix the row")?;
            continue;
        }
        let node = raw.ids.len() - 1;
        let mut own = Vec::new();
        for (at, (name, value)) in table.names.iter().zip(row).enumerate() {
            match value {
                Value::Numbers(numbers) if own.is_empty() => own = numbers,
                Value::One(cell) if at != id_at && !cell.is_empty() => {
                    columns.set(name, node, cell);
                }
                _ => {}
            }
        }
        if own.iter().any(|value| !value.is_finite()) {
            let found = format!("features of {} that are not finite", quoted(&id));
            return Err(reading.broken(Some(line), found, "finite numbers", "replace the values"));
        }
        width = width.max(own.len());
        let filled = (0..).zip(own).filter(|(_, value)| *value != 0.0);
        features.push(filled.collect());
    }
    raw.node_columns = columns.finish(raw.ids.len());
    raw.features = (features.filled() > 0).then(|| features.with_width(width));
    Ok(())
}

fn add_edges(
    bytes: Vec<u8>,
    raw: &mut RawGraph,
    listed: bool,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    let table = table(bytes, reading)?;
    let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
    if names.len() < 2 {
        let found = format!("{} columns", names.len());
        let advice = "name the ends of the edges source and target";
        return Err(reading.broken(None, found, "two columns of nodes", advice));
    }
    let (source_at, target_at) = edge_list::named_ends(&names).unwrap_or((0, 1));
    let weight_at = names.iter().position(|name| is_weight(name));
    let mut columns = Columns::default();
    let mut weights = Vec::new();
    for (line, row) in (1..).zip(table.rows) {
        let text = |at: usize| row.get(at).map(Value::text).unwrap_or_default();
        let ends = [text(source_at), text(target_at)];
        if ends.iter().any(String::is_empty) {
            reading.bad_row(line, "an edge without an end", "two nodes", "fix the row")?;
            continue;
        }
        let weight = match weight_at.map(text).filter(|text| !text.is_empty()) {
            Some(text) => checked_weight(&text, line, reading)?,
            None => Some(1.0),
        };
        let Some(weight) = weight else { continue };
        let mut node = |id: &str| -> Option<NodeId> {
            if listed { raw.ids.find(id) } else { Some(raw.ids.intern(id)) }
        };
        let [source, target] = [node(&ends[0]), node(&ends[1])];
        let (Some(source), Some(target)) = (source, target) else {
            let unknown = if source.is_none() { &ends[0] } else { &ends[1] };
            reading.unknown_end(unknown, Some(line));
            continue;
        };
        let edge = raw.edges.len();
        raw.edges.push(source, target);
        weights.push(weight);
        for (at, (name, value)) in table.names.iter().zip(row).enumerate() {
            let taken = at == source_at || at == target_at || Some(at) == weight_at;
            if let Value::One(cell) = value
                && !taken
                && !cell.is_empty()
            {
                columns.set(name, edge, cell);
            }
        }
    }
    raw.edges.columns = columns.finish(raw.edges.len());
    raw.edges.weights = weight_at.map(|_| weights);
    Ok(())
}
