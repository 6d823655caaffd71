//! Background jobs of one kind: one runs, one waits, and a newer one replaces the
//! waiting one. The screen never blocks on a result.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::message::Message;
use crate::spectral::Cancel;

/// Where results are sent.
pub(super) type Post = Arc<dyn Fn(Message) + Send + Sync>;

/// A thread that runs jobs of one kind. Dropping it ends the thread.
pub(super) struct JobSlot<Q> {
    shared: Arc<Shared<Q>>,
}

/// What happens to the running job when a newer one is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderWay {
    /// It is cancelled.
    Stop,
    /// It finishes: for jobs that are requested faster than they complete.
    LetFinish,
}

/// Limits how many jobs run at the same time.
pub(super) struct Permits {
    free: Mutex<usize>,
    freed: Condvar,
}

/// Permission to run a job, until it is dropped.
pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    /// So many, at least one.
    pub(super) fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { free: Mutex::new(count.max(1)), freed: Condvar::new() })
    }

    /// Waits for one.
    pub(super) fn take(&self) -> Permit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

struct Shared<Q> {
    slot: Mutex<Slot<Q>>,
    rung: Condvar,
}

struct Slot<Q> {
    waiting: Option<Q>,
    /// Cancels the running job.
    cancel: Cancel,
    closed: bool,
}

impl<Q: Send + 'static> JobSlot<Q> {
    /// Starts the thread. A job may send several messages, so that refinements can be
    /// shown; it should end soon after it is cancelled.
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

    /// Requests a job, replacing one that is waiting.
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

    /// Waits for the next job; `None` once the slot is closed.
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

impl<Q> Drop for JobSlot<Q> {
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
    fn only_the_newest_waiting_job_runs() {
        let (sender, inbox) = channel();
        let (gate, gated) = channel::<()>();
        let post: Post = Arc::new(move |message| drop(sender.send(message)));
        let slot = JobSlot::open("test", post, move |question: u16, _, tell| {
            let _ = gated.recv_timeout(Duration::from_secs(10));
            tell(resize(question));
        })
        .unwrap();
        slot.ask(1, UnderWay::Stop);
        // Wait until the first job is running.
        while slot.shared.lock().waiting.is_some() {
            std::thread::yield_now();
        }
        slot.ask(2, UnderWay::LetFinish);
        slot.ask(3, UnderWay::LetFinish);
        gate.send(()).unwrap();
        gate.send(()).unwrap();
        let wait = Duration::from_secs(10);
        let answers =
            [inbox.recv_timeout(wait), inbox.recv_timeout(wait)].map(|own| columns(&own.unwrap()));
        assert_eq!(answers, [1, 3]);
    }

    #[test]
    fn a_newer_job_cancels_the_running_one() {
        let (sender, inbox) = channel();
        let post: Post = Arc::new(move |message| drop(sender.send(message)));
        let slot = JobSlot::open("test", post, |question: u16, cancel: &Cancel, tell| {
            while question == 1 && !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            tell(resize(question));
        })
        .unwrap();
        slot.ask(1, UnderWay::Stop);
        while slot.shared.lock().waiting.is_some() {
            std::thread::yield_now();
        }
        slot.ask(2, UnderWay::Stop);
        assert_eq!(columns(&inbox.recv_timeout(Duration::from_secs(10)).unwrap()), 2);
    }
}
