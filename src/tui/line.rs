//! A line of typed text.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::commands::Chord;

/// Text and where the next letter goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    text: String,
    /// In letters, not bytes.
    place: usize,
}

impl Line {
    /// A line that already has some text, with the cursor at its end.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), place: text.chars().count() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before and after the cursor.
    pub fn parts(&self) -> (&str, &str) {
        self.text.split_at(self.byte(self.place))
    }

    fn byte(&self, place: usize) -> usize {
        self.text.char_indices().nth(place).map_or(self.text.len(), |(at, _)| at)
    }

    /// Puts text in at the cursor; line breaks become blanks.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text.insert_str(self.byte(self.place), &clean);
        self.place += clean.chars().count();
    }

    /// Takes away the letter before the cursor.
    pub fn backspace(&mut self) {
        if self.place > 0 {
            self.place -= 1;
            self.text.remove(self.byte(self.place));
        }
    }

    /// Takes away everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes away the word before the cursor.
    pub fn backspace_word(&mut self) {
        let before = self.parts().0;
        let kept = before.trim_end().rfind([' ', '/']).map_or(0, |at| at + 1);
        let rest = self.parts().1.to_owned();
        let start = before[..kept].to_owned();
        self.place = start.chars().count();
        self.text = start + &rest;
    }

    /// Moves the cursor.
    pub fn go(&mut self, by: isize) {
        self.place = self.place.saturating_add_signed(by).min(self.text.chars().count());
    }

    /// Moves the cursor to the start or the end.
    pub fn go_to_end(&mut self, end: bool) {
        self.place = if end { self.text.chars().count() } else { 0 };
    }

    /// Typing on the line; says whether the key was one of those.
    pub(super) fn press(&mut self, chord: Chord) -> bool {
        let control = chord.held.contains(KeyModifiers::CONTROL);
        match chord.code {
            KeyCode::Char('u') if control => self.clear(),
            KeyCode::Char('w') if control => self.backspace_word(),
            KeyCode::Char('a') if control => self.go_to_end(false),
            KeyCode::Char('e') if control => self.go_to_end(true),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Left => self.go(-1),
            KeyCode::Right => self.go(1),
            KeyCode::Home => self.go_to_end(false),
            KeyCode::End => self.go_to_end(true),
            _ => match chord.letter() {
                Some(letter) => self.insert(&letter.to_string()),
                None => return false,
            },
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_width_are_typed_and_taken_away() {
        let mut line = Line::new("λ=");
        line.insert("1\n0");
        line.go(-1);
        line.backspace();
        assert_eq!(line.text(), "λ=10");
        line.go_to_end(false);
        line.backspace();
        line.go(1);
        line.backspace();
        assert_eq!(line.text(), "=10");
        line.go_to_end(true);
        line.insert(" two/three");
        line.backspace_word();
        assert_eq!(line.text(), "=10 two/");
    }
}
