//! The structure of a lesson.

use super::{Check, Question};

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
    /// Whether it is a demo: its steps press keys and ask for nothing.
    pub is_demo: bool,
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
    /// The id or name of the node it opens.
    pub node: Option<String>,
    /// The commands and settings that are shown; all if empty.
    pub controls: Vec<String>,
    /// The graph of the step, if it is not the lesson's.
    pub graph: Option<String>,
    /// Settings of the step, in addition to the lesson's.
    pub settings: Vec<(String, String)>,
    /// The question to answer before the task.
    pub question: Option<Question>,
    /// The task; empty in a demo.
    pub task: String,
    /// The checks that must all hold.
    pub check: Vec<Check>,
    /// The text after it is done.
    pub done: String,
    /// The keys that a demo presses.
    pub script: Option<Script>,
}

/// The keys of a demo step.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Their names, in order.
    pub keys: Vec<String>,
    /// Seconds between two keys.
    pub pause: f64,
    /// The line of the file, for errors.
    pub line: usize,
}

impl Lesson {
    /// The lesson with the graph and settings of a step in place of its own.
    #[must_use]
    pub fn for_step(&self, at: usize) -> Self {
        let mut lesson = self.clone();
        if let Some(step) = self.steps.get(at) {
            lesson.graph = step.graph.clone().unwrap_or(lesson.graph);
            lesson.settings.extend(step.settings.iter().cloned());
        }
        lesson
    }

    /// Whether two lessons train the same model on the same graph.
    pub fn opens_as(&self, other: &Self) -> bool {
        self.graph == other.graph && self.settings == other.settings
    }

    /// Every graph it opens.
    pub fn graphs(&mut self) -> impl Iterator<Item = &mut String> {
        let of_steps = self.steps.iter_mut().filter_map(|step| step.graph.as_mut());
        std::iter::once(&mut self.graph).chain(of_steps)
    }
}
