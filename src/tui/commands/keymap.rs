//! Key bindings: the defaults, or the user's.

use super::{Chord, Command, TABLE, command_names};
use crate::suggest::nearest;
use crate::tui::state::State;

/// The keys of every command, in table order.
#[derive(Debug, Clone)]
pub struct Keymap {
    keys: Vec<Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let parsed = |command: &&Command| {
            command.keys.iter().filter_map(|key| key.parse().ok()).collect::<Vec<Chord>>()
        };
        Self { keys: TABLE.iter().map(parsed).collect() }
    }
}

impl Keymap {
    /// Binds other keys to a command.
    pub fn bind(&mut self, name: &str, keys: Vec<Chord>) -> Result<(), String> {
        let known = Command::named(name).map(|command| command.name);
        let place = TABLE.iter().position(|command| Some(command.name) == known);
        let Some(place) = place else {
            let nearest = nearest(name, command_names());
            return Err(format!("unknown command `{name}`; did you mean `{nearest}`?"));
        };
        self.keys[place] = keys;
        Ok(())
    }

    /// The keys of a command.
    pub fn keys(&self, command: &Command) -> &[Chord] {
        let place = TABLE.iter().position(|own| own.name == command.name);
        place.map_or(&[], |place| &self.keys[place])
    }

    /// The command bound to a key in the current state.
    pub fn find(&self, chord: Chord, state: &State) -> Option<&'static Command> {
        let bound = TABLE.iter().zip(&self.keys).filter(|(_, keys)| keys.contains(&chord));
        bound.map(|(command, _)| *command).find(|command| command.applies(state))
    }
}
