//! The loop: waits for what wakes it, polls training, draws; never more often than
//! training can bear.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::{AppEvent, Display, Explorer, HostEvent};
use crate::train::{Event, Phase};
use crate::tui::message::Message;
use crate::tui::plain::Heard;
use crate::tui::speed::UNASKED_RESTS;
use crate::tui::state::Screen;
use crate::tui::state_change::StateChange;

/// Minimum time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Minimum time between two polls of training events.
const NEWS: Duration = Duration::from_millis(40);
/// The longest time between two polls, however long a frame takes.
const SLOW_NEWS: Duration = Duration::from_millis(300);
/// How long after a key or a click its effect is polled for eagerly.
const ATTENTION: Duration = Duration::from_secs(1);
/// Minimum time between two snapshots on screens that show none.
const GLANCE: Duration = Duration::from_secs(1);
/// Minimum time between two checks for the next recorded action.
const PLAYED: Duration = Duration::from_millis(20);
/// Timer interval during animations.
const TICK: Duration = Duration::from_millis(120);

impl Explorer {
    /// Runs until it is closed; `follow` is called after every change.
    pub(super) fn run(
        &mut self,
        display: &mut dyn Display,
        inbox: &Receiver<AppEvent>,
        follow: &mut dyn FnMut(&Self),
    ) -> io::Result<u8> {
        let (mut drawn, mut looked, mut glanced, mut ticked) =
            (Instant::now(), Instant::now(), Instant::now(), Instant::now());
        let mut touched = Instant::now();
        let mut cost = Duration::ZERO;
        let (mut dirty, mut news) = (false, false);
        loop {
            let mut next: Option<Instant> = None;
            let mut by =
                |instant: Instant| next = Some(next.map_or(instant, |own| own.min(instant)));
            if dirty && display.is_ready() {
                by(drawn + FRAME);
            }
            let calm = touched.elapsed() > ATTENTION;
            let pause = if calm { (cost * UNASKED_RESTS).clamp(NEWS, SLOW_NEWS) } else { NEWS };
            if news {
                by(looked + pause);
            }
            if self.state.moves() {
                by(ticked + TICK);
            }
            if let Some(instant) = self.next_played() {
                by(instant.max(Instant::now() + PLAYED));
            }
            let mut woken = wait(inbox, next);
            while let Some(wake) = woken {
                match wake {
                    AppEvent::News => news = true,
                    AppEvent::Host(HostEvent::Ready) => {}
                    other => {
                        if matches!(other, AppEvent::Input(_) | AppEvent::Host(_)) {
                            touched = Instant::now();
                        }
                        self.take(other, display)?;
                        dirty = true;
                    }
                }
                if let Some(code) = self.code {
                    return Ok(code);
                }
                woken = inbox.try_recv().ok();
            }
            dirty |= self.play_due(display)?;
            let now = Instant::now();
            if self.state.moves() && now >= ticked + TICK {
                ticked = now;
                self.message(Message::Tick(self.start.elapsed()), display)?;
                dirty = true;
            }
            if news && now >= looked + pause {
                looked = now;
                news = false;
                let with_snapshot = self.shows_snapshots() || now >= glanced + GLANCE;
                if with_snapshot {
                    glanced = now;
                }
                self.look(with_snapshot, display)?;
                dirty = true;
            }
            if dirty {
                self.report(display);
                follow(self);
            }
            if dirty && now >= drawn + FRAME && display.is_ready() {
                self.draw(display)?;
                drawn = Instant::now();
                cost = drawn - now;
                dirty = false;
            }
        }
    }

    /// Whether the screen shows snapshots, not only curves.
    fn shows_snapshots(&self) -> bool {
        let live = matches!(
            self.state.screen,
            Screen::Overview | Screen::Filter | Screen::Map | Screen::Node
        );
        live || !self.state.graph.session.is_running()
    }

    /// Processes training events.
    fn look(&mut self, with_snapshot: bool, display: &mut dyn Display) -> io::Result<()> {
        self.news.store(false, Ordering::SeqCst);
        let Some(worker) = &self.worker else { return Ok(()) };
        let events: Vec<_> = std::iter::from_fn(|| worker.poll()).collect();
        // When training stops, the screen must show its final snapshot.
        let rests = |event: &Event| matches!(event, Event::Phase(Phase::Paused | Phase::Finished));
        let with_snapshot = with_snapshot || events.iter().any(rests);
        let snapshot = if with_snapshot { worker.snapshot() } else { None };
        self.message(Message::Tick(self.start.elapsed()), display)?;
        let heard = self.reporter.is_some().then(|| Heard::of(&self.state, &events));
        self.message(Message::News { events, snapshot }, display)?;
        if let Some((reporter, heard)) = self.reporter.as_mut().zip(heard) {
            for sentence in reporter.news(&self.state, heard) {
                display.read(&sentence);
            }
        }
        self.settle_recording();
        Ok(())
    }

    pub(super) fn draw(&mut self, display: &mut dyn Display) -> io::Result<()> {
        let (size, hits) = display.draw(&self.state)?;
        self.change(StateChange::Drawn(size, hits));
        Ok(())
    }

    /// Reads out notices, and what is on a new screen.
    fn report(&mut self, display: &mut dyn Display) {
        let Some(reporter) = &mut self.reporter else { return };
        let state = &self.state;
        let said = [reporter.notice(state), reporter.screen(state), reporter.step(state)];
        for sentence in said.iter().flatten() {
            display.read(sentence);
        }
    }
}

/// Waits for the next event, with an optional deadline.
fn wait(inbox: &Receiver<AppEvent>, until: Option<Instant>) -> Option<AppEvent> {
    let Some(until) = until else { return inbox.recv().ok() };
    inbox.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}
