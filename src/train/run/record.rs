//! `run.toml`: what a run was made from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::graph::LoadOptions;
use crate::model::settings::{Settings, from_toml, to_toml};

/// Everything that makes a run, and makes it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The version of the program.
    pub version: String,
    /// Where the graph was.
    pub graph: PathBuf,
    /// The fingerprint of what was there.
    pub fingerprint: String,
    /// How it was read.
    pub load: LoadOptions,
    /// Every setting.
    pub settings: Settings,
}

/// The part of the file that is not settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    version: String,
    graph: PathBuf,
    fingerprint: String,
    load: LoadOptions,
    #[serde(skip_serializing)]
    settings: toml::Table,
}

impl Record {
    /// The text of the file.
    pub fn to_text(&self) -> String {
        let head = Head {
            version: self.version.clone(),
            graph: self.graph.clone(),
            fingerprint: self.fingerprint.clone(),
            load: self.load.clone(),
            settings: toml::Table::new(),
        };
        let head = toml::to_string(&head).unwrap_or_default();
        format!("{head}\n[settings]\n{}", to_toml(&self.settings))
    }

    /// Reads the text of a file; says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let head: Head = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let settings = from_toml(&head.settings.to_string(), "settings")?;
        let Head { version, graph, fingerprint, load, .. } = head;
        Ok(Self { version, graph, fingerprint, load, settings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Format, OnBadRow, RoleChoice};
    use crate::model::settings::preset;

    #[test]
    fn a_record_survives_being_written_and_read() {
        let record = Record {
            version: "1.2.3".into(),
            graph: "some/graph.txt".into(),
            fingerprint: "0f".into(),
            load: LoadOptions {
                format: Some(Format::EdgeList),
                on_bad_row: OnBadRow::Skip,
                labels: Some("labels.txt".into()),
                roles: RoleChoice { label: Some("club".into()), ..RoleChoice::default() },
                ignore_weights: true,
            },
            settings: preset("paper").unwrap(),
        };
        assert_eq!(Record::parse(&record.to_text()), Ok(record));
        assert!(Record::parse("settings = 3").is_err());
    }
}
