//! Takes over the terminal and restores it, whatever happens in between.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;

use super::graphics::{DELETE_ALL, Graphics, Pictures, Protocol};
use super::views::Hits;

/// Whether the terminal is currently taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether pictures must be deleted when it is restored.
static PICTURES: AtomicBool = AtomicBool::new(false);

/// The terminal while it is taken over; restored on drop.
pub(super) struct TerminalGuard {
    inner: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    /// Whether the screen may no longer show what was drawn.
    stale: bool,
    /// The pictures on the screen, if the terminal displays any.
    pictures: Option<Pictures>,
}

impl TerminalGuard {
    /// Takes over the terminal. A panic restores it before it is reported.
    pub(super) fn take() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let ours = give_back();
            before(info);
            // If another thread panics, the run is lost and there is nothing to
            // continue with.
            if ours && std::thread::current().name() != Some("main") {
                std::process::exit(101);
            }
        }));
        enter()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        Ok(Self { inner: Terminal::new(backend)?, stale: false, pictures: None })
    }

    /// Sends pictures from now on.
    pub(super) fn show_pictures(&mut self, graphics: Graphics) {
        PICTURES.store(graphics.protocol == Protocol::Kitty, Ordering::SeqCst);
        self.pictures = Some(Pictures::new(graphics));
    }

    /// Draws a frame and its pictures; returns what `fill` does.
    pub(super) fn draw(
        &mut self,
        fill: impl FnOnce(&mut ratatui::Frame) -> Hits,
    ) -> io::Result<Hits> {
        queue!(self.inner.backend_mut(), BeginSynchronizedUpdate)?;
        if std::mem::take(&mut self.stale) {
            if let Some(pictures) = &mut self.pictures {
                pictures.forget(self.inner.backend_mut())?;
            }
            // Not `clear`: it queries the cursor position, and the answer would go to
            // the thread that reads keys.
            let size = self.inner.size()?;
            self.inner.resize(Rect::new(0, 0, size.width, size.height))?;
        }
        let mut hits = Hits::default();
        let drawn = self.inner.draw(|frame| hits = fill(frame))?;
        if let Some(pictures) = &mut self.pictures {
            let buffer = drawn.buffer.clone();
            pictures.update(hits.drawings.list(), &buffer, self.inner.backend_mut())?;
        }
        queue!(self.inner.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.inner.backend_mut())?;
        Ok(hits)
    }

    /// Sends a sequence that draws nothing.
    pub(super) fn send(&mut self, sequence: &str) -> io::Result<()> {
        let out = self.inner.backend_mut();
        out.write_all(sequence.as_bytes())?;
        Write::flush(out)
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.inner.size().map(|size| (size.width, size.height))
    }

    /// Invalidates the drawn frame, so that everything is redrawn.
    pub(super) fn forget(&mut self) {
        self.stale = true;
    }

    /// Takes over the terminal again after it was restored.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        give_back();
        enter()?;
        self.stale = true;
        Ok(())
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Restores the terminal if it is taken over; returns whether it was. Errors here
/// mean that the terminal is gone.
pub(super) fn give_back() -> bool {
    let ours = TAKEN.swap(false, Ordering::SeqCst);
    if ours {
        if PICTURES.load(Ordering::SeqCst) {
            let _ = io::stdout().write_all(DELETE_ALL.as_bytes());
        }
        let _ = execute!(
            io::stdout(),
            EndSynchronizedUpdate,
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            Show
        );
        let _ = disable_raw_mode();
    }
    ours
}
