//! ψ and φ: networks of two layers, plain or as a correction of the identity.

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor, Var};

use super::Parameters;
use super::layer::layer;
use super::map_rows::{Form, MapRows};
use super::settings::{Activation, MapShape};
use super::slices::with_numbers;

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

    /// The map applied to every row, by one operation after the other.
    pub fn forward(&self, input: &Tensor) -> Result<Tensor> {
        let hidden = self.first.bent(input, self.form.activation)?;
        let mut output = self.second.forward(&hidden)?;
        for columns in self.form.joined() {
            let part = input.narrow(1, columns.start, columns.len())?;
            output = (output + part.pad_with_zeros(1, 0, self.form.outputs - columns.len())?)?;
        }
        Ok(output)
    }

    /// The map as plain numbers, as it is now.
    pub(crate) fn rows(&self) -> Result<MapRows> {
        let mut packed = Vec::with_capacity(self.form.ends()[3]);
        for var in self.vars() {
            with_numbers(var, |numbers| packed.extend_from_slice(numbers))?;
        }
        Ok(MapRows::new(self.form.clone(), packed))
    }

    /// Puts a derivative by the packed parameters to those of others.
    pub(crate) fn keep_gradient(&self, by_packed: &[f32], store: &mut GradStore) -> Result<()> {
        let mut start = 0;
        for (var, end) in self.vars().into_iter().zip(self.form.ends()) {
            let own = &by_packed[start..end];
            store.insert(var, Tensor::from_slice(own, var.shape(), var.device())?);
            start = end;
        }
        Ok(())
    }

    /// W₁, b₁, W₂, b₂.
    fn vars(&self) -> [&Var; 4] {
        let (first, second) = (&self.first, &self.second);
        [&first.weight, &first.bias, &second.weight, &second.bias]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn plain_rows_give_what_tensors_give() {
        let shapes = [(MapShape::Plain, vec![5, 3], 4), (MapShape::Residual, vec![5, 3], 4)];
        let narrow = [(MapShape::Residual, vec![4], 4), (MapShape::Residual, vec![2], 6)];
        for (shape, parts, outputs) in shapes.into_iter().chain(narrow) {
            for activation in [Activation::Tanh, Activation::Relu] {
                let mut parameters = Parameters::new(1, &Device::Cpu);
                let form = (shape, activation);
                let map = Map::new(&mut parameters, "map", &parts, 7, outputs, form).unwrap();
                let inputs = parts.iter().sum::<usize>();
                let x = parameters.add_uniform("x", (1100, inputs), 2.0).unwrap();
                let weight = parameters.add_uniform("weight", (1100, outputs), 1.0).unwrap();
                let flat = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                let output = map.forward(&x).unwrap();
                let loss = (&output * weight.as_tensor()).unwrap().sum_all().unwrap();
                let grads = loss.backward().unwrap();
                let mut by_packed = Vec::new();
                map.vars().iter().for_each(|var| by_packed.extend(flat(grads.get(var).unwrap())));

                let rows = map.rows().unwrap();
                let (hidden, found) = rows.par_forward(&flat(&x));
                let mut by_x = vec![0.0; 1100 * inputs];
                let part = rows.par_backward(&flat(&x), &hidden, &flat(&weight), Some(&mut by_x));
                let mut store = x.sum_all().unwrap().backward().unwrap();
                map.keep_gradient(&part, &mut store).unwrap();
                let kept = flat(store.get(&map.second.bias).unwrap());
                assert_eq!(kept, part[part.len() - outputs..]);
                let pairs = [
                    (found, flat(&output)),
                    (by_x, flat(grads.get(&x).unwrap())),
                    (part, by_packed),
                ];
                for (one, other) in pairs {
                    assert_eq!(one.len(), other.len());
                    for (a, b) in one.into_iter().zip(other) {
                        assert!((a - b).abs() < 2e-4 * a.abs().max(1.0), "{shape:?} {a} {b}");
                    }
                }
            }
        }
    }
}
