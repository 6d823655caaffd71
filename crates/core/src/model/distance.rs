//! Σ‖a − b‖² over all rows, as one operation with its own gradient.

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::rows::squared_distance as distance_of;
use super::slices::{numbers, with_numbers};

/// Numbers summed by one task; a fixed size, so that no sum depends on the number
/// of threads.
const SHARE: usize = 1 << 14;

/// The summed squared distance of two blocks of rows.
pub(crate) fn squared_distance(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if a.device().is_cpu() {
        return a.contiguous()?.apply_op2(&b.contiguous()?, SquaredDistance);
    }
    (a - b)?.sqr()?.sum_all()
}

struct SquaredDistance;

impl CustomOp2 for SquaredDistance {
    fn name(&self) -> &'static str {
        "squared distance"
    }

    fn cpu_fwd(
        &self,
        a: &CpuStorage,
        a_layout: &Layout,
        b: &CpuStorage,
        b_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (a, b) = (numbers(a, a_layout)?, numbers(b, b_layout)?);
        let shares = a.par_chunks(SHARE).zip(b.par_chunks(SHARE));
        // Collected first: the order of this sum must not depend on threads.
        let parts: Vec<f64> = shares.map(|(a, b)| distance_of(a, b)).collect();
        Ok((CpuStorage::F32(vec![parts.into_iter().sum::<f64>() as f32]), Shape::from(())))
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let factor = 2.0 * gradient.to_scalar::<f32>()?;
        let towards = |from: &[f32], to: &[f32]| -> Vec<f32> {
            let mut out = vec![0.0; from.len()];
            out.par_chunks_mut(SHARE)
                .zip(from.par_chunks(SHARE).zip(to.par_chunks(SHARE)))
                .for_each(|(out, (from, to))| {
                    let rows = out.iter_mut().zip(from.iter().zip(to));
                    rows.for_each(|(out, (from, to))| *out = factor * (from - to));
                });
            out
        };
        let (grad_a, grad_b) = with_numbers(a, |a_values| {
            with_numbers(b, |b_values| {
                (
                    a.track_op().then(|| towards(a_values, b_values)),
                    b.track_op().then(|| towards(b_values, a_values)),
                )
            })
        })??;
        let tensor = |values: Option<Vec<f32>>, like: &Tensor| {
            values.map(|values| Tensor::from_vec(values, like.shape(), &Device::Cpu)).transpose()
        };
        Ok((tensor(grad_a, a)?, tensor(grad_b, b)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    #[test]
    fn the_distance_and_its_gradients_equal_plain_operations() {
        let wave = |pace: f32| {
            let values: Vec<f32> = (0..35_000).map(|n| (n as f32 * pace).sin()).collect();
            Var::from_vec(values, (5000, 7), &Device::Cpu).unwrap()
        };
        let (a, b) = (wave(0.3), wave(0.7));
        let found = |sum: Tensor| -> Vec<f32> {
            let grads = (&sum * 0.5).unwrap().backward().unwrap();
            let flat = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let sum = sum.to_scalar::<f32>().unwrap();
            let grads = [&a, &b].map(|var| flat(grads.get(var).unwrap()));
            grads.into_iter().flatten().chain([sum]).collect()
        };
        let ours = found(squared_distance(&a, &b).unwrap());
        let plain = (a.as_tensor() - b.as_tensor()).unwrap().sqr().unwrap().sum_all().unwrap();
        for (one, other) in ours.into_iter().zip(found(plain)) {
            assert!((one - other).abs() < 1e-4 * one.abs().max(1.0), "{one} {other}");
        }
    }
}
