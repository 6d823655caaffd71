//! The keyboard: a key goes to the text being typed, or else to a command.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::changes::assign;
use super::commands::Chord;
use super::layers::{self, Layer, Prompt};
use super::message::Effect;
use super::state::{Screen, State};
use super::text_input::TextInput;
use super::{learning, node, picker};

/// Handles a key.
pub(super) fn update(state: &mut State, chord: Chord) -> Vec<Effect> {
    let quits = chord.code == KeyCode::Char('c') && chord.modifiers == KeyModifiers::CONTROL;
    if quits {
        return layers::quit(state);
    }
    if !state.layers.is_empty() {
        state.projector.press(chord, None, state.now);
        return layers::key(state, chord);
    }
    if state.picker.is_some() {
        return picker::key(state, chord);
    }
    if state.screen == Screen::Node && state.graph.node.list.typed.is_some() {
        return node::search_key(state, chord);
    }
    if state.graph.panel.typed.is_some() {
        return value_key(state, chord);
    }
    // Digits are commands on some screens, but a question comes first.
    if let Some(digit) = chord.letter().filter(char::is_ascii_digit)
        && state.learning.question().is_some()
    {
        return learning::ask(state, &digit.to_string());
    }
    let command = state.keymap.find(chord, state);
    state.projector.press(chord, command.map(|command| command.name), state.now);
    if let Some(command) = command {
        return command.carry_out(state);
    }
    if let Some(digit) = chord.letter().filter(|letter| letter.is_ascii_digit() || *letter == '.')
        && state.graph.session.ready.is_some()
    {
        let line = TextInput::new(&digit.to_string());
        if state.in_settings() {
            state.graph.panel.typed = Some(line);
        } else if digit.is_ascii_digit() {
            state.layers.push(Layer::Prompt(Prompt::Epochs, line));
        }
    }
    Vec::new()
}

/// The text input that has the focus, if any.
pub(super) fn typed_line(state: &mut State) -> Option<&mut TextInput> {
    match state.layers.last_mut() {
        Some(Layer::Help(search) | Layer::Palette(search)) => Some(&mut search.query),
        Some(Layer::Prompt(_, line)) => Some(line),
        Some(
            Layer::Presets(_)
            | Layer::Recover(_)
            | Layer::Unsaved(_)
            | Layer::Lessons(_)
            | Layer::What(_),
        ) => None,
        None => match &mut state.picker {
            Some(picker) => Some(&mut picker.path),
            None if state.graph.node.list.typed.is_some() && state.screen == Screen::Node => {
                state.graph.node.list.typed.as_mut()
            }
            None => state.graph.panel.typed.as_mut(),
        },
    }
}

fn value_key(state: &mut State, chord: Chord) -> Vec<Effect> {
    let Some(line) = &mut state.graph.panel.typed else { return Vec::new() };
    match chord.code {
        KeyCode::Esc => state.graph.panel.typed = None,
        KeyCode::Enter => {
            let value = line.text().to_owned();
            let key = state.graph.panel.setting().key;
            state.graph.panel.typed = None;
            return assign(state, key, &value);
        }
        KeyCode::Up => state.graph.panel.go(-1),
        KeyCode::Down => state.graph.panel.go(1),
        _ => {
            line.press(chord);
        }
    }
    Vec::new()
}
