//! The metrics of an epoch, checked to be finite.

use super::{Epoch, Predictions, Trainer};
use crate::train::loss::LossAndGrads;
use crate::train::score::score;
use crate::train::{Scalars, TrainError};
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
        let withheld_loss = self.mean_of_folds(|at| found[at].withheld.as_ref().map(|own| own.0));
        checked(withheld_loss.unwrap_or(0.0), &|| "the loss on withheld labels".to_owned())?;
        let labels = self.prepared.graph.labels();
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
            feature_share: self.model().feature_share()?,
            ..Scalars::default()
        };
        self.fill_scores(&mut scalars, &predictions);
        Ok(Epoch { scalars, predictions })
    }

    /// The mean of a metric over the folds, weighted by the number of labels each
    /// withholds.
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
