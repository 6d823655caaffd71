//! `run.toml`: the inputs of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::RunError;
use crate::model::settings::{
    Aggregation, FilterLearning, MapPenalty, Settings, TABLE, from_toml, set, to_toml,
};
use crate::train::Change;
use crate::train::checkpoint_history::in_force;
use gesf_graph::{Graph, LoadOptions};

/// Everything needed to reproduce a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The version of the program.
    pub version: String,
    /// The number of threads at its start; unknown in older files.
    pub threads: Option<usize>,
    /// The path of the graph.
    pub graph: PathBuf,
    /// The fingerprint of the graph.
    pub fingerprint: String,
    /// How it was loaded.
    pub load: LoadOptions,
    /// The initial settings.
    pub settings: Settings,
    /// Changes of settings during the run.
    pub changes: Vec<Change>,
    /// The user's name and note for it.
    pub label: RunLabel,
}

/// The user's name and note for a run; empty if not set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunLabel {
    /// A name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A note.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The part of the file other than settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    graph: PathBuf,
    fingerprint: String,
    load: LoadOptions,
    #[serde(default)]
    label: RunLabel,
    #[serde(skip_serializing)]
    settings: toml::Table,
    #[serde(default, skip_serializing)]
    changes: Vec<ChangeText>,
}

/// A change as written in the file: only the differences from before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeText {
    epoch: usize,
    settings: BTreeMap<String, String>,
}

impl Record {
    /// The record of a new run on a graph.
    pub fn of(path: &Path, graph: &Graph, load: &LoadOptions, settings: &Settings) -> Self {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let load = load.with_files(absolute);
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads: Some(rayon::current_num_threads()),
            graph: absolute(path),
            fingerprint: format!("{:016x}", graph.fingerprint()),
            load,
            settings: settings.clone(),
            changes: Vec::new(),
            label: RunLabel::default(),
        }
    }

    /// An error unless the graph is the one of the run in a folder.
    pub fn is_of(&self, graph: &Graph, folder: &Path) -> Result<(), RunError> {
        let found = format!("{:016x}", graph.fingerprint());
        if found == self.fingerprint {
            return Ok(());
        }
        Err(RunError::Content {
            path: self.graph.clone(),
            found: format!("a graph with fingerprint {found}"),
            expected: format!("{}, the graph of the run in {}", self.fingerprint, folder.display()),
            advice: "restore the original graph, or start a new run".to_owned(),
        })
    }

    /// The settings in force after this many epochs.
    pub fn settings_at(&self, epoch: usize) -> &Settings {
        in_force(&self.settings, &self.changes, epoch)
    }

    /// A checksum of everything that determines a model after this many epochs.
    pub(super) fn checksum(&self, epoch: usize) -> u64 {
        let mut text = format!("{} {}", self.fingerprint, to_toml(&self.settings));
        for change in self.changes.iter().filter(|change| change.epoch < epoch) {
            let _ = write!(text, "{} {}", change.epoch, to_toml(&change.settings));
        }
        xxh3_64(text.as_bytes())
    }

    /// The text of the file. Fails for a path that is not Unicode.
    pub fn to_text(&self) -> Result<String, toml::ser::Error> {
        let head = Head {
            version: self.version.clone(),
            threads: self.threads,
            graph: self.graph.clone(),
            fingerprint: self.fingerprint.clone(),
            load: self.load.clone(),
            label: self.label.clone(),
            settings: toml::Table::new(),
            changes: Vec::new(),
        };
        let head = toml::to_string(&head)?;
        let mut text = format!("{head}\n[settings]\n{}", to_toml(&self.settings));
        let mut before = &self.settings;
        for Change { epoch, settings } in &self.changes {
            let _ = write!(text, "\n[[changes]]\nepoch = {epoch}\n[changes.settings]\n");
            for setting in TABLE {
                let (old, new) = ((setting.get)(before), (setting.get)(settings));
                if old != new {
                    let _ = writeln!(text, "{} = {}", setting.key, toml::Value::String(new));
                }
            }
            before = settings;
        }
        Ok(text)
    }

    /// Parses the text of a file; the error describes what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let head: Head = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let mut settings = from_toml(&head.settings.to_string(), "settings")?;
        if !head.settings.contains_key("filter_learning") {
            // A run of version 0.1, whose filter followed the training loss.
            settings.filter_learning = FilterLearning::Joint;
        }
        if !head.settings.contains_key("aggregation") {
            // A run of version 0.3 or earlier.
            settings.aggregation = Aggregation::Sum;
            settings.map_penalty = MapPenalty::Weight(0.0);
        }
        let mut now = settings.clone();
        let mut changes = Vec::new();
        for change in head.changes {
            for (key, value) in &change.settings {
                set(&mut now, key, value).map_err(|error| error.to_string())?;
            }
            changes.push(Change { epoch: change.epoch, settings: now.clone() });
        }
        let Head { version, threads, graph, fingerprint, load, label, .. } = head;
        Ok(Self { version, threads, graph, fingerprint, load, settings, changes, label })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::preset;
    use gesf_graph::{Format, OnBadRow, RoleChoice};

    #[test]
    fn runs_of_this_version_stay_readable() {
        // Checksums contain the text of the settings: after a change of a meaning, the
        // version must change too, or the runs of this version are taken for edited.
        let paper = crate::model::settings::preset("paper").unwrap();
        assert_eq!(xxh3_64(to_toml(&paper).as_bytes()), 6_787_343_604_172_840_807);
    }

    #[test]
    fn a_record_round_trips() {
        let record = Record {
            version: "1.2.3".into(),
            threads: Some(4),
            graph: "some/graph.txt".into(),
            fingerprint: "0f".into(),
            load: LoadOptions {
                format: Some(Format::EdgeList),
                on_bad_row: OnBadRow::Skip,
                labels: Some("labels.txt".into()),
                split: Some("3".into()),
                roles: RoleChoice { label: Some("club".into()), ..RoleChoice::default() },
                ignore_weights: true,
                count_rows: false,
            },
            settings: preset("paper").unwrap(),
            changes: Vec::new(),
            label: RunLabel { name: "wide net".into(), note: "two\nlines, \"quoted\"".into() },
        };
        let mut later = record.settings.clone();
        let mut record = record;
        for (epoch, key, value) in [(3, "balance", "0.5"), (9, "epochs", "70")] {
            set(&mut later, key, value).unwrap();
            record.changes.push(Change { epoch, settings: later.clone() });
        }
        assert_eq!(record.settings_at(8).epochs, record.settings.epochs);
        assert_eq!(record.settings_at(9).epochs, 70);
        assert_eq!(Record::parse(&record.to_text().unwrap()), Ok(record));
        assert!(Record::parse("settings = 3").is_err());
    }
}
