//! What every fuzz target checks: no input ends a parser in a panic, with
//! either policy for bad rows, nor what comes after it; and what a writer
//! writes can be read again.

use gesf_tui::graph::{Format, GraphError, OnBadRow, RawGraph, Reading, RoleChoice, build, decode};

/// What a format keeps of a graph that it has just been read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// All of it: written and read again it is the same.
    Everything,
    /// The nodes and edges, by number; names may change.
    Shape,
    /// It can be written; what is read again may differ.
    Something,
}

/// Feeds the bytes through `decode` and a reader, with both policies.
pub fn read(
    bytes: &[u8],
    parse: impl Fn(&str, &mut Reading) -> Result<RawGraph, GraphError>,
    mut then: impl FnMut(&RawGraph),
) {
    for policy in [OnBadRow::Fail, OnBadRow::Skip] {
        let mut reading = Reading::new("input", policy);
        let Ok(text) = decode(bytes.to_vec(), &mut reading) else { return };
        let Ok(raw) = parse(&text, &mut reading) else { continue };
        consistent(&raw);
        then(&raw);
        let _ = build(raw, &RoleChoice::default(), &mut reading);
    }
}

/// Reads a format and, if it has a writer, writes it and reads it again.
pub fn format(bytes: &[u8], format: Format, holds: Holds) {
    let parse = |text: &str, reading: &mut Reading| format.read_text(text, reading);
    read(bytes, parse, |raw| {
        let Some(write) = format.writer() else { return };
        let mut written = Vec::new();
        write(raw, &mut written).expect("memory takes every byte");
        let text = String::from_utf8(written).expect("writers write UTF-8");
        let mut reading = Reading::new("written", OnBadRow::Fail);
        let again = format.read_text(&text, &mut reading);
        if holds == Holds::Something {
            return;
        }
        let again = sorted(again.unwrap_or_else(|error| panic!("{error}\n{text}")));
        let raw = sorted(raw.clone());
        assert_eq!(again.direction, raw.direction);
        assert_eq!(again.ids.len(), raw.ids.len());
        assert_eq!(again.edges.weights, raw.edges.weights);
        if holds == Holds::Everything && !has_reserved_names(&raw) && !has_controls(&raw) {
            assert_eq!(again, raw);
        }
    });
}

/// Columns may come back in another order, and no weights as none.
fn sorted(mut raw: RawGraph) -> RawGraph {
    raw.node_columns.sort_by(|a, b| a.name.cmp(&b.name));
    raw.edges.columns.sort_by(|a, b| a.name.cmp(&b.name));
    raw.edges.weights = raw.edges.weights.filter(|weights| !weights.is_empty());
    raw
}

/// Writers rename columns that are called as their format calls the ends, the
/// weight or the id; such columns come from forms that call those otherwise.
fn has_reserved_names(raw: &RawGraph) -> bool {
    let mut columns = raw.node_columns.iter().chain(&raw.edges.columns);
    let reserved = ["id", "source", "target", "weight"];
    columns.any(|column| reserved.contains(&column.name.to_ascii_lowercase().as_str()))
}

/// XML cannot hold control characters; its writer puts a sign in their place.
fn has_controls(raw: &RawGraph) -> bool {
    let odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let columns = || raw.node_columns.iter().chain(&raw.edges.columns);
    raw.ids.iter().any(|id| id.contains(odd))
        || columns().any(|column| column.name.contains(odd))
        || columns().flat_map(|column| &column.cells).any(|cell| cell.to_string().contains(odd))
}

/// Every reader owes these to those who come after it.
pub fn consistent(raw: &RawGraph) {
    let (nodes, rows) = (raw.ids.len(), raw.edges.len());
    assert_eq!(raw.edges.targets.len(), rows);
    assert!(raw.edges.sources.iter().chain(&raw.edges.targets).all(|node| node.index() < nodes));
    if let Some(weights) = &raw.edges.weights {
        assert_eq!(weights.len(), rows);
        assert!(weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0));
    }
    assert!(raw.edges.columns.iter().all(|column| column.cells.len() == rows));
    assert!(raw.node_columns.iter().all(|column| column.cells.len() == nodes));
    assert!(raw.features.as_ref().is_none_or(|all| all.nodes() == nodes));
}
