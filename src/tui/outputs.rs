//! Reports and exports of the current run, by the same code as the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::message::Overwrite;
use crate::export::report::write_report;
use crate::export::write_run;
use crate::model::settings::Settings;
use crate::spectral::Cancel;
use crate::train::run::{RunFolder, metrics_lines};
use crate::train::{PreparedRun, Snapshot, Trainer};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A report with figures.
    Report,
    /// Tables for other programs.
    Export,
}

impl OutputKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Export => "export",
        }
    }
}

/// A report or an export to write.
#[derive(Debug, Clone)]
pub struct Output {
    /// What is written.
    pub kind: OutputKind,
    /// The folder to write to.
    pub folder: PathBuf,
    /// Whether existing files may be overwritten.
    pub overwrite: Overwrite,
    /// The graph and split of the run.
    pub ready: Arc<PreparedRun>,
    /// The settings in effect.
    pub settings: Box<Settings>,
    /// The parameters.
    pub snapshot: Arc<Snapshot>,
    /// The folder the run is saved in, which a report reads the metrics from.
    pub run: Option<PathBuf>,
}

impl Output {
    /// Writes it; returns the folder.
    pub fn write(self, cancel: &Cancel) -> Result<PathBuf, String> {
        let Self { kind, folder, overwrite, ready, settings, snapshot, run } = self;
        if overwrite == Overwrite::Never && is_taken(&folder) {
            let shown = folder.display();
            return Err(format!(
                "{shown} has files in it: {shown}! overwrites those of the same names"
            ));
        }
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut trainer =
            Trainer::new(ready.prepared.clone(), *settings).map_err(|error| text(&error))?;
        trainer.restore(&snapshot.state).map_err(|error| text(&error))?;
        let shown = folder.display().to_string();
        let created = std::fs::create_dir_all(&folder);
        created.map_err(|error| format!("{shown}: {error}"))?;
        match kind {
            OutputKind::Export => {
                write_run(&trainer, &folder).map_err(|error| text(&error))?;
            }
            OutputKind::Report => {
                let run = run.ok_or("the run is not saved, so there are no metrics to report")?;
                let record = RunFolder::record(&run).map_err(|error| text(&error))?;
                let lines =
                    metrics_lines(&run).map_err(|error| format!("{}: {error}", run.display()))?;
                write_report(&trainer, &record, &lines, &folder, cancel)
                    .map_err(|error| text(&error))?;
            }
        }
        Ok(folder)
    }
}

/// Whether writing to a folder could overwrite anything.
fn is_taken(folder: &Path) -> bool {
    folder.is_file() || std::fs::read_dir(folder).is_ok_and(|mut own| own.next().is_some())
}
