//! A layer of a map as one operation: bend(x·W + b), with its own derivative.
//!
//! Rows are cut into shares by their number alone, so the same numbers come out
//! whatever the number of threads; within a share everything stays in cache.

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::rows::{SHARE, add_all, add_times, affine, bend_all, gather, turned, unbend_all};
use super::settings::Activation;
use super::slices::{numbers, with_numbers};

/// bend(x·W + b), or x·W + b without a bend.
pub(super) fn layer(
    input: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    bend: Option<Activation>,
) -> Result<Tensor> {
    if input.device().is_cpu() {
        return input.contiguous()?.apply_op3(weight, bias, Layer { bend });
    }
    let straight = input.matmul(weight)?.broadcast_add(bias)?;
    match bend {
        None => Ok(straight),
        Some(Activation::Tanh) => straight.tanh(),
        Some(Activation::Relu) => straight.relu(),
    }
}

struct Layer {
    bend: Option<Activation>,
}

/// What a share of the rows adds to the derivatives by W and b.
struct Part {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Part {
    fn of(inputs: usize, outputs: usize) -> Self {
        Self { weight: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }
}

impl CustomOp3 for Layer {
    fn name(&self) -> &'static str {
        "layer"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, inputs) = input_layout.shape().dims2()?;
        let (_, outputs) = weight_layout.shape().dims2()?;
        let (input, bias) = (numbers(input, input_layout)?, numbers(bias, bias_layout)?);
        let weight = numbers(weight, weight_layout)?;
        let mut output = vec![0.0; rows * outputs];
        let shares = output.par_chunks_mut((SHARE * outputs).max(1));
        shares.zip(input.par_chunks((SHARE * inputs).max(1))).for_each(|(output, input)| {
            affine(input, inputs, weight, bias, output);
            if let Some(activation) = self.bend {
                bend_all(output, activation);
            }
        });
        Ok((CpuStorage::F32(output), Shape::from((rows, outputs))))
    }

    fn bwd(
        &self,
        input: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (rows, inputs) = input.dims2()?;
        let (_, outputs) = weight.dims2()?;
        let mut by_input = vec![0.0; rows * inputs];
        let parts: Vec<Part> = with_numbers(input, |input| {
            with_numbers(weight, |weight| {
                let turned = turned(weight, outputs);
                with_numbers(output, |output| {
                    with_numbers(gradient, |gradient| {
                        let (wide, narrow) = ((SHARE * inputs).max(1), (SHARE * outputs).max(1));
                        by_input
                            .par_chunks_mut(wide)
                            .zip(input.par_chunks(wide))
                            .zip(output.par_chunks(narrow).zip(gradient.par_chunks(narrow)))
                            .map(|((by_input, input), (output, gradient))| {
                                let mut gradient = gradient.to_vec();
                                if let Some(activation) = self.bend {
                                    unbend_all(&mut gradient, output, activation);
                                }
                                add_times(&gradient, outputs, &turned, inputs, by_input);
                                let mut part = Part::of(inputs, outputs);
                                let sums = (&mut part.weight[..], &mut part.bias[..]);
                                gather(input, inputs, &gradient, outputs, sums);
                                part
                            })
                            .collect()
                    })
                })
            })
        })????;
        let mut sum = Part::of(inputs, outputs);
        for part in &parts {
            add_all(&mut sum.weight, &part.weight);
            add_all(&mut sum.bias, &part.bias);
        }
        let tensor = |values, shape: &Shape| Tensor::from_vec(values, shape, &Device::Cpu);
        Ok((
            Some(tensor(by_input, input.shape())?),
            Some(tensor(sum.weight, weight.shape())?),
            Some(tensor(sum.bias, bias.shape())?),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    fn wave(shape: impl Into<Shape>, pace: f32) -> Var {
        let shape = shape.into();
        let values: Vec<f32> = (0..shape.elem_count()).map(|n| (n as f32 * pace).sin()).collect();
        Var::from_tensor(&Tensor::from_vec(values, shape, &Device::Cpu).unwrap()).unwrap()
    }

    #[test]
    fn a_layer_and_its_gradients_are_those_of_plain_operations() {
        let (x, w, b) = (wave((1300, 5), 0.3), wave((5, 7), 0.7), wave(7, 1.3));
        for bend in [None, Some(Activation::Tanh), Some(Activation::Relu)] {
            let straight = x.matmul(&w).unwrap().broadcast_add(&b).unwrap();
            let plain = match bend {
                None => straight,
                Some(Activation::Tanh) => straight.tanh().unwrap(),
                Some(Activation::Relu) => straight.relu().unwrap(),
            };
            let ours = layer(&x, &w, &b, bend).unwrap();
            let numbers = |output: &Tensor| -> Vec<f32> {
                let weighted = (output * wave((1300, 7), 1.1).as_tensor()).unwrap();
                let grads = weighted.sum_all().unwrap().backward().unwrap();
                [&x, &w, &b]
                    .iter()
                    .map(|var| grads.get(var).unwrap())
                    .chain([output])
                    .flat_map(|t| t.flatten_all().unwrap().to_vec1::<f32>().unwrap())
                    .collect()
            };
            for (one, other) in numbers(&ours).into_iter().zip(numbers(&plain)) {
                assert!((one - other).abs() < 1e-4 * one.abs().max(1.0), "{bend:?} {one} {other}");
            }
        }
    }
}
