//! The event loop: woken by input, the training thread, a signal, or a timer during
//! animations; otherwise it sleeps.

mod clipboard;
mod display;
mod exit_message;
mod hosted;
mod opening;
mod recording;
mod replaying;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event as Input, KeyEventKind, MouseEventKind};

use super::commands::Chord;
use super::graphics::{self, GraphicsChoice};
use super::jobs::Jobs;
use super::launch::Launch;
use super::message::{Effect, Message};
use super::plain::{Heard, Reporter};
use super::player::Player;
use super::recorder::Recorder;
use super::recording::Action;
use super::shot;
use super::signals::{self, Signal};
use super::state::{Screen, State};
use super::state_change::StateChange;
use super::terminal::TerminalGuard;
use super::update::update;
use super::views::Hits;
use crate::escape::harmless;
use crate::lab::lessons::LessonProgress;
use crate::train::run::{Record, RunFolder, repair};
use crate::train::{Event, Phase, StateLine, Worker};
pub use display::Display;
pub use hosted::{HostEvent, Mailbox, Remote, Whereabouts, explore_on, mailbox};

/// Minimum time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Minimum time between two polls of training events.
const NEWS: Duration = Duration::from_millis(40);
/// The longest time between two polls, however long a frame takes.
const SLOW_NEWS: Duration = Duration::from_millis(300);
/// Frames that nobody asked for may take one part in so many of the time: drawing
/// takes time from training.
const FRAME_RESTS: u32 = 100;
/// How long after a key or a click its effect is polled for eagerly.
const ATTENTION: Duration = Duration::from_secs(1);
/// Minimum time between two snapshots on screens that show none.
const GLANCE: Duration = Duration::from_secs(1);
/// Minimum time between two checks for the next recorded action.
const PLAYED: Duration = Duration::from_millis(20);
/// Timer interval during animations.
const TICK: Duration = Duration::from_millis(120);
/// Minimum time between two sentences about epochs, for those who have them read.
const READ: Duration = Duration::from_secs(10);

/// An event that wakes the loop.
enum AppEvent {
    Input(Input),
    InputEnded,
    News,
    Signal(Signal),
    Message(Message),
    Host(HostEvent),
}

/// Runs the explorer in the terminal until it is closed; returns the exit code.
pub fn explore(launch: Launch) -> io::Result<u8> {
    let (sender, inbox) = channel();
    let mut terminal = TerminalGuard::take()?;
    let tell = sender.clone();
    signals::listen(move |asked| tell.send(AppEvent::Signal(asked)).is_ok())?;
    let mut explorer = Explorer::new(launch, sender);
    explorer.find_pictures(&mut terminal);
    explorer.begin(&mut terminal)?;
    // The first frame is drawn before anything is loaded.
    explorer.draw(&mut terminal)?;
    listen_to_input(explorer.sender.clone())?;
    let ended = explorer.run(&mut terminal, &inbox, &mut |_| {});
    // Until the run is saved, typed text must not reach the shell.
    explorer.change(StateChange::Said("saving the run".to_owned()));
    let _ = explorer.draw(&mut terminal);
    explorer.keep();
    let unwritten = explorer.finish_recording();
    drop(terminal);
    if let Some(why) = unwritten {
        eprintln!("{}", harmless(&why));
    }
    let (described, unsaved) = (explorer.described.as_ref(), explorer.unsaved.as_ref());
    let words = exit_message::words(&explorer.state.graph.session, described, unsaved);
    if let (Ok(0), Some(words)) = (&ended, words) {
        let _ = writeln!(io::stdout(), "{}", harmless(&words));
    }
    ended
}

fn listen_to_input(sender: Sender<AppEvent>) -> io::Result<()> {
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        while let Ok(input) = event::read() {
            if sender.send(AppEvent::Input(input)).is_err() {
                return;
            }
        }
        let _ = sender.send(AppEvent::InputEnded);
    })?;
    Ok(())
}

struct Explorer {
    state: State,
    launch: Launch,
    worker: Option<Worker>,
    jobs: Jobs,
    /// The record of a run that could not be saved.
    unsaved: Option<Record>,
    /// The path of the open graph.
    graph: Option<PathBuf>,
    /// The state line that was opened, if any.
    described: Option<StateLine>,
    recorder: Option<Recorder>,
    /// The recording being played.
    player: Option<Player>,
    /// Says what changes, for displays that read it out.
    reporter: Option<Reporter>,
    sender: Sender<AppEvent>,
    /// Whether there are training events that have not been polled.
    news: Arc<AtomicBool>,
    start: Instant,
    code: Option<u8>,
}

impl Drop for Explorer {
    /// However the explorer ends, the training thread saves the run first.
    fn drop(&mut self) {
        self.keep();
        // After a panic there is nobody to report this to.
        let _ = self.finish_recording();
    }
}

impl Explorer {
    fn new(launch: Launch, sender: Sender<AppEvent>) -> Self {
        let state = launch.state();
        let tell = sender.clone();
        let post = move |message| drop(tell.send(AppEvent::Message(message)));
        let jobs = Jobs::new(Arc::new(post), launch.jobs);
        Self {
            state,
            launch,
            worker: None,
            jobs,
            unsaved: None,
            graph: None,
            described: None,
            recorder: None,
            player: None,
            reporter: None,
            sender,
            news: Arc::new(AtomicBool::new(false)),
            start: Instant::now(),
            code: None,
        }
    }

    /// Draws pixels if the terminal displays them.
    fn find_pictures(&mut self, terminal: &mut TerminalGuard) {
        let choice = self.launch.graphics;
        let graphics = graphics::ask(choice, |name| std::env::var(name).ok());
        self.state.look.show_pixels(graphics.is_some());
        match graphics {
            Some(graphics) => terminal.show_pictures(graphics),
            None if choice == GraphicsChoice::Insist => {
                let text =
                    "no pictures: the terminal reports none (pixel-kitty, -iterm, -sixel force)";
                self.change(StateChange::Said(text.to_owned()));
            }
            None => {}
        }
    }

    /// Shows the first screen and opens what it was started with.
    fn begin(&mut self, display: &mut dyn Display) -> io::Result<()> {
        let size = display.size()?;
        self.reporter = display.reads_sentences().then(|| Reporter::new(READ));
        self.change(StateChange::Drawn(size, Hits::default()));
        self.change(StateChange::Screen(self.launch.first_screen(size.0)));
        let replay = self.launch.replay.take();
        self.player = replay.map(|replay| Player::new(replay, Instant::now()));
        self.show_replay();
        let (progress, trouble) = LessonProgress::load_from(self.launch.home.progress.as_deref());
        self.change(StateChange::Lessons(progress));
        let notice = self.launch.notice.take();
        for text in trouble.map(|trouble| trouble.to_string()).into_iter().chain(notice) {
            self.change(StateChange::Failed(text));
        }
        if let Some(hint) = self.launch.hint.take() {
            self.change(StateChange::Said(hint));
        }
        self.open_first();
        Ok(())
    }

    /// Stops training; the thread saves the run first.
    fn keep(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        for event in worker.finish() {
            match event {
                Event::NotSaved(why) => self.change(StateChange::Unsaved(why)),
                Event::Unsaved(record) => self.unsaved = Some(*record),
                _ => {}
            }
        }
    }

    /// Runs until it is closed; `follow` is called after every change.
    fn run(
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
            let pause = if calm { (cost * FRAME_RESTS).clamp(NEWS, SLOW_NEWS) } else { NEWS };
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

    fn take(&mut self, wake: AppEvent, display: &mut dyn Display) -> io::Result<()> {
        self.message(Message::Tick(self.start.elapsed()), display)?;
        let message = match wake {
            AppEvent::Input(Input::Key(key)) if key.kind == KeyEventKind::Release => return Ok(()),
            AppEvent::Input(Input::Key(key)) => {
                break_for_a_test(key);
                let chord: Chord = key.into();
                if self.player.is_some() {
                    self.steer(chord);
                    return Ok(());
                }
                self.record(Action::Key(chord));
                Message::Key(chord)
            }
            AppEvent::Input(Input::Mouse(mouse)) if self.player.is_some() => {
                if mouse.kind != MouseEventKind::Moved {
                    self.refuse_input();
                }
                return Ok(());
            }
            AppEvent::Input(Input::Mouse(mouse)) => {
                self.record_mouse(mouse);
                Message::Mouse(mouse)
            }
            AppEvent::Input(Input::Paste(_)) if self.player.is_some() => {
                self.refuse_input();
                return Ok(());
            }
            AppEvent::Input(Input::Paste(text)) => {
                self.record(Action::Paste(text.clone()));
                Message::Paste(text)
            }
            AppEvent::Input(Input::Resize(columns, rows)) => {
                // A terminal loses cut-off content even if it returns to its old
                // size.
                display.forget();
                self.record(Action::Size(columns, rows));
                Message::Resize(columns, rows)
            }
            AppEvent::Input(Input::FocusGained | Input::FocusLost) | AppEvent::News => {
                return Ok(());
            }
            AppEvent::Message(message) => message,
            AppEvent::InputEnded => {
                self.code = Some(1);
                return Ok(());
            }
            AppEvent::Signal(Signal::End(number)) => {
                tracing::info!(number, "ended by a signal");
                self.code = Some(128 + number);
                return Ok(());
            }
            AppEvent::Signal(Signal::Suspend) => return display.suspend().map(drop),
            AppEvent::Signal(Signal::Resumed) => return display.take_again(),
            AppEvent::Host(HostEvent::Input(input)) => {
                return self.take(AppEvent::Input(input), display);
            }
            AppEvent::Host(event) => {
                self.serve(event);
                return Ok(());
            }
        };
        self.message(message, display)
    }

    fn change(&mut self, change: StateChange) {
        change.apply(&mut self.state);
    }

    fn message(&mut self, message: Message, display: &mut dyn Display) -> io::Result<()> {
        for effect in update(&mut self.state, message) {
            self.act(effect, display)?;
        }
        Ok(())
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

    fn draw(&mut self, display: &mut dyn Display) -> io::Result<()> {
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

    fn act(&mut self, effect: Effect, display: &mut dyn Display) -> io::Result<()> {
        if let Some(message) = self.hand_over_picture(&effect, display) {
            return self.message(message, display);
        }
        if let Some(why) = self.refuses(&effect) {
            self.change(StateChange::Failed(why));
            return Ok(());
        }
        match effect {
            Effect::Train(order) => {
                tracing::info!(?order, "to the training");
                if let Some(worker) = &self.worker {
                    worker.send(order);
                }
            }
            Effect::Interrupt => {
                if let Some(worker) = &self.worker {
                    worker.interrupt();
                }
            }
            Effect::Open(path) => self.open(&path),
            Effect::RepairRun(run) => repair(&run),
            Effect::Learn(lesson) => self.open_lesson(&lesson),
            Effect::SaveProgress(progress) => {
                if let Err(why) = progress.save_to(self.launch.home.progress.as_deref()) {
                    self.change(StateChange::Failed(why.to_string()));
                }
            }
            Effect::Ask(question) => self.jobs.ask(question)?,
            Effect::WithdrawSpectrum => self.jobs.withdraw_spectrum(),
            Effect::Picture(path, overwrite) => {
                let written = shot::write(&self.state, self.state.size, &path, overwrite);
                let result = written.map(|()| path);
                return self.message(Message::Written(result), display);
            }
            Effect::Copy(clip) => self.copy(clip, display)?,
            Effect::Notify(text) => {
                if self.launch.notify {
                    display.notify(&text)?;
                }
            }
            Effect::SavePreset(name, text) => self.save_preset(&name, &text),
            Effect::RememberSpeed(speed) => {
                if self.launch.home.remembers {
                    speed.save();
                }
            }
            Effect::Redraw => display.forget(),
            Effect::Suspend => {
                if !display.suspend()? {
                    let why = "there is no terminal to suspend: close the page instead";
                    self.change(StateChange::Said(why.to_owned()));
                }
            }
            Effect::Relabel(run, label) => {
                if let Err(error) = RunFolder::relabel(&run, label) {
                    self.change(StateChange::Failed(error.to_string()));
                }
            }
            Effect::Quit => self.code = Some(0),
        }
        Ok(())
    }
}

/// Waits for the next event, with an optional deadline.
fn wait(inbox: &Receiver<AppEvent>, until: Option<Instant>) -> Option<AppEvent> {
    let Some(until) = until else { return inbox.recv().ok() };
    inbox.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}

/// The variable that makes F12 panic, in test builds.
const BREAK: &str = "GESF_BREAK_ON_F12";

#[allow(clippy::panic)] // Tests of crash handling need a panic.
fn break_for_a_test(key: event::KeyEvent) {
    let asked = cfg!(debug_assertions) && key.code == event::KeyCode::F(12);
    assert!(!(asked && std::env::var_os(BREAK).is_some()), "broken for a test");
}
