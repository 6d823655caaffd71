//! Answering the question of a lesson step.

use crate::tui::layers::{Layer, Prompt};
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::text_input::TextInput;

/// Asks for the answer, beginning with what was typed.
pub(in crate::tui) fn ask(state: &mut State, typed: &str) -> Vec<Effect> {
    if state.learning.question().is_some() {
        state.layers.push(Layer::Prompt(Prompt::Answer, TextInput::new(typed)));
    }
    Vec::new()
}

/// Takes the answer; one that cannot be read is refused, and the question stays.
pub(in crate::tui) fn answer(state: &mut State, typed: &str) -> Vec<Effect> {
    let learning = &mut state.learning;
    let Some(player) = &mut learning.player else { return Vec::new() };
    match player.answer(typed, &learning.facts) {
        Ok(()) => learning.scroll = 0,
        Err(why) => state.notices.say(why, state.now),
    }
    Vec::new()
}
