//! Small networks with seeded weights, computed sequentially: fast enough for a
//! demonstration, and the same bits every time.

use rand_chacha::ChaCha8Rng;

use gesf_core::model::random::uniform;

/// W·x + b.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl Layer {
    /// A layer with weights uniform within ±√(3 / inputs), so that outputs have
    /// about the size of the inputs.
    pub(super) fn seeded(random: &mut ChaCha8Rng, inputs: usize, outputs: usize) -> Self {
        let bound = (3.0 / inputs.max(1) as f64).sqrt();
        let weights = uniform(random, inputs * outputs, bound);
        let bias = uniform(random, outputs, 0.3);
        Self { weights, bias, inputs }
    }

    /// The output of the layer; missing inputs count as 0.
    pub(super) fn at(&self, x: &[f32]) -> Vec<f32> {
        let row = |at: usize, bias: f32| {
            let weights = &self.weights[at * self.inputs..][..self.inputs];
            weights.iter().zip(x).fold(bias, |sum, (weight, x)| sum + weight * x)
        };
        self.bias.iter().enumerate().map(|(at, bias)| row(at, *bias)).collect()
    }

    /// The output of the layer after tanh.
    pub(super) fn bent(&self, x: &[f32]) -> Vec<f32> {
        self.at(x).into_iter().map(f32::tanh).collect()
    }
}

/// A gated recurrent unit: reads a sequence of vectors and updates a state.
#[derive(Debug, Clone)]
pub(super) struct Recurrent {
    forget: Layer,
    reset: Layer,
    candidate: Layer,
    width: usize,
}

impl Recurrent {
    /// A unit for vectors of `inputs` numbers with a state of `width`.
    pub(super) fn seeded(random: &mut ChaCha8Rng, inputs: usize, width: usize) -> Self {
        let mut layer = || Layer::seeded(random, inputs + width, width);
        Self { forget: layer(), reset: layer(), candidate: layer(), width }
    }

    /// The state after the last vector.
    pub(super) fn read<'a>(&self, vectors: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
        vectors.fold(vec![0.0; self.width], |state, x| {
            let seen = [x, &state].concat();
            let gate = |layer: &Layer| layer.at(&seen).into_iter().map(logistic);
            let kept: Vec<f32> = gate(&self.reset).zip(&state).map(|(r, h)| r * h).collect();
            let fresh = self.candidate.bent(&[x, &kept].concat());
            let mixed = gate(&self.forget).zip(&state).zip(fresh);
            mixed.map(|((z, old), new)| (1.0 - z) * old + z * new).collect()
        })
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The largest difference between two lists of numbers; missing numbers count as 0.
pub(super) fn largest_difference(one: &[f32], other: &[f32]) -> f32 {
    let at = |list: &[f32], n: usize| list.get(n).copied().unwrap_or(0.0);
    (0..one.len().max(other.len())).map(|n| (at(one, n) - at(other, n)).abs()).fold(0.0, f32::max)
}
