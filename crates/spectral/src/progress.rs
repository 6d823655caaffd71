//! Long computations with progress reports and cancellation.
//!
//! The work runs on a separate thread while the caller waits: a cancelled caller
//! returns at once, even while the work is inside a dense kernel without
//! cancellation checks. The abandoned thread ends at its next check and its result
//! is dropped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::SpectralError;

/// How often a waiting caller checks the cancel flag.
const LOOK: Duration = Duration::from_millis(10);

/// The stages of a decomposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Finding the bounds and the density of the spectrum.
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

/// The progress of the work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The pass over the stages, from 1; engines without passes stay at 1.
    pub pass: usize,
    /// Completed units of the stage.
    pub done: usize,
    /// Total units of the stage; 0 if unknown.
    pub total: usize,
    /// Number of converged pairs.
    pub converged: usize,
}

/// A flag that cancels running work; clones share it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_spectral::{Cancel, Request, decompose};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let kind = gesf_spectral::MatrixKind::SymLoops;
/// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
/// # let matrix = std::sync::Arc::new(matrix);
/// let cancel = Cancel::default();
/// cancel.clone().cancel();
/// let stopped = decompose(&matrix, &Request::default(), &cancel, &mut |_| {});
/// assert!(stopped.is_err_and(|error| error.is_cancelled()));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels the work.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the flag for the next piece of work.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The worker's side of the flag and the progress channel.
#[derive(Debug, Clone)]
pub(super) struct Monitor {
    cancel: Cancel,
    news: Option<mpsc::Sender<Progress>>,
    pass: usize,
    converged: usize,
}

impl Monitor {
    /// For work without reports: tests and short steps.
    #[cfg(test)]
    pub(super) fn silent() -> Self {
        Self { cancel: Cancel::default(), news: None, pass: 1, converged: 0 }
    }

    /// Starts the next pass, with this many converged pairs.
    pub(super) fn enter_pass(&mut self, pass: usize, converged: usize) {
        self.pass = pass;
        self.converged = converged;
    }

    /// Sends a report, unless the work was cancelled.
    pub(super) fn report(
        &self,
        stage: Stage,
        done: usize,
        total: usize,
    ) -> Result<(), SpectralError> {
        self.check(stage)?;
        if let Some(news) = &self.news {
            let (pass, converged) = (self.pass, self.converged);
            // A caller that is gone has cancelled; the report can be dropped.
            let _ = news.send(Progress { stage, pass, done, total, converged });
        }
        Ok(())
    }

    /// An error if the work was cancelled.
    pub(super) fn check(&self, stage: Stage) -> Result<(), SpectralError> {
        if self.cancel.is_cancelled() {
            return Err(SpectralError::Cancelled { stage: stage.to_string() });
        }
        Ok(())
    }
}

/// Runs `work` on a separate thread, passing its reports on to `watch`.
pub(super) fn supervise<T: Send + 'static>(
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress),
    work: impl FnOnce(Monitor) -> Result<T, SpectralError> + Send + 'static,
) -> Result<T, SpectralError> {
    let (news, heard) = mpsc::channel();
    let (answer, result) = mpsc::channel();
    let monitor = Monitor { cancel: cancel.clone(), news: Some(news), pass: 1, converged: 0 };
    let worker = std::thread::Builder::new().name("spectrum".into()).spawn(move || {
        // If the caller is already gone, the result is dropped.
        let _ = answer.send(work(monitor));
    });
    if let Err(error) = worker {
        return Err(SpectralError::fault(
            "starting the spectrum's thread",
            error.to_string(),
            "a new thread",
            "close other programs, or raise the thread limit",
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
            format!("a failure during: {stage}"),
            "a result",
            "the matrix may not fit in memory: request fewer eigenpairs, or use the Chebyshev engine",
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
    fn cancelling_returns_at_once_from_work_that_never_checks() {
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
    fn a_panicking_worker_is_an_error_with_advice() {
        let result = supervise::<()>(&Cancel::default(), &mut |_| {}, |_| panic!("as planned"));
        assert!(result.is_err_and(|error| error.to_string().contains("help:")));
    }
}
