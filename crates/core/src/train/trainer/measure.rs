//! The metrics of an epoch, checked to be finite.

use super::{Epoch, Fold, Predictions, Trainer};
use crate::model::settings::Aggregation;
use crate::train::loss::LossAndGrads;
use crate::train::score::score;
use crate::train::{Alternative, Scalars, TrainError, mean_and_deviation};
use gesf_spectral::SelfTerm;

impl Trainer {
    /// The checked loss terms with the scores of the same state: those of the first
    /// fold, and those on all withheld labels.
    pub(super) fn measured(&self, found: Vec<LossAndGrads>) -> Result<Epoch, TrainError> {
        let checked = |value: f32, name: &dyn Fn() -> String| {
            if value.is_finite() { Ok(value) } else { Err(self.broken(name(), value)) }
        };
        let kinds = self.prepared.graph.types().names();
        for terms in found.iter().map(|found| &found.terms) {
            for (&value, kind) in terms.reconstruction.iter().zip(kinds) {
                checked(value, &|| format!("the reconstruction of type {kind}"))?;
            }
            let named = [
                (terms.supervised, "the supervised loss"),
                (terms.penalty, "the weight penalty"),
                (Some(terms.total()), "the loss"),
            ];
            for (value, name) in named {
                checked(value.unwrap_or(0.0), &|| name.to_owned())?;
            }
        }
        let (usual, other) = found.split_at(self.usual_folds());
        let (withheld_loss, withheld_score) = self.at_withheld(&self.folds, usual);
        checked(withheld_loss.unwrap_or(0.0), &|| "the loss on withheld labels".to_owned())?;
        let alternative = self.alternative(usual, other);
        let other_loss = alternative.map_or(0.0, |own| own.withheld_loss);
        checked(other_loss, &|| "the loss of the other aggregation".to_owned())?;
        let degree = self.settings.degree;
        let hop_weights = self.model().filter().hop_weights(degree)?.unwrap_or_default();
        let Some(LossAndGrads { terms, predictions, .. }) = found.into_iter().next() else {
            return Ok(Epoch::default());
        };
        let mut scalars = Scalars {
            epoch: self.epoch,
            supervised: terms.supervised,
            penalty: terms.penalty.unwrap_or(0.0),
            total: terms.total(),
            reconstruction: terms.reconstruction,
            learning_rate: self.rate() as f32,
            withheld_loss,
            withheld_score,
            takes_mean: self.model().aggregation() == Aggregation::Mean,
            alternative,
            hop_weights,
            feature_share: self.model().feature_share()?,
            ..Scalars::default()
        };
        self.fill_scores(&mut scalars, &predictions);
        Ok(Epoch { scalars, predictions })
    }

    /// The number of folds with the usual aggregation: all but those of the
    /// alternative, which come last.
    pub(super) fn usual_folds(&self) -> usize {
        let usual = self.model().aggregation();
        self.folds.iter().filter(|fold| fold.model.aggregation() == usual).count()
    }

    /// The loss and the headline score at withheld labels, weighted by the number of
    /// labels each fold withholds.
    fn at_withheld(&self, folds: &[Fold], found: &[LossAndGrads]) -> (Option<f32>, Option<f32>) {
        let labels = self.prepared.graph.labels();
        let at_fold = |(found, fold): (&LossAndGrads, &Fold)| {
            let (nodes, _) = fold.withheld.as_ref()?;
            let (outputs, groups) = (&found.predictions.from_r, fold.model.groups());
            let score = score(labels, outputs, groups, nodes, self.units).headline(labels.kind());
            Some((nodes.len(), found.withheld.as_ref().map(|own| own.mean), score))
        };
        let folds: Vec<_> = found.iter().zip(folds).filter_map(at_fold).collect();
        let loss = weighted_mean(folds.iter().map(|own| (own.0, own.1)));
        let score = weighted_mean(folds.iter().map(|own| (own.0, own.2)));
        (loss, score)
    }

    /// The other aggregation at withheld labels, if both are trained.
    fn alternative(&self, usual: &[LossAndGrads], other: &[LossAndGrads]) -> Option<Alternative> {
        let (loss, withheld_score) = self.at_withheld(&self.folds[usual.len()..], other);
        let withheld_loss = loss?;
        let differences: Vec<f64> = losses(usual).zip(losses(other)).map(|(a, b)| a - b).collect();
        let (_, deviation) = mean_and_deviation(&differences);
        let standard_error = (deviation / (differences.len() as f64).sqrt()) as f32;
        Some(Alternative { withheld_loss, withheld_score, standard_error })
    }

    pub(super) fn fill_scores(&self, scalars: &mut Scalars, predictions: &Predictions) {
        let labels = self.prepared.graph.labels();
        let train = self.folds.first().map_or(self.split.train.as_slice(), |fold| &fold.train);
        let rate = |outputs| {
            let on = |nodes: &[_]| score(labels, outputs, self.model().groups(), nodes, self.units);
            (on(train), on(&self.split.validation), on(&self.split.test))
        };
        let (from_x, from_r) =
            rayon::join(|| rate(&predictions.from_x), || rate(&predictions.from_r));
        (scalars.train_x, scalars.validation_x, scalars.test_x) = from_x;
        (scalars.train_r, _, scalars.test_r) = from_r;
    }

    pub(super) fn broken(&self, term: String, found: f32) -> TrainError {
        let advice = match self.settings.self_term {
            _ if self.settings.learning_rate > 0.05 => {
                "lower learning_rate, for example by a factor of ten"
            }
            SelfTerm::Keep => "lower learning_rate, or set self_term to drop",
            SelfTerm::Drop => "lower learning_rate, or raise balance",
        };
        TrainError::Broken { epoch: self.epoch, term, found, advice: advice.to_owned() }
    }
}

/// The mean of values with their counts; `None` if one is missing or there are none.
fn weighted_mean(values: impl Iterator<Item = (usize, Option<f32>)>) -> Option<f32> {
    let (mut sum, mut all) = (0.0, 0);
    for (count, value) in values {
        sum += f64::from(value?) * count as f64;
        all += count;
    }
    (all > 0).then(|| (sum / all as f64) as f32)
}

/// The losses at all withheld labels, one by one.
fn losses(found: &[LossAndGrads]) -> impl Iterator<Item = f64> {
    let withheld = found.iter().filter_map(|found| found.withheld.as_ref());
    withheld.flat_map(|own| &own.each).map(|loss| f64::from(*loss))
}
