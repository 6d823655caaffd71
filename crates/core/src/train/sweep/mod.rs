//! Sweeps: combinations of values of some settings, scored on a part of the training
//! labels. Test labels are never used.
//!
//! In: a graph, settings and a [`SweepPlan`], whose combinations come from a [`Grid`]
//! or are drawn from it. Out: a [`SweepResult`] for each combination, best first. The
//! runs are a list of tasks that depends on the plan alone, so that several machines
//! can share it. Every result is saved in a [`Journal`], so that an interrupted sweep
//! resumes where it stopped.

mod grid;
mod halving;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::journal::{FinishedTask, Journal, JournalError, task_key};
use super::{Score, TrainError, Trainer};
use crate::model::settings::{AppliesAt, Settings, TABLE};
use crate::model::{ModelError, PreparedGraph};
use gesf_graph::{Graph, LabelKind};
use gesf_spectral::Cancel;
pub use grid::{Axis, Choices, Grid, GridError, Point};
pub use halving::{Halving, HalvingError, Rung};

/// Why a sweep ended early.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// It was cancelled.
    #[error("stopped; run the same command to resume")]
    Cancelled,
    /// The matrix or the model could not be prepared.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A result could not be saved.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What is tried: every combination at every share with every seed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SweepPlan {
    /// The combinations.
    pub points: Vec<Point>,
    /// Shares of the labelled nodes used for training.
    pub shares: Vec<f64>,
    /// Seeds: splits and random starts.
    pub seeds: Vec<u64>,
    /// The part of the training labels used for scoring.
    pub validate: f64,
}

/// A sweep.
pub struct Sweep {
    /// The graph.
    pub graph: Arc<Graph>,
    /// All settings not named by the combinations.
    pub settings: Settings,
    /// What is tried.
    pub plan: SweepPlan,
}

/// A combination and its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepResult {
    /// The combination.
    pub point: Point,
    /// For each share, a score per seed; `None` for a failed run.
    pub scores: Vec<Vec<Option<f64>>>,
}

impl SweepResult {
    /// Mean headline score over seeds and shares; `None` if a run failed, so that a
    /// combination is not ranked by the runs it survived.
    pub fn mean(&self) -> Option<f64> {
        let all: Option<Vec<f64>> = self.scores.iter().flatten().copied().collect();
        let all = all.filter(|all| !all.is_empty())?;
        Some(all.iter().sum::<f64>() / all.len() as f64)
    }
}

impl SweepPlan {
    /// How many tasks (runs) there are.
    pub fn tasks(&self) -> usize {
        self.points.len() * self.shares.len() * self.seeds.len()
    }

    /// The combination, share and seed of a task. Seeds change fastest.
    fn task(&self, task: usize) -> Option<(&Point, f64, u64)> {
        let seeds = self.seeds.len().max(1);
        let shares = self.shares.len().max(1);
        let point = self.points.get(task / (seeds * shares))?;
        Some((point, *self.shares.get(task / seeds % shares)?, *self.seeds.get(task % seeds)?))
    }

    /// The results of all tasks, given in order, best first.
    ///
    /// ```
    /// use gesf_core::train::sweep::{Point, SweepPlan};
    ///
    /// let point = |value: &str| Point(vec![("balance".to_owned(), value.to_owned())]);
    /// let (points, seeds) = (vec![point("1"), point("10")], vec![0, 1]);
    /// let plan = SweepPlan { points, shares: vec![0.5], seeds, validate: 0.2 };
    /// let standings = plan.standings(&[Some(0.5), Some(0.6), Some(0.7), Some(0.8)]);
    /// assert_eq!(standings[0].point, point("10"));
    /// assert_eq!(standings[1].scores, [[Some(0.5), Some(0.6)]]);
    /// ```
    pub fn standings(&self, scores: &[Option<f64>]) -> Vec<SweepResult> {
        let (shares, seeds) = (self.shares.len(), self.seeds.len());
        let mut standings: Vec<SweepResult> = self
            .points
            .iter()
            .zip(scores.chunks((shares * seeds).max(1)))
            .map(|(point, scores)| SweepResult {
                point: point.clone(),
                scores: scores.chunks(seeds.max(1)).map(<[_]>::to_vec).collect(),
            })
            .collect();
        // Equal means stay in the order of the plan.
        let rank = |standing: &SweepResult| standing.mean().unwrap_or(f64::NEG_INFINITY);
        standings.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        standings
    }
}

impl Sweep {
    /// Runs those of some tasks that the journal does not have yet, and returns the
    /// scores of all of them. `prepare` prepares graphs; `tell` receives the combination
    /// and the number of completed tasks.
    pub fn run(
        &self,
        tasks: &[usize],
        journal: &mut Journal,
        cancel: &Cancel,
        mut prepare: impl FnMut(&Settings) -> Result<PreparedGraph, ModelError>,
        mut tell: impl FnMut(&Point, usize),
    ) -> Result<Vec<Option<f64>>, SweepError> {
        let fingerprint = self.graph.fingerprint();
        let mut prepared: Option<(String, PreparedGraph)> = None;
        let mut scores = Vec::with_capacity(tasks.len());
        for (done, &task) in tasks.iter().enumerate() {
            let Some((point, share, seed)) = self.plan.task(task) else { continue };
            tell(point, done);
            let settings = point.over(&Settings { labelled: share, seed, ..self.settings.clone() });
            let key = task_key(fingerprint, &settings, Some(self.plan.validate));
            if let Some(known) = journal.find(&key) {
                scores.push(known.as_f64());
                continue;
            }
            if cancel.is_cancelled() {
                return Err(SweepError::Cancelled);
            }
            let wish = spectrum_of(&settings);
            if prepared.as_ref().is_none_or(|(own, _)| *own != wish) {
                // Drop the old one first: two may not fit into memory.
                drop(prepared.take());
                prepared = Some((wish, prepare(&settings)?));
            }
            let Some((_, prepared)) = &prepared else { continue };
            let score = self.score(prepared, settings, cancel)?;
            let values = point.0.iter().map(|(key, value)| (key.clone(), json!(value)));
            let settings: serde_json::Map<String, Value> = values.collect();
            let about = [
                ("settings".to_owned(), Value::Object(settings)),
                ("labelled".to_owned(), json!(share)),
                ("seed".to_owned(), json!(seed)),
            ];
            let about = about.into_iter().collect();
            journal.add(FinishedTask { key, task, about, result: json!(score) })?;
            scores.push(score);
        }
        Ok(scores)
    }

    /// The validation score of a whole run; `None` if it failed.
    fn score(
        &self,
        prepared: &PreparedGraph,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Option<f64>, SweepError> {
        let settings = Settings { validation: self.plan.validate, ..settings };
        let kind = prepared.graph.labels().kind();
        let broken = |error: TrainError| match error {
            TrainError::Model(error) => Err(SweepError::Model(error)),
            TrainError::Broken { .. } | TrainError::State { .. } => Ok(None),
        };
        let mut trainer = match Trainer::new(prepared.clone(), settings) {
            Ok(trainer) => trainer,
            Err(error) => return broken(error),
        };
        while !trainer.is_done() {
            if cancel.is_cancelled() {
                return Err(SweepError::Cancelled);
            }
            if let Err(error) = trainer.step() {
                return broken(error);
            }
        }
        match trainer.evaluate() {
            Ok(epoch) => Ok(headline(epoch.scalars.validation_x, kind)),
            Err(error) => broken(error),
        }
    }
}

fn headline(score: Score, kind: LabelKind) -> Option<f64> {
    score.headline(kind).map(f64::from).filter(|score| score.is_finite())
}

/// The settings that a prepared graph depends on.
fn spectrum_of(settings: &Settings) -> String {
    let own = TABLE.iter().filter(|setting| setting.effect == AppliesAt::RestartsSpectrum);
    let texts: Vec<String> = own.map(|setting| (setting.get)(settings)).collect();
    texts.join(" ")
}
