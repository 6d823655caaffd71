//! The results of a sweep, one line per run, written as soon as they are known.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashMap;
use serde_json::{Value, json};

use super::Point;
use gesf_graph::files::write_atomically;

/// The file in the folder of a sweep.
const FILE: &str = "sweep.jsonl";

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
pub struct FinishedTrial {
    /// Everything it depends on.
    pub key: String,
    /// The combination.
    pub point: Point,
    /// The share of labels.
    pub share: f64,
    /// The seed.
    pub seed: u64,
    /// Its score; `None` if it failed.
    pub score: Option<f64>,
}

/// The lines of a sweep, saved in a folder or only in memory.
#[derive(Debug, Default)]
pub struct Journal {
    file: Option<(PathBuf, File)>,
    known: HashMap<String, Option<f64>>,
}

impl Journal {
    /// Opens the journal in a folder with its existing lines. A line truncated by a
    /// crash is dropped; runs of other grids and graphs stay for later.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
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
            if let Some((key, score)) = parse(line) {
                known.insert(key, score);
                whole.push_str(line);
            }
        }
        if whole.len() != text.len() || !path.exists() {
            write_atomically(&path, |out| out.write_all(whole.as_bytes())).map_err(refused)?;
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(refused)?;
        Ok(Self { file: Some((path, file)), known })
    }

    /// The result of a known run: its score, or `None` inside if it failed.
    pub fn find(&self, key: &str) -> Option<Option<f64>> {
        self.known.get(key).copied()
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
    pub fn add(&mut self, line: FinishedTrial) -> Result<(), JournalError> {
        if let Some((path, file)) = &mut self.file {
            let settings: serde_json::Map<String, Value> =
                line.point.0.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            let text = json!({"key": line.key, "settings": settings, "labelled": line.share,
                "seed": line.seed, "score": line.score});
            let written = file.write_all(format!("{text}\n").as_bytes());
            let written = written.and_then(|()| file.sync_data());
            written.map_err(|error| JournalError { path: path.clone(), error })?;
        }
        self.known.insert(line.key, line.score);
        Ok(())
    }
}

fn parse(line: &str) -> Option<(String, Option<f64>)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let key = value.get("key")?.as_str()?.to_owned();
    let score = value.get("score")?;
    Some((key, if score.is_null() { None } else { Some(score.as_f64()?) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, score: Option<f64>) -> FinishedTrial {
        FinishedTrial { key: key.to_owned(), point: Point::default(), share: 0.5, seed: 1, score }
    }

    #[test]
    fn a_truncated_line_is_dropped_and_the_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        journal.add(line("a", Some(0.1 + 0.2))).unwrap();
        journal.add(line("b", None)).unwrap();
        let path = folder.path().join(FILE);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{}", &whole[..30])).unwrap();
        let mut again = Journal::open(folder.path()).unwrap();
        assert_eq!((again.find("a"), again.find("b")), (Some(Some(0.1 + 0.2)), Some(None)));
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        again.add(line("c", Some(1.0))).unwrap();
        assert_eq!(Journal::open(folder.path()).unwrap().len(), 3);
    }
}
