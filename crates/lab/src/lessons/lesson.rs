//! The structure of a lesson.

use super::Check;

/// A lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The short name, for the command line and for pointers.
    pub id: String,
    /// Its title.
    pub title: String,
    /// A description in one sentence.
    pub about: String,
    /// Its duration.
    pub minutes: u32,
    /// The graph to open: the name of a sample, or a path beside the file.
    pub graph: String,
    /// Settings of the model that differ from those of the graph.
    pub settings: Vec<(String, String)>,
    /// Whether training starts paused.
    pub paused: bool,
    /// The most epochs a second, where training should be watched.
    pub speed: Option<f32>,
    /// Its steps.
    pub steps: Vec<LessonStep>,
}

/// A step of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonStep {
    /// Its title.
    pub title: String,
    /// The text before the task.
    pub text: String,
    /// The screen it opens.
    pub screen: String,
    /// The experiment it opens, where the screen is the lab.
    pub experiment: Option<String>,
    /// The commands and settings that are shown; all if empty.
    pub controls: Vec<String>,
    /// The task.
    pub task: String,
    /// The checks that must all hold.
    pub check: Vec<Check>,
    /// The text after it is done.
    pub done: String,
}
