//! Long work that says how far it is and stops when asked to.
//!
//! The work runs on a thread of its own and the caller waits beside it: so a
//! cancelled caller is free again at once, even while the work is inside a
//! dense kernel that knows nothing of cancelling. The thread left behind ends
//! at its next check and its result is dropped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::SpectralError;

/// How often a waiting caller looks at the cancel flag.
const LOOK: Duration = Duration::from_millis(10);

/// The steps a decomposition goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Finding where the spectrum begins and ends, and how it is spread.
    Bounds,
    /// A dense decomposition of the whole matrix.
    Dense,
    /// Polynomial filtering of the search space.
    Filter,
    /// Solving the small projected problem.
    Project,
    /// Measuring residuals and orthogonality.
    Check,
    /// Probing the diagonal or the density with random vectors.
    Probe,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bounds => "spectrum bounds",
            Self::Dense => "dense decomposition",
            Self::Filter => "filtering",
            Self::Project => "projection",
            Self::Check => "checking residuals",
            Self::Probe => "probing",
        })
    }
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The step it is at.
    pub stage: Stage,
    /// Which pass over the steps, from 1; engines without passes stay at 1.
    pub pass: usize,
    /// Units of the step done.
    pub done: usize,
    /// Units of the step in all; 0 where it is not known.
    pub total: usize,
    /// Pairs that have converged so far.
    pub converged: usize,
}

/// A flag that asks running work to stop; clones share it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::spectral::{Cancel, Request, decompose};
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let cancel = Cancel::default();
/// cancel.clone().cancel();
/// let stopped = decompose(&ground.matrix, &Request::default(), &cancel, &mut |_| {});
/// assert!(stopped.is_err_and(|error| error.is_cancelled()));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Forgets that somebody asked: for the next piece of work.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The working side of the flag and the progress channel.
#[derive(Debug, Clone)]
pub(super) struct Monitor {
    cancel: Cancel,
    news: Option<mpsc::Sender<Progress>>,
    pass: usize,
    converged: usize,
}

impl Monitor {
    /// For work nobody watches: tests, and steps too short to report.
    #[cfg(test)]
    pub(super) fn silent() -> Self {
        Self { cancel: Cancel::default(), news: None, pass: 1, converged: 0 }
    }

    /// The next pass begins with this many pairs converged.
    pub(super) fn enter_pass(&mut self, pass: usize, converged: usize) {
        self.pass = pass;
        self.converged = converged;
    }

    /// Reports, unless the work was cancelled.
    pub(super) fn report(
        &self,
        stage: Stage,
        done: usize,
        total: usize,
    ) -> Result<(), SpectralError> {
        self.check(stage)?;
        if let Some(news) = &self.news {
            let (pass, converged) = (self.pass, self.converged);
            // A caller that has gone away cancels; nobody is left to tell.
            let _ = news.send(Progress { stage, pass, done, total, converged });
        }
        Ok(())
    }

    /// An error as soon as the work was cancelled.
    pub(super) fn check(&self, stage: Stage) -> Result<(), SpectralError> {
        if self.cancel.is_cancelled() {
            return Err(SpectralError::Cancelled { stage: stage.to_string() });
        }
        Ok(())
    }
}

/// Runs `work` on a thread of its own, passing its reports on to `watch`.
pub(super) fn supervise<T: Send + 'static>(
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress),
    work: impl FnOnce(Monitor) -> Result<T, SpectralError> + Send + 'static,
) -> Result<T, SpectralError> {
    let (news, heard) = mpsc::channel();
    let (answer, result) = mpsc::channel();
    let monitor = Monitor { cancel: cancel.clone(), news: Some(news), pass: 1, converged: 0 };
    let worker = std::thread::Builder::new().name("spectrum".into()).spawn(move || {
        // The caller may have left already: then the result has no taker.
        let _ = answer.send(work(monitor));
    });
    if let Err(error) = worker {
        return Err(SpectralError::fault(
            "starting the spectrum's thread",
            error.to_string(),
            "a new thread",
            "close other programs, or raise the limit of threads",
        ));
    }
    let mut stage = "the start".to_owned();
    loop {
        match heard.recv_timeout(LOOK) {
            Ok(progress) => {
                stage = progress.stage.to_string();
                watch(progress);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if cancel.is_cancelled() {
            return Err(SpectralError::Cancelled { stage });
        }
    }
    result.recv().unwrap_or_else(|_| {
        Err(SpectralError::fault(
            "the spectrum's thread",
            format!("it ended during: {stage}"),
            "a result",
            "the matrix may not fit into memory: ask for fewer eigenpairs, or use the Chebyshev engine",
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn reports_reach_the_caller_in_order_before_the_result() {
        let mut seen = Vec::new();
        let result = supervise(&Cancel::default(), &mut |p| seen.push(p.done), |monitor| {
            for n in 0..5 {
                monitor.report(Stage::Filter, n, 5)?;
            }
            Ok(42)
        });
        assert_eq!((result, seen), (Ok(42), vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn cancel_returns_at_once_from_work_that_never_checks() {
        let cancel = Cancel::default();
        let other = cancel.clone();
        let start = Instant::now();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            other.cancel();
        });
        let result = supervise(&cancel, &mut |_| {}, |_| {
            std::thread::sleep(Duration::from_secs(2));
            Ok(())
        });
        assert!(result.is_err_and(|error| error.is_cancelled()));
        assert!(start.elapsed() < Duration::from_millis(600), "{:?}", start.elapsed());
    }

    #[test]
    fn a_worker_that_dies_is_an_error_with_advice() {
        let result = supervise::<()>(&Cancel::default(), &mut |_| {}, |_| panic!("as planned"));
        assert!(result.is_err_and(|error| error.to_string().contains("help:")));
    }
}
