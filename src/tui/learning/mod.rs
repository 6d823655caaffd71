//! A lesson inside the explorer: which step, what was done in it, and whether
//! its task is done.
//!
//! [`watch`] looks after every update: what a person did becomes
//! [`Facts`], and the facts decide. A task that was done once stays done until
//! the learner goes on, whatever happens on the screen meanwhile.

mod facts;
mod steps;

pub(super) use facts::Glimpse;
pub(super) use steps::{begin, begin_named, close, go_back, go_on, leave, shelf, watch};

use super::commands::{Command, Place};
use crate::lab::lessons::{Asked, Facts, Lesson, Player, Progress, Step};
use crate::model::settings::TABLE as SETTINGS;
use crate::train::Event;

/// Commands that are never hidden: the way to everything else, and the way out.
const ALWAYS: [&str; 2] = ["help", "quit"];

/// Where the graph of a lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// On its way.
    Awaited,
    /// Told of just now.
    New,
    /// There.
    There,
}

/// The lesson that is taken, and how far all of them have come.
#[derive(Debug)]
pub struct Learning {
    /// How far all lessons have come.
    pub progress: Progress,
    /// The name of the graph that is open, as lessons call it.
    pub graph: String,
    /// Whether the panel is shown.
    pub shown: bool,
    /// Lines of the text that are scrolled past.
    pub scroll: usize,
    player: Option<Player>,
    /// Whether the task of the step is done; it stays so.
    done: bool,
    /// Nothing counts before the lesson's graph is there.
    graph_is: Arrival,
    /// How often things were done.
    counted: Facts,
    /// All that was known after the last update.
    facts: Facts,
    /// Commands carried out since then.
    commands: Vec<&'static str>,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            progress: Progress::default(),
            graph: String::new(),
            shown: true,
            scroll: 0,
            player: None,
            done: false,
            graph_is: Arrival::There,
            counted: Facts::default(),
            facts: Facts::default(),
            commands: Vec::new(),
        }
    }
}

impl Learning {
    /// The lesson that is taken.
    pub fn lesson(&self) -> Option<&Lesson> {
        self.player.as_ref().map(Player::lesson)
    }

    /// The step, and its place from 0 on.
    pub fn step(&self) -> Option<(usize, &Step)> {
        self.player.as_ref().and_then(|player| Some((player.at(), player.step()?)))
    }

    /// Whether the task of the step is done.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What the step asks for, line by line, and how things stand.
    pub fn asked(&self) -> Vec<Asked> {
        let mut asked = self.player.as_ref().map(|own| own.asked(&self.facts)).unwrap_or_default();
        for line in &mut asked {
            line.held |= self.done;
        }
        asked
    }

    /// Whether the step has a list of controls, so that others are hidden.
    pub fn chooses_controls(&self) -> bool {
        self.step().is_some_and(|(_, step)| !step.controls.is_empty())
    }

    /// Whether the step names a control.
    pub fn names(&self, control: &str) -> bool {
        self.step().is_some_and(|(_, step)| step.controls.iter().any(|own| own == control))
    }

    /// Whether a command is shown: all are, unless the step names some.
    pub(super) fn shows(&self, command: &Command) -> bool {
        let own = matches!(command.place, Place::Lesson | Place::Changes);
        let setting = command.place == Place::Settings
            && SETTINGS.iter().any(|setting| self.names(setting.key));
        !self.chooses_controls()
            || own
            || setting
            || ALWAYS.contains(&command.name)
            || self.names(command.name)
    }

    /// Notes that a command is carried out.
    pub(super) fn carried_out(&mut self, name: &'static str) {
        if self.player.is_some() {
            self.commands.push(name);
        }
    }

    /// Notes what the training tells, before anything is made of it; `before`
    /// says whether a run was there.
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
