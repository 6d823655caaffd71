//! The two-layer map on plain slices: forward and backward, in chunks of rows that
//! fit in cache. Training runs it as one candle operation (`maps.rs`); explanations
//! evaluate the same weights in f64.
//!
//! As tensor operations the same computation takes a dozen more passes over memory
//! for each map, since every intermediate result and its gradient is a tensor.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::{
    SHARE, activate, add_all, add_times, affine, differentiate_activation, gather, transposed,
};
use super::settings::{Activation, MapShape};

/// The columns that a map reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inputs {
    /// The widths of the blocks: each is added to the output of a residual map.
    pub(crate) blocks: Vec<usize>,
    /// The number of further columns, which are not.
    pub(crate) others: usize,
}

impl Inputs {
    /// Blocks of these widths.
    pub(crate) fn of(blocks: &[usize]) -> Self {
        Self { blocks: blocks.to_vec(), others: 0 }
    }

    /// The number of columns.
    pub(crate) fn count(&self) -> usize {
        self.blocks.iter().sum::<usize>() + self.others
    }
}

/// The shape of a map.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) inputs: usize,
    pub(super) hidden: usize,
    pub(super) outputs: usize,
    pub(super) activation: Activation,
    /// Widths of the input blocks, each added to the output; none for plain maps.
    pub(super) skips: Vec<usize>,
}

impl Form {
    /// The shape of a map of these inputs.
    pub(super) fn new(
        inputs: &Inputs,
        hidden: usize,
        outputs: usize,
        (shape, activation): (MapShape, Activation),
    ) -> Self {
        let skips = if shape == MapShape::Residual { inputs.blocks.clone() } else { Vec::new() };
        Self { inputs: inputs.count(), hidden, outputs, activation, skips }
    }

    /// The columns of a skip connection: those of the input, from column 0 of the
    /// output on. Blocks of different width are added as far as both reach.
    pub(super) fn joined(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.skips.iter().scan(0, |start, width| {
            let own = *start;
            *start += width;
            Some(own..own + (*width).min(self.outputs))
        })
    }

    /// The ends of W₁, b₁, W₂ and b₂ in the packed parameters.
    pub(super) fn ends(&self) -> [usize; 4] {
        let first = self.inputs * self.hidden;
        let second = first + self.hidden;
        let third = second + self.hidden * self.outputs;
        [first, second, third, third + self.outputs]
    }
}

/// A map as plain numbers, at one point of its training.
#[derive(Debug, Clone)]
pub(crate) struct TwoLayer {
    form: Form,
    /// W₁, b₁, W₂, b₂.
    packed: Vec<f32>,
    /// W₁ᵀ and W₂ᵀ.
    transposed: [Vec<f32>; 2],
}

impl TwoLayer {
    /// The map of W₁, b₁, W₂ and b₂ over these inputs; `None` if their sizes do not
    /// fit.
    pub(crate) fn of_parts(
        inputs: &Inputs,
        outputs: usize,
        form: (MapShape, Activation),
        packed: [&[f32]; 4],
    ) -> Option<Self> {
        let form = Form::new(inputs, packed[1].len(), outputs, form);
        let fits = packed[0].len() == form.inputs * form.hidden
            && packed[2].len() == form.hidden * outputs
            && packed[3].len() == outputs
            && outputs > 0;
        fits.then(|| Self::new(form, packed.concat()))
    }

    pub(super) fn new(form: Form, packed: Vec<f32>) -> Self {
        let [first, second, third, _] = form.ends();
        let transposed = [
            transposed(&packed[..first], form.hidden),
            transposed(&packed[second..third], form.outputs),
        ];
        Self { form, packed, transposed }
    }

    /// Numbers of inputs, hidden units and outputs.
    pub(crate) fn widths(&self) -> (usize, usize, usize) {
        (self.form.inputs, self.form.hidden, self.form.outputs)
    }

    /// W₁, b₁, W₂ and b₂; W has a row for each input.
    pub(crate) fn layers(&self) -> [&[f32]; 4] {
        let [first, second, third, _] = self.form.ends();
        let (one, two) = (&self.packed[..second], &self.packed[second..]);
        let (weight, bias) = one.split_at(first);
        let (second_weight, second_bias) = two.split_at(third - second);
        [weight, bias, second_weight, second_bias]
    }

    /// The activation function between the layers.
    pub(crate) fn activation(&self) -> Activation {
        self.form.activation
    }

    /// Columns of the input that are added to the output, from its first column on.
    pub(crate) fn skips(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.form.joined()
    }

    /// The map of one row, in f64.
    pub(crate) fn forward_wide(&self, x: &[f64]) -> Vec<f64> {
        let [first, first_bias, second, second_bias] = self.layers();
        let mut hidden = affine_wide(x, first, first_bias);
        for value in &mut hidden {
            *value = self.form.activation.at(*value);
        }
        let mut output = affine_wide(&hidden, second, second_bias);
        for columns in self.skips() {
            output.iter_mut().zip(&x[columns]).for_each(|(out, x)| *out += x);
        }
        output
    }

    /// A zero gradient for the packed parameters.
    pub(crate) fn no_derivative(&self) -> Vec<f32> {
        vec![0.0; self.packed.len()]
    }

    /// Computes the hidden layer and the output of some rows.
    pub(crate) fn forward(&self, input: &[f32], hidden: &mut [f32], output: &mut [f32]) {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, _] = self.form.ends();
        affine(input, inputs, &self.packed[..first], &self.packed[first..second], hidden);
        activate(hidden, activation);
        affine(hidden, middle, &self.packed[second..third], &self.packed[third..], output);
        for columns in self.form.joined() {
            for (output, input) in output.chunks_mut(outputs).zip(input.chunks(inputs)) {
                add_all(output, &input[columns.clone()]);
            }
        }
    }

    /// Adds the gradients of some rows, given those of the output: by the packed
    /// parameters and, if there is a buffer, by the input.
    pub(crate) fn backward(
        &self,
        input: &[f32],
        hidden: &[f32],
        gradient: &[f32],
        grad_packed: &mut [f32],
        grad_input: Option<&mut [f32]>,
    ) {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, _] = self.form.ends();
        let mut before = vec![0.0; hidden.len()];
        add_times(gradient, outputs, &self.transposed[1], middle, &mut before);
        differentiate_activation(&mut before, hidden, activation);
        let (one, two) = grad_packed.split_at_mut(second);
        gather(input, inputs, &before, middle, one.split_at_mut(first));
        gather(hidden, middle, gradient, outputs, two.split_at_mut(third - second));
        let Some(grad_input) = grad_input else { return };
        add_times(&before, middle, &self.transposed[0], inputs, grad_input);
        for columns in self.form.joined() {
            let rows = grad_input.chunks_mut(inputs).zip(gradient.chunks(outputs));
            rows.for_each(|(grad_input, gradient)| {
                add_all(&mut grad_input[columns.clone()], gradient);
            });
        }
    }

    /// [`TwoLayer::forward`] of many rows, in parallel.
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

    /// [`TwoLayer::backward`] of many rows, in parallel. Returns the gradient by
    /// the packed parameters.
    pub(crate) fn par_backward(
        &self,
        input: &[f32],
        hidden: &[f32],
        gradient: &[f32],
        grad_input: Option<&mut [f32]>,
    ) -> Vec<f32> {
        let (inputs, middle, outputs) = self.widths();
        let mut room: Vec<Option<&mut [f32]>> = grad_input
            .map(|all| all.chunks_mut((SHARE * inputs).max(1)).map(Some).collect())
            .unwrap_or_default();
        room.resize_with(input.len().div_ceil((SHARE * inputs).max(1)), || None);
        let parts: Vec<Vec<f32>> = input
            .par_chunks((SHARE * inputs).max(1))
            .zip(hidden.par_chunks((SHARE * middle).max(1)))
            .zip(gradient.par_chunks((SHARE * outputs).max(1)))
            .zip(room)
            .map(|(((input, hidden), gradient), grad_input)| {
                let mut grad_packed = self.no_derivative();
                self.backward(input, hidden, gradient, &mut grad_packed, grad_input);
                grad_packed
            })
            .collect();
        let mut sum = self.no_derivative();
        for part in &parts {
            add_all(&mut sum, part);
        }
        sum
    }
}

/// x·W + b of one row, in f64.
fn affine_wide(x: &[f64], weight: &[f32], bias: &[f32]) -> Vec<f64> {
    let mut out: Vec<f64> = bias.iter().map(|&value| f64::from(value)).collect();
    for (row, factor) in weight.chunks(bias.len().max(1)).zip(x) {
        out.iter_mut().zip(row).for_each(|(sum, weight)| *sum += factor * f64::from(*weight));
    }
    out
}
