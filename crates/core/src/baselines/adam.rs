//! Parameters trained by Adam (Kingma and Ba 2015).

use rand_chacha::ChaCha8Rng;

use crate::model::random::unit;

/// A parameter and its Adam state.
pub(super) struct Parameter {
    pub(super) values: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Parameter {
    /// Uniform Glorot initialization; zeros for offsets.
    pub(super) fn new(
        random: &mut ChaCha8Rng,
        (rows, columns): (usize, usize),
        zero: bool,
    ) -> Self {
        let bound = if zero { 0.0 } else { (6.0 / (rows + columns).max(1) as f64).sqrt() };
        let count = rows * columns;
        let values = (0..count).map(|_| ((2.0 * unit(random) - 1.0) * bound) as f32).collect();
        Self { values, first: vec![0.0; count], second: vec![0.0; count] }
    }

    pub(super) fn step(&mut self, gradient: &[f32], rate: f32, number: i32) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        let (whole_first, whole_second) = (1.0 - FIRST.powi(number), 1.0 - SECOND.powi(number));
        let memories = self.first.iter_mut().zip(&mut self.second);
        for ((value, (first, second)), slope) in self.values.iter_mut().zip(memories).zip(gradient)
        {
            *first = FIRST * *first + (1.0 - FIRST) * slope;
            *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
            let root = (*second / whole_second).sqrt() + 1e-8;
            *value -= rate * (*first / whole_first) / root;
        }
    }
}
