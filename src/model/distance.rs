//! Σ(a − b)² as one operation with its own derivative: two passes over the
//! embeddings instead of the eight that separate operations make.

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::slices::{numbers, with_numbers};

/// The squared distance of two blocks of rows, added up over all rows.
pub(crate) fn squared_distance(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    if one.device().is_cpu() {
        return one.contiguous()?.apply_op2(&other.contiguous()?, SquaredDistance);
    }
    (one - other)?.sqr()?.sum_all()
}

/// Numbers that share one partial sum; cut by size only, so that the sum does
/// not depend on the number of threads.
const SHARE: usize = 1 << 13;

struct SquaredDistance;

impl CustomOp2 for SquaredDistance {
    fn name(&self) -> &'static str {
        "squared-distance"
    }

    fn cpu_fwd(
        &self,
        one: &CpuStorage,
        one_layout: &Layout,
        other: &CpuStorage,
        other_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (one, other) = (numbers(one, one_layout)?, numbers(other, other_layout)?);
        let shares: Vec<f64> = one
            .par_chunks(SHARE)
            .zip(other.par_chunks(SHARE))
            .map(|(one, other)| {
                let square = |(a, b): (&f32, &f32)| f64::from((a - b) * (a - b));
                one.iter().zip(other).map(square).sum()
            })
            .collect();
        let sum = shares.iter().sum::<f64>() as f32;
        Ok((CpuStorage::F32(vec![sum]), Shape::from(())))
    }

    fn bwd(
        &self,
        one: &Tensor,
        other: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let factor = 2.0 * gradient.to_scalar::<f32>()?;
        let (mut by_one, mut by_other) = with_numbers(one, |one| {
            with_numbers(other, |other| {
                let mut by_one = vec![0.0_f32; one.len()];
                let mut by_other = vec![0.0_f32; one.len()];
                by_one
                    .par_chunks_mut(SHARE)
                    .zip(by_other.par_chunks_mut(SHARE))
                    .zip(one.par_chunks(SHARE).zip(other.par_chunks(SHARE)))
                    .for_each(|((by_one, by_other), (one, other))| {
                        let to = by_one.iter_mut().zip(by_other);
                        for ((by_one, by_other), (a, b)) in to.zip(one.iter().zip(other)) {
                            *by_one = factor * (a - b);
                            *by_other = -*by_one;
                        }
                    });
                (by_one, by_other)
            })
        })??;
        let take = |values: &mut Vec<f32>, like: &Tensor| {
            Tensor::from_vec(std::mem::take(values), like.shape(), &Device::Cpu)
        };
        Ok((Some(take(&mut by_one, one)?), Some(take(&mut by_other, other)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    #[test]
    fn the_distance_and_its_gradients_are_those_of_the_formula() {
        let one = Var::new(&[[1.0_f32, 2.0], [3.0, 4.0]], &Device::Cpu).unwrap();
        let other = Var::new(&[[1.5_f32, 1.0], [3.0, 0.0]], &Device::Cpu).unwrap();
        let distance = (squared_distance(&one, &other).unwrap() * 0.5).unwrap();
        assert!((distance.to_scalar::<f32>().unwrap() - 8.625).abs() < 1e-6);
        let grads = distance.backward().unwrap();
        let by_one = grads.get(&one).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(by_one, [[-0.5, 1.0], [0.0, 4.0]]);
        let by_other = grads.get(&other).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(by_other, [[0.5, -1.0], [0.0, -4.0]]);
    }
}
