//! A session as a log of what was done, to be played again for an audience:
//! the graph, the settings, then every key with its time and epoch.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::commands::Chord;
use crate::model::settings::{Settings, from_toml, to_toml};

/// The first line of a recording.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    graph: PathBuf,
    settings: String,
    paused: bool,
}

/// A key, when it was pressed, and which epoch the training had reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pressed {
    /// Milliseconds since the start.
    pub ms: u64,
    /// Epochs done.
    pub epoch: usize,
    /// The key, as people write it.
    pub key: String,
}

impl Pressed {
    /// When it was pressed.
    pub fn at(&self) -> Duration {
        Duration::from_millis(self.ms)
    }

    /// The key.
    pub fn chord(&self) -> Option<Chord> {
        self.key.parse().ok()
    }
}

/// A recorded session.
#[derive(Debug, Clone)]
pub struct Recording {
    /// The graph it was of.
    pub graph: PathBuf,
    /// The settings it began with.
    pub settings: Settings,
    /// Whether training waited to be started.
    pub paused: bool,
    /// What was pressed, in order.
    pub keys: Vec<Pressed>,
}

impl Recording {
    /// Reads a recording; a fault is said with its line.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let fault = |line: usize, why: String| format!("{name}, line {}: {why}", line + 1);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((at, first)) = lines.next() else {
            return Err(format!("{name}: found nothing, expected a recorded session"));
        };
        let head: Head = serde_json::from_str(first)
            .map_err(|error| fault(at, format!("expected the head of a recording: {error}")))?;
        let settings = from_toml(&head.settings, name).map_err(|why| fault(at, why))?;
        let keys = lines.map(|(at, line)| {
            let pressed: Pressed = serde_json::from_str(line)
                .map_err(|error| fault(at, format!("expected a key with its time: {error}")))?;
            match pressed.chord() {
                Some(_) => Ok(pressed),
                None => Err(fault(at, format!("found `{}`, expected a key", pressed.key))),
            }
        });
        let keys = keys.collect::<Result<_, String>>()?;
        Ok(Self { graph: head.graph, settings, paused: head.paused, keys })
    }
}

/// A recording under way.
#[derive(Debug)]
pub(super) struct Recorder {
    file: File,
}

impl Recorder {
    /// Begins a recording of a session with a graph.
    pub(super) fn begin(
        path: &Path,
        graph: &Path,
        settings: &Settings,
        paused: bool,
    ) -> std::io::Result<Self> {
        let graph = std::path::absolute(graph)?;
        let head = Head { graph, settings: to_toml(settings), paused };
        let mut recorder = Self { file: File::create(path)? };
        recorder.line(&head)?;
        Ok(recorder)
    }

    /// Takes down a key.
    pub(super) fn key(&mut self, at: Duration, epoch: usize, chord: Chord) -> std::io::Result<()> {
        let ms = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        self.line(&Pressed { ms, epoch, key: chord.to_string() })
    }

    fn line(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pressed_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        let settings = Settings { epochs: 77, ..Settings::default() };
        let mut recorder = Recorder::begin(&path, "karate".as_ref(), &settings, true).unwrap();
        for (number, key) in ["s", "ctrl-r", "space", "esc", "shift-tab", "?"].iter().enumerate() {
            let at = Duration::from_millis(100 * number as u64);
            recorder.key(at, number, key.parse().unwrap()).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let recording = Recording::parse(&text, "session.jsonl").unwrap();
        assert_eq!((&recording.settings, recording.paused), (&settings, true));
        assert_eq!(recording.keys.len(), 6);
        assert_eq!(recording.keys[1].chord(), Some("ctrl-r".parse().unwrap()));
        assert_eq!((recording.keys[5].ms, recording.keys[5].epoch), (500, 5));
    }

    #[test]
    fn faults_name_their_line() {
        let said = |text: &str| Recording::parse(text, "x").unwrap_err();
        assert!(said("").contains("found nothing"));
        assert!(said("{}").contains("x, line 1"));
        let head = serde_json::json!({"graph": "g", "settings": "", "paused": false}).to_string();
        let wrong = format!("{head}\n{{\"ms\":1,\"epoch\":0,\"key\":\"hyper-q\"}}\n");
        assert!(said(&wrong).contains("x, line 2: found `hyper-q`"), "{}", said(&wrong));
    }
}
