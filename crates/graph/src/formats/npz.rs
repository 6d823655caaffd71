//! Benchmark graphs as NumPy archives (`.npz`), read as data: no pickle is loaded.
//!
//! Two layouts are known by the names of their arrays: `edges`, `node_labels`,
//! `node_features` and `train_masks`, `val_masks`, `test_masks` (one row per split),
//! as in the heterophily benchmark; and `adj_indices`, `adj_indptr`, `labels` and
//! `attr_*`, compressed sparse rows, as in gnn-benchmark.

mod array;

use std::io::Cursor;
use std::path::Path;

use zip::ZipArchive;

use super::super::{Cell, Features, GraphError, IdTable, NodeId, RawGraph, Reading, input};
use array::Array;

/// Nodes for each edge, at the most, where nothing else says how many there are.
const MOST_NODES_AN_EDGE: usize = 64;
/// The names of the masks and the parts they stand for.
const MASKS: [(&str, &str); 3] =
    [("train_masks", "train"), ("val_masks", "validation"), ("test_masks", "test")];

/// Reads an archive.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let bytes = input::read_bytes(path, reading)?;
    read_archive(&bytes, reading)
}

/// Reads the bytes of an archive.
pub fn read_archive(bytes: &[u8], reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
        let found = format!("data that is not a zip archive ({error})");
        reading.broken(None, found, "a NumPy archive", "save it again with numpy.savez")
    })?;
    let most = input::most_unpacked(bytes.len() as u64);
    let mut arrays = Arrays { archive, most, reading };
    let edges = match arrays.get("edges")? {
        Some(edges) => edge_list(&edges, arrays.reading)?,
        None => arrays.sparse_rows("adj")?.ok_or_else(|| {
            let names = arrays.names();
            arrays.reading.broken(
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
        Some(features) => Some(dense_rows(&features)),
        None => arrays.sparse_rows("attr")?,
    };
    let mut masks = Vec::new();
    for (name, part) in MASKS {
        if let Some(mask) = arrays.get(name)? {
            masks.push((mask, part));
        }
    }
    let listed = [labels.as_ref().map(Array::rows), features.as_ref().map(|own| own.rows)];
    let listed = listed.into_iter().flatten().max();
    // Without labels and features a single mistaken number must not fill the memory.
    let most = listed.unwrap_or(edges.rows.max(MOST_NODES_AN_EDGE * (edges.entries.len() + 1)));
    let highest = edges.entries.iter().map(|(one, other, _)| *one.max(other) as usize + 1).max();
    let nodes = highest.unwrap_or(0).max(edges.rows).max(listed.unwrap_or(0));
    if nodes > most {
        let found = format!("an edge or a row of node {}", nodes - 1);
        let expected = format!("nodes from 0 to {}", most.saturating_sub(1));
        return Err(reading.broken(None, found, expected, "number the nodes from 0"));
    }
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..nodes as u32), ..RawGraph::default() };
    edges.entries.iter().for_each(|&(one, other, _)| raw.edges.push(NodeId(one), NodeId(other)));
    if let Some(labels) = labels {
        let cell = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
        raw.set_node_column("class", (0..nodes).map(|node| cell(labels.at(node, 0))).collect());
    }
    for (name, cells) in splits(&masks, nodes) {
        raw.set_node_column(&name, cells);
    }
    raw.features = features.map(|features| {
        let mut rows = vec![Vec::new(); nodes];
        for (row, column, value) in features.entries {
            rows[row as usize].push((column, value));
        }
        Features::from_rows(rows).with_width(features.columns)
    });
    Ok(raw)
}

/// The entries of a matrix: row, column, value.
struct Entries {
    entries: Vec<(u32, u32, f32)>,
    /// How many rows it has, if that is known.
    rows: usize,
    /// How many columns it has at the least.
    columns: usize,
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
    Ok(Entries { entries, rows: 0, columns: 0 })
}

/// The number of a node, if it is one.
fn index(value: f64) -> Option<u32> {
    let fits = value >= 0.0 && value < super::super::MAX_NODES as f64 && value.fract() == 0.0;
    fits.then_some(value as u32)
}

fn dense_rows(features: &Array) -> Entries {
    let entry = |row: usize, column: usize| {
        let value = features.at(row, column)?;
        (value != 0.0).then_some((row as u32, column as u32, value as f32))
    };
    let row = |row: usize| (0..features.columns()).filter_map(move |column| entry(row, column));
    let entries = (0..features.rows()).flat_map(row).collect();
    Entries { entries, rows: features.rows(), columns: features.columns() }
}

/// A node column for every row of the masks.
fn splits(masks: &[(Array, &str)], nodes: usize) -> Vec<(String, Vec<Cell>)> {
    let count = masks.iter().map(|(mask, _)| mask.rows()).min().unwrap_or(0);
    let part = |split: usize, node: usize| {
        let own = masks.iter().find(|(mask, _)| mask.at(split, node).is_some_and(|v| v != 0.0));
        own.map_or(Cell::Empty, |(_, part)| Cell::Text((*part).into()))
    };
    let column = |split: usize| (0..nodes).map(|node| part(split, node)).collect();
    (0..count).map(|split| (format!("split_{split}"), column(split))).collect()
}

/// The arrays of an archive, by name.
struct Arrays<'a, 'b> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Maximum size of an array.
    most: u64,
    reading: &'b mut Reading,
}

impl Arrays<'_, '_> {
    fn names(&self) -> String {
        let names = self.archive.file_names().filter_map(Result::ok).take(8);
        let names: Vec<String> = names.map(|name| name.escape_debug().to_string()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }

    fn get(&mut self, name: &str) -> Result<Option<Array>, GraphError> {
        let Ok(entry) = self.archive.by_name(&format!("{name}.npy")) else { return Ok(None) };
        let broken = |found: String| {
            let advice = "save it again with numpy.savez";
            self.reading.broken(None, found, "a NumPy array of numbers", advice)
        };
        let bytes = input::read_limited(entry, 0, self.most)
            .map_err(|error| broken(format!("{name}, which cannot be unpacked ({error})")))?
            .ok_or_else(|| broken(format!("{name}, larger than {} MiB", self.most >> 20)))?;
        let array = Array::parse(bytes).map_err(|why| broken(format!("{name}: {why}")))?;
        Ok(Some(array))
    }

    /// A matrix in compressed sparse rows, if it is there.
    fn sparse_rows(&mut self, name: &str) -> Result<Option<Entries>, GraphError> {
        let (Some(columns), Some(starts)) =
            (self.get(&format!("{name}_indices"))?, self.get(&format!("{name}_indptr"))?)
        else {
            return Ok(None);
        };
        let values = self.get(&format!("{name}_data"))?;
        let (mut entries, rows) = (Vec::new(), starts.rows().saturating_sub(1));
        let broken = |at: usize| {
            let found = format!("{name}: row {at} does not fit its indices");
            let advice = "save it again with scipy.sparse";
            self.reading.broken(None, found, "compressed sparse rows", advice)
        };
        for row in 0..rows {
            let bounds = [row, row + 1].map(|at| starts.at(at, 0).map(|own| own as usize));
            let [Some(from), Some(to)] = bounds else { return Err(broken(row)) };
            if from > to || to > columns.rows() {
                return Err(broken(row));
            }
            for at in from..to {
                let column = columns.at(at, 0).and_then(index).ok_or_else(|| broken(row))?;
                let value = values.as_ref().and_then(|own| own.at(at, 0)).unwrap_or(1.0);
                entries.push((row as u32, column, value as f32));
            }
        }
        let shape = self.get(&format!("{name}_shape"))?.and_then(|own| own.at(1, 0));
        let columns = shape.and_then(index).unwrap_or(0) as usize;
        Ok(Some(Entries { entries, rows, columns }))
    }
}
