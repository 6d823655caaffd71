//! The explorer in a terminal or a browser: woken by input, the training thread, a
//! signal, or a timer during animations; otherwise it sleeps.

mod clipboard;
mod display;
mod effects;
mod event_loop;
mod exit_message;
mod hosted;
mod opening;
mod recording;
mod replaying;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event as Input, KeyEventKind, MouseEventKind};

use super::commands::Chord;
use super::graphics::{self, GraphicsChoice};
use super::jobs::Jobs;
use super::launch::Launch;
use super::message::Message;
use super::plain::Reporter;
use super::player::Player;
use super::recorder::Recorder;
use super::recording::Action;
use super::signals::{self, Signal};
use super::state::State;
use super::state_change::StateChange;
use super::terminal::TerminalGuard;
use super::update::update;
use super::views::Hits;
use crate::escape::harmless;
use crate::lab::lessons::LessonProgress;
use crate::train::run::Record;
use crate::train::{Event, StateLine, Worker};
pub use display::Display;
pub use hosted::{HostEvent, Mailbox, Remote, Whereabouts, explore_on, mailbox};

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
}

/// The variable that makes F12 panic, in test builds.
const BREAK: &str = "GESF_BREAK_ON_F12";

#[allow(clippy::panic)] // Tests of crash handling need a panic.
fn break_for_a_test(key: event::KeyEvent) {
    let asked = cfg!(debug_assertions) && key.code == event::KeyCode::F(12);
    assert!(!(asked && std::env::var_os(BREAK).is_some()), "broken for a test");
}
