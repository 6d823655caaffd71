//! The one table of commands, and the keys they are bound to. Keys, footer,
//! help, palette and the key reference all read it.

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
mod past;
mod plots;
mod reference;
mod runs;
mod settings;
mod table;
mod training;

pub(super) use everywhere::{go_to as go_to_screen, open};
pub(super) use fuzzy::score;
pub use keymap::Keymap;
pub use keys::Chord;
pub(super) use map::find;
pub(super) use past::go_to;
pub(super) use plots::zoom;
pub use reference::reference;
pub(super) use runs::{label, look_for_runs};
pub(super) use table::TABLE;
use table::command;

use super::layers::{Layer, Prompt};
use super::line::Line;
use super::message::Effect;
use super::state::{Screen, State};
use crate::train::Command as Order;

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On every screen.
    Everywhere,
    /// Wherever there is a run.
    Training,
    /// Where changes wait for a new start.
    Changes,
    /// On every plot.
    Plots,
    /// On the curves.
    Curves,
    /// In the panel of settings.
    Settings,
    /// On the filter.
    Filter,
    /// In a lesson.
    Lesson,
    /// On a node.
    Node,
    /// On the map.
    Map,
    /// On the list of runs.
    Runs,
    /// In the lab, with a graph or without.
    Lab,
}

impl Place {
    /// Every place with its heading.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Training, "Training"),
        (Self::Changes, "Changes that wait for a new start"),
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

    /// Which hints come first: where one watches the training, those of the
    /// training; then what belongs to the screen; last what applies anywhere.
    pub(super) fn rank(self, state: &State) -> u8 {
        let watching = state.plot().is_some() && !state.in_settings();
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
        if state.picker.is_some() || state.session.ready.is_none() {
            return false;
        }
        match self {
            Self::Everywhere | Self::Lesson | Self::Training | Self::Lab => true,
            Self::Changes => state.panel.draft.is_some(),
            Self::Plots => state.plot().is_some() && !state.in_settings(),
            Self::Curves => state.screen == Screen::Train && !state.in_settings(),
            Self::Settings => state.in_settings(),
            Self::Filter => state.screen == Screen::Filter,
            Self::Node => state.screen == Screen::Node,
            Self::Map => state.screen == Screen::Map,
            Self::Runs => state.screen == Screen::Runs,
        }
    }
}

/// Something a person can have done.
pub struct Command {
    /// Its name, for the palette and for own keys.
    pub name: &'static str,
    /// The keys it has unless a person chose others.
    pub keys: &'static [&'static str],
    /// A word or two for the footer; empty where it stays out of there.
    pub hint: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Where it applies.
    pub place: Place,
    /// Whether it applies now, given the place.
    pub when: fn(&State) -> bool,
    /// Does it.
    pub run: fn(&mut State) -> Vec<Effect>,
}

impl Command {
    /// Whether it can be done now.
    pub fn applies(&self, state: &State) -> bool {
        self.place.holds(state) && (self.when)(state)
    }

    /// Does it; a lesson takes note.
    pub fn carry_out(&self, state: &mut State) -> Vec<Effect> {
        state.learning.carried_out(self.name);
        (self.run)(state)
    }

    /// The command of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|command| command.name == name).copied()
    }
}

/// The name of every command, as own keys and lessons know it.
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

fn train(order: Order) -> Effects {
    vec![Effect::Train(order)]
}

fn open_layer(state: &mut State, layer: Layer) -> Effects {
    state.layers.push(layer);
    none()
}

/// Asks for a line, with a proposal.
fn ask(state: &mut State, prompt: Prompt, proposal: &str) -> Effects {
    open_layer(state, Layer::Prompt(prompt, Line::new(proposal)))
}
