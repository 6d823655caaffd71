//! The event loop: woken by input, by the training thread, by a signal, or by a
//! clock while something moves; else it sleeps.

mod farewell;
mod opening;
mod recording;
mod replaying;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event as Input, KeyEventKind, MouseEventKind};

use super::commands::Chord;
use super::launch::Launch;
use super::message::{Effect, Message};
use super::player::Player;
use super::questions::Desks;
use super::recorder::Recorder;
use super::recording::Action;
use super::signals::{self, Asked};
use super::state::{Screen, State};
use super::terminal::{Held, give_back};
use super::update::update;
use super::{shot, views};
use crate::escape::harmless;
use crate::lab::lessons::Progress;
use crate::train::run::{Record, RunFolder, put_in_order};
use crate::train::{Event, Phase, StateLine, Worker};

/// The least time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// The least time between two looks at the training where its snapshots are
/// shown, which move as a whole.
const NEWS: Duration = Duration::from_millis(40);
/// The same where curves get longer by a dot: a frame is time that training
/// does not have.
const CALM_NEWS: Duration = Duration::from_millis(120);
/// How long after a key or a click its outcome is looked out for.
const ATTENTION: Duration = Duration::from_secs(1);
/// The least time between two snapshots where none is shown.
const GLANCE: Duration = Duration::from_secs(1);
/// The least time between two looks at what a recording has next.
const PLAYED: Duration = Duration::from_millis(20);
/// The pace of what moves by itself.
const TICK: Duration = Duration::from_millis(120);

/// What wakes the loop.
enum Wake {
    Input(Input),
    InputEnded,
    News,
    Signal(Asked),
    Message(Message),
}

/// Runs the explorer until it is left; says the exit code.
pub fn explore(launch: Launch) -> io::Result<u8> {
    let (sender, inbox) = channel();
    let mut terminal = Held::take()?;
    let tell = sender.clone();
    signals::listen(move |asked| tell.send(Wake::Signal(asked)).is_ok())?;
    let state = launch.state();
    let tell = sender.clone();
    let desks = Desks::new(Arc::new(move |message| {
        let _ = tell.send(Wake::Message(message));
    }));
    let mut explorer = Explorer {
        state,
        launch,
        worker: None,
        desks,
        unsaved: None,
        described: None,
        recorder: None,
        player: None,
        sender,
        news: Arc::new(AtomicBool::new(false)),
        start: Instant::now(),
        code: None,
    };
    explorer.state.size = terminal.size()?;
    let replay = explorer.launch.replay.take();
    explorer.player = replay.map(|replay| Player::new(replay, Instant::now()));
    explorer.show_replay();
    let (progress, trouble) = Progress::load();
    explorer.state.learning.progress = progress;
    if let Some(trouble) = trouble {
        explorer.state.notices.fail(trouble.to_string());
    }
    if let Some(notice) = explorer.launch.notice.take() {
        explorer.state.notices.fail(notice);
    }
    explorer.open_first();
    // The first frame comes before anything is read.
    explorer.draw(&mut terminal)?;
    listen_to_input(explorer.sender.clone())?;
    let ended = explorer.run(&mut terminal, &inbox);
    // As long as the run is being kept, what is typed is not for a shell.
    explorer.state.notices.say("keeping the run", explorer.state.now);
    let _ = explorer.draw(&mut terminal);
    explorer.keep();
    let unwritten = explorer.finish_recording();
    drop(terminal);
    if let Some(why) = unwritten {
        eprintln!("{}", harmless(&why));
    }
    let (described, unsaved) = (explorer.described.as_ref(), explorer.unsaved.as_ref());
    let words = farewell::words(&explorer.state.session, described, unsaved);
    if let (Ok(0), Some(words)) = (&ended, words) {
        let _ = writeln!(io::stdout(), "{}", harmless(&words));
    }
    ended
}

fn listen_to_input(sender: Sender<Wake>) -> io::Result<()> {
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        while let Ok(input) = event::read() {
            if sender.send(Wake::Input(input)).is_err() {
                return;
            }
        }
        let _ = sender.send(Wake::InputEnded);
    })?;
    Ok(())
}

struct Explorer {
    state: State,
    launch: Launch,
    worker: Option<Worker>,
    desks: Desks,
    /// What a run is made from that could not be saved.
    unsaved: Option<Record>,
    /// The line that led to what is open, if one did.
    described: Option<StateLine>,
    recorder: Option<Recorder>,
    /// The recording that is played.
    player: Option<Player>,
    sender: Sender<Wake>,
    /// Whether the training told something that was not looked at yet.
    news: Arc<AtomicBool>,
    start: Instant,
    code: Option<u8>,
}

impl Drop for Explorer {
    /// However the explorer ends, the training thread keeps the run first.
    fn drop(&mut self) {
        self.keep();
        // Where a broken program ends, there is nobody to tell.
        let _ = self.finish_recording();
    }
}

impl Explorer {
    /// Ends the training; the thread keeps the run first.
    fn keep(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        for event in worker.finish() {
            match event {
                Event::Unkept(why) => self.state.session.unsaved = Some(why),
                Event::Unsaved(record) => self.unsaved = Some(*record),
                _ => {}
            }
        }
    }

    fn run(&mut self, terminal: &mut Held, inbox: &Receiver<Wake>) -> io::Result<u8> {
        let (mut drawn, mut looked, mut glanced, mut ticked) =
            (Instant::now(), Instant::now(), Instant::now(), Instant::now());
        let mut touched = Instant::now();
        let (mut dirty, mut news) = (false, false);
        loop {
            let mut next: Option<Instant> = None;
            let mut by = |moment: Instant| next = Some(next.map_or(moment, |own| own.min(moment)));
            if dirty {
                by(drawn + FRAME);
            }
            let calm = !self.shows_snapshots() && touched.elapsed() > ATTENTION;
            let pause = if calm { CALM_NEWS } else { NEWS };
            if news {
                by(looked + pause);
            }
            if self.state.moves() {
                by(ticked + TICK);
            }
            if let Some(moment) = self.next_played() {
                by(moment.max(Instant::now() + PLAYED));
            }
            let mut woken = wait(inbox, next);
            while let Some(wake) = woken {
                match wake {
                    Wake::News => news = true,
                    other => {
                        if matches!(other, Wake::Input(_)) {
                            touched = Instant::now();
                        }
                        self.take(other, terminal)?;
                        dirty = true;
                    }
                }
                if let Some(code) = self.code {
                    return Ok(code);
                }
                woken = inbox.try_recv().ok();
            }
            dirty |= self.play_due(terminal)?;
            let now = Instant::now();
            if self.state.moves() && now >= ticked + TICK {
                ticked = now;
                self.message(Message::Tick(self.start.elapsed()), terminal)?;
                dirty = true;
            }
            if news && now >= looked + pause {
                looked = now;
                news = false;
                let with_snapshot = self.shows_snapshots() || now >= glanced + GLANCE;
                if with_snapshot {
                    glanced = now;
                }
                self.look(with_snapshot, terminal)?;
                dirty = true;
            }
            if dirty && now >= drawn + FRAME {
                self.draw(terminal)?;
                drawn = Instant::now();
                dirty = false;
            }
        }
    }

    /// Whether what training has made is on the screen, and not its figures alone.
    fn shows_snapshots(&self) -> bool {
        let live = matches!(self.state.screen, Screen::Filter | Screen::Map | Screen::Node);
        live || !self.state.session.is_running()
    }

    fn take(&mut self, wake: Wake, terminal: &mut Held) -> io::Result<()> {
        self.message(Message::Tick(self.start.elapsed()), terminal)?;
        let message = match wake {
            Wake::Input(Input::Key(key)) if key.kind == KeyEventKind::Release => return Ok(()),
            Wake::Input(Input::Key(key)) => {
                break_for_a_test(key);
                let chord: Chord = key.into();
                if self.player.is_some() {
                    self.steer(chord);
                    return Ok(());
                }
                self.record(Action::Key(chord));
                Message::Key(chord)
            }
            Wake::Input(Input::Mouse(mouse)) if self.player.is_some() => {
                if mouse.kind != MouseEventKind::Moved {
                    self.refuse_input();
                }
                return Ok(());
            }
            Wake::Input(Input::Mouse(mouse)) => {
                self.record_mouse(mouse);
                Message::Mouse(mouse)
            }
            Wake::Input(Input::Paste(_)) if self.player.is_some() => {
                self.refuse_input();
                return Ok(());
            }
            Wake::Input(Input::Paste(text)) => {
                self.record(Action::Paste(text.clone()));
                Message::Paste(text)
            }
            Wake::Input(Input::Resize(columns, rows)) => {
                // Even back at its old size a terminal has lost what it cut off.
                terminal.forget();
                self.record(Action::Size(columns, rows));
                Message::Resize(columns, rows)
            }
            Wake::Input(Input::FocusGained | Input::FocusLost) | Wake::News => return Ok(()),
            Wake::Message(message) => message,
            Wake::InputEnded => {
                self.code = Some(1);
                return Ok(());
            }
            Wake::Signal(Asked::End(number)) => {
                tracing::info!(number, "ended by a signal");
                self.code = Some(128 + number);
                return Ok(());
            }
            Wake::Signal(Asked::Suspend) => return suspend(terminal),
            Wake::Signal(Asked::Resumed) => return terminal.take_again(),
        };
        self.message(message, terminal)
    }

    fn message(&mut self, message: Message, terminal: &mut Held) -> io::Result<()> {
        for effect in update(&mut self.state, message) {
            self.act(effect, terminal)?;
        }
        Ok(())
    }

    /// Takes what the training told.
    fn look(&mut self, with_snapshot: bool, terminal: &mut Held) -> io::Result<()> {
        self.news.store(false, Ordering::SeqCst);
        let Some(worker) = &self.worker else { return Ok(()) };
        let events: Vec<_> = std::iter::from_fn(|| worker.poll()).collect();
        // The state that stays on the screen has to be the one training rests in.
        let rests = |event: &Event| matches!(event, Event::Phase(Phase::Paused | Phase::Finished));
        let with_snapshot = with_snapshot || events.iter().any(rests);
        let snapshot = if with_snapshot { worker.snapshot() } else { None };
        self.message(Message::Tick(self.start.elapsed()), terminal)?;
        self.message(Message::News { events, snapshot }, terminal)?;
        self.settle_recording();
        Ok(())
    }

    fn draw(&mut self, terminal: &mut Held) -> io::Result<()> {
        let state = &mut self.state;
        terminal.draw(|frame| {
            state.size = (frame.area().width, frame.area().height);
            state.hits = views::draw(state, frame.buffer_mut());
        })
    }

    fn act(&mut self, effect: Effect, terminal: &mut Held) -> io::Result<()> {
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
            Effect::PutInOrder(run) => put_in_order(&run),
            Effect::Learn(lesson) => self.open_lesson(&lesson),
            Effect::KeepProgress(progress) => {
                if let Err(why) = progress.save() {
                    self.state.notices.fail(why.to_string());
                }
            }
            Effect::Ask(question) => self.desks.ask(question)?,
            Effect::WithdrawSpectrum => self.desks.withdraw_spectrum(),
            Effect::Picture(path, overwrite) => {
                let written = shot::write(&self.state, self.state.size, &path, overwrite);
                let result = written.map(|()| path);
                return self.message(Message::Pictured(result), terminal);
            }
            Effect::SavePreset(name, text) => self.save_preset(&name, &text),
            Effect::Redraw => terminal.forget(),
            Effect::Suspend => suspend(terminal)?,
            Effect::Relabel(run, label) => {
                if let Err(error) = RunFolder::relabel(&run, label) {
                    self.state.notices.fail(error.to_string());
                }
            }
            Effect::Quit => self.code = Some(0),
        }
        Ok(())
    }
}

/// The next thing that wakes the loop, waited for until a moment if there is one.
fn wait(inbox: &Receiver<Wake>, until: Option<Instant>) -> Option<Wake> {
    let Some(until) = until else { return inbox.recv().ok() };
    inbox.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}

fn suspend(terminal: &mut Held) -> io::Result<()> {
    give_back();
    signals::stop_here()?;
    terminal.take_again()
}

/// Names the variable that makes F12 break the program, in builds for tests.
const BREAK: &str = "GESF_BREAK_ON_F12";

#[allow(clippy::panic)] // The tests of a broken program need one.
fn break_for_a_test(key: event::KeyEvent) {
    let asked = cfg!(debug_assertions) && key.code == event::KeyCode::F(12);
    assert!(!(asked && std::env::var_os(BREAK).is_some()), "broken for a test");
}
