//! The raw files of OGB's node-property datasets, as they are downloaded.
//!
//! `raw` has `edge.csv`, `num-node-list.csv`, `node-feat.csv` and `node-label.csv`;
//! each folder in `split` has `train.csv`, `valid.csv` and `test.csv`, lists of
//! nodes. Every file may be `.gz`. Tables have no header; nodes are numbered from 0.

use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{
    Cell, Direction, Features, GraphError, IdTable, LABEL_SEPARATOR, MAX_NODES, NodeId, RawGraph,
    Reading, input,
};
use super::masks::{self, Mask};

const RAW: &str = "raw";
const SPLIT: &str = "split";
const EDGES: &str = "edge";
const COUNTS: &str = "num-node-list";
const SPLIT_FILES: [&str; 3] = ["train", "valid", "test"];
/// Nodes for each edge and label, at the most.
const MOST_NODES_A_ROW: usize = 64;

/// The dataset that a path belongs to: its folder, `raw` in it, or a table in `raw`.
pub fn dataset(path: &Path) -> Option<PathBuf> {
    let holds = |raw: &Path| table(raw, EDGES).is_some() && table(raw, COUNTS).is_some();
    if path.is_dir() {
        return if holds(&path.join(RAW)) {
            Some(path.to_owned())
        } else {
            holds(path).then(|| parent(path))
        };
    }
    let raw = parent(path);
    (holds(&raw) && table(&raw, EDGES).as_deref() == Some(path)).then(|| parent(&raw))
}

fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path.join(".."),
    }
}

fn table(folder: &Path, name: &str) -> Option<PathBuf> {
    let names = ["csv.gz", "csv"].map(|ending| folder.join(format!("{name}.{ending}")));
    names.into_iter().find(|path| path.is_file())
}

/// Reads a dataset from its folder.
pub fn read(folder: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let back = reading.file().to_owned();
    let raw_folder = folder.join(RAW);
    let mut text_of = |name: &str| -> Result<Option<String>, GraphError> {
        let Some(path) = table(&raw_folder, name) else { return Ok(None) };
        reading.enter(path.display().to_string());
        input::read_text(&path, reading).map(Some)
    };
    let [counts, edges, labels, features] =
        [COUNTS, EDGES, "node-label", "node-feat"].map(&mut text_of);
    let (edges, labels, features) = (edges?.unwrap_or_default(), labels?, features?);
    reading.enter(raw_folder.display().to_string());
    let texts = Texts {
        counts: &counts?.unwrap_or_default(),
        edges: &edges,
        labels: labels.as_deref(),
        features: features.as_deref(),
    };
    let mut raw = read_texts(&texts, reading)?;
    for split in split_folders(&folder.join(SPLIT)) {
        let mut masks: Vec<Mask> = Vec::new();
        for (name, part) in SPLIT_FILES.into_iter().zip(masks::PARTS) {
            let Some(path) = table(&split, name) else { continue };
            reading.enter(path.display().to_string());
            let text = input::read_text(&path, reading)?;
            masks.push((read_part(&text, raw.ids.len(), reading)?, part));
        }
        let name = split.file_name().map(|name| name.to_string_lossy().into_owned());
        raw.set_node_column(&name.unwrap_or_default(), masks::cells(&masks, raw.ids.len()));
    }
    reading.enter(back);
    Ok(raw)
}

/// The folders of splits, in the order of their names.
fn split_folders(split: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(split).into_iter().flatten().flatten();
    let own = entries.map(|entry| entry.path());
    let mut folders: Vec<PathBuf> =
        own.filter(|path| path.is_dir() && table(path, SPLIT_FILES[0]).is_some()).collect();
    folders.sort();
    folders
}

/// The tables of `raw`.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// The number of nodes.
    pub counts: &'a str,
    /// Two nodes in each row.
    pub edges: &'a str,
    /// The class of each node, or a flag for each of several tasks.
    pub labels: Option<&'a str>,
    /// The features of each node.
    pub features: Option<&'a str>,
}

/// Reads the tables of `raw`.
pub fn read_texts(texts: &Texts<'_>, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let nodes = node_count(texts, reading)?;
    let mut raw = RawGraph {
        ids: IdTable::from_numbers(0..nodes as u32),
        direction: Direction::Directed,
        ..RawGraph::default()
    };
    for (line, row) in rows(texts.edges) {
        let ends: Option<Vec<NodeId>> = row.split(',').map(|text| node(text, nodes)).collect();
        if let Some([source, target]) = ends.as_deref() {
            raw.edges.push(*source, *target);
        } else {
            let expected = format!("two nodes from 0 to {}", nodes.saturating_sub(1));
            reading.bad_row(line, quoted(row), expected, "fix the row")?;
        }
    }
    if let Some(labels) = texts.labels {
        let cells = read_labels(labels, nodes, reading)?;
        raw.set_node_column("class", cells);
    }
    if let Some(features) = texts.features {
        raw.features = Some(read_features(features, nodes, reading)?);
    }
    Ok(raw)
}

fn node_count(texts: &Texts<'_>, reading: &Reading) -> Result<usize, GraphError> {
    let mut counts = rows(texts.counts);
    let count = counts.next().and_then(|(_, row)| row.trim().parse::<usize>().ok());
    let (Some(nodes), None) = (count, counts.next()) else {
        return Err(reading.broken(
            None,
            "a num-node-list that is not one number",
            "the number of nodes of one graph",
            "pass a node-property dataset (ogbn-…); those of many graphs are not read",
        ));
    };
    // A mistaken number must not fill the memory.
    let listed = texts.edges.len() + texts.labels.map_or(0, str::len);
    if nodes > MAX_NODES || nodes > MOST_NODES_A_ROW.saturating_mul(listed + 1) {
        let found = format!("{nodes} nodes in a num-node-list");
        return Err(reading.broken(None, found, "as many as the tables have", "fix the number"));
    }
    Ok(nodes)
}

fn rows(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines().map(str::trim)).filter(|(_, row)| !row.is_empty())
}

fn node(text: &str, nodes: usize) -> Option<NodeId> {
    text.trim().parse::<u32>().ok().filter(|&own| (own as usize) < nodes).map(NodeId)
}

/// One column is the class; several are tasks, and a node has those that are 1.
fn read_labels(text: &str, nodes: usize, reading: &mut Reading) -> Result<Vec<Cell>, GraphError> {
    let mut cells = vec![Cell::Empty; nodes];
    for (at, (line, row)) in rows(text).enumerate() {
        let Some(cell) = cells.get_mut(at) else {
            let expected = format!("{nodes} rows, one for each node");
            return Err(reading.broken(Some(line), "one more row", expected, "check both files"));
        };
        let values: Option<Vec<f64>> = row.split(',').map(|own| own.trim().parse().ok()).collect();
        match values.as_deref() {
            Some([class]) if class.is_nan() => {}
            Some([class]) if class.is_finite() => *cell = Cell::Number(*class),
            Some([_, _, ..]) => {
                let tasks = values.iter().flatten().enumerate();
                let own =
                    tasks.filter(|(_, value)| **value > 0.5).map(|(task, _)| task.to_string());
                *cell = Cell::text(&own.collect::<Vec<_>>().join(&LABEL_SEPARATOR.to_string()));
            }
            _ => reading.bad_row(line, quoted(row), "a class, or a flag for each task", "")?,
        }
    }
    Ok(cells)
}

fn read_features(text: &str, nodes: usize, reading: &mut Reading) -> Result<Features, GraphError> {
    let mut features = Features::new();
    let mut width = None;
    for (line, row) in rows(text) {
        let value = |text: &str| text.trim().parse::<f32>().ok().filter(|own| own.is_finite());
        let values: Option<Vec<f32>> = row.split(',').map(value).collect();
        let first = *width.get_or_insert(values.as_ref().map_or(0, Vec::len));
        match values {
            Some(values) if values.len() == first => {
                let filled = (0..).zip(values).filter(|(_, value)| *value != 0.0);
                features.push(filled.collect());
            }
            _ => {
                // A skipped row would move all that follow.
                let expected = format!("{first} numbers separated by commas");
                return Err(reading.broken(Some(line), quoted(row), expected, "fix the row"));
            }
        }
    }
    if features.nodes() != nodes {
        let found = format!("features of {} nodes", features.nodes());
        let expected = format!("{nodes}, as in num-node-list");
        return Err(reading.broken(None, found, expected, "check both files"));
    }
    Ok(features.with_width(width.unwrap_or(0)))
}

/// Reads the nodes of one part of a split.
pub fn read_part(text: &str, nodes: usize, reading: &mut Reading) -> Result<Vec<bool>, GraphError> {
    let mut mask = vec![false; nodes];
    for (line, row) in rows(text) {
        if let Some(own) = node(row, nodes) {
            mask[own.index()] = true;
        } else {
            let expected = format!("a node from 0 to {}", nodes.saturating_sub(1));
            reading.bad_row(line, quoted(row), expected, "use the splits of this graph")?;
        }
    }
    Ok(mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: Texts<'_> = Texts {
        counts: "3\n",
        edges: "0,1\n1,2\n",
        labels: Some("4\nnan\n0\n"),
        features: Some("0.5,0\n0,-1\n0,0\n"),
    };

    #[test]
    fn tables_without_headers_give_classes_and_features() {
        let raw = read_texts(&TEXTS, &mut Reading::default()).unwrap();
        assert_eq!((raw.ids.len(), raw.edges.len()), (3, 2));
        let class = [Cell::Number(4.0), Cell::Empty, Cell::Number(0.0)];
        assert_eq!(raw.node_column("class").unwrap().cells, class);
        let features = raw.features.unwrap();
        assert_eq!((features.row_text(NodeId(1)), features.width()), ("1:-1".into(), 2));
    }

    #[test]
    fn several_tasks_are_several_labels() {
        let texts = Texts { labels: Some("1,0,1\n0,0,0\n0,1,0\n"), ..TEXTS };
        let raw = read_texts(&texts, &mut Reading::default()).unwrap();
        let cells = [Cell::text("0|2"), Cell::Empty, Cell::text("1")];
        assert_eq!(raw.node_column("class").unwrap().cells, cells);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (texts, said) in [
            (Texts { counts: "3\n4\n", ..TEXTS }, "num-node-list"),
            (Texts { counts: "999999999\n", ..TEXTS }, "999999999 nodes"),
            (Texts { edges: "0,3\n", ..TEXTS }, "two nodes from 0 to 2"),
            (Texts { labels: Some("1\n1\n1\n1\n"), ..TEXTS }, "one more row"),
            (Texts { features: Some("1\n1,2\n1\n"), ..TEXTS }, "line 2"),
            (Texts { features: Some("1\n"), ..TEXTS }, "features of 1 nodes"),
        ] {
            let error = read_texts(&texts, &mut Reading::default()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert!(read_part("3\n", 3, &mut Reading::default()).is_err());
    }
}
