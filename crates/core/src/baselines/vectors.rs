//! Node vectors and a regression on them: the second half of every method that
//! embeds first and classifies afterwards.

use super::linear::{Features, Linear, fit};
use super::{BaselineError, PreparedMethod, TrainingLabels, ValidationScore, Watch};
use crate::train::Split;

/// One set of vectors, or several to choose from on folds.
pub(super) struct Vectors {
    sets: Vec<Features>,
}

impl Vectors {
    /// One set: `width` numbers per node, row-major.
    pub(super) fn one(values: Vec<f32>, width: usize) -> Self {
        Self::choice(vec![(values, width)])
    }

    /// Several sets, from narrow to wide.
    pub(super) fn choice(sets: Vec<(Vec<f32>, usize)>) -> Self {
        let of = |(values, width): (Vec<f32>, usize)| Features::new(&values, width);
        Self { sets: sets.into_iter().map(of).collect() }
    }

    /// The sets to choose from. With too few labels this is the narrowest one with
    /// at least one dimension per class, as in spectral clustering.
    fn eligible(&self, lesson: &TrainingLabels) -> &[Features] {
        if lesson.can_choose() {
            return &self.sets;
        }
        let wide = |set: &Features| set.numbers() >= lesson.task.outputs;
        let usual = self.sets.iter().position(wide).unwrap_or(self.sets.len().saturating_sub(1));
        self.sets.get(usual..=usual).unwrap_or_default()
    }
}

impl PreparedMethod for Vectors {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let mut best: Option<(ValidationScore, &Features, Linear)> = None;
        for features in self.eligible(lesson) {
            let (linear, quality) = fit(features, lesson, watch)?;
            if best.as_ref().is_none_or(|(so_far, ..)| quality.beats(*so_far)) {
                best = Some((quality, features, linear));
            }
        }
        Ok(best.map(|(_, features, linear)| linear.answers(features)).unwrap_or_default())
    }
}
