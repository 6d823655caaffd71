//! A lesson as it was read.

use super::Check;

/// A lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The short name, for the command line and for pointers.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is about, in one sentence.
    pub about: String,
    /// How long it takes.
    pub minutes: u32,
    /// The graph to open: the name of a sample, or a path beside the file.
    pub graph: String,
    /// Settings of the model that differ from those of the graph.
    pub settings: Vec<(String, String)>,
    /// Whether training waits to be started.
    pub paused: bool,
    /// What is to be done, step by step.
    pub steps: Vec<Step>,
}

/// A step of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it is called.
    pub title: String,
    /// What is said before the task.
    pub text: String,
    /// The screen it opens.
    pub screen: String,
    /// The experiment it opens, where the screen is the lab.
    pub experiment: Option<String>,
    /// The commands and settings that are shown; all where it names none.
    pub controls: Vec<String>,
    /// What is to be done.
    pub task: String,
    /// When it is done: all of these hold.
    pub check: Vec<Check>,
    /// What is said then.
    pub done: String,
}
