//! A map on plain rows: two layers and the skips around them, forward and back,
//! a share of rows at a time while they are in cache.
//!
//! As tensor operations the same maths takes a dozen more passes over memory
//! for each map, since every intermediate result and its gradient is a tensor.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::{SHARE, add_all, add_times, affine, bend_all, gather, turned, unbend_all};
use super::settings::Activation;

/// The form of a map.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) inputs: usize,
    pub(super) hidden: usize,
    pub(super) outputs: usize,
    pub(super) activation: Activation,
    /// Widths of the input's parts, each added to the output; none for plain.
    pub(super) skips: Vec<usize>,
}

impl Form {
    /// The columns that a skip joins: those of the input, from column 0 of the
    /// output on. A part that is wider or narrower gives what both have.
    pub(super) fn joined(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.skips.iter().scan(0, |start, width| {
            let own = *start;
            *start += width;
            Some(own..own + (*width).min(self.outputs))
        })
    }

    /// Where W₁, b₁, W₂ and b₂ end in the packed parameters.
    pub(super) fn ends(&self) -> [usize; 4] {
        let first = self.inputs * self.hidden;
        let second = first + self.hidden;
        let third = second + self.hidden * self.outputs;
        [first, second, third, third + self.outputs]
    }
}

/// A map as plain numbers, at one moment of its training.
#[derive(Debug, Clone)]
pub(crate) struct MapRows {
    form: Form,
    /// W₁, b₁, W₂, b₂.
    packed: Vec<f32>,
    /// W₁ᵀ and W₂ᵀ.
    turned: [Vec<f32>; 2],
}

impl MapRows {
    pub(super) fn new(form: Form, packed: Vec<f32>) -> Self {
        let [first, second, third, _] = form.ends();
        let turned =
            [turned(&packed[..first], form.hidden), turned(&packed[second..third], form.outputs)];
        Self { form, packed, turned }
    }

    /// How many numbers come in, lie between and go out, a row.
    pub(crate) fn widths(&self) -> (usize, usize, usize) {
        (self.form.inputs, self.form.hidden, self.form.outputs)
    }

    /// A derivative by the packed parameters, nothing yet.
    pub(crate) fn no_derivative(&self) -> Vec<f32> {
        vec![0.0; self.packed.len()]
    }

    /// Some rows: the hidden layer, and what comes out.
    pub(crate) fn forward(&self, input: &[f32], hidden: &mut [f32], output: &mut [f32]) {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, _] = self.form.ends();
        affine(input, inputs, &self.packed[..first], &self.packed[first..second], hidden);
        bend_all(hidden, activation);
        affine(hidden, middle, &self.packed[second..third], &self.packed[third..], output);
        for columns in self.form.joined() {
            for (output, input) in output.chunks_mut(outputs).zip(input.chunks(inputs)) {
                add_all(output, &input[columns.clone()]);
            }
        }
    }

    /// The derivatives of some rows, given that by what came out: by the packed
    /// parameters and, where there is room for it, by the input. Both are added
    /// to what is there.
    pub(crate) fn backward(
        &self,
        input: &[f32],
        hidden: &[f32],
        gradient: &[f32],
        by_packed: &mut [f32],
        by_input: Option<&mut [f32]>,
    ) {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, _] = self.form.ends();
        let mut before = vec![0.0; hidden.len()];
        add_times(gradient, outputs, &self.turned[1], middle, &mut before);
        unbend_all(&mut before, hidden, activation);
        let (one, two) = by_packed.split_at_mut(second);
        gather(input, inputs, &before, middle, one.split_at_mut(first));
        gather(hidden, middle, gradient, outputs, two.split_at_mut(third - second));
        let Some(by_input) = by_input else { return };
        add_times(&before, middle, &self.turned[0], inputs, by_input);
        for columns in self.form.joined() {
            let rows = by_input.chunks_mut(inputs).zip(gradient.chunks(outputs));
            rows.for_each(|(by_input, gradient)| add_all(&mut by_input[columns.clone()], gradient));
        }
    }

    /// [`MapRows::forward`] of many rows, shared out among all threads.
    pub(crate) fn par_forward(&self, input: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let (inputs, middle, outputs) = self.widths();
        let rows = input.len() / inputs.max(1);
        let (mut hidden, mut output) = (vec![0.0; rows * middle], vec![0.0; rows * outputs]);
        input
            .par_chunks((SHARE * inputs).max(1))
            .zip(hidden.par_chunks_mut((SHARE * middle).max(1)))
            .zip(output.par_chunks_mut((SHARE * outputs).max(1)))
            .for_each(|((input, hidden), output)| self.forward(input, hidden, output));
        (hidden, output)
    }

    /// [`MapRows::backward`] of many rows, shared out among all threads.
    /// Returns the derivative by the packed parameters.
    pub(crate) fn par_backward(
        &self,
        input: &[f32],
        hidden: &[f32],
        gradient: &[f32],
        by_input: Option<&mut [f32]>,
    ) -> Vec<f32> {
        let (inputs, middle, outputs) = self.widths();
        let mut room: Vec<Option<&mut [f32]>> = by_input
            .map(|all| all.chunks_mut((SHARE * inputs).max(1)).map(Some).collect())
            .unwrap_or_default();
        room.resize_with(input.len().div_ceil((SHARE * inputs).max(1)), || None);
        let parts: Vec<Vec<f32>> = input
            .par_chunks((SHARE * inputs).max(1))
            .zip(hidden.par_chunks((SHARE * middle).max(1)))
            .zip(gradient.par_chunks((SHARE * outputs).max(1)))
            .zip(room)
            .map(|(((input, hidden), gradient), by_input)| {
                let mut by_packed = self.no_derivative();
                self.backward(input, hidden, gradient, &mut by_packed, by_input);
                by_packed
            })
            .collect();
        let mut sum = self.no_derivative();
        for part in &parts {
            add_all(&mut sum, part);
        }
        sum
    }
}
