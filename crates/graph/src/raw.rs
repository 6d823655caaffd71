//! A graph as in its source, with every row, direction, duplicate, self-loop and
//! column. Readers produce it, writers consume it, and [`Graph`](super::Graph) is
//! built from it.

use std::borrow::Cow;

use super::{ATTRIBUTE_COLUMN, Cell, Column, Features, IdTable, Manifest, NodeId};

/// Whether the edges of the source are directed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// Rows run from source to target.
    Directed,
    /// Rows join two nodes; the order of the ends has no meaning.
    #[default]
    Undirected,
}

/// The edge rows of a source, one entry per row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EdgeRows {
    /// First end of each row.
    pub sources: Vec<NodeId>,
    /// Second end of each row.
    pub targets: Vec<NodeId>,
    /// Weight of each row, if the source has weights.
    pub weights: Option<Vec<f32>>,
    /// All other edge columns.
    pub columns: Vec<Column>,
}

impl EdgeRows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Appends a row without weight or columns.
    pub fn push(&mut self, source: NodeId, target: NodeId) {
        self.sources.push(source);
        self.targets.push(target);
    }

    /// The weight of a row: 1 by default.
    pub fn weight(&self, row: usize) -> f32 {
        self.weights.as_ref().and_then(|weights| weights.get(row)).copied().unwrap_or(1.0)
    }

    /// Every row as (source, target, weight).
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId, f32)> + '_ {
        let ends = self.sources.iter().zip(&self.targets);
        ends.enumerate().map(|(row, (&source, &target))| (source, target, self.weight(row)))
    }
}

/// A graph as in its source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawGraph {
    /// Whether the edges are directed.
    pub direction: Direction,
    /// The node ids, in the order of the source.
    pub ids: IdTable,
    /// Node columns, one cell per node.
    pub node_columns: Vec<Column>,
    /// The edge rows.
    pub edges: EdgeRows,
    /// The features of the nodes, such as the words of a document.
    pub features: Option<Features>,
    /// The content of `graph.toml`, if there is one.
    pub manifest: Option<Manifest>,
}

impl RawGraph {
    /// The node column with this name, ignoring case.
    pub fn node_column(&self, name: &str) -> Option<&Column> {
        self.node_columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Sets a node column, replacing one of the same name.
    pub fn set_node_column(&mut self, name: &str, cells: Vec<Cell>) {
        self.node_columns.retain(|column| !column.name.eq_ignore_ascii_case(name));
        self.node_columns.push(Column { name: name.to_owned(), cells });
    }

    /// The node columns for a format without sparse vectors: the attributes follow
    /// the others as text, in [`ATTRIBUTE_COLUMN`].
    pub fn node_columns_with_attributes(&self) -> Cow<'_, [Column]> {
        let Some(attributes) = self.features.as_ref().filter(|all| all.filled() > 0) else {
            return Cow::Borrowed(&self.node_columns);
        };
        let other = |column: &&Column| !column.name.eq_ignore_ascii_case(ATTRIBUTE_COLUMN);
        let mut columns: Vec<Column> = self.node_columns.iter().filter(other).cloned().collect();
        let text = |row: usize| Cell::text(&attributes.row_text(NodeId::from(row)));
        let cells = (0..self.ids.len()).map(text).collect();
        columns.push(Column { name: ATTRIBUTE_COLUMN.to_owned(), cells });
        Cow::Owned(columns)
    }

    /// The inverse: a column of that name whose every cell parses as attributes
    /// becomes the attributes. Any other stays a column.
    pub fn absorb_attribute_column(&mut self) {
        let named = |column: &Column| column.name.eq_ignore_ascii_case(ATTRIBUTE_COLUMN);
        let Some(at) = self.node_columns.iter().position(named) else { return };
        if self.features.is_some() {
            return;
        }
        let attributes = Features::from_cells(&self.node_columns[at].cells);
        if let Some(attributes) = attributes.filter(|all| all.filled() > 0) {
            self.features = Some(attributes);
            self.node_columns.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_round_trip_through_a_text_column() {
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..3), ..RawGraph::default() };
        let near_one = 1.0_f32.next_down();
        let rows = vec![vec![(3, 1.0), (7, 0.5)], vec![], vec![(0, near_one)]];
        raw.features = Some(Features::from_rows(rows));
        let mut back = RawGraph {
            node_columns: raw.node_columns_with_attributes().into_owned(),
            features: None,
            ..raw.clone()
        };
        assert_eq!(back.node_columns[0].cells[0], Cell::text("3 7:0.5"));
        back.absorb_attribute_column();
        assert_eq!(back, raw);
    }

    #[test]
    fn a_column_with_that_name_and_other_content_stays_a_column() {
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..2), ..RawGraph::default() };
        raw.set_node_column(ATTRIBUTE_COLUMN, vec![Cell::text("3"), Cell::text("tall")]);
        let before = raw.clone();
        raw.absorb_attribute_column();
        assert_eq!(raw, before);
    }
}
