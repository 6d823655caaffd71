//! What a visitor sends: keys and mouse actions under the names that recordings use.

use ratatui::crossterm::event::{Event, KeyEvent, KeyModifiers, MouseEvent};
use serde::Deserialize;

use crate::tui::{Chord, mouse_kind};

/// Smallest and largest screen, in columns and rows.
const SIZES: [(u16, u16); 2] = [(20, 6), (320, 120)];
/// Longest text that can be pasted, in characters.
const LONGEST_PASTE: usize = 8192;
/// Longest name in a hand-in, in characters.
const LONGEST_NAME: usize = 60;

/// A message of the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Incoming {
    /// A frame is on the screen.
    Ack(u64),
    /// A key, such as `ctrl-r`.
    Key(String),
    /// A mouse action, such as `down-left`, at a cell.
    Mouse(String, u16, u16),
    /// Pasted text.
    Paste(String),
    /// Columns and rows.
    Size(u16, u16),
    /// `dark` or `light`.
    Theme(String),
    /// The name in the hand-in.
    HandIn(String),
    /// Continue what the lecturer shows in a session of one's own.
    TakeCopy,
    /// Watch the lecturer again.
    Watch,
}

impl Incoming {
    /// Parses a message.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("expected a key or mouse: {error}"))
    }

    /// The event for the explorer; `None` if the message is no input.
    pub(super) fn event(&self) -> Result<Option<Event>, String> {
        Ok(Some(match self {
            Self::Key(name) => {
                let chord: Chord = name.parse()?;
                Event::Key(KeyEvent::new(chord.code, chord.modifiers))
            }
            Self::Mouse(kind, column, row) => {
                let (kind, modifiers) = (mouse_kind(kind), KeyModifiers::NONE);
                let kind = kind.ok_or("expected a mouse action such as down-left")?;
                Event::Mouse(MouseEvent { kind, column: *column, row: *row, modifiers })
            }
            Self::Paste(text) => Event::Paste(text.chars().take(LONGEST_PASTE).collect()),
            Self::Size(columns, rows) => {
                let [least, most] = SIZES;
                Event::Resize((*columns).clamp(least.0, most.0), (*rows).clamp(least.1, most.1))
            }
            Self::Ack(_) | Self::Theme(_) | Self::HandIn(_) | Self::TakeCopy | Self::Watch => {
                return Ok(None);
            }
        }))
    }
}

/// A name without control characters, of a bounded length.
pub(super) fn tidy_name(name: &str) -> String {
    name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};

    use super::*;

    #[test]
    fn keys_and_mouse_have_the_names_of_recordings() {
        let event = |text: &str| Incoming::parse(text).unwrap().event().unwrap().unwrap();
        let key = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL);
        assert_eq!(event(r#"{"key":"ctrl-r"}"#), Event::Key(key));
        let Event::Mouse(mouse) = event(r#"{"mouse":["down-left",4,29]}"#) else { panic!() };
        assert_eq!(mouse.kind, MouseEventKind::Down(MouseButton::Left));
        assert_eq!((mouse.column, mouse.row), (4, 29));
        assert_eq!(event(r#"{"size":[9999,0]}"#), Event::Resize(320, 6));
        assert_eq!(Incoming::parse(r#""take-copy""#), Ok(Incoming::TakeCopy));
    }

    #[test]
    fn messages_that_mean_nothing_are_refused() {
        for text in ["", "{}", "[1]", r#"{"key":3}"#, r#"{"run":"rm"}"#, r#"{"size":[70000,1]}"#] {
            assert!(Incoming::parse(text).is_err(), "{text}");
        }
        for text in [r#"{"key":"hyper-x"}"#, r#"{"mouse":["bite",1,1]}"#] {
            assert!(Incoming::parse(text).unwrap().event().is_err(), "{text}");
        }
        assert_eq!(tidy_name("  Ada\u{7}\n "), "Ada");
    }
}
