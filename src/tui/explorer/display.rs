//! Where the explorer is shown: a terminal, or whatever a host provides.

use std::io;

use super::super::message::Message;
use super::super::osc::{self, Notifier};
use super::super::signals;
use super::super::state::State;
use super::super::terminal::{TerminalGuard, give_back};
use super::super::views::{self, Hits};

/// Shows frames, and takes what the explorer hands to its user.
pub trait Display {
    /// Columns and rows.
    fn size(&self) -> io::Result<(u16, u16)>;

    /// Draws the state; returns the size of the frame and the mouse targets.
    fn draw(&mut self, state: &State) -> io::Result<((u16, u16), Hits)>;

    /// Whether it can show another frame now.
    fn is_ready(&self) -> bool {
        true
    }

    /// Everything must be drawn again.
    fn forget(&mut self) {}

    /// Puts a text into the clipboard; returns what to tell the user, or why not.
    fn copy(&mut self, what: &str, text: &str) -> io::Result<Result<String, String>>;

    /// Shows a notification outside the screen, if it can.
    fn notify(&mut self, text: &str) -> io::Result<()>;

    /// Suspends the program and returns once it continues; `false` if it cannot.
    fn suspend(&mut self) -> io::Result<bool>;

    /// Takes the screen over again after it was lost.
    fn take_again(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Whether it reads sentences to its user.
    fn reads_sentences(&self) -> bool {
        false
    }

    /// Reads a sentence.
    fn read(&mut self, _sentence: &str) {}

    /// Hands a file to the user in place of writing it; `None` if it cannot.
    fn hand_over(&mut self, _name: &str, _text: &str) -> Option<Message> {
        None
    }
}

impl Display for TerminalGuard {
    fn size(&self) -> io::Result<(u16, u16)> {
        Self::size(self)
    }

    fn draw(&mut self, state: &State) -> io::Result<((u16, u16), Hits)> {
        let mut size = state.size;
        let hits = Self::draw(self, |frame| {
            size = (frame.area().width, frame.area().height);
            views::draw(state, frame.buffer_mut())
        })?;
        Ok((size, hits))
    }

    fn forget(&mut self) {
        Self::forget(self);
    }

    fn copy(&mut self, what: &str, text: &str) -> io::Result<Result<String, String>> {
        let Some(sequence) = osc::copy(text) else {
            return Ok(Err(format!("the {what} is too long for the clipboard of a terminal")));
        };
        self.send(&sequence)?;
        Ok(Ok(format!("copied: {what} (if the terminal allows it)")))
    }

    fn notify(&mut self, text: &str) -> io::Result<()> {
        match Notifier::of_terminal(|name| std::env::var(name).ok()) {
            Some(notifier) => self.send(&notifier.notice(text)),
            None => Ok(()),
        }
    }

    fn suspend(&mut self) -> io::Result<bool> {
        give_back();
        signals::stop_here()?;
        Self::take_again(self)?;
        Ok(true)
    }

    fn take_again(&mut self) -> io::Result<()> {
        Self::take_again(self)
    }
}
