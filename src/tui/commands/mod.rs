//! The command table and its key bindings. Keys, footer, help, palette and the key
//! reference all read it.

mod checkpoints;
mod curves;
mod drafts;
mod everywhere;
mod filter;
mod fuzzy;
mod keymap;
mod keys;
mod lab;
mod learning;
mod map;
mod node;
mod outputs;
mod overview;
mod plots;
mod reference;
mod renamed;
mod runs;
mod settings;
mod table;
mod training;

pub(super) use checkpoints::go_to;
pub(super) use everywhere::{go_to as go_to_screen, open};
pub(super) use fuzzy::score;
pub use keymap::Keymap;
pub use keys::Chord;
pub(super) use map::find;
pub(super) use plots::zoom;
pub use reference::reference;
pub(crate) use renamed::renamed;
pub(super) use runs::{label, look_for_runs};
pub(super) use table::TABLE;
use table::command;

use super::layers::{Layer, Prompt};
use super::message::Effect;
use super::state::{Screen, State};
use super::text_input::TextInput;
use crate::train::TrainingCommand;

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandScope {
    /// On every screen.
    Everywhere,
    /// Wherever there is a run.
    Training,
    /// When changes need a restart to apply.
    Changes,
    /// On every plot.
    Plots,
    /// On the curves.
    Curves,
    /// In the settings panel.
    Settings,
    /// On the filter.
    Filter,
    /// In a lesson.
    Lesson,
    /// On the overview.
    Overview,
    /// On a node.
    Node,
    /// On the map.
    Map,
    /// On the list of runs.
    Runs,
    /// In the lab, with or without a graph.
    Lab,
}

impl CommandScope {
    /// Every scope with its heading.
    pub const ALL: [(Self, &'static str); 13] = [
        (Self::Training, "Training"),
        (Self::Changes, "Pending changes (restart to apply)"),
        (Self::Overview, "Overview"),
        (Self::Settings, "Settings"),
        (Self::Plots, "Plots"),
        (Self::Curves, "Curves"),
        (Self::Filter, "Filter"),
        (Self::Lesson, "Lessons"),
        (Self::Node, "Node"),
        (Self::Map, "Map"),
        (Self::Lab, "Lab"),
        (Self::Runs, "Runs"),
        (Self::Everywhere, "Everywhere"),
    ];

    /// Order of footer hints: while watching training, training commands first; then
    /// those of the screen; last those that apply everywhere.
    pub(super) fn rank(self, state: &State) -> u8 {
        let watching = state.screen == Screen::Train && !state.in_settings();
        match self {
            Self::Changes | Self::Lesson => 0,
            Self::Training if watching => 0,
            Self::Training => 2,
            Self::Everywhere => 3,
            _ => 1,
        }
    }

    fn holds(self, state: &State) -> bool {
        if self == Self::Everywhere {
            return true;
        }
        if self == Self::Lesson {
            return state.learning.lesson().is_some() && state.picker.is_none();
        }
        if self == Self::Lab {
            let open = state.screen == Screen::Lab && state.lab.is_some();
            return open && state.picker.is_none();
        }
        if state.picker.is_some() || state.graph.session.ready.is_none() {
            return false;
        }
        match self {
            Self::Everywhere | Self::Lesson | Self::Training | Self::Lab => true,
            Self::Changes => state.graph.panel.draft.is_some(),
            Self::Plots => state.plot().is_some() && !state.in_settings(),
            Self::Curves => state.screen == Screen::Train && !state.in_settings(),
            Self::Settings => state.in_settings(),
            Self::Filter => state.screen == Screen::Filter && !state.in_settings(),
            Self::Overview => state.screen == Screen::Overview,
            Self::Node => state.screen == Screen::Node,
            Self::Map => state.screen == Screen::Map,
            Self::Runs => state.screen == Screen::Runs,
        }
    }
}

/// A command the user can run.
pub struct Command {
    /// Its name, for the palette and for key bindings.
    pub name: &'static str,
    /// The default keys.
    pub keys: &'static [&'static str],
    /// A word or two for the footer; empty to leave it out.
    pub hint: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Where it applies.
    pub place: CommandScope,
    /// Whether it applies now, given the scope.
    pub when: fn(&State) -> bool,
    /// Runs it.
    pub run: fn(&mut State) -> Vec<Effect>,
}

impl Command {
    /// Whether it can be run now.
    pub fn applies(&self, state: &State) -> bool {
        self.place.holds(state) && (self.when)(state)
    }

    /// Runs it and reports it to the current lesson.
    pub fn carry_out(&self, state: &mut State) -> Vec<Effect> {
        state.learning.carried_out(self.name);
        (self.run)(state)
    }

    /// The command with a name, or with that name in an older version.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = renamed(name).unwrap_or(name);
        TABLE.iter().find(|command| command.name == name).copied()
    }
}

/// The names of all commands, as used by key bindings and lessons.
pub fn command_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|command| command.name)
}

type Effects = Vec<Effect>;

fn none() -> Effects {
    Vec::new()
}

fn always(_: &State) -> bool {
    true
}

fn train(order: TrainingCommand) -> Effects {
    vec![Effect::Train(order)]
}

fn open_layer(state: &mut State, layer: Layer) -> Effects {
    state.layers.push(layer);
    none()
}

/// Opens a prompt with a suggested text.
fn ask(state: &mut State, prompt: Prompt, proposal: &str) -> Effects {
    open_layer(state, Layer::Prompt(prompt, TextInput::new(proposal)))
}
