//! All sessions, those who wait for one, and who is who.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::Launcher;
use super::guard::Guard;
use super::join::Tokens;
use super::options::Options;
use super::secret::Digest;
use super::session::{Opening, Session};
use super::store::{Role, Saved, Store};
use crate::tui::{HostEvent, Whereabouts};

/// How long a session without a page is kept while somebody waits for its place.
const AWAY: Duration = Duration::from_secs(60);
/// How long an ending session may take to save its run.
const SAVING: Duration = Duration::from_secs(20);
/// Pages of all visitors together.
const MOST_PAGES: usize = 2048;

/// The state of the server.
pub(super) struct Hub {
    pub(super) options: Options,
    pub(super) guard: Guard,
    pub(super) tokens: Tokens,
    pub(super) store: Store,
    launcher: Launcher,
    places: Mutex<Places>,
    /// Counts changes of the places, for those who wait.
    changed: watch::Sender<u64>,
    /// The session that visitors watch.
    lecturer: watch::Sender<Option<Arc<Session>>>,
    own: Weak<Hub>,
}

#[derive(Default)]
struct Places {
    live: HashMap<Digest, Arc<Session>>,
    waiting: VecDeque<Digest>,
    pages: HashMap<Digest, usize>,
}

/// What a visitor gets.
pub(super) enum Place {
    /// A session.
    Session(Arc<Session>),
    /// A place in the queue, from 1.
    Waits(usize),
    /// Nothing: the queue is full.
    NoRoom,
}

/// A page of a visitor, until it is dropped.
pub(super) struct Page {
    hub: Arc<Hub>,
    id: Digest,
}

impl Drop for Page {
    fn drop(&mut self) {
        let mut places = self.hub.places();
        let left = places.pages.get(&self.id).copied().unwrap_or(1).saturating_sub(1);
        if left > 0 {
            places.pages.insert(self.id, left);
            return;
        }
        places.pages.remove(&self.id);
        // Who leaves does not wait any longer.
        places.waiting.retain(|id| *id != self.id);
        drop(places);
        self.hub.tell_change();
    }
}

impl Hub {
    pub(super) fn new(
        options: Options,
        launcher: Launcher,
        guard: Guard,
        tokens: Tokens,
    ) -> io::Result<Arc<Self>> {
        let store = Store::open(&options.store)?;
        Ok(Arc::new_cyclic(|own| Self {
            options,
            guard,
            tokens,
            store,
            launcher,
            places: Mutex::default(),
            changed: watch::Sender::new(0),
            lecturer: watch::Sender::new(None),
            own: own.clone(),
        }))
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_change(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Changes of the places.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The session that visitors watch, and changes of it.
    pub(super) fn lecturer(&self) -> watch::Receiver<Option<Arc<Session>>> {
        self.lecturer.subscribe()
    }

    /// Counts a page; `None` if the visitor, or all together, have too many.
    pub(super) fn enter(self: &Arc<Self>, id: Digest) -> Option<Page> {
        let mut places = self.places();
        let all: usize = places.pages.values().sum();
        let own = places.pages.entry(id).or_default();
        if *own >= self.options.limits.windows || all >= MOST_PAGES {
            return None;
        }
        *own += 1;
        Some(Page { hub: self.clone(), id })
    }

    /// The session of a visitor; starts or restores it if there is room.
    pub(super) fn place(&self, id: Digest, saved: &Saved) -> io::Result<Place> {
        let opening = Opening { id, saved: saved.clone() };
        let mut places = self.places();
        if let Some(session) = places.live.get(&id).filter(|own| !own.has_ended()) {
            return Ok(Place::Session(session.clone()));
        }
        if !self.has_room(&places, id, saved.role) {
            return Ok(self.queue_up(&mut places, id));
        }
        self.start(&mut places, opening).map(Place::Session)
    }

    /// Whether somebody can start a session now; the owner always can.
    fn has_room(&self, places: &Places, id: Digest, role: Role) -> bool {
        let visitors = places.live.values().filter(|own| own.role == Role::Visitor).count();
        let is_next = places.waiting.front().is_none_or(|first| *first == id);
        // A session that is just ending still has its place.
        let own = usize::from(places.live.contains_key(&id));
        role == Role::Owner || is_next && visitors - own < self.options.limits.sessions
    }

    fn queue_up(&self, places: &mut Places, id: Digest) -> Place {
        let at = places.waiting.iter().position(|own| *own == id);
        if at.is_none() && places.waiting.len() >= self.options.limits.queue {
            return Place::NoRoom;
        }
        let at = at.unwrap_or_else(|| {
            places.waiting.push_back(id);
            places.waiting.len() - 1
        });
        Place::Waits(at + 1)
    }

    fn start(&self, places: &mut Places, opening: Opening) -> io::Result<Arc<Session>> {
        let (id, role) = (opening.id, opening.saved.role);
        places.waiting.retain(|own| *own != id);
        let hub = self.own.clone();
        let with = (&self.options, &self.launcher, &self.store);
        let session = Session::start(opening, with, move || {
            if let Some(hub) = hub.upgrade() {
                hub.forget(id);
            }
        })?;
        places.live.insert(id, session.clone());
        if self.options.watch && role == Role::Owner {
            self.lecturer.send_replace(Some(session.clone()));
        }
        Ok(session)
    }

    fn forget(&self, id: Digest) {
        let mut places = self.places();
        // Another session may have taken its place already.
        if places.live.get(&id).is_some_and(|own| own.has_ended()) {
            places.live.remove(&id);
        }
        drop(places);
        self.lecturer.send_if_modified(|own| {
            let is_over = own.as_ref().is_some_and(|own| own.has_ended());
            if is_over {
                *own = None;
            }
            is_over
        });
        self.tell_change();
    }

    /// Opens what a session shows in a session of the visitor's own, in place of what
    /// was open there.
    pub(super) async fn take_copy(&self, id: Digest, of: &Session) -> io::Result<()> {
        let (reply, answer) = oneshot::channel();
        of.send(HostEvent::Describe(Box::new(move |open| drop(reply.send(open)))));
        let open = tokio::time::timeout(SAVING, answer).await.ok().and_then(Result::ok);
        let open = open.ok_or_else(|| io::Error::other("the lecturer's session is gone"))?;
        self.end_own(id, "A copy of the lecturer's screen is opened.").await;
        self.store.save(&id, &Saved { role: Role::Visitor, alone: true, open: copied(open) })
    }

    /// Ends the session of a visitor and waits until its run is saved.
    pub(super) async fn end_own(&self, id: Digest, why: &str) {
        let own = self.places().live.get(&id).cloned();
        if let Some(own) = own {
            let mut ended = own.ended();
            own.end(why);
            let _ = tokio::time::timeout(SAVING, ended.wait_for(Option::is_some)).await;
        }
    }

    /// Ends sessions without input, and those without a page that others wait for.
    pub(super) async fn tend(&self) {
        let idle = self.options.limits.idle;
        let mut clock = tokio::time::interval(idle.min(Duration::from_secs(8)) / 4);
        loop {
            clock.tick().await;
            let places = self.places();
            let is_wanted = !places.waiting.is_empty();
            for session in places.live.values() {
                let away = session.is_alone() && is_wanted && session.idle() > AWAY.min(idle);
                if session.idle() > idle || away {
                    let minutes = idle.as_secs_f64() / 60.0;
                    session.end(&format!(
                        "The session is saved: there was no input for {minutes:.0} minutes."
                    ));
                }
            }
        }
    }

    /// Ends all sessions and waits until their runs are saved.
    pub(super) async fn end_all(&self) {
        let all: Vec<Arc<Session>> = self.places().live.values().cloned().collect();
        for session in &all {
            session.end("The server is stopped; the session is saved.");
        }
        for session in &all {
            let mut ended = session.ended();
            let _ = tokio::time::timeout(SAVING, ended.wait_for(Option::is_some)).await;
        }
    }
}

/// What is opened as a copy: the run itself stays with its owner.
fn copied(open: Whereabouts) -> Whereabouts {
    Whereabouts { run: None, runs: false, ..open }
}
