//! A single-line text input.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use tui_input::{Input, InputRequest};

use super::commands::Chord;

/// The text and the cursor.
#[derive(Debug, Clone, Default)]
pub struct TextInput(Input);

impl TextInput {
    /// An input with some text and the cursor at its end.
    pub fn new(text: &str) -> Self {
        Self(Input::from(text))
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.0.value()
    }

    /// The text before and after the cursor.
    pub fn parts(&self) -> (&str, &str) {
        let text = self.0.value();
        let place = text.char_indices().nth(self.0.cursor()).map_or(text.len(), |(at, _)| at);
        text.split_at(place)
    }

    /// Inserts text at the cursor; line breaks become spaces.
    pub fn insert(&mut self, text: &str) {
        for letter in text.chars() {
            let letter = if letter.is_control() { ' ' } else { letter };
            self.0.handle(InputRequest::InsertChar(letter));
        }
    }

    /// Handles an editing key; returns whether it was one.
    pub(super) fn press(&mut self, chord: Chord) -> bool {
        let control = chord.modifiers.contains(KeyModifiers::CONTROL);
        let request = match chord.code {
            KeyCode::Char('u') if control => InputRequest::DeleteLine,
            KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
            KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
            KeyCode::Char('a') if control => InputRequest::GoToStart,
            KeyCode::Char('e') if control => InputRequest::GoToEnd,
            KeyCode::Left if control => InputRequest::GoToPrevWord,
            KeyCode::Right if control => InputRequest::GoToNextWord,
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            _ => match chord.letter() {
                Some(letter) => InputRequest::InsertChar(letter),
                None => return false,
            },
        };
        self.0.handle(request);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_any_width_can_be_typed_and_deleted() {
        let mut line = TextInput::new("λ=");
        line.insert("1\n0");
        let mut press = |keys: &str| {
            keys.split(' ').for_each(|key| assert!(line.press(key.parse().unwrap()), "{key}"));
            line.text().to_owned()
        };
        assert_eq!(press("left backspace"), "λ=10");
        assert_eq!(press("home backspace right backspace"), "=10");
        assert_eq!(press("end space t w o / t h r e e ctrl-w"), "=10 two/");
        assert_eq!(press("left delete"), "=10 two");
        assert_eq!(press("ctrl-u"), "");
    }
}
