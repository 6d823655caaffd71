//! The citation graphs of Planetoid: `ind.NAME.x`, `.y`, `.tx`, `.ty`, `.allx`,
//! `.ally`, `.graph` (pickles, read as data) and `.test.index` (text).
//!
//! The nodes of `allx` come first, those of `tx` have the numbers in `test.index`.
//! Numbers that are missing there, as in citeseer, are nodes without features and
//! class. The public split trains on the nodes of `x`, validates on the next 500 and
//! tests on those of `test.index`.

use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{Cell, GraphError, IdTable, NodeId, RawGraph, Reading, input};
use super::masks::{self, Mask};
use super::npz::entries::Entries;
use super::pickle;

const PREFIX: &str = "ind.";
const TEST_INDEX: &str = "test.index";
/// The pickles, in the order of [`Parts`].
const PICKLES: [&str; 6] = ["y", "tx", "ty", "allx", "ally", "graph"];
const VALIDATION_NODES: usize = 500;
const SPLIT: &str = "public";
/// Missing numbers in `test.index` for each that is there, at the most.
const MOST_MISSING: usize = 64;

/// The name of a graph, if a file is one of its parts: `ind.cora.x` is of `cora`.
pub(super) fn graph_of(name: &str) -> Option<&str> {
    let rest = name.strip_prefix(PREFIX)?;
    let mut known = PICKLES.into_iter().chain(["x", TEST_INDEX]);
    let stem = known.find_map(|part| rest.strip_suffix(part)?.strip_suffix('.'))?;
    (!stem.is_empty()).then_some(stem)
}

/// A part of each graph in a folder.
pub fn graphs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let own = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        graph_of(name).is_some() && name.rsplit('.').next() == Some("graph")
    });
    let mut found: Vec<PathBuf> = own.collect();
    found.sort();
    found
}

/// The bytes of the files of a graph.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Classes of the training nodes, one column each.
    pub y: Vec<u8>,
    /// Features of the test nodes.
    pub tx: Vec<u8>,
    /// Classes of the test nodes.
    pub ty: Vec<u8>,
    /// Features of all other nodes.
    pub allx: Vec<u8>,
    /// Classes of all other nodes.
    pub ally: Vec<u8>,
    /// The neighbours of each node.
    pub graph: Vec<u8>,
    /// The numbers of the test nodes, one in each row.
    pub test_index: String,
}

/// Reads a graph, given one of its files.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(graph) = graph_of(name) else {
        let expected = "a file such as ind.cora.graph";
        let advice = "keep the names of the published files";
        return Err(reading.broken(None, format!("the name {}", quoted(name)), expected, advice));
    };
    let back = reading.file().to_owned();
    let place = |part: &str| path.with_file_name(format!("{PREFIX}{graph}.{part}"));
    let mut bytes_of = |part: &str| {
        reading.enter(place(part).display().to_string());
        input::read_bytes(&place(part), reading)
    };
    let [y, tx, ty, others, other_classes, edges] = PICKLES.map(&mut bytes_of);
    reading.enter(place(TEST_INDEX).display().to_string());
    let test_index = input::read_text(&place(TEST_INDEX), reading)?;
    let (y, tx, ty, allx, graph) = (y?, tx?, ty?, others?, edges?);
    let parts = Parts { y, tx, ty, allx, ally: other_classes?, graph, test_index };
    reading.enter(back);
    read_parts(&parts, reading)
}

/// Reads the parts of a graph.
pub fn read_parts(parts: &Parts, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let matrix = |name: &str, bytes: &[u8]| {
        let found = pickle::parse(bytes).and_then(|own| own.matrix());
        found.map_err(|why| broken(reading, name, &why))
    };
    let (others, other_classes) = (matrix("allx", &parts.allx)?, matrix("ally", &parts.ally)?);
    let (tested, tested_classes) = (matrix("tx", &parts.tx)?, matrix("ty", &parts.ty)?);
    let train = matrix("y", &parts.y)?.rows;
    let test = test_nodes(&parts.test_index, others.rows, tested.rows, reading)?;
    for (name, found, expected) in
        [("ally", other_classes.rows, others.rows), ("ty", tested_classes.rows, tested.rows)]
    {
        if found != expected {
            let why = format!("{found} rows instead of {expected}");
            return Err(broken(reading, name, &why));
        }
    }
    let nodes = test.iter().map(|own| own + 1).max().unwrap_or(0).max(others.rows);
    let mut raw = RawGraph { ids: IdTable::from_numbers(0..nodes as u32), ..RawGraph::default() };
    let neighbours = pickle::parse(&parts.graph).and_then(|own| own.neighbours());
    for (one, other) in neighbours.map_err(|why| broken(reading, "graph", &why))? {
        let ends = [one, other].map(|end| usize::try_from(end).ok().filter(|end| *end < nodes));
        let [Some(one), Some(other)] = ends else {
            let why = format!("an edge between {one} and {other}, but {nodes} nodes");
            return Err(broken(reading, "graph", &why));
        };
        raw.edges.push(NodeId::from(one), NodeId::from(other));
    }
    raw.set_node_column("class", classes(&joined(other_classes, tested_classes, &test), nodes));
    raw.features = Some(joined(others, tested, &test).features(nodes, reading)?);
    let within = |from: usize, to: usize| (0..nodes).map(move |node| (from..to).contains(&node));
    let mut masks: Vec<Mask> = vec![
        (within(0, train).collect(), masks::PARTS[0]),
        (within(train, train + VALIDATION_NODES).collect(), masks::PARTS[1]),
        (vec![false; nodes], masks::PARTS[2]),
    ];
    for node in test {
        // The test nodes are those of the list, also in a graph of fewer than 500.
        for (mask, _) in &mut masks {
            mask[node] = false;
        }
        masks[2].0[node] = true;
    }
    raw.set_node_column(SPLIT, masks::cells(&masks, nodes));
    Ok(raw)
}

fn broken(reading: &Reading, part: &str, why: &str) -> GraphError {
    let expected = "the arrays and dictionaries of Planetoid";
    reading.broken(None, format!("{part}: {why}"), expected, "download the files again")
}

/// The numbers of the test nodes, in the order of the rows of `tx`.
fn test_nodes(
    text: &str,
    others: usize,
    count: usize,
    reading: &Reading,
) -> Result<Vec<usize>, GraphError> {
    let most = others.saturating_add(count.saturating_mul(MOST_MISSING));
    let rows = (1..).zip(text.lines().map(str::trim)).filter(|(_, row)| !row.is_empty());
    let mut seen = std::collections::HashSet::new();
    let mut numbers = Vec::new();
    for (line, row) in rows {
        let node = row.parse().ok().filter(|node| (others..most).contains(node));
        let Some(node) = node.filter(|node| seen.insert(*node)) else {
            let expected = format!("a number from {others} that no other row has");
            let advice = "use the test.index of this graph";
            return Err(reading.broken(Some(line), quoted(row), expected, advice));
        };
        numbers.push(node);
    }
    if numbers.len() != count {
        let found = format!("{} test nodes", numbers.len());
        let advice = "use the test.index of this graph";
        return Err(reading.broken(None, found, format!("{count}, the rows of tx"), advice));
    }
    Ok(numbers)
}

/// The rows of all nodes: first the others, then the test nodes at their numbers.
fn joined(others: Entries, tested: Entries, test: &[usize]) -> Entries {
    let moved = |(row, column, value): (u32, u32, f32)| {
        test.get(row as usize).map(|node| (*node as u32, column, value))
    };
    let columns = others.columns.max(tested.columns);
    let mut entries = others.values;
    entries.extend(tested.values.into_iter().filter_map(moved));
    Entries { values: entries, rows: 0, columns }
}

/// The class of a node is the column of its 1.
fn classes(flags: &Entries, nodes: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::Empty; nodes];
    for (node, class, value) in &flags.values {
        if let Some(cell) = cells.get_mut(*node as usize).filter(|_| *value > 0.0) {
            *cell = Cell::Number(f64::from(*class));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_give_the_name_of_the_graph() {
        for (name, graph) in [
            ("ind.cora.x", Some("cora")),
            ("ind.cora.allx", Some("cora")),
            ("ind.nell.0.001.test.index", Some("nell.0.001")),
            ("ind..x", None),
            ("ind.cora.y.gz", None),
            ("cora.x", None),
        ] {
            assert_eq!(graph_of(name), graph, "{name}");
        }
    }

    #[test]
    fn test_nodes_come_after_the_others_and_once_each() {
        let reading = Reading::default();
        assert_eq!(test_nodes("5\n3\n", 3, 2, &reading).unwrap(), [5, 3]);
        for text in ["2\n3\n", "3\n3\n", "3\n", "x\n3\n", "3\n99999999\n"] {
            assert!(test_nodes(text, 3, 2, &reading).is_err(), "{text}");
        }
    }
}
