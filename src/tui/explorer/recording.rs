//! Records the session, if requested.

use ratatui::crossterm::event::{MouseEvent, MouseEventKind};

use super::Explorer;
use crate::tui::mouse::target_name;
use crate::tui::opening::Opening;
use crate::tui::recorder::{Fingerprint, Recorder};
use crate::tui::recording::{Action, Opened, Recorded};
use crate::tui::state::Screen;
use crate::tui::state_change::StateChange;

/// The recorded header of a graph being opened.
pub(super) struct Head {
    opened: Opened,
    fingerprint: Fingerprint,
}

impl Explorer {
    /// The header for a graph about to be opened.
    pub(super) fn head_of(&self, opening: &Opening) -> Option<Head> {
        self.launch.record.as_ref()?;
        let screen = Screen::ALL.iter().find(|(screen, _)| *screen == self.state.screen);
        let opened = Opened {
            line: opening.line(),
            paused: opening.is_held(self.launch.paused),
            screen: screen.map(|(_, name)| name.to_lowercase()),
        };
        Some(Head { opened, fingerprint: opening.fingerprint() })
    }

    /// Records that a demo is opened, which starts the file.
    pub(super) fn record_demo(&mut self, id: &str) {
        self.start_recording();
        self.record(Action::Demo(id.to_owned()));
        let (columns, rows) = self.state.size;
        self.record(Action::Size(columns, rows));
    }

    /// Opens the file, unless it is open or none is requested.
    fn start_recording(&mut self) {
        let wanted = self.launch.record.clone().filter(|_| self.recorder.is_none());
        match wanted.map(|path| Recorder::create(&path)) {
            Some(Ok(recorder)) => self.recorder = Some(recorder),
            Some(Err(error)) => self.end_recording(&error),
            None => {}
        }
    }

    /// Records that a graph is opened: the first one starts the file.
    pub(super) fn record_opened(&mut self, head: Head) {
        self.start_recording();
        let opened = self.recorded(Action::Open(Box::new(head.opened)));
        let opens = |recorder: &mut Recorder| recorder.open(opened, head.fingerprint);
        self.with_recorder(opens);
        let (columns, rows) = self.state.size;
        self.record(Action::Size(columns, rows));
    }

    /// Records an action.
    pub(super) fn record(&mut self, action: Action) {
        let recorded = self.recorded(action);
        self.with_recorder(|recorder| recorder.action(recorded));
    }

    /// Records a mouse event and the target under it. Mere movement is recorded on
    /// the map only.
    pub(super) fn record_mouse(&mut self, event: MouseEvent) {
        if event.kind != MouseEventKind::Moved || self.state.screen == Screen::Map {
            let target = target_name(&self.state, event);
            self.record(Action::Mouse(event, target));
        }
    }

    /// Writes actions that were waiting for a graph to load.
    pub(super) fn settle_recording(&mut self) {
        self.with_recorder(Recorder::settle);
    }

    /// Writes everything still buffered; returns the error if that fails.
    pub(super) fn finish_recording(&mut self) -> Option<String> {
        let mut recorder = self.recorder.take()?;
        let error = recorder.finish().err()?;
        Some(format!("{}: {error}", recorder.path().display()))
    }

    fn recorded(&self, action: Action) -> Recorded {
        let (epoch, pressed) = (self.state.graph.session.at, self.state.learning.pressed());
        Recorded { at: self.start.elapsed(), epoch, pressed, action }
    }

    fn with_recorder(&mut self, write: impl FnOnce(&mut Recorder) -> std::io::Result<()>) {
        let Some(recorder) = &mut self.recorder else { return };
        if let Err(error) = write(recorder) {
            self.end_recording(&error);
        }
    }

    /// Reports once that recording has stopped, and why.
    fn end_recording(&mut self, error: &std::io::Error) {
        self.recorder = None;
        if let Some(path) = self.launch.record.take() {
            let path = path.display();
            let said = format!("{path}: {error}\nrecording stopped; the session continues");
            self.change(StateChange::Failed(said));
        }
    }
}
