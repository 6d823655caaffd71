//! Vectors of nodes and a regression on them: the second half of every method
//! that embeds first and classifies afterwards.

use super::linear::{Features, Linear, fit};
use super::{BaselineError, Lesson, Quality, Ready, Watch};
use crate::train::Split;

/// One set of vectors, or several to choose from on folds.
pub(super) struct Vectors {
    sets: Vec<Features>,
}

impl Vectors {
    /// One set: `width` numbers a node, row after row.
    pub(super) fn one(values: Vec<f32>, width: usize) -> Self {
        Self::choice(vec![(values, width)])
    }

    /// Several sets.
    pub(super) fn choice(sets: Vec<(Vec<f32>, usize)>) -> Self {
        let of = |(values, width): (Vec<f32>, usize)| Features::new(&values, width);
        Self { sets: sets.into_iter().map(of).collect() }
    }
}

impl Ready for Vectors {
    fn answer(
        &self,
        lesson: &Lesson,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let mut best: Option<(Quality, &Features, Linear)> = None;
        for features in &self.sets {
            let (linear, quality) = fit(features, lesson, watch)?;
            if best.as_ref().is_none_or(|(so_far, ..)| quality.beats(*so_far)) {
                best = Some((quality, features, linear));
            }
        }
        Ok(best.map(|(_, features, linear)| linear.answers(features)).unwrap_or_default())
    }
}
