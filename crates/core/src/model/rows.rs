//! Operations on chunks of rows: products with small matrices, activations and
//! distances. All run on the calling thread and in place; callers parallelise.
//!
//! Inlining passes the instruction set on to the loops: see pulp.

use pulp::{Arch, Simd, WithSimd};

use super::settings::Activation;
use super::tanh::tanh;
use gesf_spectral::tiles::{Rows, add_product, add_transposed_product};

/// Rows per task, so that its data stays in L2 cache. The size is fixed, so that
/// sums do not depend on the number of threads.
pub(crate) const SHARE: usize = 256;

/// x·W + b.
pub(crate) fn affine(
    input: &[f32],
    inputs: usize,
    weight: &[f32],
    bias: &[f32],
    output: &mut [f32],
) {
    let outputs = bias.len();
    output.chunks_mut(outputs.max(1)).for_each(|row| row.copy_from_slice(bias));
    add_times(input, inputs, weight, outputs, output);
}

/// to += x·W.
pub(crate) fn add_times(
    input: &[f32],
    inputs: usize,
    weight: &[f32],
    outputs: usize,
    to: &mut [f32],
) {
    let input = Rows { values: input, width: inputs };
    add_product(input, Rows { values: weight, width: outputs }, to);
}

/// Adds xᵀ·g to the gradient by W, and the column sums of g to that by b.
pub(crate) fn gather(
    input: &[f32],
    inputs: usize,
    gradient: &[f32],
    outputs: usize,
    (grad_weight, grad_bias): (&mut [f32], &mut [f32]),
) {
    for row in gradient.chunks(outputs.max(1)) {
        grad_bias.iter_mut().zip(row).for_each(|(sum, own)| *sum += own);
    }
    let input = Rows { values: input, width: inputs };
    add_transposed_product(
        input,
        0..inputs,
        Rows { values: gradient, width: outputs },
        grad_weight,
    );
}

/// Wᵀ.
pub(crate) fn transposed(weight: &[f32], outputs: usize) -> Vec<f32> {
    let inputs = weight.len() / outputs.max(1);
    let mut transposed = vec![0.0; weight.len()];
    for (input, row) in weight.chunks(outputs.max(1)).enumerate() {
        for (output, value) in row.iter().enumerate() {
            transposed[output * inputs + input] = *value;
        }
    }
    transposed
}

/// to += own, elementwise.
pub(crate) fn add_all(to: &mut [f32], own: &[f32]) {
    to.iter_mut().zip(own).for_each(|(to, own)| *to += own);
}

/// The activation function, elementwise.
pub(super) fn activate(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::Tanh => Arch::new().dispatch(Tanh(values)),
        Activation::Relu => values.iter_mut().for_each(|x| *x = x.max(0.0)),
    }
}

struct Tanh<'a>(&'a mut [f32]);

#[allow(clippy::inline_always)]
impl WithSimd for Tanh<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for x in self.0 {
            *x = tanh(*x);
        }
    }
}

/// Turns the gradient after the activation into that before it, given its output.
pub(super) fn differentiate_activation(
    gradient: &mut [f32],
    output: &[f32],
    activation: Activation,
) {
    let pairs = gradient.iter_mut().zip(output);
    match activation {
        Activation::Tanh => pairs.for_each(|(g, y)| *g *= 1.0 - y * y),
        Activation::Relu => pairs.for_each(|(g, y)| *g = if *y > 0.0 { *g } else { 0.0 }),
    }
}

/// Σ(a − b)².
pub(super) fn squared_distance(a: &[f32], b: &[f32]) -> f64 {
    Arch::new().dispatch(SquaredDistance { a, b })
}

struct SquaredDistance<'a> {
    a: &'a [f32],
    b: &'a [f32],
}

#[allow(clippy::inline_always)]
impl WithSimd for SquaredDistance<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> f64 {
        const LANES: usize = 16;
        let mut sums = [0.0_f32; LANES];
        for (a, b) in self.a.chunks(LANES).zip(self.b.chunks(LANES)) {
            for ((a, b), sum) in a.iter().zip(b).zip(&mut sums) {
                let apart = a - b;
                *sum += apart * apart;
            }
        }
        sums.iter().map(|sum| f64::from(*sum)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_equals_the_formula() {
        let b: Vec<f32> = (0..37).map(|n| n as f32 * 0.5).collect();
        let a: Vec<f32> = (0..37).map(|n| n as f32 * 0.25).collect();
        let exact: f64 = (0..37).map(|n| f64::from(n * n) / 16.0).sum();
        assert!((squared_distance(&a, &b) - exact).abs() < 1e-3 * exact);
    }

    #[test]
    fn an_activation_handles_rows_of_any_length() {
        let mut values: Vec<f32> = (0..37).map(|n| n as f32 * 0.1 - 2.0).collect();
        let exact: Vec<f32> = values.iter().map(|x| x.tanh()).collect();
        activate(&mut values, Activation::Tanh);
        for (found, exact) in values.iter().zip(&exact) {
            assert!((found - exact).abs() < 1e-6);
        }
    }

    #[test]
    fn a_matrix_transposed_twice_is_unchanged() {
        let weight: Vec<f32> = (0..15).map(|n| n as f32).collect();
        let once = transposed(&weight, 5);
        assert!((once[1] - weight[5]).abs() < f32::EPSILON);
        assert_eq!(transposed(&once, 3), weight);
    }
}
