//! Writes a recording. The header of a graph waits until the graph is loaded and its
//! fingerprint is known; actions in the meantime wait with it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::recording::{Action, Recorded, RecordingLine};

/// The fingerprint of a graph, once it is loaded.
pub(super) type Fingerprint = Arc<OnceLock<String>>;

/// A recording in progress.
#[derive(Debug)]
pub(super) struct Recorder {
    path: PathBuf,
    file: File,
    /// A graph whose fingerprint is not known yet.
    opening: Option<(Recorded, Fingerprint)>,
    /// Actions not written yet.
    waiting: Vec<Recorded>,
    /// Whether anything has been written.
    is_begun: bool,
}

impl Recorder {
    /// Creates the file.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = File::create(path)?;
        let path = path.to_owned();
        Ok(Self { path, file, opening: None, waiting: Vec::new(), is_begun: false })
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Records that a graph was opened. A previous one that never loaded is dropped:
    /// there is nothing to open again.
    pub(super) fn open(&mut self, opened: Recorded, fingerprint: Fingerprint) -> io::Result<()> {
        self.settle()?;
        if self.opening.take().is_some() && !self.is_begun {
            self.waiting.clear();
        }
        self.flush()?;
        self.opening = Some((opened, fingerprint));
        Ok(())
    }

    /// Records an action. A key without a name is skipped: it has no effect.
    pub(super) fn action(&mut self, recorded: Recorded) -> io::Result<()> {
        let is_named = match &recorded.action {
            Action::Key(chord) => chord.to_string().parse() == Ok(*chord),
            _ => true,
        };
        if is_named {
            self.waiting.push(recorded);
        }
        self.settle()
    }

    /// Writes what can be written: everything, once the graph is loaded.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        let is_known = |opening: &mut (Recorded, Fingerprint)| opening.1.get().is_some();
        if let Some((opened, fingerprint)) = self.opening.take_if(is_known) {
            self.head(opened, &fingerprint)?;
        }
        if self.opening.is_none() { self.flush() } else { Ok(()) }
    }

    /// Writes everything, even while a graph is still loading.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some((opened, fingerprint)) = self.opening.take() {
            self.head(opened, &fingerprint)?;
        }
        self.flush()
    }

    fn head(&mut self, mut recorded: Recorded, fingerprint: &Fingerprint) -> io::Result<()> {
        if let Action::Open(opened) = &mut recorded.action
            && let Some(known) = fingerprint.get()
        {
            opened.line.graph.fingerprint.clone_from(known);
        }
        self.write(&recorded)
    }

    fn flush(&mut self) -> io::Result<()> {
        for recorded in std::mem::take(&mut self.waiting) {
            self.write(&recorded)?;
        }
        Ok(())
    }

    fn write(&mut self, recorded: &Recorded) -> io::Result<()> {
        let mut line = serde_json::to_string(&RecordingLine::from(recorded))?;
        line.push('\n');
        self.is_begun = true;
        self.file.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::recording::{Opened, Recording};
    use std::time::Duration;

    fn recorded(action: Action) -> Recorded {
        Recorded { at: Duration::ZERO, epoch: 0, pressed: 0, action }
    }

    fn graph(name: &str) -> Recorded {
        let line = format!("gesf2 graph={name}# epoch=0").parse().unwrap();
        recorded(Action::Open(Box::new(Opened { line, paused: true, screen: None })))
    }

    fn key(name: &str) -> Recorded {
        recorded(Action::Key(name.parse().unwrap()))
    }

    fn read(path: &Path) -> Recording {
        Recording::parse(&std::fs::read_to_string(path).unwrap(), "session").unwrap()
    }

    #[test]
    fn a_second_graph_continues_the_file_and_headers_have_fingerprints() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        let mut recorder = Recorder::create(&path).unwrap();
        let known = Fingerprint::default();
        recorder.open(graph("a"), known.clone()).unwrap();
        recorder.action(key("s")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"", "the head comes first");
        known.set("0a".to_owned()).unwrap();
        recorder.action(key("space")).unwrap();
        let later = Fingerprint::default();
        recorder.open(graph("b"), later.clone()).unwrap();
        later.set("0b".to_owned()).unwrap();
        recorder.action(key("q")).unwrap();
        recorder.finish().unwrap();
        let recording = read(&path);
        let names: Vec<_> = recording.opened().map(|own| own.line.graph.clone()).collect();
        let shown: Vec<_> = names.iter().map(|own| (&*own.name, &*own.fingerprint)).collect();
        assert_eq!(shown, [("a", "0a"), ("b", "0b")]);
        assert_eq!(recording.actions[..2], [key("s"), key("space")]);
        assert_eq!(recording.actions[3], key("q"));
    }

    #[test]
    fn graphs_that_never_loaded_and_unnamed_keys_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        let mut recorder = Recorder::create(&path).unwrap();
        recorder.open(graph("broken"), Fingerprint::default()).unwrap();
        recorder.action(key("ctrl-o")).unwrap();
        recorder.open(graph("good"), Fingerprint::default()).unwrap();
        let nameless = ratatui::crossterm::event::KeyCode::CapsLock;
        let held = ratatui::crossterm::event::KeyModifiers::NONE;
        let nameless = Action::Key(crate::tui::commands::Chord::new(nameless, held));
        recorder.action(recorded(nameless)).unwrap();
        recorder.finish().unwrap();
        let recording = read(&path);
        assert_eq!(recording.opened().next().unwrap().line.graph.name, "good");
        assert!(recording.actions.is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let mut recorder = Recorder::create("/dev/full".as_ref()).unwrap();
        assert!(recorder.action(key("s")).is_err());
    }
}
