//! Sequences for the terminal itself: the clipboard (OSC 52) and desktop notifications
//! (OSC 9, 99 and 777).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::escape::harmless_line;

/// Terminals may ignore a longer clipboard text.
const MOST: usize = 74_000;

/// The sequence that puts a text into the clipboard; `None` if it is too long.
pub(super) fn copy(text: &str) -> Option<String> {
    (text.len() <= MOST).then(|| format!("\x1b]52;c;{}\x07", STANDARD.encode(text)))
}

/// How a terminal is told to show a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notifier {
    /// OSC 9: iTerm2, WezTerm, Ghostty.
    Nine,
    /// OSC 99: kitty.
    NinetyNine,
    /// OSC 777: foot, rxvt-unicode, terminals on VTE.
    SevenSevenSeven,
}

impl Notifier {
    /// The one that this terminal is known to understand. Multiplexers pass none on.
    pub(super) fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let terminal = variable("TERM").unwrap_or_default();
        if is_set("TMUX") || terminal.starts_with("screen") || terminal.starts_with("tmux") {
            return None;
        }
        match variable("TERM_PROGRAM").unwrap_or_default().as_str() {
            "iTerm.app" | "WezTerm" | "ghostty" => Some(Self::Nine),
            _ if terminal.contains("kitty") => Some(Self::NinetyNine),
            _ if terminal.starts_with("foot") || terminal.starts_with("rxvt-unicode") => {
                Some(Self::SevenSevenSeven)
            }
            _ if is_set("VTE_VERSION") => Some(Self::SevenSevenSeven),
            _ => None,
        }
    }

    /// The sequence that shows a text.
    pub(super) fn notice(self, text: &str) -> String {
        // A semicolon would start another field.
        let text = harmless_line(text).replace(';', ",");
        match self {
            Self::Nine => format!("\x1b]9;{text}\x07"),
            Self::NinetyNine => format!("\x1b]99;;{text}\x1b\\"),
            Self::SevenSevenSeven => format!("\x1b]777;notify;gesf-tui;{text}\x07"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_encoded_for_the_clipboard() {
        let encoded = ["", "M", "Ma", "Man", "ρ"].map(|text| STANDARD.encode(text));
        assert_eq!(encoded, ["", "TQ==", "TWE=", "TWFu", "z4E="]);
        assert_eq!(copy("Man").as_deref(), Some("\x1b]52;c;TWFu\x07"));
        assert_eq!(copy(&"x".repeat(MOST + 1)), None);
    }

    #[test]
    fn only_terminals_known_to_show_notifications_are_sent_any() {
        let of = |pairs: &'static [(&'static str, &'static str)]| {
            Notifier::of_terminal(move |name| {
                pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("TERM", "xterm-256color")]), None);
        assert_eq!(of(&[("TERM_PROGRAM", "WezTerm")]), Some(Notifier::Nine));
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Some(Notifier::NinetyNine));
        assert_eq!(of(&[("TERM", "foot")]), Some(Notifier::SevenSevenSeven));
        assert_eq!(of(&[("TERM_PROGRAM", "WezTerm"), ("TMUX", "/tmp/tmux")]), None);
    }

    #[test]
    fn a_notice_cannot_smuggle_a_sequence() {
        let sent = Notifier::SevenSevenSeven.notice("a;b\x07\x1b]52;c;");
        assert_eq!(sent.matches('\x07').count(), 1);
        assert_eq!(sent.matches('\x1b').count(), 1);
        assert_eq!(sent.matches(';').count(), 3);
    }
}
