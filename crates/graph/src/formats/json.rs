//! JSON graphs: the node-link and adjacency forms of networkx, and those of d3 and
//! Cytoscape.
//!
//! In: one object with `nodes` and `links` (or `edges`), nodes with an `id`, links
//! with `source` and `target`. If nodes have no id, links use positions from 0, as
//! in d3. Every other property becomes a column: plain values as they are, lists of
//! plain values joined by `|`, anything deeper as compact JSON.
//!
//! Out: networkx's node-link form with the key `edges`, the default of networkx
//! since 3.6. It represents everything except the manifest.
//!
//! The text is not parsed into a tree. Each element stays a slice until it is
//! processed, so memory stays near the size of the text and every error has a line.

mod document;
mod edges;
mod nodes;
mod source;
mod value;
mod write;

use super::super::{GraphError, RawGraph, Reading};
use super::room::Room;
use document::Document;
use nodes::Nodes;
use source::Source;
use value::Lines;
pub use write::write;

/// Reads a JSON graph.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let document = Document::parse(text, reading)?;
    let mut raw = RawGraph { direction: document.direction, ..RawGraph::default() };
    let mut source = Source { lines: Lines::of(text), room: Room::of(text), reading };
    let nodes = match &document.nodes {
        Some(list) => Nodes::read(list, &mut raw, &mut source)?,
        None => Nodes::from_links(),
    };
    edges::read(&document, &nodes, &mut raw, &mut source)?;
    raw.absorb_attribute_column();
    if document.nodes.is_none() {
        reading.note("there is no list of nodes; they were taken from the links");
    }
    if document.edges.is_none() {
        reading.note("there is no list of links; all nodes are isolated");
    }
    Ok(raw)
}

#[cfg(test)]
mod tests;
