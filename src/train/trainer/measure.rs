//! The figures of an epoch, checked to be numbers.

use super::{Epoch, Predictions, Trainer};
use crate::spectral::SelfTerm;
use crate::train::loss::LossAndGrads;
use crate::train::score::score;
use crate::train::{Scalars, TrainError};

impl Trainer {
    /// The terms of a loss, checked, with the scores of the state they were
    /// computed in: those of the first fold, and of all withheld labels.
    pub(super) fn measured(&self, found: Vec<LossAndGrads>) -> Result<Epoch, TrainError> {
        let checked = |value: f32, name: &dyn Fn() -> String| {
            if value.is_finite() { Ok(value) } else { Err(self.broken(name(), value)) }
        };
        let kinds = self.ground.graph.types().names();
        for terms in found.iter().map(|found| &found.terms) {
            for (&value, kind) in terms.reconstruction.iter().zip(kinds) {
                checked(value, &|| format!("the reconstruction of type {kind}"))?;
            }
            let named = [
                (terms.supervised, "the supervised loss"),
                (terms.penalty, "the penalty of the weights"),
                (Some(terms.total()), "the loss"),
            ];
            for (value, name) in named {
                checked(value.unwrap_or(0.0), &|| name.to_owned())?;
            }
        }
        let withheld_loss = self.mean_of_folds(|at| found[at].withheld.as_ref().map(|own| own.0));
        checked(withheld_loss.unwrap_or(0.0), &|| "the loss at withheld labels".to_owned())?;
        let labels = self.ground.graph.labels();
        let withheld_score = self.mean_of_folds(|at| {
            let fold = &self.folds[at];
            let (nodes, _) = fold.withheld.as_ref()?;
            let (outputs, groups) = (&found[at].predictions.from_r, fold.model.groups());
            score(labels, outputs, groups, nodes, self.units).headline(labels.kind())
        });
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
            hop_weights,
            ..Scalars::default()
        };
        self.fill_scores(&mut scalars, &predictions);
        Ok(Epoch { scalars, predictions })
    }

    /// The mean of a figure over the folds, by how many labels each withholds.
    pub(super) fn mean_of_folds(&self, of: impl Fn(usize) -> Option<f32>) -> Option<f32> {
        let (mut sum, mut count) = (0.0, 0);
        for (at, fold) in self.folds.iter().enumerate() {
            let (nodes, _) = fold.withheld.as_ref()?;
            sum += f64::from(of(at)?) * nodes.len() as f64;
            count += nodes.len();
        }
        (count > 0).then(|| (sum / count as f64) as f32)
    }

    pub(super) fn fill_scores(&self, scalars: &mut Scalars, predictions: &Predictions) {
        let labels = self.ground.graph.labels();
        let seen = self.folds.first().map_or(self.split.seen.as_slice(), |fold| &fold.train);
        let rate = |outputs| {
            let on = |nodes: &[_]| score(labels, outputs, self.model().groups(), nodes, self.units);
            (on(seen), on(&self.split.validation), on(&self.split.held))
        };
        let (from_x, from_r) =
            rayon::join(|| rate(&predictions.from_x), || rate(&predictions.from_r));
        (scalars.seen_x, scalars.validation_x, scalars.held_x) = from_x;
        (scalars.seen_r, _, scalars.held_r) = from_r;
    }

    pub(super) fn broken(&self, term: String, found: f32) -> TrainError {
        let advice = match self.settings.self_term {
            _ if self.settings.learning_rate > 0.05 => "lower learning_rate, by ten times at first",
            SelfTerm::Keep => "lower learning_rate, or set self_term to drop",
            SelfTerm::Drop => "lower learning_rate, or raise balance",
        };
        TrainError::Broken { epoch: self.epoch, term, found, advice: advice.to_owned() }
    }
}
