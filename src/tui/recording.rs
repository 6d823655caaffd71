//! A session as a log of actions that can be replayed: the graphs opened, then every
//! key, click and paste with its time and epoch. Graphs are named without a folder,
//! so that recordings are portable.
//!
//! ```text
//! {"ms":0,"epoch":0,"open":{"line":"gesf2 graph=sample:karate#… epoch=0","paused":true,"screen":"train"}}
//! {"ms":0,"epoch":0,"size":[100,30]}
//! {"ms":1200,"epoch":0,"key":"space"}
//! {"ms":2310,"epoch":17,"mouse":{"kind":"down-left","column":4,"row":29,"target":"Command(\"help\")"}}
//! ```

mod entry;

use std::time::Duration;

use ratatui::crossterm::event::MouseEvent;
use serde::Deserialize;

use super::commands::Chord;
use crate::graph::GraphReference;
use crate::model::settings::from_toml;
use crate::train::StateLine;
pub(super) use entry::RecordingLine;
pub use entry::mouse_kind;

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A graph was opened.
    Open(Box<Opened>),
    /// A built-in demo was opened.
    Demo(String),
    /// The terminal has this size from here on: columns and rows.
    Size(u16, u16),
    /// A key press.
    Key(Chord),
    /// A mouse event, and the target under it.
    Mouse(MouseEvent, String),
    /// Pasted text.
    Paste(String),
}

/// A graph that was opened: at its start, or at an epoch of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// The graph, its settings and the epoch.
    pub line: StateLine,
    /// Whether training started paused.
    pub paused: bool,
    /// The screen it was opened on, if recorded.
    pub screen: Option<String>,
}

/// An action with its time, and how far training and a demo were.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Time since the start.
    pub at: Duration,
    /// Epochs done.
    pub epoch: usize,
    /// Keys that a demo has pressed in its step.
    pub pressed: usize,
    /// The action.
    pub action: Action,
}

/// A recorded session.
#[derive(Debug, Clone)]
pub struct Recording {
    /// What was opened first.
    pub first: First,
    /// All later actions, in order.
    pub actions: Vec<Recorded>,
}

/// What a session starts with.
#[derive(Debug, Clone, PartialEq)]
pub enum First {
    /// A graph.
    Graph(Box<Opened>),
    /// A built-in demo.
    Demo(String),
}

/// The first line of a recording from before graphs were named without folders.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldHead {
    graph: String,
    settings: String,
    paused: bool,
}

impl Recording {
    /// Parses a recording; errors name the line.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let fault = |line: usize, why: String| format!("{name}, line {}: {why}", line + 1);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((at, first)) = lines.next() else {
            return Err(format!("{name}: file is empty, expected a recorded session"));
        };
        let first = opened_first(first, name).map_err(|why| fault(at, why))?;
        let actions = lines.map(|(at, line)| action(line).map_err(|why| fault(at, why)));
        Ok(Self { first, actions: actions.collect::<Result<_, String>>()? })
    }

    /// All graphs that were opened, in order.
    pub fn opened(&self) -> impl Iterator<Item = &Opened> {
        let later = self.actions.iter().filter_map(|recorded| match &recorded.action {
            Action::Open(opened) => Some(opened.as_ref()),
            _ => None,
        });
        let first = match &self.first {
            First::Graph(opened) => Some(opened.as_ref()),
            First::Demo(_) => None,
        };
        first.into_iter().chain(later)
    }
}

fn action(line: &str) -> Result<Recorded, String> {
    let line: RecordingLine = serde_json::from_str(line).map_err(|error| {
        format!("expected a key, mouse, paste, size or open with its time: {error}")
    })?;
    line.try_into()
}

fn opened_first(line: &str, name: &str) -> Result<First, String> {
    if let Ok(old) = serde_json::from_str::<OldHead>(line) {
        let graph = GraphReference { name: old.graph, ..GraphReference::default() };
        let settings = from_toml(&old.settings, name)?;
        let (version, threads, changes) = (None, None, Vec::new());
        let edits = String::new();
        let line = StateLine { graph, epoch: 0, version, threads, edits, settings, changes };
        return Ok(First::Graph(Box::new(Opened { line, paused: old.paused, screen: None })));
    }
    let found = action(line).map_err(|why| format!("expected the header of a recording: {why}"))?;
    match found.action {
        Action::Open(opened) => Ok(First::Graph(opened)),
        Action::Demo(id) => Ok(First::Demo(id)),
        _ => Err("expected the header of a recording: what was opened".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_with_a_path_is_read_and_its_path_is_not_trusted() {
        let head = r#"{"graph":"/etc/passwd","settings":"epochs = 77","paused":true}"#;
        let text = format!("{head}\n{{\"ms\":5,\"epoch\":2,\"key\":\"ctrl-r\"}}\n");
        let recording = Recording::parse(&text, "x").unwrap();
        let first = recording.opened().next().unwrap();
        assert_eq!((first.line.settings.epochs, first.paused), (77, true));
        let key = Action::Key("ctrl-r".parse().unwrap());
        let expected = Recorded { at: Duration::from_millis(5), epoch: 2, pressed: 0, action: key };
        assert_eq!(recording.actions, [expected]);
        let graph = &first.line.graph;
        assert!(graph.find(None, &[]).unwrap_err().contains("pass the path of the graph as PATH"));
        assert_eq!(graph.find(Some("karate".as_ref()), &[]), Ok("karate".into()));
    }

    #[test]
    fn errors_name_their_line() {
        let said = |text: &str| Recording::parse(text, "x").unwrap_err();
        assert!(said("").contains("file is empty"));
        assert!(said("{}").contains("x, line 1"));
        assert!(said(r#"{"ms":1,"epoch":0,"key":"q"}"#).contains("expected the head"));
        let head = r#"{"ms":0,"epoch":0,"open":{"line":"gesf2 graph=a# epoch=0","paused":true}}"#;
        let after = |line: &str| said(&format!("{head}\n{line}\n"));
        let wrong = after(r#"{"ms":1,"epoch":0,"key":"hyper-q"}"#);
        assert!(wrong.contains("x, line 2: found `hyper-q`"), "{wrong}");
        let mouse = r#"{"ms":1,"epoch":0,"mouse":{"kind":"bite","column":1,"row":1,"target":""}}"#;
        assert!(after(mouse).contains("found `bite`, expected a mouse action"));
        assert!(after(r#"{"ms":1,"epoch":0}"#).contains("line 2: expected a key, mouse"));
        let open = r#"{"ms":1,"epoch":0,"open":{"line":"gesf9","paused":true}}"#;
        assert!(after(open).contains("begins with `gesf2`"));
    }
}
