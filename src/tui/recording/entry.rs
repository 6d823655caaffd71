//! The serialized form of one line of a recording.

use std::time::Duration;

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use serde::{Deserialize, Serialize};

use super::{Action, Opened, Recorded};

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::tui) struct RecordingLine {
    /// Milliseconds since the start.
    ms: u64,
    /// Epochs done.
    epoch: usize,
    /// Keys that a demo has pressed in its step.
    #[serde(default, skip_serializing_if = "is_zero")]
    pressed: usize,
    #[serde(flatten)]
    entry: Entry,
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    Open {
        line: String,
        paused: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        screen: Option<String>,
    },
    Demo(String),
    Size(u16, u16),
    Key(String),
    Mouse {
        kind: String,
        column: u16,
        row: u16,
        target: String,
    },
    Paste(String),
}

impl From<&Recorded> for RecordingLine {
    fn from(recorded: &Recorded) -> Self {
        let entry = match &recorded.action {
            Action::Open(opened) => Entry::Open {
                line: opened.line.to_string(),
                paused: opened.paused,
                screen: opened.screen.clone(),
            },
            Action::Demo(id) => Entry::Demo(id.clone()),
            Action::Size(columns, rows) => Entry::Size(*columns, *rows),
            Action::Key(chord) => Entry::Key(chord.to_string()),
            Action::Mouse(event, target) => Entry::Mouse {
                kind: mouse_name(event.kind),
                column: event.column,
                row: event.row,
                target: target.clone(),
            },
            Action::Paste(text) => Entry::Paste(text.clone()),
        };
        // No session lasts longer than u64 milliseconds.
        let ms = u64::try_from(recorded.at.as_millis()).unwrap_or(u64::MAX);
        Self { ms, epoch: recorded.epoch, pressed: recorded.pressed, entry }
    }
}

impl TryFrom<RecordingLine> for Recorded {
    type Error = String;

    fn try_from(line: RecordingLine) -> Result<Self, String> {
        let action = match line.entry {
            Entry::Open { line, paused, screen } => {
                Action::Open(Box::new(Opened { line: line.parse()?, paused, screen }))
            }
            Entry::Demo(id) => Action::Demo(id),
            Entry::Size(columns, rows) => Action::Size(columns, rows),
            Entry::Key(key) => Action::Key(key.parse()?),
            Entry::Mouse { kind, column, row, target } => {
                let kind = mouse_kind(&kind)
                    .ok_or_else(|| format!("found `{kind}`, expected a mouse action: down-left"))?;
                let modifiers = KeyModifiers::NONE;
                Action::Mouse(MouseEvent { kind, column, row, modifiers }, target)
            }
            Entry::Paste(text) => Action::Paste(text),
        };
        let at = Duration::from_millis(line.ms);
        Ok(Self { at, epoch: line.epoch, pressed: line.pressed, action })
    }
}

const BUTTONS: [(MouseButton, &str); 3] =
    [(MouseButton::Left, "left"), (MouseButton::Right, "right"), (MouseButton::Middle, "middle")];

/// All mouse actions with their names.
fn mouse_names() -> impl Iterator<Item = (MouseEventKind, String)> {
    let pressed = BUTTONS.into_iter().flat_map(|(button, name)| {
        [
            (MouseEventKind::Down(button), format!("down-{name}")),
            (MouseEventKind::Up(button), format!("up-{name}")),
            (MouseEventKind::Drag(button), format!("drag-{name}")),
        ]
    });
    let others = [
        (MouseEventKind::Moved, "moved"),
        (MouseEventKind::ScrollUp, "scroll-up"),
        (MouseEventKind::ScrollDown, "scroll-down"),
        (MouseEventKind::ScrollLeft, "scroll-left"),
        (MouseEventKind::ScrollRight, "scroll-right"),
    ];
    pressed.chain(others.map(|(kind, name)| (kind, name.to_owned())))
}

fn mouse_name(kind: MouseEventKind) -> String {
    let found = mouse_names().find(|(own, _)| *own == kind);
    found.map_or_else(|| "moved".to_owned(), |(_, name)| name)
}

/// The mouse action with a name, as in recordings.
pub fn mouse_kind(name: &str) -> Option<MouseEventKind> {
    mouse_names().find(|(_, own)| own == name).map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_round_trips() {
        let line = "gesf2 graph=sample:karate#0a epoch=3 --count-rows seed=7 @2 balance=3";
        let opened =
            Opened { line: line.parse().unwrap(), paused: true, screen: Some("node".to_owned()) };
        let mouse = |kind| MouseEvent { kind, column: 7, row: 9, modifiers: KeyModifiers::NONE };
        let mouses = mouse_names().map(|(kind, _)| Action::Mouse(mouse(kind), "Plot".to_owned()));
        let others = [
            Action::Open(Box::new(opened)),
            Action::Demo("learned-filters".to_owned()),
            Action::Size(80, 24),
            Action::Key("ctrl-r".parse().unwrap()),
            Action::Key("shift-tab".parse().unwrap()),
            Action::Paste("two\nlines".to_owned()),
        ];
        for action in others.into_iter().chain(mouses) {
            let at = Duration::from_millis(1234);
            let recorded = Recorded { at, epoch: 56, pressed: 3, action };
            let text = serde_json::to_string(&RecordingLine::from(&recorded)).unwrap();
            let read: RecordingLine = serde_json::from_str(&text).unwrap();
            assert_eq!(Recorded::try_from(read), Ok(recorded), "{text}");
        }
    }
}
