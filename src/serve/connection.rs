//! A page and the server talk: changed cells out, keys and mouse in. At most one frame
//! is on its way to a page; until the page has shown it, newer frames replace each
//! other. So a slow page sees fewer frames, and nobody else notices.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, sleep_until, timeout};

use super::frame::Frame;
use super::hub::{Hub, Page, Place};
use super::input::{Incoming, tidy_name};
use super::rate::Rate;
use super::screen::Note;
use super::secret::Digest;
use super::session::Session;
use super::store::{Role, Saved};
use crate::tui::{HostEvent, THEMES};

/// How often a page is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// After this time without an answer it is not.
const SILENCE: Duration = Duration::from_secs(65);
/// How long sending may take.
const SENDING: Duration = Duration::from_secs(20);

/// The page is gone.
struct Gone;

/// What a page shows next.
enum Next {
    /// The visitor's own session.
    Own,
    /// The lecturer's.
    Watch,
    /// Nothing: the session ended, and why.
    Ended(String),
}

/// Talks to a page until it is gone or its session has ended.
pub(super) async fn converse(socket: WebSocket, hub: Arc<Hub>, page: Page, id: Digest) {
    let rate = Rate::new(hub.options.limits.messages_per_second, Instant::now());
    let mut line = Line { socket, rate, blocked: None, heard: Instant::now() };
    // A page that is gone has nobody to tell.
    let _ = talk(&mut line, &hub, id).await;
    drop(page);
}

async fn talk(line: &mut Line, hub: &Arc<Hub>, id: Digest) -> Result<(), Gone> {
    let Some(saved) = hub.store.find(&id) else { return Err(Gone) };
    let watches = hub.options.watch && saved.role == Role::Visitor;
    let hello = json!({ "hello": {
        "version": env!("CARGO_PKG_VERSION"),
        "watch": watches,
        "class": hub.options.class.is_some(),
    }});
    line.send(hello.to_string()).await?;
    let mut next = if watches && !saved.alone { Next::Watch } else { Next::Own };
    loop {
        next = match next {
            Next::Own => own(line, hub, id).await?,
            Next::Watch => watch(line, hub, id).await?,
            Next::Ended(why) => {
                line.send(json!({ "ended": why }).to_string()).await?;
                return line.close(close_code::NORMAL, "").await;
            }
        };
    }
}

/// Shows the visitor's own session, once there is room for it.
async fn own(line: &mut Line, hub: &Arc<Hub>, id: Digest) -> Result<Next, Gone> {
    let mut places = hub.changes();
    let mut ping = interval(PING);
    let mut told = 0;
    let session = loop {
        let Some(saved) = hub.store.find(&id) else { return Err(Gone) };
        match hub.place(id, &saved) {
            Ok(Place::Session(session)) => break session,
            Ok(Place::NoRoom) => {
                let why = format!(
                    "All {} places are taken and {} visitors wait already. Try again later.",
                    hub.options.limits.sessions, hub.options.limits.queue
                );
                return Ok(Next::Ended(why));
            }
            Ok(Place::Waits(at)) if at != told => {
                told = at;
                let said = json!({ "queue": [at, hub.options.limits.sessions] });
                line.send(said.to_string()).await?;
            }
            Ok(Place::Waits(_)) => {}
            Err(error) => return Ok(Next::Ended(format!("No session could be started: {error}"))),
        }
        tokio::select! {
            changed = places.changed() => changed.map_err(|_| Gone)?,
            incoming = line.receive() => {
                if incoming? == Incoming::Watch && hub.options.watch {
                    return Ok(Next::Watch);
                }
            }
            _ = ping.tick() => line.ping().await?,
        }
    };
    line.send(json!({ "view": "own" }).to_string()).await?;
    show(line, hub, &session, Part::Player).await
}

/// Shows the session of the lecturer, whenever there is one.
async fn watch(line: &mut Line, hub: &Arc<Hub>, id: Digest) -> Result<Next, Gone> {
    let mut lecturer = hub.lecturer();
    let mut ping = interval(PING);
    if let Some(saved) = hub.store.find(&id).filter(|own| own.alone) {
        // If it cannot be saved, the page shows the copy again after a restart.
        let _ = hub.store.save(&id, &Saved { alone: false, ..saved });
    }
    let mut is_told = false;
    loop {
        let session = lecturer.borrow_and_update().clone();
        let Some(session) = session else {
            if !std::mem::replace(&mut is_told, true) {
                line.send(json!({ "view": "no-lecturer" }).to_string()).await?;
            }
            tokio::select! {
                changed = lecturer.changed() => changed.map_err(|_| Gone)?,
                incoming = line.receive() => {
                    if incoming? == Incoming::TakeCopy {
                        return Ok(Next::Own);
                    }
                }
                _ = ping.tick() => line.ping().await?,
            }
            continue;
        };
        is_told = false;
        line.send(json!({ "view": "watching" }).to_string()).await?;
        match show(line, hub, &session, Part::Watcher(id)).await? {
            // The lecturer may come back.
            Next::Ended(_) => {}
            next => return Ok(next),
        }
    }
}

/// What a page may do with a session.
#[derive(Clone, Copy)]
enum Part {
    /// Everything.
    Player,
    /// Look, and take a copy.
    Watcher(Digest),
}

/// Shows a session until it ends or the visitor wants another one.
async fn show(
    line: &mut Line,
    hub: &Arc<Hub>,
    session: &Arc<Session>,
    part: Part,
) -> Result<Next, Gone> {
    let _shown = session.show();
    let (mut frames, mut notes) = (session.screen.frames(), session.screen.notes());
    let mut ended = session.ended();
    let mut ping = interval(PING);
    if session.has_ended() {
        return Ok(Next::Ended(ended.borrow().clone().unwrap_or_default()));
    }
    let mut shown: Option<Arc<Frame>> = None;
    let (mut sent, mut acknowledged) = (0, 0);
    frames.mark_changed();
    session.want_frame();
    loop {
        tokio::select! {
            incoming = line.receive() => {
                let incoming = incoming?;
                if let Incoming::Ack(number) = incoming {
                    acknowledged = number.clamp(acknowledged, sent);
                    if acknowledged == sent {
                        session.want_frame();
                    }
                } else if let Some(next) = obey(line, hub, session, part, incoming).await? {
                    return Ok(next);
                }
            }
            changed = frames.changed(), if acknowledged == sent => {
                if changed.is_err() {
                    return Ok(Next::Ended(String::new()));
                }
                let frame = frames.borrow_and_update().clone();
                let text = frame.since(shown.as_deref(), sent + 1);
                match text.filter(|_| !frame.is_blank()) {
                    Some(text) => {
                        sent += 1;
                        shown = Some(frame);
                        line.send(text).await?;
                    }
                    // The page shows it already and can take the next one.
                    None => session.want_frame(),
                }
            }
            note = notes.recv() => {
                match note {
                    Ok(note) => line.note(note, part).await?,
                    // A slow page misses the oldest notes.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return Ok(Next::Ended(String::new())),
                }
            }
            _ = ended.changed() => {
                let why = ended.borrow().clone().unwrap_or_default();
                return Ok(Next::Ended(why));
            }
            _ = ping.tick() => line.ping().await?,
        }
    }
}

/// Does what a message asks for, as far as the visitor may.
async fn obey(
    line: &mut Line,
    hub: &Arc<Hub>,
    session: &Arc<Session>,
    part: Part,
    incoming: Incoming,
) -> Result<Option<Next>, Gone> {
    if let Part::Watcher(id) = part {
        if incoming == Incoming::TakeCopy {
            return match hub.take_copy(id, session).await {
                Ok(()) => Ok(Some(Next::Own)),
                Err(error) => {
                    line.send(json!({ "said": format!("No copy: {error}") }).to_string()).await?;
                    Ok(None)
                }
            };
        }
        return Ok(None);
    }
    match incoming {
        Incoming::Theme(name) => {
            if THEMES.iter().any(|(own, _)| *own == name) {
                session.send(HostEvent::Theme(name));
            }
        }
        Incoming::HandIn(name) => {
            if let Some(folder) = &hub.options.class {
                let file = folder.join(format!("{}.toml", &session.id.name()[..16]));
                session.send(HostEvent::HandIn(file, tidy_name(&name)));
            }
        }
        Incoming::Watch if hub.options.watch && session.role == Role::Visitor => {
            return Ok(Some(Next::Watch));
        }
        other => match other.event() {
            Ok(Some(event)) => session.input(event),
            Ok(None) => {}
            Err(why) => line.send(json!({ "said": why }).to_string()).await?,
        },
    }
    Ok(None)
}

/// The line to a page.
struct Line {
    socket: WebSocket,
    rate: Rate,
    /// Until when nothing is read, because too much came.
    blocked: Option<Instant>,
    /// When anything came last.
    heard: Instant,
}

impl Line {
    async fn send(&mut self, text: String) -> Result<(), Gone> {
        self.transmit(Message::text(text)).await
    }

    async fn transmit(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(SENDING, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    async fn close(&mut self, code: u16, reason: &'static str) -> Result<(), Gone> {
        self.transmit(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await
    }

    async fn ping(&mut self) -> Result<(), Gone> {
        if self.heard.elapsed() > SILENCE {
            return Err(Gone);
        }
        self.transmit(Message::Ping(Bytes::new())).await
    }

    async fn note(&mut self, note: Note, part: Part) -> Result<(), Gone> {
        let text = match (note, part) {
            (Note::Said(text), _) => json!({ "said": text }),
            // What somebody else copies or saves is theirs.
            (_, Part::Watcher(_)) => return Ok(()),
            (Note::Copy(text), Part::Player) => json!({ "copy": text }),
            (Note::File(name, text), Part::Player) => json!({ "file": [name, text] }),
        };
        self.send(text.to_string()).await
    }

    /// The next message. If this is dropped while it waits, no message is lost.
    async fn receive(&mut self) -> Result<Incoming, Gone> {
        loop {
            if let Some(until) = self.blocked {
                sleep_until(until.into()).await;
                self.blocked = None;
            }
            let Some(Ok(message)) = self.socket.recv().await else { return Err(Gone) };
            self.heard = Instant::now();
            self.blocked = self.rate.count(self.heard).map(|wait| self.heard + wait);
            match message {
                Message::Text(text) => {
                    if let Ok(incoming) = Incoming::parse(&text) {
                        return Ok(incoming);
                    }
                    self.close(close_code::POLICY, "expected a key or mouse").await?;
                    return Err(Gone);
                }
                Message::Binary(_) | Message::Close(_) => return Err(Gone),
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }
}
