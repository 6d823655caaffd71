//! The mean of the messages and the sum of their weights, instead of the sum of the
//! messages: z_v = Σ_u P_uv ψ(x_u) / s_v ‖ s_v with s_v = Σ_u P_uv.
//!
//! A sum grows with the number of neighbours. That says something about classes, and
//! the order of logits hardly depends on it; a predicted number does. Both parts
//! together say as much as the sum, and each on its own.

use candle_core::{Result, Tensor};

use super::settings::Aggregation;
use super::two_layer::Inputs;

/// Sums of weights up to this are rounding errors: the node has no neighbours.
const NO_NEIGHBOURS: f64 = 1e-6;

/// The parameter of φ whose shape tells a mean from a sum.
const PHI_WEIGHT: &str = "phi.0.1.weight";

/// How a model aggregates messages, given the shapes of its parameters by name.
pub(crate) fn aggregation_of<'a>(
    shape: impl Fn(&str) -> Option<&'a [usize]>,
    widths: &[usize],
) -> Aggregation {
    let inputs = shape(PHI_WEIGHT).and_then(<[usize]>::first).copied();
    let is_mean = inputs == Some(phi_inputs(widths, Aggregation::Mean).count());
    if is_mean { Aggregation::Mean } else { Aggregation::Sum }
}

/// What φ reads: z with a block for each type, and the size. The size is not added to
/// the output of a residual φ: x would grow with every step along the edges.
pub(crate) fn phi_inputs(widths: &[usize], aggregation: Aggregation) -> Inputs {
    Inputs { blocks: widths.to_vec(), others: usize::from(aggregation == Aggregation::Mean) }
}

/// One more column of ones: its product with P is the sum of the weights.
pub(super) fn with_ones(messages: &Tensor) -> Result<Tensor> {
    let ones = Tensor::ones((messages.dim(0)?, 1), messages.dtype(), messages.device())?;
    Tensor::cat(&[messages, &ones], 1)
}

/// The product of P and [`with_ones`] with all columns but the last divided by the
/// last: the mean, 0 without neighbours. A factor in P cancels out, so it is applied
/// again.
pub(super) fn mean_and_size(product: &Tensor, factor: Option<&Tensor>) -> Result<Tensor> {
    let width = product.dim(1)? - 1;
    let (sum, size) = (product.narrow(1, 0, width)?, product.narrow(1, width, 1)?);
    let has_neighbours = size.gt(NO_NEIGHBOURS)?;
    let divisor = has_neighbours.where_cond(&size, &size.ones_like()?)?;
    let is_counted = has_neighbours.to_dtype(sum.dtype())?;
    let mut mean = sum.broadcast_div(&divisor)?.broadcast_mul(&is_counted)?;
    if let Some(factor) = factor {
        mean = mean.broadcast_mul(factor)?;
    }
    Tensor::cat(&[&mean, &size], 1)
}

/// Divides a row of P that contains a factor by its sum, as [`mean_and_size`] does.
/// Returns the sum without the factor.
pub(crate) fn divide_by_size(row: &mut [f32], factor: f32) -> f64 {
    let sum: f64 = row.iter().map(|&weight| f64::from(weight)).sum();
    let by = if sum > NO_NEIGHBOURS { f64::from(factor) / sum } else { 0.0 };
    for weight in row.iter_mut() {
        *weight = (f64::from(*weight) * by) as f32;
    }
    if by > 0.0 { sum / f64::from(factor) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};

    #[test]
    fn a_row_divided_by_its_size_gives_the_mean_and_the_size_of_the_product() {
        let messages = Tensor::new(&[[1.0_f32, -2.0], [4.0, 0.5], [0.0, 3.0]], &Device::Cpu);
        let messages = with_ones(&messages.unwrap()).unwrap();
        let factor = 1.5_f32;
        let rows = [[0.2_f32, 0.6, 0.0], [0.0, 0.0, 0.0]].map(|row| row.map(|own| factor * own));
        let product = Tensor::new(&rows, &Device::Cpu).unwrap().matmul(&messages).unwrap();
        let factor_tensor = Tensor::new(&[factor], &Device::Cpu).unwrap();
        let found = mean_and_size(&product, Some(&factor_tensor)).unwrap();
        let found = found.to_vec2::<f32>().unwrap();
        assert_eq!(found[1], [0.0, 0.0, 0.0], "no neighbours");
        let mut row = rows[0];
        let size = divide_by_size(&mut row, factor);
        assert!((size - 0.8).abs() < 1e-6 && (row.iter().sum::<f32>() - factor).abs() < 1e-6);
        let mean = [row[0] + 4.0 * row[1], -2.0 * row[0] + 0.5 * row[1]];
        assert!((found[0][0] - mean[0]).abs() < 1e-6 && (found[0][1] - mean[1]).abs() < 1e-6);
        assert!((f64::from(found[0][2]) - size * f64::from(factor)).abs() < 1e-6);
        assert!(divide_by_size(&mut [0.0, 0.0], factor).abs() < f64::EPSILON);
    }

    #[test]
    fn nodes_without_neighbours_have_no_gradient_and_no_nan() {
        let product = Var::new(&[[0.0_f32, 0.0], [3.0, 2.0]], &Device::Cpu).unwrap();
        let found = mean_and_size(&product, None).unwrap().sum_all().unwrap();
        let gradient = found.backward().unwrap().get(&product).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(gradient, [[0.0, 1.0], [0.5, 1.0 - 3.0 / 4.0]]);
    }
}
