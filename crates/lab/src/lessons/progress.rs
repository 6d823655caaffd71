//! Lesson progress, saved in a small file that is written atomically.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Answered;
use gesf_graph::files::write_atomically;
use gesf_graph::folders;

/// The progress in one lesson.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LessonStanding {
    /// Completed steps.
    #[serde(default)]
    pub steps: usize,
    /// Whether the lesson was finished once.
    #[serde(default)]
    pub finished: bool,
    /// The first answer to each question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    /// The first completion of each step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<DoneStep>,
}

/// How a step was completed, so that it can be checked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DoneStep {
    /// The step, from 1.
    pub step: usize,
    /// Keys pressed in it, in order.
    pub keys: String,
    /// How often the learner tried to continue too early.
    #[serde(default)]
    pub refused: usize,
    /// The state line of the training run, if it had trained.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The requirements with their values, as text.
    #[serde(default)]
    pub found: Vec<String>,
}

/// The progress in all lessons, by id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LessonProgress {
    #[serde(default)]
    lessons: BTreeMap<String, LessonStanding>,
}

/// Why progress could not be loaded or saved.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// The platform has no data folder.
    #[error("no folder to save progress in\n  help: set one in {}", folders::DATA_VARIABLE)]
    NoFolder,
    /// The file has invalid content.
    #[error("{}: {found}, expected saved lesson progress\n  help: it was saved as \
             lessons.toml.damaged; the lessons start from the beginning", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        error: std::io::Error,
    },
}

impl LessonProgress {
    /// The path of the file; `None` if the platform has no data folder.
    pub fn place() -> Option<PathBuf> {
        Some(folders::data()?.join("lessons.toml"))
    }

    /// Loads the saved progress. A file that cannot be read is renamed, so that it
    /// is not overwritten, and the error is returned.
    pub fn load() -> (Self, Option<ProgressError>) {
        Self::load_from(Self::place().as_deref())
    }

    /// The same from another file; empty progress without one.
    pub fn load_from(path: Option<&Path>) -> (Self, Option<ProgressError>) {
        let Some(path) = path else { return (Self::default(), None) };
        match Self::read(path) {
            Ok(progress) => (progress, None),
            Err(error) => {
                let aside = path.with_extension("toml.damaged");
                // If it cannot be renamed, saving fails as well and reports it.
                let _ = std::fs::rename(path, aside);
                (Self::default(), Some(error))
            }
        }
    }

    /// Reads a file; empty progress if it does not exist.
    pub fn read(path: &Path) -> Result<Self, ProgressError> {
        let text = match gesf_graph::files::read_small(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ProgressError::File { path: path.to_owned(), error }),
        };
        toml::from_str(&text).map_err(|error| ProgressError::Damaged {
            path: path.to_owned(),
            found: error.message().to_owned(),
        })
    }

    /// The progress in a lesson.
    pub fn of(&self, lesson: &str) -> LessonStanding {
        self.lessons.get(lesson).cloned().unwrap_or_default()
    }

    /// The lessons that were started, by id.
    pub fn lessons(&self) -> impl Iterator<Item = (&str, &LessonStanding)> {
        self.lessons.iter().map(|(id, standing)| (id.as_str(), standing))
    }

    /// Records an answer. The first one stays: later ones know the outcome.
    pub fn note_answer(&mut self, lesson: &str, answered: Answered) {
        let own = self.lessons.entry(lesson.to_owned()).or_default();
        if own.answers.iter().all(|before| before.step != answered.step) {
            own.answers.push(answered);
        }
    }

    /// Records how a step was completed; the first time stays.
    pub fn note_done(&mut self, lesson: &str, done: DoneStep) {
        let own = self.lessons.entry(lesson.to_owned()).or_default();
        if own.done.iter().all(|before| before.step != done.step) {
            own.done.push(done);
        }
    }

    /// Records the number of completed steps of a lesson. A lesson that was
    /// finished once stays finished.
    pub fn note(&mut self, lesson: &str, steps: usize, of: usize) {
        let own = self.lessons.entry(lesson.to_owned()).or_default();
        own.steps = steps.min(of);
        own.finished |= steps >= of && of > 0;
    }

    /// Saves it in a file, if there is one.
    pub fn save_to(&self, path: Option<&Path>) -> Result<(), ProgressError> {
        self.write(path.ok_or(ProgressError::NoFolder)?)
    }

    /// Writes a file atomically.
    pub fn write(&self, path: &Path) -> Result<(), ProgressError> {
        let mut text = String::from("# Lesson progress; safe to delete.\n");
        let tables = toml::to_string(self).map_err(|error| ProgressError::File {
            path: path.to_owned(),
            error: std::io::Error::other(error),
        })?;
        text.push_str(&tables);
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
    fn progress_round_trips() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("lessons.toml");
        let mut progress = LessonProgress::default();
        progress.note("shuffle", 2, 3);
        progress.note("odd \"name\"", 1, 1);
        progress.write(&path).unwrap();
        assert_eq!(LessonProgress::read(&path).unwrap(), progress);
        assert_eq!(
            progress.of("shuffle"),
            LessonStanding { steps: 2, ..LessonStanding::default() }
        );
        assert_eq!(progress.of("never opened"), LessonStanding::default());
        progress.note("shuffle", 3, 3);
        progress.note("shuffle", 0, 3);
        let again = progress.of("shuffle");
        assert_eq!((again.steps, again.finished), (0, true));
    }

    #[test]
    fn the_first_answer_to_a_question_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lessons.toml");
        let mut progress = LessonProgress::default();
        let answered = |given: &str| Answered {
            step: 2,
            ask: "How\nmany?".to_owned(),
            given: given.to_owned(),
            came_out: "3".to_owned(),
            is_right: given == "3",
            comparison: String::new(),
        };
        progress.note_answer("echo", answered("2"));
        progress.note_answer("echo", answered("3"));
        let done = DoneStep { step: 2, keys: "1 0 enter".to_owned(), ..DoneStep::default() };
        progress.note_done("echo", done.clone());
        progress.note_done("echo", DoneStep { keys: String::new(), ..done.clone() });
        progress.write(&path).unwrap();
        let read = LessonProgress::read(&path).unwrap().of("echo");
        assert_eq!((read.answers, read.done), (vec![answered("2")], vec![done]));
    }

    #[test]
    fn a_damaged_file_is_reported_and_a_missing_one_means_no_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lessons.toml");
        assert_eq!(LessonProgress::read(&path).unwrap(), LessonProgress::default());
        for text in ["lessons = 3", "[lessons.shuffle]\nsteps = -1\n", "\u{0}\u{1}["] {
            std::fs::write(&path, text).unwrap();
            let said = LessonProgress::read(&path).unwrap_err().to_string();
            assert!(said.contains("lessons.toml") && said.contains("expected"), "{said}");
        }
    }
}
