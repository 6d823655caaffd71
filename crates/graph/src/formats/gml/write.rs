//! Writes GML: ids are positions and labels the ids, as in NetworkX.

use std::io;

use hashbrown::{HashMap, HashSet};

use super::super::super::{Cell, Column, Direction, NodeId, RawGraph};
use super::super::value::{is_whole, real_text};
use super::entities::escape;
use super::read::distinct_labels;

/// GML guarantees no larger integers.
const LARGEST_WHOLE: f64 = i32::MAX as f64;

/// Maximum length, with space for a numeric suffix.
const LONGEST_NAME: usize = 200;

/// Writes GML.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    let columns = raw.node_columns_with_attributes();
    let numbered = ids_are_numbers_beside_labels(raw);
    let reserved: &[&str] = if numbered { &["id"] } else { &["id", "label"] };
    let node_keys = keys(&columns, reserved);
    let weighted = raw.edges.weights.is_some();
    let edge_reserved: &[&str] =
        if weighted { &["source", "target", "weight"] } else { &["source", "target"] };
    let edge_keys = keys(&raw.edges.columns, edge_reserved);
    let directed = i32::from(raw.direction == Direction::Directed);
    writeln!(out, "graph [\n  directed {directed}")?;
    if has_parallel_edges(raw) {
        writeln!(out, "  multigraph 1")?;
    }
    for (row, id) in raw.ids.iter().enumerate() {
        if numbered {
            writeln!(out, "  node [\n    id {id}")?;
        } else {
            writeln!(out, "  node [\n    id {row}\n    label \"{}\"", escape(id))?;
        }
        write_cells(&columns, &node_keys, row, out)?;
        writeln!(out, "  ]")?;
    }
    let end = |node: NodeId| {
        if numbered { raw.ids.text(node).to_owned() } else { node.0.to_string() }
    };
    for (row, (source, target, weight)) in raw.edges.iter().enumerate() {
        writeln!(out, "  edge [\n    source {}\n    target {}", end(source), end(target))?;
        if weighted {
            writeln!(out, "    weight {}", weight_text(weight))?;
        }
        write_cells(&raw.edges.columns, &edge_keys, row, out)?;
        writeln!(out, "  ]")?;
    }
    writeln!(out, "]")
}

/// Whether the graph looks like a GML file whose labels are not ids: then it is
/// written in the same way.
fn ids_are_numbers_beside_labels(raw: &RawGraph) -> bool {
    let Some(labels) = raw.node_columns.iter().find(|column| column.name == "label") else {
        return false;
    };
    let number = |id: &str| id.parse::<i32>().is_ok_and(|number| number.to_string() == id);
    raw.ids.iter().all(number) && distinct_labels(&labels.cells).is_none()
}

/// NetworkX refuses parallel edges unless they are declared.
fn has_parallel_edges(raw: &RawGraph) -> bool {
    let mut seen = HashSet::with_capacity(raw.edges.len());
    raw.edges.iter().any(|(source, target, _)| {
        let swap = raw.direction == Direction::Undirected && target < source;
        !seen.insert(if swap { (target, source) } else { (source, target) })
    })
}

fn write_cells(
    columns: &[Column],
    keys: &[String],
    row: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for (column, key) in columns.iter().zip(keys) {
        match column.cells.get(row) {
            None | Some(Cell::Empty) => {}
            Some(Cell::Text(text)) => writeln!(out, "    {key} \"{}\"", escape(text))?,
            Some(Cell::Number(number)) => writeln!(out, "    {key} {}", number_text(*number))?,
            Some(Cell::Flag(flag)) => writeln!(out, "    {key} {}", i32::from(*flag))?,
        }
    }
    Ok(())
}

fn number_text(number: f64) -> String {
    if is_whole(number, LARGEST_WHOLE) { number.to_string() } else { real_text(number) }
}

/// Uses the shortest digits: as `f64` it would show digits it never had.
fn weight_text(weight: f32) -> String {
    weight.to_string().parse().map_or_else(|_| weight.to_string(), number_text)
}

/// A distinct key for each column: letters, digits and `_`.
fn keys(columns: &[Column], reserved: &[&str]) -> Vec<String> {
    let mut taken: HashSet<String> = reserved.iter().map(|&name| name.to_owned()).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let key = |column: &Column| {
        let base = plain_key(&column.name);
        let mut key = base.clone();
        while !taken.insert(key.to_ascii_lowercase()) {
            let count = counts.entry(base.to_ascii_lowercase()).or_insert(1);
            *count += 1;
            key = format!("{base}_{count}");
        }
        key
    };
    columns.iter().map(key).collect()
}

fn plain_key(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let key: String = name.chars().take(LONGEST_NAME).map(letter).collect();
    if key.starts_with(|c: char| c.is_ascii_alphabetic()) { key } else { format!("c{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_plain_and_distinct_keys() {
        let named = |name: &&str| Column { name: (*name).to_owned(), cells: vec![] };
        let columns: Vec<Column> =
            ["Modularity Class", "modularity-class", "2020", "label", "ID", "né", ""]
                .iter()
                .map(named)
                .collect();
        assert_eq!(
            keys(&columns, &["id", "label"]),
            ["Modularity_Class", "modularity_class_2", "c2020", "label_2", "ID_2", "n_", "c"]
        );
    }
}
