//! Splits that come with a graph: node columns that say train, validation or test.

use super::error::quoted;
use super::formats::table;
use super::{Cell, Column, GraphError, NodeId, OnBadRow, RawGraph, Reading};

/// What the label of a node is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitPart {
    /// It is fitted.
    Train,
    /// It is used for model selection.
    Validation,
    /// It is used only for scoring.
    Test,
}

impl SplitPart {
    fn of(text: &str) -> Option<Self> {
        Some(match text.trim().to_ascii_lowercase().as_str() {
            "train" | "training" => Self::Train,
            "validation" | "val" | "valid" | "dev" => Self::Validation,
            "test" | "testing" => Self::Test,
            _ => return None,
        })
    }
}

/// A split that comes with a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSplit {
    /// The name of its column.
    pub name: String,
    parts: Vec<Option<SplitPart>>,
}

impl StoredSplit {
    /// The part of a node; `None` if it is in none.
    pub fn part(&self, node: NodeId) -> Option<SplitPart> {
        self.parts.get(node.index()).copied().flatten()
    }

    /// How many nodes are in a part.
    pub fn count(&self, part: SplitPart) -> usize {
        self.parts.iter().filter(|own| **own == Some(part)).count()
    }

    /// The split in a column, if all its cells name a part and some are for training.
    fn of(column: &Column) -> Option<Self> {
        let parts: Vec<Option<SplitPart>> = column
            .cells
            .iter()
            .map(|cell| match cell {
                Cell::Empty => Some(None),
                Cell::Text(text) => SplitPart::of(text).map(Some),
                Cell::Number(_) | Cell::Flag(_) => None,
            })
            .collect::<Option<_>>()?;
        let name = column.name.clone();
        parts.contains(&Some(SplitPart::Train)).then_some(Self { name, parts })
    }
}

/// The splits among the node columns of a source, in their order.
pub(super) fn stored_splits(raw: &RawGraph) -> Vec<StoredSplit> {
    raw.node_columns.iter().filter_map(StoredSplit::of).collect()
}

/// Adds the split in a table of node ids to a graph, under this name.
pub(super) fn add_split(
    text: &str,
    name: &str,
    raw: &mut RawGraph,
    reading: &Reading,
) -> Result<(), GraphError> {
    let mut given = RawGraph::default();
    let mut own = Reading::new(reading.file(), OnBadRow::Fail);
    table::read_nodes(text, &mut given, table::Repeats::Refuse, &mut own)?;
    let column = given.node_columns.iter().find(|column| StoredSplit::of(column).is_some());
    let Some(column) = column else {
        return Err(reading.broken(
            None,
            "no column of train, validation and test",
            "a table such as `node,split` with a row for each node",
            "write train, validation or test for each node",
        ));
    };
    let mut cells = vec![Cell::Empty; raw.ids.len()];
    for (id, cell) in given.ids.iter().zip(&column.cells) {
        let Some(node) = raw.ids.find(id) else {
            return Err(reading.broken(
                None,
                format!("the unknown id {}", quoted(id)),
                "the id of a node of the graph",
                "remove the row, or use the ids of the graph",
            ));
        };
        cells[node.index()] = cell.clone();
    }
    raw.set_node_column(name, cells);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load};

    fn graph_of(nodes: &str, options: &LoadOptions) -> Result<crate::Graph, GraphError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("nodes.csv"), nodes).unwrap();
        std::fs::write(folder.path().join("edges.csv"), "source,target\na,b\nb,c\n").unwrap();
        load(folder.path(), options).map(|(graph, _)| graph)
    }

    #[test]
    fn a_column_of_parts_is_a_split_and_other_columns_are_not() {
        let nodes = "id,class,split_0,split_1,stage\na,x,train,test,train\nb,y,val,,late\nc,x,test,train,\n";
        let graph = graph_of(nodes, &LoadOptions::default()).unwrap();
        let names: Vec<&str> = graph.splits().iter().map(|split| split.name.as_str()).collect();
        assert_eq!(names, ["split_0", "split_1"]);
        let first = graph.split_named("0").unwrap();
        let parts: Vec<_> = graph.nodes().map(|node| first.part(node)).collect();
        assert_eq!(parts, [SplitPart::Train, SplitPart::Validation, SplitPart::Test].map(Some));
        assert_eq!(graph.split_named("SPLIT_1").unwrap().part(NodeId(1)), None);
        assert!(graph.split_named("2").is_none());
        // The classes are still those of the class column.
        assert_eq!(graph.labels().classes().unwrap().names().len(), 2);
    }

    #[test]
    fn a_table_of_parts_is_added_by_id_and_unknown_ids_are_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "node,split\nc,train\na,test\n").unwrap();
        let given = Some(file.path().display().to_string());
        let options = LoadOptions { split: given, ..LoadOptions::default() };
        let graph = graph_of("id,class\na,x\nb,y\nc,x\n", &options).unwrap();
        let name = graph.manifest().split.clone().unwrap();
        let split = graph.split_named(&name).unwrap();
        assert_eq!(split.part(NodeId(2)), Some(SplitPart::Train));
        assert_eq!((split.part(NodeId(1)), split.count(SplitPart::Test)), (None, 1));
        for (text, said) in
            [("node,split\nz,train\n", "unknown id"), ("node,split\na,7\n", "no column")]
        {
            std::fs::write(file.path(), text).unwrap();
            let error = graph_of("id,class\na,x\nb,y\nc,x\n", &options).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
