//! A run as a report to hand on: Markdown with figures beside it, and one HTML
//! file that holds everything.
//!
//! In: a trainer at the end of its run, the lines of its metrics, its record.
//! Out: `report.md`, `figures/*.svg` and `report.html`.

mod command;
mod content;
mod figures;
mod html;
mod markdown;
mod metrics;

use std::fs;
use std::path::{Path, PathBuf};

use super::ExportError;
use crate::files::write_atomically;
use crate::spectral::Cancel;
use crate::train::Trainer;
use crate::train::run::Record;
pub use command::reproduce;
pub use content::{Content, Table};

/// Writes the report of a run into a folder. Says which files were written.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::{export::report::write_report, graph::LoadOptions, spectral::Cancel};
/// use gesf_tui::train::run::Record;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// let folder = tempfile::tempdir()?;
/// let line = serde_json::to_string(&trainer.step()?.scalars)?;
/// let start = trainer.settings().clone();
/// let record = Record::of("karate".as_ref(), &graph, &LoadOptions::default(), &start);
/// write_report(&trainer, &record, &[line], folder.path(), &Cancel::default())?;
/// // One page stands by itself; the other has its figures beside it.
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
    Ok(written)
}
