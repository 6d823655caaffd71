//! Benchmark graphs as NumPy archives (`.npz`), read as data: no pickle is loaded.
//!
//! Two layouts are known by the names of their arrays: `edges`, `node_labels`,
//! `node_features` and `train_masks`, `val_masks`, `test_masks` (one row per split),
//! as in the heterophily benchmark; and `adj_indices`, `adj_indptr`, `labels` and
//! `attr_*`, compressed sparse rows, as in gnn-benchmark.

pub(super) mod archive;
pub(super) mod array;
pub(super) mod entries;

use std::path::Path;

use super::super::{Cell, GraphError, IdTable, NodeId, RawGraph, Reading, input};
use super::masks::{self, Mask};
use archive::Archive;
use array::Array;
use entries::{Entries, index};

/// Nodes for each edge, at the most, where nothing else says how many there are.
const MOST_NODES_AN_EDGE: usize = 64;
/// The names of the masks, in the order of the parts.
const MASKS: [&str; 3] = ["train_masks", "val_masks", "test_masks"];

/// Reads an archive.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let bytes = input::read_bytes(path, reading)?;
    read_archive(&bytes, reading)
}

/// Reads the bytes of an archive.
pub fn read_archive(bytes: &[u8], reading: &Reading) -> Result<RawGraph, GraphError> {
    let mut arrays = Archive::open(bytes, reading)?;
    let edges = match arrays.get("edges")? {
        Some(edges) => edge_list(&edges, reading)?,
        None => arrays.sparse_rows("adj")?.ok_or_else(|| {
            let names = arrays.names();
            reading.broken(
                None,
                format!("the arrays {names}"),
                "edges and node_labels, or adj_indices, adj_indptr and labels",
                "save the edges as an array of two columns named edges",
            )
        })?,
    };
    let labels = match arrays.get("node_labels")? {
        None => arrays.get("labels")?,
        own => own,
    };
    let features = match arrays.get("node_features")? {
        Some(features) => Some(Entries::dense(&features)),
        None => arrays.sparse_rows("attr")?,
    };
    let mut stored = Vec::new();
    for (name, part) in MASKS.into_iter().zip(masks::PARTS) {
        if let Some(mask) = arrays.get(name)? {
            stored.push((mask, part));
        }
    }
    let listed = [labels.as_ref().map(Array::rows), features.as_ref().map(|own| own.rows)];
    let listed = listed.into_iter().flatten().max();
    // Without labels and features a single mistaken number must not fill the memory.
    let most = listed.unwrap_or(edges.rows.max(MOST_NODES_AN_EDGE * (edges.values.len() + 1)));
    let highest = edges.values.iter().map(|(one, other, _)| *one.max(other) as usize + 1).max();
    let nodes = highest.unwrap_or(0).max(edges.rows).max(listed.unwrap_or(0));
    if nodes > most {
        let found = format!("an edge or a row of node {}", nodes - 1);
        let expected = format!("nodes from 0 to {}", most.saturating_sub(1));
        return Err(reading.broken(None, found, expected, "number the nodes from 0"));
    }
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..nodes as u32), ..RawGraph::default() };
    edges.values.iter().for_each(|&(one, other, _)| raw.edges.push(NodeId(one), NodeId(other)));
    if let Some(labels) = labels {
        let finite = |value: &f64| value.is_finite();
        let cell = |value: Option<f64>| value.filter(finite).map_or(Cell::Empty, Cell::Number);
        raw.set_node_column("class", (0..nodes).map(|node| cell(labels.at(node, 0))).collect());
    }
    for (name, cells) in splits(&stored, nodes) {
        raw.set_node_column(&name, cells);
    }
    raw.features = features.map(|own| own.features(nodes, reading)).transpose()?;
    Ok(raw)
}

fn edge_list(edges: &Array, reading: &Reading) -> Result<Entries, GraphError> {
    if edges.columns() != 2 && edges.rows() != 2 {
        let found = format!("edges of shape {} × {}", edges.rows(), edges.columns());
        let advice = "save one row per edge, with the numbers of its two nodes";
        return Err(reading.broken(None, found, "two columns", advice));
    }
    // Some write the two ends as two rows.
    let by_rows = edges.columns() == 2;
    let count = if by_rows { edges.rows() } else { edges.columns() };
    let mut entries = Vec::new();
    for at in 0..count {
        let end = |side: usize| {
            let value = if by_rows { edges.at(at, side) } else { edges.at(side, at) };
            value.and_then(index).ok_or_else(|| {
                let found = format!("edge {at} to node {value:?}");
                reading.broken(None, found, "the number of a node", "number the nodes from 0")
            })
        };
        entries.push((end(0)?, end(1)?, 1.0));
    }
    Ok(Entries { values: entries, rows: 0, columns: 0 })
}

/// A node column for every row of the masks.
fn splits(masks: &[(Array, &'static str)], nodes: usize) -> Vec<(String, Vec<Cell>)> {
    let count = masks.iter().map(|(mask, _)| mask.rows()).min().unwrap_or(0);
    let split = |split: usize| {
        let row = |mask: &Array| {
            let in_part = |node: usize| mask.at(split, node).is_some_and(|value| value != 0.0);
            (0..nodes).map(in_part).collect()
        };
        let own: Vec<Mask> = masks.iter().map(|(mask, part)| (row(mask), *part)).collect();
        (format!("split_{split}"), masks::cells(&own, nodes))
    };
    (0..count).map(split).collect()
}
