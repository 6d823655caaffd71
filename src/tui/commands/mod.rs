//! The one table of commands, and the keys they are bound to. Keys, footer,
//! help, palette and the key reference all read it.

mod acts;
mod fuzzy;
mod keymap;
mod keys;
mod reference;
mod table;

pub(super) use acts::{open, zoom};
pub(super) use fuzzy::score;
pub use keymap::Keymap;
pub use keys::Chord;
pub use reference::reference;
pub(super) use table::TABLE;

use super::message::Effect;
use super::state::{Focus, Screen, State};

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On every screen.
    Everywhere,
    /// Wherever there is a run.
    Training,
    /// On every plot.
    Plots,
    /// On the curves.
    Curves,
    /// In the panel of settings.
    Settings,
    /// On the filter.
    Filter,
}

impl Place {
    /// Every place with its heading.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Training, "Training"),
        (Self::Settings, "Settings"),
        (Self::Plots, "Plots"),
        (Self::Curves, "Curves"),
        (Self::Filter, "Filter"),
        (Self::Everywhere, "Everywhere"),
    ];

    fn holds(self, state: &State) -> bool {
        let ready = state.session.ready.is_some();
        let curves = ready && state.screen == Screen::Train && state.focus == Focus::Plot;
        match self {
            _ if state.picker.is_some() => self == Self::Everywhere,
            Self::Everywhere => true,
            Self::Training => ready,
            Self::Plots => curves || (ready && state.screen == Screen::Filter),
            Self::Curves => curves,
            Self::Settings => {
                ready && state.screen == Screen::Train && state.focus == Focus::Settings
            }
            Self::Filter => ready && state.screen == Screen::Filter,
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

    /// The command of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|command| command.name == name)
    }
}
