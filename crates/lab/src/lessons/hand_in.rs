//! Hand-ins: what a learner did and answered, in a file for the teacher; and what a
//! folder of them says about the class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Lesson, LessonProgress, LessonStanding};
use gesf_graph::files::{read_small, write_atomically};

/// What a learner hands in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HandIn {
    /// The learner, if named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The version of the program.
    #[serde(default)]
    pub version: String,
    /// The lessons by id.
    #[serde(default)]
    pub lessons: BTreeMap<String, LessonStanding>,
}

/// Why a hand-in could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HandInError {
    /// The content is invalid.
    #[error("{}: {found}, expected a hand-in\n  help: `gesf-tui learn --hand-in FILE` writes one", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        error: std::io::Error,
    },
}

impl HandIn {
    /// The hand-in of the saved progress.
    pub fn of(progress: &LessonProgress, name: &str, version: &str) -> Self {
        let lessons = progress.lessons().map(|(id, own)| (id.to_owned(), own.clone()));
        Self { name: name.to_owned(), version: version.to_owned(), lessons: lessons.collect() }
    }

    /// Writes it to a file.
    pub fn write(&self, path: &Path) -> Result<(), HandInError> {
        let fault = |error| HandInError::File { path: path.to_owned(), error };
        let tables = toml::to_string(self).map_err(|error| fault(std::io::Error::other(error)))?;
        let text =
            format!("# Hand-in of lessons; `gesf-tui learn --class FOLDER` reads it.\n{tables}");
        write_atomically(path, |out| out.write_all(text.as_bytes())).map_err(fault)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, HandInError> {
        let fault = |error| HandInError::File { path: path.to_owned(), error };
        let text = read_small(path).map_err(fault)?;
        toml::from_str(&text).map_err(|error| HandInError::Content {
            path: path.to_owned(),
            found: error.message().to_owned(),
        })
    }

    /// Reads the hand-ins of a folder, by file name. Files that are none are returned
    /// as errors.
    pub fn read_all(folder: &Path) -> Result<(Vec<Self>, Vec<HandInError>), HandInError> {
        let fault = |error| HandInError::File { path: folder.to_owned(), error };
        let entries = std::fs::read_dir(folder).map_err(fault)?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        files.sort();
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        for path in files {
            match Self::read(&path) {
                Ok(hand_in) => found.push(hand_in),
                Err(error) => faults.push(error),
            }
        }
        Ok((found, faults))
    }
}

/// A step in a class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassStep {
    /// Learners who completed it.
    pub done: usize,
    /// Learners who came to it and did not complete it.
    pub stopped: usize,
    /// How often a learner tried to continue too early.
    pub refused: usize,
    /// Answers to its question, and how many of them were right.
    pub answers: usize,
    /// The right ones.
    pub right: usize,
    /// The names of those who stopped, as far as given.
    pub names: Vec<String>,
}

/// What a class did in a lesson: one entry a step.
pub fn class_steps(lesson: &Lesson, class: &[HandIn]) -> Vec<ClassStep> {
    let mut steps = vec![ClassStep::default(); lesson.steps.len()];
    for hand_in in class {
        let Some(standing) = hand_in.lessons.get(&lesson.id) else { continue };
        let furthest = standing.done.iter().map(|done| done.step).max().unwrap_or(0);
        let done = if standing.finished { steps.len() } else { furthest.max(standing.steps) };
        for (at, step) in steps.iter_mut().enumerate() {
            step.done += usize::from(at < done);
            if at == done {
                step.stopped += 1;
                step.names.extend(Some(hand_in.name.clone()).filter(|name| !name.is_empty()));
            }
            let own = standing.done.iter().filter(|own| own.step == at + 1);
            step.refused += own.map(|own| own.refused).sum::<usize>();
            let answers = standing.answers.iter().filter(|own| own.step == at + 1);
            step.answers += answers.clone().count();
            step.right += answers.filter(|own| own.is_right).count();
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::super::{Answered, DoneStep, all};
    use super::*;

    fn learner(name: &str, steps: usize, right: bool) -> HandIn {
        let mut progress = LessonProgress::default();
        for step in 1..=steps {
            let keys = "space".to_owned();
            progress.note_done("types", DoneStep { step, keys, refused: 2, ..DoneStep::default() });
            progress.note("types", step, 3);
        }
        let text = String::new;
        let (ask, given, came_out, comparison) = (text(), text(), text(), text());
        let answered = Answered { step: 1, ask, given, came_out, is_right: right, comparison };
        progress.note_answer("types", answered);
        HandIn::of(&progress, name, "1.0")
    }

    #[test]
    fn a_class_shows_which_step_stopped_how_many() {
        let folder = tempfile::tempdir().unwrap();
        let class = [learner("Ada", 3, true), learner("", 1, false), learner("Bo", 1, true)];
        for (at, hand_in) in class.iter().enumerate() {
            hand_in.write(&folder.path().join(format!("{at}.toml"))).unwrap();
        }
        std::fs::write(folder.path().join("notes.txt"), "no hand-in").unwrap();
        std::fs::write(folder.path().join("x.toml"), "lessons = 3").unwrap();
        let (read, faults) = HandIn::read_all(folder.path()).unwrap();
        assert_eq!(read, class);
        assert!(faults[0].to_string().contains("x.toml") && faults.len() == 1);
        let lesson = all().unwrap().into_iter().find(|own| own.id == "types").unwrap();
        let steps = class_steps(&lesson, &read);
        let counts: Vec<_> = steps.iter().map(|own| (own.done, own.stopped)).collect();
        assert_eq!(counts, [(3, 0), (1, 2), (1, 0)]);
        assert_eq!((steps[0].answers, steps[0].right, steps[0].refused), (3, 2, 6));
        assert_eq!(steps[1].names, ["Bo"]);
    }
}
