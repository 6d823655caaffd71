//! The report of a run: Markdown with separate figures, and one self-contained HTML
//! file.
//!
//! In: a trainer at the end of its run, the metrics lines and the record.
//! Out: `report.md`, `figures/*.svg`, `report.html` and `appendix.json`.

mod command;
mod content;
mod figures;
mod html;
mod markdown;
mod metrics;

use std::fs;
use std::path::{Path, PathBuf};

use super::ExportError;
use crate::train::Trainer;
use crate::train::run::Record;
pub(super) use command::changes;
pub use command::{quoted, reproduce};
pub use content::{Content, ReportTable};
use gesf_graph::files::write_atomically;
use gesf_spectral::Cancel;

/// Writes the report of a run into a folder. Returns the written files.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::export::report::write_report;
/// use gesf_graph::LoadOptions;
/// use gesf_spectral::Cancel;
/// use gesf_core::train::run::Record;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// let folder = tempfile::tempdir()?;
/// let line = serde_json::to_string(&trainer.step()?.scalars)?;
/// let start = trainer.settings().clone();
/// let record = Record::of("karate".as_ref(), &graph, &LoadOptions::default(), &start);
/// write_report(&trainer, &record, &[line], folder.path(), &Cancel::default())?;
/// // The HTML page is self-contained; the Markdown page has separate figures.
/// let page = std::fs::read_to_string(folder.path().join("report.html"))?;
/// assert!(page.contains("<svg") && folder.path().join("figures").is_dir());
/// # Ok(()) }
/// ```
pub fn write_report(
    trainer: &Trainer,
    record: &Record,
    metrics: &[String],
    folder: &Path,
    cancel: &Cancel,
) -> Result<Vec<PathBuf>, ExportError> {
    let content = Content::of(trainer, record, metrics, cancel)?;
    let mut written = Vec::new();
    let mut add = |name: String, text: String| {
        let path = folder.join(name);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| write_atomically(&path, |out| out.write_all(text.as_bytes())))
            .map_err(|error| ExportError::Disk { path: path.clone(), error })?;
        written.push(path);
        Ok::<(), ExportError>(())
    };
    for figure in &content.figures {
        add(format!("figures/{}.svg", figure.name), figure.drawing.file(&figure.title))?;
    }
    add("report.md".to_owned(), markdown::page(&content))?;
    add("report.html".to_owned(), html::page(&content))?;
    written.push(content.appendix.write(folder)?);
    Ok(written)
}
