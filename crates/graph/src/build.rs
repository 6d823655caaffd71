//! From a source's rows and columns to the [`Graph`] the model sees.

use super::fold::fold;
use super::ids::MAX_NODES;
use super::labels::MAX_CLASSES;
use super::roles::{RoleChoice, Roles};
use super::splits::stored_splits;
use super::types::{DEFAULT_TYPE, MAX_TYPES};
use super::{
    Cell, Classes, Column, Graph, GraphError, LabelKind, Labels, NodeTypes, RawGraph, Reading,
};

/// Separates the labels of a node with several.
pub const LABEL_SEPARATOR: char = '|';

/// The column that holds the attributes in formats without sparse vectors.
pub const ATTRIBUTE_COLUMN: &str = "attributes";

/// Builds the graph; the roles of its columns are returned for the report.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::{IdTable, NodeId, RawGraph, Reading, RoleChoice, build};
///
/// let mut raw = RawGraph { ids: IdTable::from_numbers(0..3), ..RawGraph::default() };
/// for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 2)] {
///     raw.edges.push(NodeId(from), NodeId(to));
/// }
/// let (graph, _) = build(raw, &RoleChoice::default(), &mut Reading::default())?;
/// assert_eq!(graph.edge_count(), 2);
/// assert_eq!((graph.folded().reciprocal, graph.folded().self_loops), (1, 1));
/// # Ok(()) }
/// ```
pub fn build(
    mut raw: RawGraph,
    choice: &RoleChoice,
    reading: &mut Reading,
) -> Result<(Graph, Roles), GraphError> {
    let nodes = raw.ids.len();
    if nodes == 0 {
        return Err(reading.broken(
            None,
            "no nodes and no edges",
            "at least one node",
            "check the file and its format (--format)",
        ));
    }
    if nodes > MAX_NODES {
        return Err(reading.broken(
            None,
            format!("{nodes} nodes"),
            format!("at most {MAX_NODES}"),
            "split the graph",
        ));
    }
    let roles = Roles::find(&raw, choice)
        .map_err(|e| reading.broken(None, e.found(), "a node column", e.advice()))?;
    raw.absorb_attribute_column();
    let features = raw.features.take().filter(|features| features.filled() > 0);
    let manifest = raw.manifest.take().unwrap_or_default();
    let column_of = |role: &Option<String>| role.as_deref().and_then(|name| raw.node_column(name));
    let types = node_types(column_of(&roles.node_type), nodes, &manifest.node_types, reading)?;
    let labels = match (column_of(&roles.target), column_of(&roles.label)) {
        (Some(target), _) => numeric_labels(target, reading),
        (None, Some(label)) => class_labels(label, manifest.label_kind, reading)?,
        (None, None) => Labels::None,
    };
    let names = column_of(&roles.name)
        .map(|column| column.cells.iter().map(|cell| cell.to_string().into()).collect());
    let (topology, folded) = fold(&raw.edges, nodes);
    let weighted = raw.edges.weights.is_some();
    let splits = stored_splits(&raw);
    let ids = raw.ids;
    let graph =
        Graph { ids, names, types, labels, splits, features, topology, weighted, folded, manifest };
    Ok((graph, roles))
}

fn node_types(
    column: Option<&Column>,
    nodes: usize,
    order: &[String],
    reading: &Reading,
) -> Result<NodeTypes, GraphError> {
    let Some(column) = column else {
        let only = order.first().map_or(DEFAULT_TYPE, String::as_str);
        return Ok(NodeTypes::single(only, nodes));
    };
    let texts: Vec<String> = column
        .cells
        .iter()
        .map(|cell| if cell.is_empty() { DEFAULT_TYPE.to_owned() } else { cell.to_string() })
        .collect();
    // A type that is in the manifest but not in the data would be an empty group.
    let present: Vec<String> = order.iter().filter(|name| texts.contains(name)).cloned().collect();
    NodeTypes::collect(texts.iter().map(String::as_str), &present).ok_or_else(|| {
        reading.broken(
            None,
            format!("more than {MAX_TYPES} node types in column `{}`", column.name),
            "a few node types",
            "select the right column with --type-column",
        )
    })
}

fn numeric_labels(column: &Column, reading: &mut Reading) -> Labels {
    let unreadable = column.cells.iter().filter(|c| !c.is_empty() && c.number().is_none()).count();
    if unreadable > 0 {
        reading.note(format!(
            "{unreadable} cells of column `{}` are not numbers; those nodes are unlabelled",
            column.name
        ));
    }
    Labels::Numeric(column.cells.iter().map(|cell| cell.number().map(|n| n as f32)).collect())
}

fn class_labels(
    column: &Column,
    kind: Option<LabelKind>,
    reading: &Reading,
) -> Result<Labels, GraphError> {
    if kind == Some(LabelKind::None) {
        return Ok(Labels::None);
    }
    let texts: Vec<String> = column.cells.iter().map(Cell::to_string).collect();
    let split = kind != Some(LabelKind::One);
    let of_nodes: Vec<Vec<&str>> = texts
        .iter()
        .map(|text| {
            let parts: Vec<&str> =
                if split { text.split(LABEL_SEPARATOR).collect() } else { vec![text] };
            parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
        })
        .collect();
    let several = match kind {
        Some(kind) => kind == LabelKind::Several,
        None => of_nodes.iter().any(|labels| labels.len() > 1),
    };
    if of_nodes.iter().all(Vec::is_empty) {
        return Ok(Labels::None);
    }
    let classes = Classes::collect(&of_nodes, several).ok_or_else(|| {
        reading.broken(
            None,
            format!("more than {MAX_CLASSES} classes in column `{}`", column.name),
            "labels shared by several nodes",
            "select the right column with --label-column, or --target-column for numbers",
        )
    })?;
    Ok(Labels::Classes(classes))
}
