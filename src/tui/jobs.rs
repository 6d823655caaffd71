//! Slow questions: one is being answered, one waits, and a newer one takes the
//! place of the one that waits. The screen never waits for an answer.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::message::Message;
use crate::spectral::Cancel;

/// Where answers go.
pub(super) type Post = Arc<dyn Fn(Message) + Send + Sync>;

/// A thread that answers one kind of question. Dropping it ends the thread.
pub(super) struct Desk<Q> {
    shared: Arc<Shared<Q>>,
}

/// What becomes of the answer under way when something newer is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderWay {
    /// It no longer matters.
    Stop,
    /// It is wanted still: for questions that come faster than answers.
    LetFinish,
}

struct Shared<Q> {
    slot: Mutex<Slot<Q>>,
    rung: Condvar,
}

struct Slot<Q> {
    waiting: Option<Q>,
    /// Stops the answer under way.
    cancel: Cancel,
    closed: bool,
}

impl<Q: Send + 'static> Desk<Q> {
    /// Opens a desk. An answer comes in as many messages as it likes, so that
    /// something that refines can be watched; it should end soon after it is
    /// cancelled.
    pub(super) fn open(
        name: &str,
        post: Post,
        answer: impl Fn(Q, &Cancel, &dyn Fn(Message)) + Send + 'static,
    ) -> std::io::Result<Self> {
        let slot = Slot { waiting: None, cancel: Cancel::default(), closed: false };
        let shared = Arc::new(Shared { slot: Mutex::new(slot), rung: Condvar::new() });
        let own = shared.clone();
        let work = move || {
            while let Some((question, cancel)) = own.next() {
                answer(question, &cancel, &|message| {
                    if !cancel.is_cancelled() {
                        post(message);
                    }
                });
            }
        };
        std::thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self { shared })
    }

    /// Asks, in the place of any question that waits.
    pub(super) fn ask(&self, question: Q, under_way: UnderWay) {
        let mut slot = self.shared.lock();
        if under_way == UnderWay::Stop {
            slot.cancel.cancel();
        }
        slot.waiting = Some(question);
        self.shared.rung.notify_one();
    }
}

impl<Q> Shared<Q> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Slot<Q>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next question, waited for; none once the desk is closed.
    fn next(&self) -> Option<(Q, Cancel)> {
        let mut slot = self.lock();
        loop {
            if slot.closed {
                return None;
            }
            if let Some(question) = slot.waiting.take() {
                slot.cancel = Cancel::default();
                return Some((question, slot.cancel.clone()));
            }
            slot = self.rung.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<Q> Drop for Desk<Q> {
    fn drop(&mut self) {
        let mut slot = self.shared.lock();
        slot.closed = true;
        slot.cancel.cancel();
        self.shared.rung.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    fn resize(columns: u16) -> Message {
        Message::Resize(columns, 0)
    }

    fn columns(message: &Message) -> u16 {
        match message {
            Message::Resize(columns, _) => *columns,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_newest_of_the_waiting_questions_is_answered() {
        let (sender, inbox) = channel();
        let (gate, gated) = channel::<()>();
        let post: Post = Arc::new(move |message| drop(sender.send(message)));
        let desk = Desk::open("test", post, move |question: u16, _, tell| {
            let _ = gated.recv_timeout(Duration::from_secs(10));
            tell(resize(question));
        })
        .unwrap();
        desk.ask(1, UnderWay::Stop);
        // The first is taken up before the others come.
        while desk.shared.lock().waiting.is_some() {
            std::thread::yield_now();
        }
        desk.ask(2, UnderWay::LetFinish);
        desk.ask(3, UnderWay::LetFinish);
        gate.send(()).unwrap();
        gate.send(()).unwrap();
        let wait = Duration::from_secs(10);
        let answers =
            [inbox.recv_timeout(wait), inbox.recv_timeout(wait)].map(|own| columns(&own.unwrap()));
        assert_eq!(answers, [1, 3]);
    }

    #[test]
    fn a_newer_question_silences_the_one_under_way() {
        let (sender, inbox) = channel();
        let post: Post = Arc::new(move |message| drop(sender.send(message)));
        let desk = Desk::open("test", post, |question: u16, cancel: &Cancel, tell| {
            while question == 1 && !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            tell(resize(question));
        })
        .unwrap();
        desk.ask(1, UnderWay::Stop);
        while desk.shared.lock().waiting.is_some() {
            std::thread::yield_now();
        }
        desk.ask(2, UnderWay::Stop);
        assert_eq!(columns(&inbox.recv_timeout(Duration::from_secs(10)).unwrap()), 2);
    }
}
