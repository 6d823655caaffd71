//! Key notation: `q`, `space`, `ctrl-r`, `shift-left`.

use std::fmt;
use std::str::FromStr;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key.
    pub code: KeyCode,
    /// The modifiers.
    pub modifiers: KeyModifiers,
}

const NAMED: [(&str, KeyCode); 15] = [
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
];

const HELD: [(&str, KeyModifiers); 3] =
    [("ctrl", KeyModifiers::CONTROL), ("alt", KeyModifiers::ALT), ("shift", KeyModifiers::SHIFT)];

impl Chord {
    /// Normalises how terminals report keys: a capital letter is the letter alone,
    /// and back-tab is tab with shift.
    pub fn new(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let modifiers = modifiers & known;
        match code {
            KeyCode::BackTab => {
                Self { code: KeyCode::Tab, modifiers: modifiers | KeyModifiers::SHIFT }
            }
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::CONTROL) => {
                let code = KeyCode::Char(letter.to_ascii_lowercase());
                Self { code, modifiers: modifiers - KeyModifiers::SHIFT }
            }
            KeyCode::Char(' ') => Self { code, modifiers: modifiers - KeyModifiers::SHIFT },
            KeyCode::Char(letter) => {
                let shifted = modifiers.contains(KeyModifiers::SHIFT);
                let letter = if shifted { upper(letter) } else { letter };
                Self { code: KeyCode::Char(letter), modifiers: modifiers - KeyModifiers::SHIFT }
            }
            _ => Self { code, modifiers },
        }
    }

    /// The letter it types, if any.
    pub fn letter(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.modifiers.is_empty() => Some(letter),
            _ => None,
        }
    }
}

fn upper(letter: char) -> char {
    letter.to_uppercase().next().unwrap_or(letter)
}

impl From<KeyEvent> for Chord {
    fn from(event: KeyEvent) -> Self {
        Self::new(event.code, event.modifiers)
    }
}

impl FromStr for Chord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((name, modifier)) = HELD.iter().find_map(|(name, modifier)| {
            let after = rest.strip_prefix(name)?.strip_prefix('-')?;
            (!after.is_empty()).then_some((after, *modifier))
        }) {
            modifiers |= modifier;
            rest = name;
        }
        let named = NAMED.iter().find(|(name, _)| *name == rest).map(|(_, code)| *code);
        let numbered = rest.strip_prefix('f').and_then(|number| number.parse::<u8>().ok());
        let mut letters = rest.chars();
        let code = match (named, numbered, letters.next(), letters.next()) {
            (Some(code), ..) => code,
            (None, Some(number @ 1..=12), ..) => KeyCode::F(number),
            (None, None, Some(letter), None) => KeyCode::Char(letter),
            _ => {
                let known: Vec<&str> = NAMED.iter().map(|(key, _)| *key).collect();
                return Err(format!(
                    "found `{text}`, expected a key such as q, ctrl-r, shift-left, f1, or one of {}",
                    known.join(", ")
                ));
            }
        };
        Ok(Self::new(code, modifiers))
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (name, modifier) in HELD {
            if self.modifiers.contains(modifier) {
                text.push_str(name);
                text.push('-');
            }
        }
        match (NAMED.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => text.push_str(name),
            (None, KeyCode::Char(letter)) => text.push(letter),
            (None, KeyCode::F(number)) => text = format!("{text}f{number}"),
            (None, other) => text.push_str(&format!("{other:?}").to_lowercase()),
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_round_trip_through_text() {
        for text in
            ["q", "R", "space", "ctrl-r", "shift-left", "alt-shift-up", "f1", "?", "-", "ctrl--"]
        {
            assert_eq!(text.parse::<Chord>().unwrap().to_string(), text);
        }
        assert!("hyper-x".parse::<Chord>().unwrap_err().contains("expected a key"));
    }

    #[test]
    fn keys_reported_differently_by_terminals_are_equal() {
        let chord = |code, modifiers| Chord::new(code, modifiers).to_string();
        assert_eq!(chord(KeyCode::Char('R'), KeyModifiers::SHIFT), "R");
        assert_eq!(chord(KeyCode::Char('r'), KeyModifiers::SHIFT), "R");
        assert_eq!(chord(KeyCode::BackTab, KeyModifiers::SHIFT), "shift-tab");
        assert_eq!(chord(KeyCode::Char('?'), KeyModifiers::SHIFT), "?");
    }
}
