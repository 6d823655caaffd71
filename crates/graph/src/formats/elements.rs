//! Nodes and edges as they are read from a markup format: each with its own
//! properties, edges possibly before their nodes.
//!
//! Small texts can describe large graphs (defaults for every node, a group of nodes
//! joined to another). The memory of such copies is limited by the length of the
//! text, so that no small file fills the memory.

use super::super::{Cell, Column, Columns, Direction, GraphError, IdTable, NodeId, RawGraph};
use super::super::{EdgeRows, Reading};
use super::room::bytes_for;
use super::value::{Property, Value};
use super::weights::{Weighing, is_weight, take_values, weigh};

const CELL_BYTES: usize = size_of::<Cell>();

/// An id that was mentioned, whether or not it is a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mention(u32);

#[derive(Debug)]
struct Edge {
    source: Mention,
    target: Mention,
    line: u64,
}

/// The nodes and edges so far.
#[derive(Debug)]
pub(super) struct Elements {
    mentioned: IdTable,
    rows: Vec<Option<u32>>,
    nodes: Vec<Mention>,
    node_columns: Columns,
    edges: Vec<Edge>,
    edge_columns: Columns,
    weights: Vec<f32>,
    any_weight: bool,
    copied: usize,
    room: usize,
}

impl Elements {
    /// No elements yet, for a text of that many bytes.
    pub(super) fn new(text_length: usize) -> Self {
        Self {
            mentioned: IdTable::default(),
            rows: Vec::new(),
            nodes: Vec::new(),
            node_columns: Columns::default(),
            edges: Vec::new(),
            edge_columns: Columns::default(),
            weights: Vec::new(),
            any_weight: false,
            copied: 0,
            room: bytes_for(text_length),
        }
    }

    /// Registers an id without making it a node.
    pub(super) fn mention(&mut self, id: &str) -> Mention {
        let mention = Mention(self.mentioned.intern(id).0);
        self.rows.resize(self.mentioned.len(), None);
        mention
    }

    /// The row of the node with that id, if it is one.
    pub(super) fn row(&self, mention: Mention) -> Option<usize> {
        self.rows.get(mention.0 as usize).copied().flatten().map(|row| row as usize)
    }

    /// Makes the mentioned id a node, if it is not one yet; returns its row.
    pub(super) fn add_node(&mut self, mention: Mention) -> usize {
        if let Some(row) = self.row(mention) {
            return row;
        }
        let row = self.nodes.len();
        self.rows[mention.0 as usize] = Some(row as u32);
        self.nodes.push(mention);
        row
    }

    /// A listed node with its row; `None` if it is skipped because its id is
    /// missing or a duplicate.
    pub(super) fn list_node(
        &mut self,
        id: Option<&str>,
        line: u64,
        reading: &mut Reading,
    ) -> Result<Option<usize>, GraphError> {
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            reading.bad_row(line, "a node without an id", "an id", "give the node an id")?;
            return Ok(None);
        };
        let mention = self.mention(id);
        if self.row(mention).is_some() {
            let found = format!("the id {} a second time", super::super::error::quoted(id));
            reading.bad_row(line, found, "each id once", "remove or rename one of the two")?;
            return Ok(None);
        }
        Ok(Some(self.add_node(mention)))
    }

    /// Adds an edge; returns its row.
    pub(super) fn add_edge(&mut self, source: Mention, target: Mention, line: u64) -> usize {
        self.edges.push(Edge { source, target, line });
        self.weights.push(1.0);
        self.edges.len() - 1
    }

    /// Adds a listed edge; one without two ends or with a bad weight is skipped.
    pub(super) fn list_edge(
        &mut self,
        ends: [Option<&str>; 2],
        properties: &[Property<'_>],
        line: u64,
        reading: &mut Reading,
    ) -> Result<(), GraphError> {
        let [Some(source), Some(target)] = ends else {
            let advice = "add both ends of the edge";
            return reading.bad_row(line, "an edge without two ends", "source and target", advice);
        };
        let weighing = weigh(properties, line, reading)?;
        if weighing == Weighing::Bad {
            return Ok(());
        }
        let (source, target) = (self.mention(source), self.mention(target));
        let row = self.add_edge(source, target, line);
        if let Weighing::Stated(weight) = weighing {
            self.set_weight(row, weight);
        }
        for property in properties.iter().filter(|property| !is_weight(&property.name)) {
            self.set_edge(row, &property.name, property.value.cell(), line, reading)?;
        }
        Ok(())
    }

    /// Sets the weight of an edge.
    pub(super) fn set_weight(&mut self, row: usize, weight: f32) {
        if let Some(slot) = self.weights.get_mut(row) {
            *slot = weight;
            self.any_weight = true;
        }
    }

    /// Reserves a node column, so that the columns keep the order of their
    /// declaration.
    pub(super) fn declare_node_column(&mut self, name: &str) {
        self.node_columns.declare(name);
    }

    /// Reserves an edge column; weights are not a column.
    pub(super) fn declare_edge_column(&mut self, name: &str) {
        if !is_weight(name) {
            self.edge_columns.declare(name);
        }
    }

    /// The current cell of a node.
    pub(super) fn node_cell(&self, row: usize, name: &str) -> &Cell {
        self.node_columns.get(name, row)
    }

    /// Sets a property of a node.
    pub(super) fn set_node(
        &mut self,
        row: usize,
        name: &str,
        cell: Cell,
        line: u64,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        self.node_columns.set(name, row, cell);
        self.check_room(line, reading)
    }

    /// Sets a property of an edge.
    pub(super) fn set_edge(
        &mut self,
        row: usize,
        name: &str,
        cell: Cell,
        line: u64,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        self.edge_columns.set(name, row, cell);
        self.check_room(line, reading)
    }

    /// Sets the default value of all nodes without this property.
    pub(super) fn default_node(
        &mut self,
        name: &str,
        value: &Value<'_>,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        let (columns, rows) = (&mut self.node_columns, self.nodes.len());
        self.copied += fill(columns, rows, name, value, self.room);
        self.check_room(0, reading)
    }

    /// Sets the default value of all edges without this property.
    pub(super) fn default_edge(
        &mut self,
        name: &str,
        value: &Value<'_>,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        let (columns, rows) = (&mut self.edge_columns, self.edges.len());
        self.copied += fill(columns, rows, name, value, self.room);
        self.check_room(0, reading)
    }

    /// Counts bytes that are created without being in the text.
    pub(super) fn copy(
        &mut self,
        bytes: usize,
        line: u64,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        self.copied = self.copied.saturating_add(bytes);
        self.check_room(line, reading)
    }

    fn check_room(&self, line: u64, reading: &Reading) -> Result<(), GraphError> {
        let nodes = self.node_columns.cells_for(self.nodes.len());
        let edges = self.edge_columns.cells_for(self.edges.len());
        let cells = nodes.saturating_add(edges).saturating_mul(CELL_BYTES);
        if cells.saturating_add(self.copied) <= self.room {
            return Ok(());
        }
        Err(reading.broken(
            Some(line).filter(|&line| line > 0),
            "properties, defaults or groups that multiply without limit",
            format!("at most {} MiB of them for a file of this size", self.room >> 20),
            "remove unneeded properties, or write the graph as a folder of tables",
        ))
    }

    /// The graph. Edges with a node that is not listed are skipped.
    pub(super) fn finish(
        mut self,
        direction: Direction,
        reading: &mut Reading,
    ) -> Result<RawGraph, GraphError> {
        self.check_room(0, reading)?;
        let mut edges = EdgeRows::default();
        let mut kept = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            let ends = [edge.source, edge.target].map(|end| self.row(end).ok_or(end));
            if let [Ok(source), Ok(target)] = ends {
                edges.push(NodeId::from(source), NodeId::from(target));
            } else if let Some(Err(unknown)) = ends.into_iter().find(Result::is_err) {
                reading.unknown_end(self.mentioned.text(NodeId(unknown.0)), Some(edge.line));
            }
            kept.push(ends.iter().all(Result::is_ok));
        }
        edges.columns = self.edge_columns.finish(self.edges.len());
        if edges.len() < kept.len() {
            keep(&mut self.weights, &kept);
            edges.columns.iter_mut().for_each(|column| keep(&mut column.cells, &kept));
            let filled = |column: &Column| column.cells.iter().any(|cell| !cell.is_empty());
            edges.columns.retain(filled);
        }
        edges.weights =
            if self.any_weight { Some(self.weights) } else { take_values(&mut edges.columns) };
        let in_order = self.nodes.len() == self.mentioned.len()
            && self.nodes.iter().enumerate().all(|(row, mention)| mention.0 as usize == row);
        let node_columns = self.node_columns.finish(self.nodes.len());
        let ids = if in_order {
            self.mentioned
        } else {
            let text = |mention: &Mention| self.mentioned.text(NodeId(mention.0));
            IdTable::from_distinct(self.nodes.iter().map(text))
        };
        let mut raw = RawGraph { direction, ids, node_columns, edges, ..RawGraph::default() };
        raw.absorb_attribute_column();
        Ok(raw)
    }
}

/// Fills the empty cells of a column and returns the bytes used. Stops at the
/// memory limit, which the caller then detects.
fn fill(columns: &mut Columns, rows: usize, name: &str, value: &Value<'_>, room: usize) -> usize {
    let cell = value.cell();
    let mut taken = 0;
    for row in 0..rows {
        if taken > room {
            break;
        }
        if columns.get(name, row).is_empty() {
            columns.set(name, row, cell.clone());
            taken += CELL_BYTES + value.text.len();
        }
    }
    taken
}

fn keep<T>(rows: &mut Vec<T>, kept: &[bool]) {
    let mut flags = kept.iter();
    rows.retain(|_| flags.next().copied().unwrap_or(false));
}
