//! Which keys do what: the table's own, or a person's.

use super::{Chord, Command, TABLE, command_names};
use crate::tui::state::State;
use crate::words::nearest;

/// The keys of every command, in the order of the table.
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
    /// Gives a command other keys.
    pub fn bind(&mut self, name: &str, keys: Vec<Chord>) -> Result<(), String> {
        let place = TABLE.iter().position(|command| command.name == name);
        let Some(place) = place else {
            let nearest = nearest(name, command_names());
            return Err(format!("no command is called `{name}`; the nearest is `{nearest}`"));
        };
        self.keys[place] = keys;
        Ok(())
    }

    /// The keys of a command.
    pub fn keys(&self, command: &Command) -> &[Chord] {
        let place = TABLE.iter().position(|own| own.name == command.name);
        place.map_or(&[], |place| &self.keys[place])
    }

    /// The command a key stands for now.
    pub fn find(&self, chord: Chord, state: &State) -> Option<&'static Command> {
        let bound = TABLE.iter().zip(&self.keys).filter(|(_, keys)| keys.contains(&chord));
        bound.map(|(command, _)| *command).find(|command| command.applies(state))
    }
}
