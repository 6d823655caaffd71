//! A session: the explorer on a thread of its own, with files of its own.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;
use tokio::sync::watch;

use super::Launcher;
use super::options::Options;
use super::screen::{BrowserDisplay, Screen};
use super::secret::Digest;
use super::store::{Role, Saved, Store};
use crate::lab::lessons;
use crate::tui::{
    Access, Described, Home, HostEvent, Launch, Learn, Mailbox, Offered, Remote, Whereabouts,
    explore_on, mailbox, tables,
};

/// What a visitor is told when the session ends without another reason.
const CLOSED: &str = "The session is closed and its run is saved.";

/// A running session.
pub(super) struct Session {
    /// Whose it is.
    pub(super) id: Digest,
    /// Their role.
    pub(super) role: Role,
    /// What it shows.
    pub(super) screen: Arc<Screen>,
    remote: Remote,
    /// When there was input last, or a page left.
    touched: Mutex<Instant>,
    /// Pages that show it.
    pages: AtomicUsize,
    /// Why it is to end.
    why: Mutex<Option<String>>,
    /// Why it ended, once it did.
    ended: watch::Sender<Option<String>>,
}

/// Whose session starts, and what is opened.
pub(super) struct Opening {
    pub(super) id: Digest,
    pub(super) saved: Saved,
}

impl Session {
    /// Starts the thread; `at_end` is called when it ends, however it does.
    pub(super) fn start(
        opening: Opening,
        (options, launcher, store): (&Options, &Launcher, &Store),
        at_end: impl FnOnce() + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let (remote, mailbox) = mailbox();
        let session = Arc::new(Self {
            id: opening.id,
            role: opening.saved.role,
            screen: Arc::new(Screen::new()),
            remote,
            touched: Mutex::new(Instant::now()),
            pages: AtomicUsize::new(0),
            why: Mutex::new(None),
            ended: watch::Sender::new(None),
        });
        let (own, options, store) = (session.clone(), options.clone(), store.clone());
        let launcher = launcher.clone();
        let name = format!("session {}", &opening.id.name()[..6]);
        std::thread::Builder::new().name(name).spawn(move || {
            // Dropped last, and during a panic as well.
            let _at_end = AtEnd { session: own.clone(), then: Some(Box::new(at_end)) };
            if let Err(why) = own.run(opening, &options, &launcher, &store, mailbox) {
                tracing::warn!(%why, "a session ended with an error");
                own.end(&format!("The session ended: {why}"));
            }
        })?;
        Ok(session)
    }

    fn run(
        &self,
        opening: Opening,
        options: &Options,
        launcher: &Launcher,
        store: &Store,
        mailbox: Mailbox,
    ) -> Result<(), String> {
        let Opening { id, mut saved } = opening;
        let mut launch = launcher()?;
        settle_in(&mut launch, options, &store.folder(&id));
        open(&mut launch, &saved.open, options);
        let mut display = BrowserDisplay::new(self.screen.clone());
        let follow = |open: &Whereabouts| {
            let before = &saved.open;
            // While a run is loaded its folder is not known: it must not be forgotten.
            let loads = open.run.is_none() && before.run.is_some() && open.graph == before.graph;
            if open != before && !(loads && open.lesson.is_none()) {
                saved.open.clone_from(open);
                if let Err(error) = store.save(&id, &saved) {
                    tracing::warn!(%error, "what is open in a session is not saved");
                }
            }
        };
        explore_on(launch, &mut display, mailbox, follow)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    /// Sends input to it.
    pub(super) fn input(&self, event: Event) {
        self.touch();
        self.remote.send(HostEvent::Input(event));
    }

    /// Sends another event to it.
    pub(super) fn send(&self, event: HostEvent) {
        self.remote.send(event);
    }

    /// A page can take another frame.
    pub(super) fn want_frame(&self) {
        self.screen.want();
        self.remote.send(HostEvent::Ready);
    }

    /// Ends it; the run is saved first.
    pub(super) fn end(&self, why: &str) {
        let mut reason = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        reason.get_or_insert_with(|| why.to_owned());
        self.remote.send(HostEvent::End);
    }

    /// Why it ended, once it did.
    pub(super) fn ended(&self) -> watch::Receiver<Option<String>> {
        self.ended.subscribe()
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    /// A page shows it, until the guard is dropped.
    pub(super) fn show(self: &Arc<Self>) -> Shown {
        self.pages.fetch_add(1, Ordering::SeqCst);
        self.touch();
        Shown(self.clone())
    }

    /// How long there has been no input.
    pub(super) fn idle(&self) -> Duration {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Whether no page shows it.
    pub(super) fn is_alone(&self) -> bool {
        self.pages.load(Ordering::SeqCst) == 0
    }

    fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// A page that shows a session.
pub(super) struct Shown(Arc<Session>);

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::SeqCst);
        self.0.touch();
    }
}

struct AtEnd {
    session: Arc<Session>,
    then: Option<Box<dyn FnOnce() + Send>>,
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        let why = self.session.why.lock().unwrap_or_else(PoisonError::into_inner).take();
        let failed = std::thread::panicking().then(|| "The session failed.".to_owned());
        let why = failed.or(why).unwrap_or_else(|| CLOSED.to_owned());
        self.session.ended.send_replace(Some(why));
        if let Some(then) = self.then.take() {
            then();
        }
    }
}

/// Gives a session files of its own and nothing else.
fn settle_in(launch: &mut Launch, options: &Options, folder: &Path) {
    let offered = Offered {
        graphs: options.graphs.clone(),
        tables: tables(&launch.options).collect(),
        folders: options.folders.clone(),
        own: Some(folder.to_owned()),
        memory: options.limits.memory,
    };
    launch.home = Home {
        runs: Some(folder.join("runs")),
        most_runs: Some(options.limits.runs),
        progress: Some(folder.join("lessons.toml")),
        remembers: false,
        checkpoint_memory: options.limits.memory / 4,
        access: Access::Limited(Arc::new(offered)),
    };
    launch.presets = Some(folder.join("presets"));
    launch.jobs = Some(options.limits.jobs);
    (launch.record, launch.replay, launch.hint) = (None, None, None);
}

/// Opens what was open before; at the first time the only graph offered, or the picker.
fn open(launch: &mut Launch, before: &Whereabouts, options: &Options) {
    launch.screen = crate::tui::Screen::named(&before.screen).or(launch.screen);
    let lesson = before.lesson.as_deref().and_then(|id| {
        let built = lessons::find(id).or_else(|_| lessons::find_demo(id)).ok()?;
        lessons::parse(built.text, built.id, &[]).ok()
    });
    if let Some(lesson) = lesson {
        launch.learn = Some(Learn::Lesson(Box::new(lesson)));
        return;
    }
    // Only what was copied from somebody else has a state line.
    let line = before.line.as_deref().and_then(|line| line.parse().ok());
    if let (Some(line), Some(path)) = (line, before.graph.clone()) {
        let options = launch.options.clone();
        launch.described = Some(Described { path, options, line, holds: true });
        return;
    }
    let run = before.run.clone().filter(|run| run.exists());
    if run.is_some() {
        launch.paused = !before.runs;
    }
    let only = (options.graphs.len() == 1).then(|| options.graphs.first().cloned()).flatten();
    launch.path = run.or(before.graph.clone()).or(only);
}
