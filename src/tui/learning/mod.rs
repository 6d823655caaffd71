//! A lesson inside the explorer: the current step, its counters, and whether its task
//! is done.
//!
//! [`watch`] runs after every update: the user's actions become [`Facts`], and the
//! facts decide. A completed task stays done until the learner continues, whatever
//! happens on the screen in the meantime.

mod answers;
mod demo;
mod evidence;
mod facts;
mod steps;

pub(super) use answers::{answer, ask};
pub use demo::check_keys;
pub(super) use demo::play;
pub(super) use evidence::Evidence;
pub(super) use facts::LessonView;
pub(super) use steps::{begin, begin_named, close, go_back, go_on, leave, shelf, watch};

#[cfg(test)]
pub(super) use steps::enter as enter_step;

use super::commands::{Command, CommandScope};
use crate::lab::lessons::{
    Answered, CheckLine, Facts, Lesson, LessonProgress, LessonStep, Player, Question,
};
use crate::model::settings::TABLE as SETTINGS;
use crate::train::Event;

/// Commands that are never hidden: help, which leads to all others, and quit.
const ALWAYS: [&str; 2] = ["help", "quit"];

/// Whether the graph of a lesson is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// Loading.
    Awaited,
    /// Reported just now.
    New,
    /// Loaded.
    There,
}

/// The current lesson, and the progress of all lessons.
#[derive(Debug)]
pub struct LessonsState {
    /// Progress of all lessons.
    pub progress: LessonProgress,
    /// The lesson name of the open graph.
    pub graph: String,
    /// Whether the panel is shown.
    pub shown: bool,
    /// Number of text lines scrolled past.
    pub scroll: usize,
    /// What the learner did since the last completed step.
    pub(super) evidence: Evidence,
    /// What a demo does next.
    cues: demo::Cues,
    player: Option<Player>,
    /// The lesson as it was opened: with the graph and settings of a step.
    opened: Option<Lesson>,
    /// The text after the task, with the facts filled in.
    pub done_text: String,
    /// The answer beside what came out, once the task is done.
    answered: Option<Answered>,
    /// Whether the task of the step is done; it stays so.
    done: bool,
    /// Nothing counts before the lesson's graph is loaded.
    graph_is: Arrival,
    /// Counters of actions.
    counted: Facts,
    /// All facts after the last update.
    facts: Facts,
    /// Commands run since then.
    commands: Vec<&'static str>,
}

impl Default for LessonsState {
    fn default() -> Self {
        Self {
            progress: LessonProgress::default(),
            graph: String::new(),
            shown: true,
            scroll: 0,
            evidence: Evidence::default(),
            cues: demo::Cues::default(),
            player: None,
            opened: None,
            done_text: String::new(),
            answered: None,
            done: false,
            graph_is: Arrival::There,
            counted: Facts::default(),
            facts: Facts::default(),
            commands: Vec::new(),
        }
    }
}

impl LessonsState {
    /// The current lesson.
    pub fn lesson(&self) -> Option<&Lesson> {
        self.player.as_ref().map(Player::lesson)
    }

    /// The step and its index.
    pub fn step(&self) -> Option<(usize, &LessonStep)> {
        self.player.as_ref().and_then(|player| Some((player.at(), player.step()?)))
    }

    /// The question of the step, until it is answered.
    pub fn question(&self) -> Option<&Question> {
        self.player.as_ref()?.question()
    }

    /// A fact, as a number.
    #[cfg(test)]
    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.as_number(name)
    }

    /// The learner's answer to the question of the step.
    pub fn given(&self) -> Option<String> {
        self.player.as_ref()?.given()
    }

    /// How the answer and what came out differ, once the task is done.
    pub fn answered(&self) -> Option<&Answered> {
        self.answered.as_ref()
    }

    /// Whether the task of the step is done.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The checks of the step, line by line, with their status.
    pub fn asked(&self) -> Vec<CheckLine> {
        let mut asked = self.player.as_ref().map(|own| own.asked(&self.facts)).unwrap_or_default();
        for line in &mut asked {
            line.is_met |= self.done;
        }
        asked
    }

    /// Whether the step lists controls, so that others are hidden.
    pub fn chooses_controls(&self) -> bool {
        self.step().is_some_and(|(_, step)| !step.controls.is_empty())
    }

    /// Whether the step lists a control.
    pub fn names(&self, control: &str) -> bool {
        self.step().is_some_and(|(_, step)| step.controls.iter().any(|own| own == control))
    }

    /// Whether a command is shown: all are, unless the step lists some.
    pub(super) fn shows(&self, command: &Command) -> bool {
        let own = matches!(command.place, CommandScope::Lesson | CommandScope::Changes);
        let setting = command.place == CommandScope::Settings
            && SETTINGS.iter().any(|setting| self.names(setting.key));
        !self.chooses_controls()
            || own
            || setting
            || ALWAYS.contains(&command.name)
            || self.names(command.name)
    }

    /// Records that a command ran.
    pub(super) fn carried_out(&mut self, name: &'static str) {
        if self.player.is_some() {
            self.commands.push(name);
        }
    }

    /// Processes a training event before anything else does; `before` is whether a
    /// run existed.
    pub(super) fn hear(&mut self, event: &Event, before: bool) {
        match event {
            Event::Epoch(_) => self.counted.count("epochs_run"),
            Event::Changed { .. } => self.counted.count("settings_changed"),
            Event::Ready(_) if before => self.counted.count("restarts"),
            Event::Ready(_) if self.graph_is == Arrival::Awaited => self.graph_is = Arrival::New,
            _ => {}
        }
    }
}
