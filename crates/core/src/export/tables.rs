//! Embeddings, the filter and predictions as tables.

use std::io;
use std::path::{Path, PathBuf};

use crate::npy;
use crate::train::run::file_name;
use crate::train::{Snapshot, TrainError, Trainer, decided, probabilities};
use gesf_graph::files::write_atomically;
use gesf_graph::{Classes, LabelKind, Labels, NodeId};

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The model could not be computed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// What a format cannot hold.
    #[error("{format}: found {found}, expected {expected}\n  help: {advice}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
        /// What to do.
        advice: String,
    },
    /// An error of the operating system.
    #[error("{}: {error}", path.display())]
    Disk {
        /// The path.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

/// Writes embeddings (CSV and npy), reconstructions (npy) and both with the ids (npz), a
/// file per node type, ρ at the eigenvalues and on a grid, and predictions. Returns the
/// written files.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::export::write_run;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// let folder = tempfile::tempdir()?;
/// let written = write_run(&trainer, folder.path())?;
/// assert!(written.iter().all(|path| path.starts_with(folder.path()) && path.is_file()));
/// assert!(written.iter().any(|path| path.extension().is_some_and(|end| end == "npy")));
/// # Ok(()) }
/// ```
pub fn write_run(trainer: &Trainer, folder: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let mut written = Vec::new();
    let mut add = |name: String, write: &dyn Fn(&Path) -> io::Result<()>| {
        let path = folder.join(name);
        write(&path).map_err(|error| ExportError::Disk { path: path.clone(), error })?;
        written.push(path);
        Ok::<(), ExportError>(())
    };
    let state = trainer.view()?;
    let graph = &trainer.prepared().graph;
    let reconstructions = trainer.model().reconstructed(trainer.settings());
    let reconstructions = reconstructions.map_err(TrainError::from)?;
    for (kind, name) in graph.types().names().iter().enumerate() {
        let Some(values) = state.values(&format!("x.{kind}")) else { continue };
        let width = trainer.settings().dimension.of(kind, graph.node_count());
        let nodes = trainer.model().groups().members(kind);
        let name = file_name(name);
        add(format!("embeddings-{name}.npy"), &|path| {
            write_atomically(path, |out| npy::write(out, values, width))
        })?;
        add(format!("embeddings-{name}.csv"), &|path| {
            let header =
                std::iter::once("id".to_owned()).chain((0..width).map(|n| format!("x{n}")));
            let rows = nodes.iter().zip(values.chunks(width)).map(|(&node, row)| {
                let id = graph.ids().text(NodeId(node)).to_owned();
                std::iter::once(id).chain(row.iter().map(f32::to_string)).collect()
            });
            write_csv(path, header.collect(), rows)
        })?;
        let Some(reconstructed) = reconstructions.get(kind) else { continue };
        let flat = reconstructed.flatten_all().and_then(|all| all.to_vec1::<f32>());
        let flat = flat.map_err(TrainError::from)?;
        add(format!("reconstruction-{name}.npy"), &|path| {
            write_atomically(path, |out| npy::write(out, &flat, width))
        })?;
        let ids = nodes.iter().map(|&node| graph.ids().text(NodeId(node)));
        check_ids(ids.clone())?;
        add(format!("embeddings-{name}.npz"), &|path| {
            let (mut id, mut x, mut r) = (Vec::new(), Vec::new(), Vec::new());
            npy::write_texts(&mut id, ids.clone())?;
            npy::write(&mut x, values, width)?;
            npy::write(&mut r, &flat, width)?;
            let bytes = npy::archive(&[("id", id), ("x", x), ("R", r)])?;
            write_atomically(path, |out| out.write_all(&bytes))
        })?;
        #[cfg(feature = "parquet")]
        add(format!("embeddings-{name}.parquet"), &|path| {
            let bytes =
                super::parquet::embeddings(ids.clone(), width, &[("x", values), ("R", &flat)])?;
            write_atomically(path, |out| out.write_all(&bytes))
        })?;
    }
    let points = trainer.prepared().operator.points().to_vec();
    let response = trainer.filter_at(&points)?;
    let weights = trainer.model().filter().hop_weights(trainer.settings().degree);
    if let Some(weights) = weights.map_err(TrainError::from)? {
        let rows =
            || (1..).zip(&weights).map(|(n, weight)| vec![n.to_string(), weight.to_string()]);
        let header = || vec!["hop".to_owned(), "weight".to_owned()];
        add("hop-weights.csv".to_owned(), &|path| write_csv(path, header(), rows()))?;
    }
    add("filter.csv".to_owned(), &|path| write_pairs(path, &points, &response))?;
    let grid = Snapshot::grid();
    let curve = trainer.filter_at(&grid)?;
    add("filter-curve.csv".to_owned(), &|path| write_pairs(path, &grid, &curve))?;
    if trainer.model().task().kind != LabelKind::None {
        let rows = predictions(trainer)?;
        let header = prediction_header(trainer);
        add("predictions.csv".to_owned(), &|path| {
            write_csv(path, header.clone(), rows.iter().cloned())
        })?;
    }
    Ok(written)
}

/// NumPy stores all texts as wide as the longest: one very long id would multiply.
fn check_ids<'a>(ids: impl Iterator<Item = &'a str> + Clone) -> Result<(), ExportError> {
    const MOST_LETTERS: usize = 1 << 28;
    let widest = ids.clone().map(|id| id.chars().count()).max().unwrap_or(0);
    let nodes = ids.count();
    if widest.saturating_mul(nodes) <= MOST_LETTERS {
        return Ok(());
    }
    Err(ExportError::Unsupported {
        format: "embeddings as npz",
        found: format!("{nodes} nodes with an id of {widest} characters"),
        expected: format!("at most {MOST_LETTERS} characters in all"),
        advice: "shorten the ids of the graph".to_owned(),
    })
}

fn prediction_header(trainer: &Trainer) -> Vec<String> {
    let mut header: Vec<String> =
        ["id", "type", "part", "truth", "predicted", "predicted_from_R"].map(String::from).into();
    if let Labels::Classes(classes) = trainer.prepared().graph.labels() {
        header.extend(classes.names().iter().map(|name| format!("p({name})")));
    }
    header
}

/// A row for each node of a labelled type.
fn predictions(trainer: &Trainer) -> Result<Vec<Vec<String>>, ExportError> {
    let graph = &trainer.prepared().graph;
    let (labels, groups) = (graph.labels(), trainer.model().groups());
    let (kind, units) = (labels.kind(), trainer.units());
    let found = trainer.evaluate()?.predictions;
    let named = |classes: &[u16]| -> String {
        let names = labels.classes().map(Classes::names).unwrap_or_default();
        let text = |class: &u16| names.get(*class as usize).cloned().unwrap_or_default();
        classes.iter().map(text).collect::<Vec<_>>().join("|")
    };
    let answer = |outputs: &[f32]| match labels {
        Labels::Numeric(_) => (outputs[0] * units.deviation + units.mean).to_string(),
        _ => named(&decided(outputs, kind)),
    };
    let rows = graph.nodes().filter_map(|node| {
        let (x, r) = (found.from_x.row(groups, node)?, found.from_r.row(groups, node)?);
        let truth = match labels {
            Labels::None => String::new(),
            Labels::Classes(classes) => {
                named(&classes.of(node).iter().map(|class| class.0).collect::<Vec<_>>())
            }
            Labels::Numeric(values) => {
                let value = values.get(node.index()).copied().flatten();
                value.map_or_else(String::new, |value| value.to_string())
            }
        };
        let part = match () {
            () if trainer.split().train.binary_search(&node).is_ok() => "train",
            () if trainer.split().validation.binary_search(&node).is_ok() => "validation",
            () if trainer.split().test.binary_search(&node).is_ok() => "test",
            () => "unlabelled",
        };
        let kind_name = graph.types().names()[graph.types().of(node).index()].clone();
        let id = graph.ids().text(node).to_owned();
        let mut row = vec![id, kind_name, part.to_owned(), truth, answer(x), answer(r)];
        if labels.classes().is_some() {
            row.extend(probabilities(x, kind).iter().map(f32::to_string));
        }
        Some(row)
    });
    Ok(rows.collect())
}

fn write_pairs(path: &Path, points: &[f32], values: &[f32]) -> io::Result<()> {
    let rows = points.iter().zip(values).map(|(s, rho)| vec![s.to_string(), rho.to_string()]);
    write_csv(path, vec!["s".to_owned(), "rho".to_owned()], rows)
}

fn write_csv(
    path: &Path,
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    write_atomically(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(header)?;
        for row in rows {
            table.write_record(row)?;
        }
        table.flush()
    })
}
