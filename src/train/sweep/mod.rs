//! Sweeps: every combination of some values of some settings, judged on a part
//! of the labels that training would see. Labels held back are never looked at.
//!
//! In: a graph, settings and a [`Grid`]. Out: a [`Standing`] for each
//! combination, the best first. What is found is kept line by line in a
//! [`Journal`], so that a sweep that was stopped goes on where it was.

mod grid;
mod journal;

use std::sync::Arc;

use super::{Score, TrainError, Trainer};
use crate::graph::{Graph, LabelKind};
use crate::model::settings::{Effect, Settings, TABLE, to_toml};
use crate::model::{Ground, ModelError};
use crate::spectral::Cancel;
pub use grid::{Axis, Grid, GridError, Point};
pub use journal::{Journal, JournalError, Line};

/// Why a sweep ended early.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Somebody asked.
    #[error("stopped; the same command goes on from here")]
    Cancelled,
    /// The matrix or the model could not be made.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A run could not be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What is swept.
pub struct Sweep {
    /// The graph.
    pub graph: Arc<Graph>,
    /// All settings that the grid does not name.
    pub settings: Settings,
    /// The combinations.
    pub grid: Grid,
    /// Shares of the labelled nodes that training would see.
    pub shares: Vec<f64>,
    /// Seeds: splits and random starts.
    pub seeds: Vec<u64>,
    /// The part of those labels that judges.
    pub validate: f64,
}

/// A combination and how it did.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The combination.
    pub point: Point,
    /// For each share, a score a seed; nothing for a run that broke.
    pub scores: Vec<Vec<Option<f64>>>,
}

impl Standing {
    /// Mean over seeds and shares of the headline score; `None` where a run
    /// broke, so that a setting is not praised for the runs it survived.
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

    /// Does what the journal does not have yet, and says how all stand, the best
    /// first. `prepare` makes grounds; `tell` hears the combination and how many
    /// runs are done.
    pub fn run(
        &self,
        journal: &mut Journal,
        cancel: &Cancel,
        mut prepare: impl FnMut(&Settings) -> Result<Ground, ModelError>,
        mut tell: impl FnMut(&Point, usize),
    ) -> Result<Vec<Standing>, SweepError> {
        let fingerprint = self.graph.fingerprint();
        let mut ground: Option<(String, Ground)> = None;
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
                        if ground.as_ref().is_none_or(|(own, _)| *own != wish) {
                            // The old one goes first: two may not fit into memory.
                            drop(ground.take());
                            ground = Some((wish, prepare(&settings)?));
                        }
                        let Some((_, ground)) = &ground else { continue };
                        let score = self.score(ground, settings, cancel)?;
                        journal.add(Line { key, point: point.clone(), share, seed, score })?;
                        score
                    };
                    own.push(score);
                    done += 1;
                }
            }
            standings.push(Standing { point, scores });
        }
        // Equal means stay in the order of the grid.
        let rank = |standing: &Standing| standing.mean().unwrap_or(f64::NEG_INFINITY);
        standings.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        Ok(standings)
    }

    /// The score of a whole run on the part that judges; `None` where it broke.
    fn score(
        &self,
        ground: &Ground,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Option<f64>, SweepError> {
        let settings = Settings { validation: self.validate, ..settings };
        let kind = ground.graph.labels().kind();
        let broken = |error: TrainError| match error {
            TrainError::Model(error) => Err(SweepError::Model(error)),
            TrainError::Broken { .. } | TrainError::State { .. } => Ok(None),
        };
        let mut trainer = match Trainer::new(ground.clone(), settings) {
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

/// Everything a run depends on, as a short text.
fn key(settings: &Settings, validate: f64, fingerprint: u64) -> String {
    let text = format!("{fingerprint:016x} {validate} {}", to_toml(settings));
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

/// The settings that a ground depends on.
fn spectrum_of(settings: &Settings) -> String {
    let own = TABLE.iter().filter(|setting| setting.effect == Effect::RestartsSpectrum);
    let texts: Vec<String> = own.map(|setting| (setting.get)(settings)).collect();
    texts.join(" ")
}
