//! Parquet tables of nodes and edges, as pandas, Polars, Spark or DuckDB write them.
//!
//! A folder has `edges.parquet` and optionally `nodes.parquet`; a file alone has
//! edges. The ends are columns such as `source` and `target` (else the first two),
//! the id of a node is a column such as `id` (else the first). A node column of lists
//! of numbers holds the features. All other columns are kept.

#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod tables;

use std::path::{Path, PathBuf};

use super::super::{GraphError, RawGraph, Reading, input};
#[cfg(feature = "parquet")]
use tables::{add_edges, add_nodes};

const NODES: &str = "nodes.parquet";
const EDGES: &str = "edges.parquet";

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

#[cfg(not(feature = "parquet"))]
fn add_nodes(_: Vec<u8>, _: &mut RawGraph, reading: &mut Reading) -> Result<(), GraphError> {
    Err(not_built_for_it(reading))
}

#[cfg(not(feature = "parquet"))]
fn add_edges(
    _: Vec<u8>,
    _: &mut RawGraph,
    _: bool,
    reading: &mut Reading,
) -> Result<(), GraphError> {
    Err(not_built_for_it(reading))
}

#[cfg(not(feature = "parquet"))]
fn not_built_for_it(reading: &Reading) -> GraphError {
    let advice = "write it as CSV, or install the program with `--features parquet`";
    reading.broken(None, "a Parquet file", "a program built to read Parquet", advice)
}
