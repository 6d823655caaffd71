//! The folder format: `graph.toml`, `nodes.tsv`, `edges.tsv`, `attributes.tsv`, all
//! but the edges optional, each plain or `.gz`.

use std::io;
use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{Direction, Features, GraphError, Manifest, NodeId, RawGraph, Reading, input};
use super::edge_list::{self, Ends};
use super::table::{self, Repeats};
use crate::files;

const MANIFEST: &str = "graph.toml";
const NODES: &str = "nodes";
const EDGES: &str = "edges";
const ATTRIBUTES: &str = "attributes";

/// Whether a folder holds a graph in this format.
pub fn is_graph_folder(folder: &Path) -> bool {
    part(folder, EDGES).is_some() || part(folder, NODES).is_some()
}

/// Reads a graph folder.
pub fn read(folder: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph::default();
    let manifest = folder.join(MANIFEST);
    if manifest.is_file() {
        let text = enter(&manifest, reading)?;
        raw.manifest = Some(Manifest::parse(&text, reading)?);
    }
    let mut ends = Ends::Add;
    if let Some(nodes) = part(folder, NODES) {
        let text = enter(&nodes, reading)?;
        table::read_nodes(&text, &mut raw, Repeats::Refuse, reading)?;
        ends = Ends::Listed;
    }
    if let Some(edges) = part(folder, EDGES) {
        let text = enter(&edges, reading)?;
        edge_list::read_rows(&text, &mut raw, ends, reading)?;
    }
    if let Some(attributes) = part(folder, ATTRIBUTES) {
        let text = enter(&attributes, reading)?;
        raw.features = Some(read_attributes(&text, &raw, reading)?);
    }
    if raw.manifest.as_ref().and_then(|manifest| manifest.directed) == Some(true) {
        raw.direction = Direction::Directed;
    }
    reading.enter(folder.display().to_string());
    Ok(raw)
}

/// A file of the folder, plain or compressed, tab- or comma-separated.
fn part(folder: &Path, name: &str) -> Option<PathBuf> {
    parts(folder, name).into_iter().find(|path| path.is_file())
}

fn parts(folder: &Path, name: &str) -> [PathBuf; 4] {
    ["tsv", "tsv.gz", "csv", "csv.gz"].map(|ending| folder.join(format!("{name}.{ending}")))
}

fn enter(path: &Path, reading: &mut Reading) -> Result<String, GraphError> {
    reading.enter(path.display().to_string());
    input::read_text(path, reading)
}

fn read_attributes(
    text: &str,
    raw: &RawGraph,
    reading: &mut Reading,
) -> Result<Features, GraphError> {
    let mut rows = vec![Vec::new(); raw.ids.len()];
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.trim_end();
        let is_header = line == 1 && row.split(['\t', ',']).next() == Some("id");
        if row.is_empty() || row.starts_with('#') || is_header {
            continue;
        }
        let (id, list) = row.split_once(['\t', ',']).unwrap_or((row, ""));
        let Some(node) = raw.ids.find(id.trim()) else {
            let found = format!("the unknown id {}", quoted(id));
            reading.bad_row(line, found, "the id of a node", "list the node in nodes.tsv")?;
            continue;
        };
        match Features::parse_row(list) {
            Ok(own) => rows[node.index()] = own,
            Err(bad) => {
                let expected = "attribute numbers such as `3 17 40:0.5`";
                reading.bad_row(line, quoted(&bad.found), expected, "fix the row")?;
            }
        }
    }
    Ok(Features::from_rows(rows))
}

/// Writes a graph folder, each file atomically. Files of a previous graph are
/// removed, or they would be read with this one.
pub fn write(raw: &RawGraph, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut written = vec![folder.join("nodes.tsv"), folder.join("edges.tsv")];
    let directed = (raw.direction == Direction::Directed).then_some(true);
    let mut manifest = raw.manifest.clone().unwrap_or_default();
    manifest.directed = manifest.directed.or(directed);
    if manifest != Manifest::default() {
        files::write_atomically(&folder.join(MANIFEST), |out| {
            out.write_all(manifest.to_text().as_bytes())
        })?;
        written.push(folder.join(MANIFEST));
    }
    files::write_atomically(&folder.join("nodes.tsv"), |out| table::write_nodes(raw, out))?;
    files::write_atomically(&folder.join("edges.tsv"), |out| {
        edge_list::write_rows(raw, out, true)
    })?;
    if let Some(attributes) = &raw.features {
        files::write_atomically(&folder.join("attributes.tsv"), |out| {
            writeln!(out, "id\tindices")?;
            for (row, id) in raw.ids.iter().enumerate() {
                writeln!(
                    out,
                    "{}\t{}",
                    table::tsv_cell(id),
                    attributes.row_text(NodeId::from(row))
                )?;
            }
            Ok(())
        })?;
        written.push(folder.join("attributes.tsv"));
    }
    remove_others(folder, &written)
}

fn remove_others(folder: &Path, written: &[PathBuf]) -> io::Result<()> {
    let tables = [NODES, EDGES, ATTRIBUTES].into_iter().flat_map(|name| parts(folder, name));
    let old = tables.chain([folder.join(MANIFEST)]);
    old.filter(|path| path.is_file() && !written.contains(path)).try_for_each(std::fs::remove_file)
}

#[cfg(test)]
mod tests {
    use super::super::super::{IdTable, OnBadRow};
    use super::*;

    #[test]
    fn files_of_a_previous_graph_are_not_read_with_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..2), ..RawGraph::default() };
        raw.edges.push(NodeId(0), NodeId(1));
        let title = Some("old".to_owned());
        let old = RawGraph {
            features: Some(Features::from_rows(vec![vec![(3, 1.0)], vec![]])),
            manifest: Some(Manifest { title, ..Manifest::default() }),
            ..raw.clone()
        };
        write(&old, folder.path()).unwrap();
        write(&raw, folder.path()).unwrap();
        let mut reading = Reading::new("x", OnBadRow::Fail);
        assert_eq!(read(folder.path(), &mut reading).unwrap(), raw);
    }
}
