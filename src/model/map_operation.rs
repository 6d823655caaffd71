//! A whole map as one operation with its own derivative: two layers and the
//! skips around them, row by row while they are in cache.
//!
//! As separate operations the same maths takes a dozen more passes over memory
//! for each map, since every intermediate result and its gradient is a tensor.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::layer::{affine, bend_all, gather, times_transposed, unbend_all};
use super::settings::Activation;
use super::slices::{numbers, with_numbers};

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
    fn ends(&self) -> [usize; 4] {
        let first = self.inputs * self.hidden;
        let second = first + self.hidden;
        let third = second + self.hidden * self.outputs;
        [first, second, third, third + self.outputs]
    }
}

/// The map with packed parameters W₁, b₁, W₂, b₂ applied to every row. Without
/// `moves_input` no gradient is computed for the input.
pub(super) fn apply(
    form: &Form,
    input: &Tensor,
    packed: &Tensor,
    moves_input: bool,
) -> Result<Tensor> {
    let operation = MapOperation { form: form.clone(), moves_input, kept: Mutex::default() };
    input.contiguous()?.apply_op2(packed, operation)
}

/// Rows that one task takes; cut by their number alone, so that sums do not
/// depend on the number of threads.
const SHARE: usize = 512;

struct MapOperation {
    form: Form,
    moves_input: bool,
    /// The hidden layer of the forward pass.
    kept: Mutex<Vec<f32>>,
}

impl CustomOp2 for MapOperation {
    fn name(&self) -> &'static str {
        "map"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        packed: &CpuStorage,
        packed_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let Form { inputs, hidden: middle, outputs, .. } = self.form;
        let (rows, _) = input_layout.shape().dims2()?;
        let (input, packed) = (numbers(input, input_layout)?, numbers(packed, packed_layout)?);
        let mut kept = vec![0.0; rows * middle];
        let mut output = vec![0.0; rows * outputs];
        input
            .par_chunks((SHARE * inputs).max(1))
            .zip(kept.par_chunks_mut((SHARE * middle).max(1)))
            .zip(output.par_chunks_mut((SHARE * outputs).max(1)))
            .for_each(|((input, hidden), output)| self.forward(input, packed, hidden, output));
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok((CpuStorage::F32(output), Shape::from((rows, outputs))))
    }

    fn bwd(
        &self,
        input: &Tensor,
        packed: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let Form { inputs, hidden: middle, outputs, .. } = self.form;
        let (rows, _) = input.dims2()?;
        let hidden = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        let mut by_input = vec![0.0; if self.moves_input { rows * inputs } else { 0 }];
        let mut wanted: Vec<&mut [f32]> = by_input.chunks_mut((SHARE * inputs).max(1)).collect();
        wanted.resize_with(rows.div_ceil(SHARE), Default::default);
        let parts: Vec<Vec<f32>> = with_numbers(input, |input| {
            with_numbers(packed, |packed| {
                with_numbers(gradient, |gradient| {
                    wanted
                        .into_par_iter()
                        .zip(input.par_chunks((SHARE * inputs).max(1)))
                        .zip(hidden.par_chunks((SHARE * middle).max(1)))
                        .zip(gradient.par_chunks((SHARE * outputs).max(1)))
                        .map(|(((by_input, input), hidden), gradient)| {
                            self.backward(by_input, input, packed, hidden, gradient)
                        })
                        .collect()
                })
            })
        })???;
        let mut by_packed = vec![0.0; packed.elem_count()];
        for part in &parts {
            by_packed.iter_mut().zip(part).for_each(|(sum, own)| *sum += own);
        }
        let by_input = self
            .moves_input
            .then(|| Tensor::from_vec(by_input, input.shape(), &Device::Cpu))
            .transpose()?;
        Ok((by_input, Some(Tensor::from_vec(by_packed, packed.shape(), &Device::Cpu)?)))
    }
}

impl MapOperation {
    fn forward(&self, input: &[f32], packed: &[f32], hidden: &mut [f32], output: &mut [f32]) {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, _] = self.form.ends();
        affine(input, inputs, &packed[..first], &packed[first..second], hidden);
        bend_all(hidden, activation);
        affine(hidden, middle, &packed[second..third], &packed[third..], output);
        for columns in self.form.joined() {
            for (output, input) in output.chunks_mut(outputs).zip(input.chunks(inputs)) {
                let pairs = output.iter_mut().zip(&input[columns.clone()]);
                pairs.for_each(|(output, input)| *output += input);
            }
        }
    }

    /// The derivatives of some rows: by their input in place (where there is
    /// room for it), by the packed parameters as a part of a sum.
    fn backward(
        &self,
        by_input: &mut [f32],
        input: &[f32],
        packed: &[f32],
        hidden: &[f32],
        gradient: &[f32],
    ) -> Vec<f32> {
        let Form { inputs, hidden: middle, outputs, activation, .. } = self.form;
        let [first, second, third, all] = self.form.ends();
        let mut part = vec![0.0; all];
        let mut before = vec![0.0; hidden.len()];
        times_transposed(gradient, outputs, &packed[second..third], &mut before);
        unbend_all(&mut before, hidden, activation);
        let (one, two) = part.split_at_mut(second);
        let (weight, bias) = one.split_at_mut(first);
        gather(input, inputs, &before, middle, weight, bias);
        let (weight, bias) = two.split_at_mut(third - second);
        gather(hidden, middle, gradient, outputs, weight, bias);
        if !by_input.is_empty() {
            times_transposed(&before, middle, &packed[..first], by_input);
            for columns in self.form.joined() {
                let rows = by_input.chunks_mut(inputs).zip(gradient.chunks(outputs));
                for (by_input, gradient) in rows {
                    let pairs = by_input[columns.clone()].iter_mut().zip(gradient);
                    pairs.for_each(|(by_input, gradient)| *by_input += gradient);
                }
            }
        }
        part
    }
}
