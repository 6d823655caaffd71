//! What a format has no place for, counted before it is lost.

use super::super::{Column, Manifest, NodeId, RawGraph};
use super::Format;

/// What of a graph a format cannot hold, each as words with a count.
///
/// ```
/// # fn main() -> Result<(), gesf_tui::graph::GraphError> {
/// use gesf_tui::graph::{Format, LoadOptions, formats::losses, read};
///
/// let (karate, ..) = read("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
/// assert!(losses(&karate, Format::Folder).is_empty());
/// let lost = losses(&karate, Format::EdgeList);
/// assert!(lost.contains(&"the node column labels (34 values)".to_owned()), "{lost:?}");
/// # Ok(()) }
/// ```
pub fn losses(raw: &RawGraph, format: Format) -> Vec<String> {
    let mut lost = Vec::new();
    if matches!(format, Format::EdgeList | Format::MatrixMarket) {
        lost.extend(columns("node", &raw.node_columns));
        let filled = raw.attributes.as_ref().map_or(0, |all| {
            let nodes = (0..raw.ids.len()).map(NodeId::from);
            nodes.filter(|node| !all.row_text(*node).is_empty()).count()
        });
        if filled > 0 {
            lost.push(format!("the attributes of {}", counted(filled, "node")));
        }
    }
    if format == Format::EdgeList {
        lost.extend(isolated(raw));
    }
    if format == Format::MatrixMarket {
        lost.extend(columns("edge", &raw.edges.columns));
        let numbered = (1..).zip(raw.ids.iter()).all(|(n, id): (usize, _)| n.to_string() == id);
        if !numbered {
            lost.push(format!("{}, which become numbers", counted(raw.ids.len(), "id")));
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
        (filled > 0).then(|| format!("the {of} column {name} ({})", counted(filled, "value")))
    })
}

/// What a manifest says that is not in the data.
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
    fn what_a_format_has_no_place_for_is_counted() {
        let mut raw = RawGraph { ids: IdTable::from_numbers(1..5), ..RawGraph::default() };
        raw.edges.push(NodeId(0), NodeId(1));
        raw.edges.columns = vec![Column { name: "year".into(), cells: vec![Cell::Number(1990.0)] }];
        raw.set_node_column("type", vec![Cell::text("a"), Cell::Empty, Cell::text("b")]);
        let title = Some("t".to_owned());
        raw.manifest = Some(Manifest { title, ..Manifest::default() });
        let lost = |format| losses(&raw, format);
        let kinds = "the node column type (2 values)";
        assert_eq!(lost(Format::EdgeList), [kinds, "2 isolated nodes", "title of graph.toml"]);
        let years = "the edge column year (1 value)";
        assert_eq!(lost(Format::MatrixMarket), [kinds, years, "title of graph.toml"]);
        assert_eq!(lost(Format::Json), ["title of graph.toml"]);
        assert!(lost(Format::Folder).is_empty());
    }
}
