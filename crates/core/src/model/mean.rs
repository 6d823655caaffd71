//! The mean of the messages and the sum of their weights, instead of the sum of the
//! messages: z_v = Σ_u P_uv ψ(x_u) / s_v ‖ s_v with s_v = Σ_u P_uv.
//!
//! A sum grows with the number of neighbours. That says something about classes, and
//! the order of logits hardly depends on it; a predicted number does. Both parts
//! together say as much as the sum, and each on its own.

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::rows::SHARE;
use super::settings::Aggregation;
use super::slices::{numbers, with_numbers};
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

/// The mean of the messages and the sum of their weights, given P·ψ(x) and P·1; the
/// mean is 0 without neighbours.
pub(super) fn mean_and_size(sums: &Tensor, sizes: &Tensor) -> Result<Tensor> {
    let [on_cpu, sizes] = [sums, sizes].map(|own| own.to_device(&Device::Cpu)?.contiguous());
    on_cpu?.apply_op2(&sizes?, MeanAndSize)?.to_device(sums.device())
}

/// [`mean_and_size`] as one operation with its own gradient: as tensor operations it
/// takes a dozen passes over memory.
struct MeanAndSize;

impl CustomOp2 for MeanAndSize {
    fn name(&self) -> &'static str {
        "mean and size"
    }

    fn cpu_fwd(
        &self,
        sums: &CpuStorage,
        sums_layout: &Layout,
        sizes: &CpuStorage,
        sizes_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (nodes, width) = sums_layout.shape().dims2()?;
        let (sums, sizes) = (numbers(sums, sums_layout)?, numbers(sizes, sizes_layout)?);
        let mut output = vec![0.0; nodes * (width + 1)];
        let rows = output.par_chunks_mut(width + 1).zip(sums.par_chunks(width.max(1)));
        rows.zip(sizes).with_min_len(SHARE).for_each(|((row, sums), &size)| {
            if has_neighbours(size) {
                row.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = sum / size);
            }
            row[width] = size;
        });
        Ok((CpuStorage::F32(output), Shape::from((nodes, width + 1))))
    }

    fn bwd(
        &self,
        sums: &Tensor,
        sizes: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (nodes, width) = sums.dims2()?;
        let mut grad_sums = vec![0.0; nodes * width];
        let mut grad_sizes = vec![0.0; nodes];
        with_numbers(output, |output| {
            with_numbers(gradient, |gradient| {
                let to = grad_sums.par_chunks_mut(width.max(1)).zip(&mut grad_sizes);
                let from = output.par_chunks(width + 1).zip(gradient.par_chunks(width + 1));
                to.zip(from).with_min_len(SHARE).for_each(|((to, grad_size), (row, gradient))| {
                    let size = row[width];
                    *grad_size = gradient[width];
                    if has_neighbours(size) {
                        to.iter_mut().zip(gradient).for_each(|(to, own)| *to = own / size);
                        let inner: f32 = to.iter().zip(row).map(|(to, mean)| to * mean).sum();
                        *grad_size -= inner;
                    }
                });
            })
        })??;
        let tensor = |values, like: &Tensor| Tensor::from_vec(values, like.shape(), &Device::Cpu);
        Ok((Some(tensor(grad_sums, sums)?), Some(tensor(grad_sizes, sizes)?)))
    }
}

fn has_neighbours(size: f32) -> bool {
    f64::from(size) > NO_NEIGHBOURS
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
    fn a_row_divided_by_its_size_gives_the_mean_and_the_size_of_the_products() {
        let messages = Tensor::new(&[[1.0_f32, -2.0], [4.0, 0.5], [0.0, 3.0]], &Device::Cpu);
        let ones = Tensor::ones((3, 1), candle_core::DType::F32, &Device::Cpu).unwrap();
        let factor = 1.5_f32;
        let rows = [[0.2_f32, 0.6, 0.0], [0.0, 0.0, 0.0]].map(|row| row.map(|own| factor * own));
        let weights = Tensor::new(&rows, &Device::Cpu).unwrap();
        let sums = (weights.matmul(&messages.unwrap()).unwrap() * f64::from(factor)).unwrap();
        let found = mean_and_size(&sums, &weights.matmul(&ones).unwrap()).unwrap();
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
        let sums = Var::new(&[[0.0_f32, 0.0], [3.0, -1.0]], &Device::Cpu).unwrap();
        let sizes = Var::new(&[[0.0_f32], [2.0]], &Device::Cpu).unwrap();
        let found = mean_and_size(&sums, &sizes).unwrap().sum_all().unwrap().backward().unwrap();
        let gradient = |var: &Var| found.get(var).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(gradient(&sums), [[0.0, 0.0], [0.5, 0.5]]);
        assert_eq!(gradient(&sizes), [[1.0], [1.0 - (3.0 - 1.0) / 4.0]]);
    }
}
