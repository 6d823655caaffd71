//! ψ and φ: networks of two layers, plain or as a correction of the identity.

use candle_core::{Result, Tensor, Var};

use super::Parameters;
use super::layer::layer;
use super::map_operation::{self, Form};
use super::settings::{Activation, MapShape};

/// x·W + b.
#[derive(Debug, Clone)]
pub struct Linear {
    weight: Var,
    bias: Var,
}

impl Linear {
    /// A layer that starts uniform within ±1/√inputs, its weights then times
    /// `scale`; a layer that starts small starts without bias.
    pub(crate) fn new(
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
        layer(input, &self.weight, &self.bias, None)
    }

    /// The layer applied to every row, then bent.
    pub fn bent(&self, input: &Tensor, activation: Activation) -> Result<Tensor> {
        layer(input, &self.weight, &self.bias, Some(activation))
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

/// What a correction starts at, as a share of what a plain network starts at.
pub(super) const SMALL: f64 = 0.1;

/// A map from the rows of one width to rows of another.
#[derive(Debug, Clone)]
pub struct Map {
    first: Linear,
    second: Linear,
    form: Form,
}

impl Map {
    /// A map of parts put side by side (one for ψ, one a type for φ).
    pub(super) fn new(
        parameters: &mut Parameters,
        name: &str,
        parts: &[usize],
        hidden: usize,
        outputs: usize,
        (shape, activation): (MapShape, Activation),
    ) -> Result<Self> {
        let (skips, scale) = match shape {
            MapShape::Plain => (Vec::new(), 1.0),
            MapShape::Residual => (parts.to_vec(), SMALL),
        };
        let inputs = parts.iter().sum();
        let first = Linear::new(parameters, &format!("{name}.1"), (inputs, hidden), 1.0)?;
        let second = Linear::new(parameters, &format!("{name}.2"), (hidden, outputs), scale)?;
        Ok(Self { first, second, form: Form { inputs, hidden, outputs, activation, skips } })
    }

    /// The map applied to every row.
    pub fn forward(&self, input: &Tensor) -> Result<Tensor> {
        self.apply(input, true)
    }

    /// The same for rows that are held still: no gradient reaches them.
    pub fn forward_still(&self, input: &Tensor) -> Result<Tensor> {
        self.apply(&input.detach(), false)
    }

    fn apply(&self, input: &Tensor, moves_input: bool) -> Result<Tensor> {
        if !input.device().is_cpu() {
            return self.by_layers(input);
        }
        let [w1, w2] = [&self.first, &self.second].map(|layer| layer.weight.flatten_all());
        let packed = Tensor::cat(&[&w1?, &self.first.bias, &w2?, &self.second.bias], 0)?;
        map_operation::apply(&self.form, input, &packed, moves_input)
    }

    /// The map by one operation after the other, on any device.
    fn by_layers(&self, input: &Tensor) -> Result<Tensor> {
        let hidden = self.first.bent(input, self.form.activation)?;
        let mut output = self.second.forward(&hidden)?;
        for columns in self.form.joined() {
            let part = input.narrow(1, columns.start, columns.len())?;
            output = (output + part.pad_with_zeros(1, 0, self.form.outputs - columns.len())?)?;
        }
        Ok(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn one_operation_gives_what_the_layers_give() {
        let shapes = [(MapShape::Plain, vec![5, 3], 4), (MapShape::Residual, vec![5, 3], 4)];
        let narrow = [(MapShape::Residual, vec![4], 4), (MapShape::Residual, vec![2], 6)];
        for (shape, parts, outputs) in shapes.into_iter().chain(narrow) {
            for activation in [Activation::Tanh, Activation::Relu] {
                let mut parameters = Parameters::new(1, &Device::Cpu);
                let form = (shape, activation);
                let map = Map::new(&mut parameters, "map", &parts, 7, outputs, form).unwrap();
                let rows = (1100, parts.iter().sum::<usize>());
                let x = parameters.add_uniform("x", rows, 2.0).unwrap();
                let weight = parameters.add_uniform("weight", (1100, outputs), 1.0).unwrap();
                let numbers = |output: Tensor| -> Vec<f32> {
                    let loss = (&output * weight.as_tensor()).unwrap().sum_all().unwrap();
                    let grads = loss.backward().unwrap();
                    let learned = parameters.iter().filter(|(name, _)| *name != "weight");
                    learned
                        .map(|(_, var)| grads.get(var).unwrap())
                        .chain([&output])
                        .flat_map(|t| t.flatten_all().unwrap().to_vec1::<f32>().unwrap())
                        .collect()
                };
                let one = numbers(map.forward(&x).unwrap());
                let other = numbers(map.by_layers(&x).unwrap());
                for (a, b) in one.into_iter().zip(other) {
                    assert!((a - b).abs() < 1e-4 * a.abs().max(1.0), "{shape:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn rows_held_still_get_no_gradient_and_the_parameters_the_same() {
        let mut parameters = Parameters::new(1, &Device::Cpu);
        let form = (MapShape::Residual, Activation::Tanh);
        let map = Map::new(&mut parameters, "map", &[4], 3, 4, form).unwrap();
        let x = parameters.add_uniform("x", (700, 4), 1.0).unwrap();
        let grads = |output: Tensor| output.sqr().unwrap().sum_all().unwrap().backward().unwrap();
        let moved = grads(map.forward(&x).unwrap());
        let still = grads(map.forward_still(&x).unwrap());
        assert!(moved.get(&x).is_some() && still.get(&x).is_none());
        for layer in [&map.first, &map.second] {
            let of = |store: &candle_core::backprop::GradStore| {
                store.get(&layer.weight).unwrap().to_vec2::<f32>().unwrap()
            };
            assert_eq!(of(&moved), of(&still));
        }
    }
}
