//! How far a learner has come: a small file, whole or not there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files::write_atomically;
use crate::folders;

/// Where a learner stands in one lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Standing {
    /// Steps that are done.
    #[serde(default)]
    pub steps: usize,
    /// Whether the lesson was finished once.
    #[serde(default)]
    pub finished: bool,
}

/// Where a learner stands in all lessons, by id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct Progress {
    #[serde(default)]
    lessons: BTreeMap<String, Standing>,
}

/// Why progress could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// The platform knows no such place.
    #[error("no folder to keep progress in\n  help: name one in {}", folders::DATA_VARIABLE)]
    NoFolder,
    /// The file does not hold what it should.
    #[error("{}: {found}, expected how far the lessons have come\n  help: it is kept as \
             lessons.toml.damaged; the lessons start at their beginning", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl Progress {
    /// Where the file is; `None` where the platform knows no such place.
    pub fn place() -> Option<PathBuf> {
        Some(folders::data()?.join("lessons.toml"))
    }

    /// What was kept. A file that cannot be read is set aside, so that nothing of
    /// it is overwritten, and what is wrong with it is told.
    pub fn load() -> (Self, Option<ProgressError>) {
        let Some(path) = Self::place() else { return (Self::default(), None) };
        match Self::read(&path) {
            Ok(progress) => (progress, None),
            Err(error) => {
                let aside = path.with_extension("toml.damaged");
                // Where it cannot be moved, saving fails as well, and says so.
                let _ = std::fs::rename(&path, aside);
                (Self::default(), Some(error))
            }
        }
    }

    /// Reads a file; nothing where there is none.
    pub fn read(path: &Path) -> Result<Self, ProgressError> {
        let text = match crate::files::read_small(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ProgressError::File { path: path.to_owned(), error }),
        };
        toml::from_str(&text).map_err(|error| ProgressError::Damaged {
            path: path.to_owned(),
            found: error.message().to_owned(),
        })
    }

    /// Where a learner stands in a lesson.
    pub fn of(&self, lesson: &str) -> Standing {
        self.lessons.get(lesson).copied().unwrap_or_default()
    }

    /// Notes that so many steps of a lesson are done, out of all. A lesson that
    /// was finished once stays finished.
    pub fn note(&mut self, lesson: &str, steps: usize, of: usize) {
        let own = self.lessons.entry(lesson.to_owned()).or_default();
        own.steps = steps.min(of);
        own.finished |= steps >= of && of > 0;
    }

    /// Keeps it in its place.
    pub fn save(&self) -> Result<(), ProgressError> {
        self.write(&Self::place().ok_or(ProgressError::NoFolder)?)
    }

    /// Writes a file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), ProgressError> {
        let mut text = String::from("# How far the lessons have come; safe to delete.\n");
        for (id, standing) in &self.lessons {
            let id = toml::Value::String(id.clone());
            let Standing { steps, finished } = standing;
            // Writing to a String cannot fail.
            let _ = writeln!(text, "\n[lessons.{id}]\nsteps = {steps}\nfinished = {finished}");
        }
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .and_then(|()| write_atomically(path, |out| out.write_all(text.as_bytes())))
            .map_err(|error| ProgressError::File { path: path.to_owned(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_survives_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("lessons.toml");
        let mut progress = Progress::default();
        progress.note("shuffle", 2, 3);
        progress.note("odd \"name\"", 1, 1);
        progress.write(&path).unwrap();
        assert_eq!(Progress::read(&path).unwrap(), progress);
        assert_eq!(progress.of("shuffle"), Standing { steps: 2, finished: false });
        assert_eq!(progress.of("never opened"), Standing::default());
        progress.note("shuffle", 3, 3);
        progress.note("shuffle", 0, 3);
        assert_eq!(progress.of("shuffle"), Standing { steps: 0, finished: true });
    }

    #[test]
    fn a_damaged_file_is_named_and_a_missing_one_means_no_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lessons.toml");
        assert_eq!(Progress::read(&path).unwrap(), Progress::default());
        for text in ["lessons = 3", "[lessons.shuffle]\nsteps = -1\n", "\u{0}\u{1}["] {
            std::fs::write(&path, text).unwrap();
            let said = Progress::read(&path).unwrap_err().to_string();
            assert!(said.contains("lessons.toml") && said.contains("expected"), "{said}");
        }
    }
}
