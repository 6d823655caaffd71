//! The entry point: loads a graph and its report from a path.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::formats::{Format, folder, geom_gcn, linqs, npz, ogb, parquet, planetoid, table};
use super::input::{self, STANDARD_INPUT};
use super::roles::RoleChoice;
use super::splits;
use super::{Graph, GraphError, LoadReport, OnBadRow, RawGraph, Reading, build};

/// Load options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoadOptions {
    /// The format; detected if not given.
    pub format: Option<Format>,
    /// How invalid rows are handled.
    pub on_bad_row: OnBadRow,
    /// An additional node table: ids with labels, or with a header.
    pub labels: Option<PathBuf>,
    /// The split to use: the name or number of one that comes with the graph, or a
    /// table of node ids with train, validation or test.
    pub split: Option<String>,
    /// The roles of the columns.
    pub roles: RoleChoice,
    /// Whether every edge gets weight 1.
    pub ignore_weights: bool,
    /// Whether an edge of a source without weights gets its number of rows as
    /// weight.
    pub count_rows: bool,
}

impl LoadOptions {
    /// The same options with each of their files at another place.
    #[must_use]
    pub fn with_files(&self, place: impl Fn(&Path) -> PathBuf) -> Self {
        let split = self.split.as_ref().map(|split| match Path::new(split) {
            file if file.is_file() => place(file).display().to_string(),
            _ => split.clone(),
        });
        Self { labels: self.labels.as_deref().map(place), split, ..self.clone() }
    }

    /// The name of the requested split: for a table, the name of its file.
    pub fn split_name(&self) -> Option<String> {
        let asked = self.split.as_ref()?;
        let path = Path::new(asked);
        let stem = path.file_stem().filter(|_| path.is_file());
        Some(stem.map_or_else(|| asked.clone(), |stem| stem.to_string_lossy().into_owned()))
    }
}

/// Loads a graph from a file, a folder or standard input (`-`).
///
/// ```
/// # fn main() -> Result<(), gesf_graph::GraphError> {
/// use gesf_graph::{LoadOptions, load};
///
/// let (graph, report) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (34, 78));
/// assert!(!report.has_oddities());
/// # Ok(()) }
/// ```
pub fn load(path: &Path, options: &LoadOptions) -> Result<(Graph, LoadReport), GraphError> {
    let (raw, format, mut reading) = read(path, options)?;
    let (graph, roles) = build(raw, &options.roles, &mut reading)?;
    let report = LoadReport::of(&graph, &roles, format, reading);
    Ok((graph, report))
}

/// Reads a graph as in its source, without merging anything. With `count_rows` a
/// source without weights gets a weight of 1 per row; these are added when the
/// graph is built.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::{Format, LoadOptions, read};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("friends.txt");
/// std::fs::write(&path, "Ada Grace\nGrace Ada\nAda Ada\n")?;
/// let (raw, format, _) = read(&path, &LoadOptions::default())?;
/// // Nothing is merged yet: the duplicate and the loop are still there.
/// assert_eq!((format, raw.edges.len()), (Format::EdgeList, 3));
/// # Ok(()) }
/// ```
pub fn read(path: &Path, options: &LoadOptions) -> Result<(RawGraph, Format, Reading), GraphError> {
    let shown = if path.as_os_str() == STANDARD_INPUT {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let mut reading = Reading::new(shown, options.on_bad_row);
    let (mut raw, format) = if path.is_dir() {
        read_folder(path, options, &mut reading)?
    } else {
        read_file(path, options.format, &mut reading)?
    };
    if let Some(labels) = &options.labels {
        let back = reading.file().to_owned();
        reading.enter(labels.display().to_string());
        let text = input::read_text(labels, &mut reading)?;
        table::read_nodes(&text, &mut raw, table::Repeats::AddLabels, &mut reading)?;
        reading.enter(back);
    }
    if let (Some(split), Some(name)) = (&options.split, options.split_name()) {
        let path = Path::new(split);
        if path.is_file() {
            let back = reading.file().to_owned();
            reading.enter(split.clone());
            let text = input::read_text(path, &mut reading)?;
            splits::add_split(&text, &name, &mut raw, &reading)?;
            reading.enter(back);
        }
        raw.manifest.get_or_insert_default().split = Some(name);
    }
    if options.ignore_weights {
        raw.edges.weights = None;
    }
    if options.count_rows && raw.edges.weights.is_none() {
        raw.edges.weights = Some(vec![1.0; raw.edges.len()]);
    }
    Ok((raw, format, reading))
}

fn read_file(
    path: &Path,
    asked: Option<Format>,
    reading: &mut Reading,
) -> Result<(RawGraph, Format), GraphError> {
    let by_name = asked.or_else(|| Format::of_name(path));
    let is_file = path.as_os_str() != STANDARD_INPUT;
    match by_name {
        Some(Format::Linqs) if is_file => return Ok((linqs::read(path, reading)?, Format::Linqs)),
        Some(Format::GeomGcn) if is_file && (asked.is_some() || geom_gcn::has_both(path)) => {
            return Ok((geom_gcn::read(path, reading)?, Format::GeomGcn));
        }
        Some(Format::Planetoid) if is_file => {
            return Ok((planetoid::read(path, reading)?, Format::Planetoid));
        }
        Some(Format::Npz) => return Ok((npz::read(path, reading)?, Format::Npz)),
        Some(Format::Parquet) => return Ok((parquet::read(path, reading)?, Format::Parquet)),
        _ => {}
    }
    let in_dataset = asked.is_none() || asked == Some(Format::Ogb);
    if let Some(dataset) = ogb::dataset(path).filter(|_| in_dataset && is_file) {
        return Ok((ogb::read(&dataset, reading)?, Format::Ogb));
    }
    let text = input::read_text(path, reading)?;
    // A graph6 file may begin with any character, so its name decides.
    let sure = asked.or(by_name.filter(|&format| format == Format::Graph6));
    // One file of a Geom-GCN graph without the other is an edge list.
    let by_name = by_name.filter(|&format| format != Format::GeomGcn);
    let format = sure.or_else(|| Format::of_content(&text)).or(by_name).unwrap_or(Format::EdgeList);
    Ok((format.read_text(&text, reading)?, format))
}

/// A folder is a graph folder, a LINQS pair, a benchmark graph of several files, or
/// contains one graph file.
fn read_folder(
    path: &Path,
    options: &LoadOptions,
    reading: &mut Reading,
) -> Result<(RawGraph, Format), GraphError> {
    if folder::is_graph_folder(path) || options.format == Some(Format::Folder) {
        return Ok((folder::read(path, reading)?, Format::Folder));
    }
    if parquet::is_folder(path) {
        return Ok((parquet::read(path, reading)?, Format::Parquet));
    }
    if geom_gcn::is_folder(path) {
        return Ok((geom_gcn::read(path, reading)?, Format::GeomGcn));
    }
    if let Some(dataset) = ogb::dataset(path) {
        return Ok((ogb::read(&dataset, reading)?, Format::Ogb));
    }
    if let [only] = planetoid::graphs_in(path).as_slice() {
        return Ok((planetoid::read(only, reading)?, Format::Planetoid));
    }
    let files = graph_files(path).map_err(|error| GraphError::io(reading.file(), error))?;
    let cites = files.iter().find(|file| Format::of_name(file) == Some(Format::Linqs));
    if let Some(cites) = cites {
        return Ok((linqs::read(cites, reading)?, Format::Linqs));
    }
    if let [only] = files.as_slice() {
        reading.enter(only.display().to_string());
        return read_file(only, options.format, reading);
    }
    let (found, advice) = if files.is_empty() {
        ("no graph file".to_owned(), "add the data, or pass the path of a file".to_owned())
    } else {
        let names: Vec<String> = files
            .iter()
            .take(5)
            .filter_map(|file| file.file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        (format!("{} graph files", files.len()), format!("pass one of them: {}", names.join(", ")))
    };
    Err(reading.broken(None, found, "edges.tsv (and nodes.tsv), or one graph file", advice))
}

fn graph_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_file() && Format::of_name(path).is_some())
        .collect();
    files.sort();
    Ok(files)
}
