//! The screen of a session, as those who look at it see it: the newest frame, and what
//! is handed to the visitor. Nobody waits for anybody: a frame that nobody could take
//! in time is replaced by a newer one.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::{broadcast, watch};

use super::frame::Frame;
use crate::tui::{Display, Hits, Message, State, draw};

/// Size of a screen before its page has told its own.
const FIRST_SIZE: (u16, u16) = (120, 40);
/// Notes kept for a page that is slow; older ones are dropped.
const NOTES: usize = 64;
/// Longest text that is put into a clipboard, in bytes.
const LONGEST_COPY: usize = 1 << 20;

/// Something for the visitor besides the frame.
#[derive(Debug, Clone)]
pub(super) enum Note {
    /// A sentence to read out.
    Said(String),
    /// A text for the clipboard.
    Copy(String),
    /// A file to save: its name and text.
    File(String, String),
}

/// The screen of a session.
pub(super) struct Screen {
    frames: watch::Sender<Arc<Frame>>,
    notes: broadcast::Sender<Note>,
    /// Whether somebody can take another frame.
    wanted: AtomicBool,
}

impl Screen {
    /// A screen that shows nothing yet.
    pub(super) fn new() -> Self {
        Self {
            frames: watch::Sender::new(Arc::new(Frame::empty())),
            notes: broadcast::Sender::new(NOTES),
            wanted: AtomicBool::new(false),
        }
    }

    /// The newest frame, and those to come.
    pub(super) fn frames(&self) -> watch::Receiver<Arc<Frame>> {
        self.frames.subscribe()
    }

    /// The notes to come.
    pub(super) fn notes(&self) -> broadcast::Receiver<Note> {
        self.notes.subscribe()
    }

    /// Somebody can take another frame.
    pub(super) fn want(&self) {
        self.wanted.store(true, Ordering::SeqCst);
    }
}

/// The explorer's side of a screen.
pub(super) struct BrowserDisplay {
    screen: Arc<Screen>,
}

impl BrowserDisplay {
    /// Draws on a screen.
    pub(super) fn new(screen: Arc<Screen>) -> Self {
        Self { screen }
    }

    fn note(&self, note: Note) {
        // Without a page there is nobody to tell.
        let _ = self.screen.notes.send(note);
    }
}

impl Display for BrowserDisplay {
    fn size(&self) -> io::Result<(u16, u16)> {
        Ok(FIRST_SIZE)
    }

    fn draw(&mut self, state: &State) -> io::Result<((u16, u16), Hits)> {
        self.screen.wanted.store(false, Ordering::SeqCst);
        let size = state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        let hits = draw(state, &mut buffer);
        self.screen.frames.send_replace(Arc::new(Frame::of(state, buffer, hits.drawings.clone())));
        Ok((size, hits))
    }

    fn is_ready(&self) -> bool {
        self.screen.wanted.load(Ordering::SeqCst)
    }

    fn copy(&mut self, what: &str, text: &str) -> io::Result<Result<String, String>> {
        if text.len() > LONGEST_COPY {
            return Ok(Err(format!("the {what} is too long for the clipboard")));
        }
        self.note(Note::Copy(text.to_owned()));
        Ok(Ok(format!("copied: {what}")))
    }

    fn notify(&mut self, text: &str) -> io::Result<()> {
        self.note(Note::Said(text.to_owned()));
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    fn reads_sentences(&self) -> bool {
        true
    }

    fn read(&mut self, sentence: &str) {
        self.note(Note::Said(sentence.to_owned()));
    }

    fn hand_over(&mut self, name: &str, text: &str) -> Option<Message> {
        self.note(Note::File(name.to_owned(), text.to_owned()));
        Some(Message::Written(Ok(name.into())))
    }
}
