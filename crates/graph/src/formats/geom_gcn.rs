//! The graphs of Geom-GCN: `out1_graph_edges.txt`, `out1_node_feature_label.txt` and
//! one `NAME_split_0.6_0.2_N.npz` per split, with the arrays `train_mask`, `val_mask`
//! and `test_mask`. The archives are in the same folder, in `splits` in it, or in
//! `splits` one or two folders above, as in the published repository.

use std::path::{Path, PathBuf};

use super::super::error::quoted;
use super::super::{Cell, Direction, Features, GraphError, RawGraph, Reading, input};
use super::edge_list::{self, Ends};
use super::masks::{self, Mask};
use super::npz::archive::Archive;
use crate::features::MAX_WIDTH;

const EDGES: &str = "out1_graph_edges.txt";
const NODES: &str = "out1_node_feature_label.txt";
/// The arrays of a split.
const MASKS: [&str; 3] = ["train_mask", "val_mask", "test_mask"];

/// Whether this is the name of one of the two files.
pub(super) fn is_name(name: &str) -> bool {
    [EDGES, NODES].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// Whether a folder holds such a graph.
pub fn is_folder(folder: &Path) -> bool {
    folder.join(EDGES).is_file() && folder.join(NODES).is_file()
}

/// Whether the other file is beside this one.
pub fn has_both(path: &Path) -> bool {
    [EDGES, NODES].iter().all(|name| path.with_file_name(name).is_file())
}

/// Reads the graph of a folder, or of one of its files.
pub fn read(path: &Path, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let nodes = folder.join(NODES);
    reading.enter(nodes.display().to_string());
    let mut raw = read_nodes(&input::read_text(&nodes, reading)?, reading)?;
    let edges = folder.join(EDGES);
    reading.enter(edges.display().to_string());
    let text = input::read_text(&edges, reading)?;
    edge_list::read_rows(without_header(&text), &mut raw, Ends::Listed, reading)?;
    raw.direction = Direction::Directed;
    for (number, path) in split_files(folder) {
        reading.enter(path.display().to_string());
        let bytes = input::read_bytes(&path, reading)?;
        let cells = read_split(&bytes, raw.ids.len(), reading)?;
        raw.set_node_column(&format!("split_{number}"), cells);
    }
    reading.enter(path.display().to_string());
    Ok(raw)
}

/// The first row names both columns `node_id`.
fn without_header(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if first.contains(char::is_alphabetic) => rest,
        _ => text,
    }
}

/// Reads the node table: id, features separated by commas, class.
///
/// Rows of the same length are dense; rows of different lengths list the features
/// that are 1, as those of `film` do.
pub fn read_nodes(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut raw = RawGraph::default();
    let (mut rows, mut classes) = (Vec::new(), Vec::new());
    for (line, row) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = row.trim_end_matches('\r').split('\t').map(str::trim).collect();
        let is_header = line == 1 && fields[0].contains(char::is_alphabetic);
        if is_header || row.trim().is_empty() {
            continue;
        }
        let [id, features, class] = fields.as_slice() else {
            let found = format!("{} columns ({})", fields.len(), quoted(row));
            let expected = "an id, features separated by commas and a class";
            reading.bad_row(line, found, expected, "separate the columns by tabs")?;
            continue;
        };
        let values = features.split(',').filter(|part| !part.is_empty());
        let values: Option<Vec<f32>> =
            values.map(|part| part.trim().parse().ok().filter(|v: &f32| v.is_finite())).collect();
        let Some(values) = values else {
            let found = format!("the features {}", quoted(features));
            reading.bad_row(line, found, "numbers separated by commas", "fix the row")?;
            continue;
        };
        if id.is_empty() || raw.ids.insert(id).is_err() {
            let found = format!("the id {} a second time", quoted(id));
            reading.bad_row(line, found, "each id once", "remove or rename one of the two")?;
            continue;
        }
        rows.push(values);
        classes.push(Cell::parse(class));
    }
    raw.features = Some(features(rows, reading)?);
    raw.set_node_column("class", classes);
    Ok(raw)
}

fn features(rows: Vec<Vec<f32>>, reading: &Reading) -> Result<Features, GraphError> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().all(|row| row.len() == width) {
        let nodes = rows.len();
        let dense = Features::from_dense(width, rows.into_iter().flatten());
        // Without columns there is still a row for each node.
        return Ok(if width == 0 { Features::from_rows(vec![Vec::new(); nodes]) } else { dense });
    }
    let index = |value: f32| {
        let fits = value >= 0.0 && value < MAX_WIDTH as f32 && value.fract() == 0.0;
        fits.then_some((value as u32, 1.0))
    };
    let row = |row: Vec<f32>| row.into_iter().map(index).collect::<Option<Vec<_>>>();
    let rows: Option<Vec<_>> = rows.into_iter().map(row).collect();
    rows.map(Features::from_rows).ok_or_else(|| {
        reading.broken(
            None,
            "rows with different numbers of features",
            "as many numbers in each row, or the numbers of the features that are 1",
            "fix the rows",
        )
    })
}

/// Reads the parts of the nodes from one archive.
pub fn read_split(bytes: &[u8], nodes: usize, reading: &Reading) -> Result<Vec<Cell>, GraphError> {
    let mut archive = Archive::open(bytes, reading)?;
    let mut masks: Vec<Mask> = Vec::new();
    for (name, part) in MASKS.into_iter().zip(masks::PARTS) {
        let Some(array) = archive.get(name)? else {
            let found = format!("the arrays {}", archive.names());
            let expected = "train_mask, val_mask and test_mask";
            return Err(reading.broken(None, found, expected, "save the three masks"));
        };
        if array.rows() != nodes {
            let found = format!("{name} of {} nodes", array.rows());
            let advice = "use the splits of this graph";
            return Err(reading.broken(None, found, format!("{nodes} nodes"), advice));
        }
        let own = (0..nodes).map(|node| array.at(node, 0).is_some_and(|value| value != 0.0));
        masks.push((own.collect(), part));
    }
    Ok(masks::cells(&masks, nodes))
}

/// The archives with splits of the graph in a folder, with their numbers.
fn split_files(folder: &Path) -> Vec<(u32, PathBuf)> {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let above = |levels: usize| whole.ancestors().nth(levels).map(|own| own.join("splits"));
    let own = [Some(whole.clone()), Some(whole.join("splits"))];
    // Further above there are the splits of other graphs too.
    let places = own.into_iter().map(|own| (own, None));
    let places = places.chain([1, 2].map(|levels| (above(levels), name.clone())));
    for (place, prefix) in places {
        let Some(entries) = place.and_then(|place| std::fs::read_dir(place).ok()) else { continue };
        let numbered = |path: PathBuf| {
            let name = path.file_name()?.to_str()?.to_lowercase();
            let (graph, rest) = name.split_once("_split_")?;
            let wanted = prefix.as_deref().is_none_or(|prefix| prefix == graph);
            let number = rest.strip_suffix(".npz")?.rsplit('_').next()?.parse().ok()?;
            (wanted && path.is_file()).then_some((number, path))
        };
        let mut found: Vec<(u32, PathBuf)> =
            entries.flatten().filter_map(|entry| numbered(entry.path())).collect();
        if !found.is_empty() {
            found.sort();
            return found;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeId, OnBadRow};

    #[test]
    fn rows_of_one_length_are_dense_and_others_list_features() {
        let mut reading = Reading::default();
        let dense = read_nodes("node_id\tfeature\tlabel\n0\t0,1\t1\n1\t.5,0\t0\n", &mut reading);
        let dense = dense.unwrap().features.unwrap();
        assert_eq!(
            (dense.row_text(NodeId(0)), dense.row_text(NodeId(1))),
            ("1".into(), "0:0.5".into())
        );
        let film = read_nodes("node_id\tfeature\tlabel\n0\t4,1\t1\n1\t7\t0\n", &mut reading);
        let film = film.unwrap().features.unwrap();
        assert_eq!((film.row_text(NodeId(0)), film.width()), ("1 4".into(), 8));
    }

    #[test]
    fn invalid_rows_are_named_or_skipped() {
        for (text, said) in [
            ("0\t1,0\n", "line 1: found 2 columns"),
            ("0\t1,x\t1\n", "line 1: found the features `1,x`"),
            ("0\t1\t1\n0\t1\t1\n", "line 2: found the id `0` a second time"),
        ] {
            let error = read_nodes(text, &mut Reading::default()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            let mut reading = Reading::new("x", OnBadRow::Skip);
            assert!(read_nodes(text, &mut reading).is_ok() && reading.skipped == 1);
        }
        let error = read_nodes("0\t1,0.5\t1\n1\t1\t0\n", &mut Reading::default()).unwrap_err();
        assert!(error.to_string().contains("different numbers of features"));
    }
}
