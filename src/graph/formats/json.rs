//! JSON graphs: networkx's node-link and adjacency forms, d3's, Cytoscape's.
//!
//! In: one object with `nodes` and `links` (or `edges`), nodes with an `id`,
//! links with `source` and `target`. Where nodes have no id, links count them
//! from 0, as d3 does. Every other property becomes a column: plain values as
//! they are, lists of plain values joined by `|`, anything deeper as compact
//! JSON.
//!
//! Out: networkx's node-link form with the key `edges`, which is what
//! networkx has read and written by default since 3.6. It holds all there is
//! but the manifest.
//!
//! The text is not turned into a tree. Each element stays a slice of it until
//! its turn comes, so memory stays near the size of the text and every fault
//! knows its line.

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
        reading.note("there is no list of links; the nodes stand alone");
    }
    Ok(raw)
}

#[cfg(test)]
mod tests;
