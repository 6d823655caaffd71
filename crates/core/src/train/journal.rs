//! The results of many runs (a sweep, an evaluation), one line per run, written as soon
//! as they are known, so that an interrupted command resumes where it stopped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashMap;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::settings::{Settings, to_toml};
use gesf_graph::files::write_atomically;

/// Why a line could not be saved.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}\n  help: choose another folder with --out", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedTask {
    /// Everything it depends on: [`task_key`].
    pub key: String,
    /// Its place in the list of tasks.
    pub task: usize,
    /// What distinguishes it from the others, for the reader of the file.
    pub about: Map<String, Value>,
    /// Its result.
    pub result: Value,
}

/// The lines of a journal, saved in a folder or only in memory.
#[derive(Debug, Default)]
pub struct Journal {
    file: Option<(PathBuf, File)>,
    known: HashMap<String, Value>,
}

/// A short text that identifies everything a run depends on: the graph by its
/// fingerprint, the settings, and the part of the training labels it is scored on.
pub fn task_key(fingerprint: u64, settings: &Settings, validate: Option<f64>) -> String {
    let validate = validate.map_or_else(|| "test".to_owned(), |share| share.to_string());
    let text = format!("{fingerprint:016x} {validate} {}", to_toml(settings));
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

impl Journal {
    /// Opens a journal in a folder with its existing lines. A line truncated by a
    /// crash is dropped; runs of other grids and graphs stay for later.
    pub fn open(folder: &Path, name: &str) -> Result<Self, JournalError> {
        let path = folder.join(format!("{name}.jsonl"));
        let refused = |error: io::Error| JournalError { path: path.clone(), error };
        fs::create_dir_all(folder).map_err(refused)?;
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(refused(error)),
        };
        let mut known = HashMap::new();
        let mut whole = String::new();
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            if let Some((key, result)) = parse(line) {
                known.insert(key, result);
                whole.push_str(line);
            }
        }
        if whole.len() != text.len() || !path.exists() {
            write_atomically(&path, |out| out.write_all(whole.as_bytes())).map_err(refused)?;
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(refused)?;
        Ok(Self { file: Some((path, file)), known })
    }

    /// The result of a known run.
    pub fn find(&self, key: &str) -> Option<&Value> {
        self.known.get(key)
    }

    /// How many runs are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Saves a run. The line is written in one piece and is on disk on return.
    pub fn add(&mut self, line: FinishedTask) -> Result<(), JournalError> {
        if let Some((path, file)) = &mut self.file {
            let mut text = json!({"key": line.key, "task": line.task});
            if let Some(fields) = text.as_object_mut() {
                fields.extend(line.about);
                fields.insert(RESULT.to_owned(), line.result.clone());
            }
            let written = file.write_all(format!("{text}\n").as_bytes());
            let written = written.and_then(|()| file.sync_data());
            written.map_err(|error| JournalError { path: path.clone(), error })?;
        }
        self.known.insert(line.key, line.result);
        Ok(())
    }
}

const RESULT: &str = "result";

fn parse(line: &str) -> Option<(String, Value)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let key = value.get("key")?.as_str()?.to_owned();
    Some((key, value.get(RESULT)?.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, score: Option<f64>) -> FinishedTask {
        FinishedTask { key: key.to_owned(), task: 3, about: Map::new(), result: json!(score) }
    }

    #[test]
    fn a_truncated_line_is_dropped_and_the_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path(), "sweep").unwrap();
        journal.add(line("a", Some(0.1 + 0.2))).unwrap();
        journal.add(line("b", None)).unwrap();
        let path = folder.path().join("sweep.jsonl");
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{}", &whole[..30])).unwrap();
        let mut again = Journal::open(folder.path(), "sweep").unwrap();
        assert_eq!(again.find("a"), Some(&json!(0.1 + 0.2)));
        assert_eq!(again.find("b"), Some(&Value::Null));
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        again.add(line("c", Some(1.0))).unwrap();
        assert_eq!(Journal::open(folder.path(), "sweep").unwrap().len(), 3);
    }
}
