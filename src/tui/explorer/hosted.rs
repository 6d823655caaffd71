//! The explorer inside another program: events come from a host, frames go to its
//! display. The host can ask what is open, so that it can be opened again.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

use ratatui::crossterm::event::Event as Input;
use serde::{Deserialize, Serialize};

use super::{AppEvent, Display, Explorer};
use crate::lab::lessons::HandIn;
use crate::train::StateLine;
use crate::train::run::RunFolder;
use crate::tui::appearance::Appearance;
use crate::tui::jobs::Job;
use crate::tui::launch::Launch;
use crate::tui::message::{Effect, Message};
use crate::tui::state::Screen;
use crate::tui::state_change::StateChange;

/// An event from the host.
pub enum HostEvent {
    /// A key, a mouse event, pasted text or a new size.
    Input(Input),
    /// The display can show another frame.
    Ready,
    /// Use the theme with this name.
    Theme(String),
    /// Tell what is open.
    Describe(Box<dyn FnOnce(Whereabouts) + Send>),
    /// Write the progress of the lessons to a file, under a name.
    HandIn(PathBuf, String),
    /// Save the run and end.
    End,
}

/// Sends events to an explorer.
#[derive(Clone)]
pub struct Remote {
    sender: Sender<AppEvent>,
}

impl Remote {
    /// Sends an event; `false` once the explorer has ended.
    pub fn send(&self, event: HostEvent) -> bool {
        self.sender.send(AppEvent::Host(event)).is_ok()
    }
}

/// The events sent to an explorer.
pub struct Mailbox {
    pub(super) sender: Sender<AppEvent>,
    pub(super) inbox: Receiver<AppEvent>,
}

/// A new mailbox, and what sends to it.
pub fn mailbox() -> (Remote, Mailbox) {
    let (sender, inbox) = channel();
    (Remote { sender: sender.clone() }, Mailbox { sender, inbox })
}

/// What is open in an explorer, so that it can be opened again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Whereabouts {
    /// The screen.
    #[serde(default)]
    pub screen: String,
    /// The lesson, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// The folder of the saved run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<PathBuf>,
    /// The path of the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<PathBuf>,
    /// The state line of the current epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Whether it is training.
    #[serde(default)]
    pub runs: bool,
}

/// Runs the explorer on a display until it is closed; the run is saved.
pub fn explore_on(
    launch: Launch,
    display: &mut dyn Display,
    mailbox: Mailbox,
    mut follow: impl FnMut(&Whereabouts),
) -> io::Result<u8> {
    let Mailbox { sender, inbox } = mailbox;
    let mut explorer = Explorer::new(launch, sender);
    explorer.begin(display)?;
    explorer.draw(display)?;
    let code = explorer.run(display, &inbox, &mut |own: &Explorer| follow(&own.whereabouts()));
    let last = explorer.whereabouts();
    explorer.keep();
    follow(&last);
    code
}

impl Explorer {
    /// Handles an event of the host that is no input.
    pub(super) fn serve(&mut self, event: HostEvent) {
        match event {
            HostEvent::Input(_) | HostEvent::Ready => {}
            HostEvent::Theme(name) => {
                let look = &self.state.look;
                let other = Appearance::new(&name, look.glyphs, look.depth);
                let look = Appearance { has_pixels: look.has_pixels, ..other };
                self.change(StateChange::Look(Box::new(look)));
            }
            HostEvent::Describe(reply) => reply(self.described_fully()),
            HostEvent::HandIn(path, name) => {
                let progress = &self.state.learning.progress;
                let hand_in = HandIn::of(progress, &name, env!("CARGO_PKG_VERSION"));
                let count = hand_in.lessons.len();
                self.change(match hand_in.write(&path) {
                    Ok(()) => StateChange::Said(format!("handed in: {count} lessons")),
                    Err(error) => StateChange::Failed(error.to_string()),
                });
            }
            HostEvent::End => self.code = Some(0),
        }
    }

    /// What is open, without the state line, for which a file has to be read.
    fn whereabouts(&self) -> Whereabouts {
        let state = &self.state;
        let session = &state.graph.session;
        let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen);
        let is_open = state.picker.is_none() || session.phase.is_some();
        Whereabouts {
            screen: screen.map(|(_, name)| name.to_lowercase()).unwrap_or_default(),
            lesson: state.learning.lesson().map(|lesson| lesson.id.clone()),
            run: session.path.clone().filter(|_| is_open),
            graph: self.graph.clone().filter(|_| is_open),
            line: None,
            runs: session.is_running(),
        }
    }

    /// What is open, with the state line of the current epoch.
    fn described_fully(&self) -> Whereabouts {
        let session = &self.state.graph.session;
        let record = session.path.as_deref().and_then(|run| RunFolder::record(run).ok());
        let line = record.map(|record| {
            // Changes planned for later epochs belong to the run, not to this epoch.
            let mut line = StateLine::of(&record, session.at);
            line.changes.retain(|change| change.epoch <= session.at);
            line.to_string()
        });
        Whereabouts { line, ..self.whereabouts() }
    }

    /// Why an effect is not allowed here.
    pub(super) fn refuses(&self, effect: &Effect) -> Option<String> {
        let access = &self.launch.home.access;
        match effect {
            Effect::Open(path) => access.refuses_to_open(path),
            Effect::Ask(Job::Output(output)) => access.refuses_to_write(&output.folder),
            Effect::Picture(path, _) => access.refuses_to_write(path),
            _ => None,
        }
    }

    /// Hands a screenshot to the user of a display that takes files.
    pub(super) fn hand_over_picture(
        &self,
        effect: &Effect,
        display: &mut dyn Display,
    ) -> Option<Message> {
        let Effect::Picture(path, _) = effect else { return None };
        self.launch.home.access.offered()?;
        let picture = crate::tui::shot::picture(&self.state, self.state.size, path);
        let name = path.file_name()?.to_string_lossy().into_owned();
        match picture {
            Ok(text) => display.hand_over(&name, &text),
            Err(why) => Some(Message::Written(Err(why))),
        }
    }
}
