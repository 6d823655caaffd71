//! From tables of nodes and edges to a graph.

use super::super::super::error::quoted;
use super::super::super::{Cell, Columns, Features, GraphError, NodeId, RawGraph, Reading};
use super::super::edge_list;
use super::super::table::is_id_name;
use super::super::weights::{checked_weight, is_weight};
use super::rows;

/// A table as it is read: the names of its columns and its rows.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
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

fn table(bytes: Vec<u8>, reading: &Reading) -> Result<Table, GraphError> {
    rows::read(bytes).map_err(|why| {
        let found = format!("a table that cannot be read ({why})");
        let advice = "write it with snappy, gzip or no compression, or as CSV";
        reading.broken(None, found, "a Parquet file of numbers and texts", advice)
    })
}

/// Adds the rows of a table of nodes.
pub(super) fn add_nodes(
    bytes: Vec<u8>,
    raw: &mut RawGraph,
    reading: &mut Reading,
) -> Result<(), GraphError> {
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

/// Adds the rows of a table of edges; if the nodes are listed, there are no others.
pub(super) fn add_edges(
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
