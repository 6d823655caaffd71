//! The end of the first stage: what it found on withheld labels is fixed, and training
//! restarts with all training labels.

use std::ops::Range;

use super::{Trainer, filter_parameter};
use crate::model::{ByShares, Gesf, Unseen, class_counts, class_log_odds, log_shares};
use crate::train::plan::Plan;
use crate::train::slope;
use crate::train::{Scalars, TrainError};
use gesf_graph::{LabelKind, Labels};

impl Trainer {
    /// Takes over the filter, the better aggregation and the calibration, given the
    /// metrics of the last epoch of the stage.
    pub(super) fn end_first_stage(&mut self, scalars: &Scalars) -> Result<(), TrainError> {
        let usual_loss = scalars.withheld_loss.unwrap_or(1.0);
        let better = scalars.alternative.filter(|own| own.is_better(usual_loss));
        let usual = self.usual_folds();
        let chosen = if better.is_some() { usual..self.folds.len() } else { 0..usual };
        let score = better.map_or(scalars.withheld_score, |own| own.withheld_score);
        let by_shares = if self.say_nothing(chosen.clone())? {
            ByShares::InPlaceOfLogits(slope::LEAST)
        } else if self.is_no_better_than_majority(score) {
            ByShares::TowardsFrequent
        } else {
            ByShares::AwayFromFrequent
        };
        let before = self.folds.swap_remove(chosen.start).model;
        self.begin_stage(&[before.aggregation()])?;
        self.take_filter(&before)?;
        let labels = self.prepared.graph.labels();
        if let Some(calibration) = self.model().calibration() {
            let loss = better.map_or(usual_loss, |own| own.withheld_loss);
            calibration.settle_numbers(loss, self.stage.withheld_labels())?;
            if labels.kind() == LabelKind::One {
                // A class without training labels must not gain from being rare.
                let unseen = match by_shares {
                    ByShares::AwayFromFrequent => Unseen::Frequent,
                    ByShares::TowardsFrequent | ByShares::InPlaceOfLogits(_) => Unseen::Rare,
                };
                let shares = log_shares(labels, &self.split.train, unseen, &self.device)?;
                calibration.settle_classes(&shares, by_shares)?;
            }
        }
        Ok(())
    }

    /// Takes over the filter of another model.
    fn take_filter(&self, of: &Gesf) -> Result<(), TrainError> {
        for (name, value) in of.parameters().iter() {
            if let Some(own) =
                filter_parameter(name).and_then(|own| self.model().parameters().get(own))
            {
                own.set(value)?;
            }
        }
        Ok(())
    }

    /// Whether the first stage predicts the withheld labels no better (within one
    /// standard error) than always choosing the most frequent class.
    fn is_no_better_than_majority(&self, score: Option<f32>) -> bool {
        let labels = self.prepared.graph.labels();
        let (Some(score), Labels::Classes(classes), LabelKind::One) =
            (score, labels, labels.kind())
        else {
            return false;
        };
        let counts = class_counts(classes, &self.split.train);
        let share = counts.into_iter().fold(0.0, f64::max) / self.split.train.len().max(1) as f64;
        let withheld = self.stage.withheld_labels().max(1) as f64;
        let error = (share * (1.0 - share) / withheld).sqrt();
        f64::from(score) < share + error
    }

    /// Whether logits from R say nothing about the labels withheld from these folds, of
    /// which there are enough to tell, for one class per node.
    fn say_nothing(&self, chosen: Range<usize>) -> Result<bool, TrainError> {
        let labels = self.prepared.graph.labels();
        let (Labels::Classes(classes), LabelKind::One) = (labels, labels.kind()) else {
            return Ok(false);
        };
        if self.stage.withheld_labels() < slope::FEWEST {
            return Ok(false);
        }
        let plans: Vec<Plan> = self.folds.iter().map(|fold| fold.full.clone()).collect();
        let found = self.find(&plans)?;
        let mut growth = 0.0;
        for (fold, found) in self.folds.iter().zip(&found).take(chosen.end).skip(chosen.start) {
            let shares = class_log_odds(classes, LabelKind::One, &fold.train, Unseen::Rare);
            for node in fold.withheld.iter().flat_map(|(nodes, _)| nodes) {
                let logits = found.predictions.from_r.row(fold.model.groups(), *node);
                if let (Some(logits), Some(class)) = (logits, classes.of(*node).first()) {
                    growth += slope::growth(logits, &shares, class.index());
                }
            }
        }
        Ok(growth <= 0.0)
    }
}
