//! ψ and φ: two-layer networks, plain or residual; and the linear layer of the
//! heads.

use std::sync::{Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Tensor, Var};
use candle_nn::Module;

use super::Parameters;
use super::settings::{Activation, MapShape};
use super::slices::{numbers, with_numbers};
use super::two_layer::{Form, Inputs, TwoLayer};

/// x·W + b.
#[derive(Debug, Clone)]
pub struct Linear {
    weight: Var,
    bias: Var,
}

impl Linear {
    /// A layer initialized uniformly within ±1/√inputs, with weights multiplied by
    /// `scale`; a scaled-down layer starts without bias.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        (inputs, outputs): (usize, usize),
        scale: f64,
    ) -> Result<Self> {
        let bound = (inputs.max(1) as f64).sqrt().recip();
        let weight =
            parameters.add_uniform(&format!("{name}.weight"), (inputs, outputs), bound * scale)?;
        let bias_bound = if scale < 1.0 { 0.0 } else { bound };
        let bias = parameters.add_uniform(&format!("{name}.bias"), outputs, bias_bound)?;
        Ok(Self { weight, bias })
    }

    /// The layer applied to every row.
    pub fn forward(&self, input: &Tensor) -> Result<Tensor> {
        linear(&self.weight, &self.bias, input)
    }

    /// The layer applied to every row, without gradient to its parameters.
    pub(crate) fn forward_fixed(&self, input: &Tensor) -> Result<Tensor> {
        linear(&self.weight.detach(), &self.bias.detach(), input)
    }

    /// W.
    pub fn weight(&self) -> &Var {
        &self.weight
    }

    /// b.
    pub fn bias(&self) -> &Var {
        &self.bias
    }
}

/// candle-nn has a row for each output; here there is a row for each input.
fn linear(weight: &Tensor, bias: &Tensor, input: &Tensor) -> Result<Tensor> {
    candle_nn::Linear::new(weight.t()?, Some(bias.clone())).forward(input)
}

/// The activation function, elementwise.
pub(crate) fn activated(values: &Tensor, activation: Activation) -> Result<Tensor> {
    match activation {
        Activation::Tanh => values.tanh(),
        Activation::Relu => values.relu(),
    }
}

/// The initial scale of a residual branch relative to a plain network.
pub(super) const SMALL: f64 = 0.1;

/// A map from rows of one width to rows of another.
#[derive(Debug, Clone)]
pub struct Map {
    first: Linear,
    second: Linear,
    form: Form,
}

impl Map {
    /// A map of concatenated blocks (one for ψ, one per type for φ) and further columns.
    pub(super) fn new(
        parameters: &mut Parameters,
        name: &str,
        inputs: &Inputs,
        hidden: usize,
        outputs: usize,
        (shape, activation): (MapShape, Activation),
    ) -> Result<Self> {
        let scale = if shape == MapShape::Residual { SMALL } else { 1.0 };
        let form = Form::new(inputs, hidden, outputs, (shape, activation));
        let first = Linear::new(parameters, &format!("{name}.1"), (form.inputs, hidden), 1.0)?;
        let second = Linear::new(parameters, &format!("{name}.2"), (hidden, outputs), scale)?;
        Ok(Self { first, second, form })
    }

    /// The weights of both layers.
    pub(crate) fn weights(&self) -> [&Var; 2] {
        [self.first.weight(), self.second.weight()]
    }

    /// The map applied to every row.
    pub fn forward(&self, input: &Tensor) -> Result<Tensor> {
        if !input.device().is_cpu() {
            return self.forward_by_layers(input);
        }
        self.apply(input, &self.packed(|var| var.as_tensor().clone())?)
    }

    /// The map applied to every row, without gradient to its parameters.
    pub(crate) fn forward_fixed(&self, input: &Tensor) -> Result<Tensor> {
        self.apply(input, &self.packed(|var| var.detach())?)
    }

    fn apply(&self, input: &Tensor, packed: &Tensor) -> Result<Tensor> {
        let op = MapOp { form: self.form.clone(), hidden: Mutex::default() };
        input.contiguous()?.apply_op2(packed, op)
    }

    /// The same as separate tensor operations.
    fn forward_by_layers(&self, input: &Tensor) -> Result<Tensor> {
        let hidden = activated(&self.first.forward(input)?, self.form.activation)?;
        let mut output = self.second.forward(&hidden)?;
        for columns in self.form.joined() {
            let part = input.narrow(1, columns.start, columns.len())?;
            output = (output + part.pad_with_zeros(1, 0, self.form.outputs - columns.len())?)?;
        }
        Ok(output)
    }

    /// W₁, b₁, W₂, b₂, concatenated.
    fn packed(&self, of: impl Fn(&Var) -> Tensor) -> Result<Tensor> {
        let vars =
            [self.first.weight(), self.first.bias(), self.second.weight(), self.second.bias()];
        let flat: Vec<Tensor> =
            vars.into_iter().map(|var| of(var).flatten_all()).collect::<Result<_>>()?;
        Tensor::cat(&flat, 0)
    }
}

/// The map as one operation with its own gradient, so that rows stay in cache.
struct MapOp {
    form: Form,
    /// The hidden layer, stored by the forward pass for the backward pass.
    hidden: Mutex<Option<Vec<f32>>>,
}

impl CustomOp2 for MapOp {
    fn name(&self) -> &'static str {
        "two-layer map"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        packed: &CpuStorage,
        packed_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, _) = input_layout.shape().dims2()?;
        let packed = numbers(packed, packed_layout)?;
        let map = TwoLayer::new(self.form.clone(), packed.to_vec());
        let (hidden, output) = map.par_forward(numbers(input, input_layout)?);
        *self.hidden.lock().unwrap_or_else(PoisonError::into_inner) = Some(hidden);
        Ok((CpuStorage::F32(output), Shape::from((rows, self.form.outputs))))
    }

    fn bwd(
        &self,
        input: &Tensor,
        packed: &Tensor,
        _output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner).take();
        let hidden = hidden.ok_or_else(|| candle_core::Error::Msg("no forward pass".to_owned()))?;
        let mut grad_input = input.track_op().then(|| vec![0.0; input.elem_count()]);
        let grad_packed = with_numbers(input, |input| {
            with_numbers(packed, |packed| {
                with_numbers(gradient, |gradient| {
                    let map = TwoLayer::new(self.form.clone(), packed.to_vec());
                    map.par_backward(input, &hidden, gradient, grad_input.as_deref_mut())
                })
            })
        })???;
        let tensor = |values, shape: &Shape| Tensor::from_vec(values, shape, &Device::Cpu);
        Ok((
            grad_input.map(|values| tensor(values, input.shape())).transpose()?,
            Some(tensor(grad_packed, packed.shape())?),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fused_map_and_its_gradients_equal_plain_operations() {
        let shapes = [(MapShape::Plain, vec![5, 3], 4), (MapShape::Residual, vec![5, 3], 4)];
        let narrow = [(MapShape::Residual, vec![4], 4), (MapShape::Residual, vec![2], 6)];
        for (shape, parts, outputs) in shapes.into_iter().chain(narrow) {
            for activation in [Activation::Tanh, Activation::Relu] {
                let mut parameters = Parameters::new(1, &Device::Cpu);
                let form = (shape, activation);
                let inputs = Inputs { blocks: parts.clone(), others: outputs % 3 };
                let map = Map::new(&mut parameters, "map", &inputs, 7, outputs, form).unwrap();
                let x = parameters.add_uniform("x", (1100, inputs.count()), 2.0).unwrap();
                let weight = parameters.add_uniform("weight", (1100, outputs), 1.0).unwrap();
                let flat = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                let found = |output: Tensor| -> Vec<f32> {
                    let loss = (&output * weight.as_tensor()).unwrap().sum_all().unwrap();
                    let grads = loss.backward().unwrap();
                    let vars = parameters.iter().filter(|(name, _)| *name != "weight");
                    let grads = vars.map(|(_, var)| flat(grads.get(var).unwrap()));
                    grads.chain([flat(&output)]).flatten().collect()
                };
                let fused = found(map.forward(&x).unwrap());
                let plain = found(map.forward_by_layers(&x).unwrap());
                assert_eq!(fused.len(), plain.len());
                for (a, b) in fused.into_iter().zip(plain) {
                    assert!((a - b).abs() < 2e-4 * a.abs().max(1.0), "{shape:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_fixed_map_passes_gradients_through_and_takes_none() {
        let mut parameters = Parameters::new(1, &Device::Cpu);
        let form = (MapShape::Residual, Activation::Tanh);
        let map = Map::new(&mut parameters, "map", &Inputs::of(&[3]), 4, 3, form).unwrap();
        let x = parameters.add_uniform("x", (5, 3), 1.0).unwrap();
        let grads = map.forward_fixed(&x).unwrap().sum_all().unwrap().backward().unwrap();
        assert!(grads.get(&x).is_some());
        assert!(grads.get(map.first.weight()).is_none());
    }
}
