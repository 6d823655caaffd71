//! What a format cannot represent, counted before it is lost.

use super::super::{Column, Manifest, NodeId, RawGraph};
use super::Format;

/// The parts of a graph that a format cannot represent, as texts with counts.
///
/// ```
/// # fn main() -> Result<(), gesf_graph::GraphError> {
/// use gesf_graph::{Format, LoadOptions, formats::losses, read};
///
/// let (karate, ..) = read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
/// assert!(losses(&karate, Format::Folder).is_empty());
/// let lost = losses(&karate, Format::EdgeList);
/// assert!(lost.contains(&"node column labels (34 values)".to_owned()), "{lost:?}");
/// # Ok(()) }
/// ```
pub fn losses(raw: &RawGraph, format: Format) -> Vec<String> {
    let mut lost = Vec::new();
    if matches!(format, Format::EdgeList | Format::MatrixMarket) {
        lost.extend(columns("node", &raw.node_columns));
        let filled = raw.features.as_ref().map_or(0, |all| {
            let nodes = (0..raw.ids.len()).map(NodeId::from);
            nodes.filter(|node| !all.row_text(*node).is_empty()).count()
        });
        if filled > 0 {
            lost.push(format!("attributes of {}", counted(filled, "node")));
        }
    }
    if format == Format::EdgeList {
        lost.extend(isolated(raw));
    }
    if format == Format::MatrixMarket {
        lost.extend(columns("edge", &raw.edges.columns));
        let numbered = (1..).zip(raw.ids.iter()).all(|(n, id): (usize, _)| n.to_string() == id);
        if !numbered {
            lost.push(format!("{}, replaced by numbers", counted(raw.ids.len(), "id")));
        }
    }
    if format != Format::Folder {
        lost.extend(raw.manifest.as_ref().and_then(entries));
    }
    lost
}

fn isolated(raw: &RawGraph) -> Option<String> {
    let mut joined = vec![false; raw.ids.len()];
    for end in raw.edges.sources.iter().chain(&raw.edges.targets) {
        if let Some(joined) = joined.get_mut(end.index()) {
            *joined = true;
        }
    }
    let alone = joined.iter().filter(|joined| !**joined).count();
    (alone > 0).then(|| counted(alone, "isolated node"))
}

fn columns<'a>(of: &'a str, all: &'a [Column]) -> impl Iterator<Item = String> + 'a {
    all.iter().filter_map(move |column| {
        let filled = column.cells.iter().filter(|cell| !cell.is_empty()).count();
        let name = &column.name;
        (filled > 0).then(|| format!("{of} column {name} ({})", counted(filled, "value")))
    })
}

/// The entries of a manifest that are not in the data.
fn entries(manifest: &Manifest) -> Option<String> {
    let stated = [
        ("title", manifest.title.is_some()),
        ("description", manifest.description.is_some()),
        ("source", manifest.source.is_some()),
        ("licence", manifest.licence.is_some()),
        ("label_kind", manifest.label_kind.is_some()),
        ("node_types", !manifest.node_types.is_empty()),
        ("attribute_type", manifest.attribute_type.is_some()),
        ("settings", !manifest.settings.is_empty()),
    ];
    let names: Vec<&str> = stated.iter().filter(|(_, said)| *said).map(|(name, _)| *name).collect();
    (!names.is_empty()).then(|| format!("{} of graph.toml", names.join(", ")))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::super::super::{Cell, IdTable};
    use super::*;

    #[test]
    fn parts_that_a_format_cannot_represent_are_counted() {
        let mut raw = RawGraph { ids: IdTable::from_numbers(1..5), ..RawGraph::default() };
        raw.edges.push(NodeId(0), NodeId(1));
        raw.edges.columns = vec![Column { name: "year".into(), cells: vec![Cell::Number(1990.0)] }];
        raw.set_node_column("type", vec![Cell::text("a"), Cell::Empty, Cell::text("b")]);
        let title = Some("t".to_owned());
        raw.manifest = Some(Manifest { title, ..Manifest::default() });
        let lost = |format| losses(&raw, format);
        let kinds = "node column type (2 values)";
        assert_eq!(lost(Format::EdgeList), [kinds, "2 isolated nodes", "title of graph.toml"]);
        let years = "edge column year (1 value)";
        assert_eq!(lost(Format::MatrixMarket), [kinds, years, "title of graph.toml"]);
        assert_eq!(lost(Format::Json), ["title of graph.toml"]);
        assert!(lost(Format::Folder).is_empty());
    }
}
