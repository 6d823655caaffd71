//! Sweeps: every combination of some values of some settings, scored on a part of
//! the training labels. Test labels are never used.
//!
//! In: a graph, settings and a [`Grid`]. Out: a [`SweepResult`] for each
//! combination, best first. Every result is saved in a [`Journal`], so that an
//! interrupted sweep resumes where it stopped.

mod grid;
mod journal;

use std::sync::Arc;

use super::{Score, TrainError, Trainer};
use crate::model::settings::{AppliesAt, Settings, TABLE, to_toml};
use crate::model::{ModelError, PreparedGraph};
use gesf_graph::{Graph, LabelKind};
use gesf_spectral::Cancel;
pub use grid::{Axis, Grid, GridError, Point};
pub use journal::{FinishedTrial, Journal, JournalError};

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

/// A sweep.
pub struct Sweep {
    /// The graph.
    pub graph: Arc<Graph>,
    /// All settings not named by the grid.
    pub settings: Settings,
    /// The combinations.
    pub grid: Grid,
    /// Shares of the labelled nodes used for training.
    pub shares: Vec<f64>,
    /// Seeds: splits and random starts.
    pub seeds: Vec<u64>,
    /// The part of the training labels used for scoring.
    pub validate: f64,
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

impl Sweep {
    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.grid.points().len() * self.shares.len() * self.seeds.len()
    }

    /// Runs what the journal does not have yet and returns all results, best first.
    /// `prepare` prepares graphs; `tell` receives the combination and the number of
    /// completed runs.
    pub fn run(
        &self,
        journal: &mut Journal,
        cancel: &Cancel,
        mut prepare: impl FnMut(&Settings) -> Result<PreparedGraph, ModelError>,
        mut tell: impl FnMut(&Point, usize),
    ) -> Result<Vec<SweepResult>, SweepError> {
        let fingerprint = self.graph.fingerprint();
        let mut prepared: Option<(String, PreparedGraph)> = None;
        let mut done = 0;
        let mut standings = Vec::new();
        for point in self.grid.points() {
            let mut scores = vec![Vec::new(); self.shares.len()];
            for (own, &share) in scores.iter_mut().zip(&self.shares) {
                for &seed in &self.seeds {
                    tell(&point, done);
                    let settings =
                        point.over(&Settings { labelled: share, seed, ..self.settings.clone() });
                    let key = key(&settings, self.validate, fingerprint);
                    let known = journal.find(&key);
                    let score = if let Some(known) = known {
                        known
                    } else {
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
                        journal.add(FinishedTrial {
                            key,
                            point: point.clone(),
                            share,
                            seed,
                            score,
                        })?;
                        score
                    };
                    own.push(score);
                    done += 1;
                }
            }
            standings.push(SweepResult { point, scores });
        }
        // Equal means stay in the order of the grid.
        let rank = |standing: &SweepResult| standing.mean().unwrap_or(f64::NEG_INFINITY);
        standings.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        Ok(standings)
    }

    /// The validation score of a whole run; `None` if it failed.
    fn score(
        &self,
        prepared: &PreparedGraph,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Option<f64>, SweepError> {
        let settings = Settings { validation: self.validate, ..settings };
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

/// A short text that identifies everything a run depends on.
fn key(settings: &Settings, validate: f64, fingerprint: u64) -> String {
    let text = format!("{fingerprint:016x} {validate} {}", to_toml(settings));
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

/// The settings that a prepared graph depends on.
fn spectrum_of(settings: &Settings) -> String {
    let own = TABLE.iter().filter(|setting| setting.effect == AppliesAt::RestartsSpectrum);
    let texts: Vec<String> = own.map(|setting| (setting.get)(settings)).collect();
    texts.join(" ")
}
