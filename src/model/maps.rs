//! ψ and φ: networks of two layers, plain or as a correction of the identity.

use candle_core::{Result, Tensor, Var};

use super::Parameters;
use super::layer::layer;
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
    pub(super) fn new(
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
    activation: Activation,
    /// Widths of the input's parts, each added to the output; none for plain.
    skips: Vec<usize>,
    outputs: usize,
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
        Ok(Self { first, second, activation, skips, outputs })
    }

    /// The map applied to every row. The skip of a part that is wider or
    /// narrower than the output joins the columns both have.
    pub fn forward(&self, input: &Tensor) -> Result<Tensor> {
        let hidden = self.first.bent(input, self.activation)?;
        let mut output = self.second.forward(&hidden)?;
        let mut start = 0;
        for &width in &self.skips {
            let common = width.min(self.outputs);
            let part = if self.skips.len() == 1 && width == self.outputs {
                input.clone()
            } else {
                input.narrow(1, start, common)?.pad_with_zeros(1, 0, self.outputs - common)?
            };
            output = (output + part)?;
            start += width;
        }
        Ok(output)
    }
}
