//! The learned parameters: named tensors in a fixed order.

use candle_core::{Device, Result, Shape, Tensor, Var};

use super::random::{stream, uniform};

/// The learned tensors of a model.
#[derive(Debug, Clone)]
pub struct Parameters {
    named: Vec<(String, Var)>,
    device: Device,
    seed: u64,
    prefix: String,
}

impl Parameters {
    /// No parameters yet. The seed fixes the random initialization of those added
    /// later.
    pub fn new(seed: u64, device: &Device) -> Self {
        Self { named: Vec::new(), device: device.clone(), seed, prefix: String::new() }
    }

    /// Later names get this prefix; their random initialization does not change.
    #[must_use]
    pub(crate) fn with_prefix(mut self, prefix: String) -> Self {
        self.prefix = prefix;
        self
    }

    /// Adds a parameter with these values.
    pub(super) fn add(
        &mut self,
        name: &str,
        values: Vec<f32>,
        shape: impl Into<Shape>,
    ) -> Result<Var> {
        let var = Var::from_tensor(&Tensor::from_vec(values, shape, &self.device)?)?;
        self.named.push((format!("{}{name}", self.prefix), var.clone()));
        Ok(var)
    }

    /// Adds a parameter, uniform within ±bound.
    pub(super) fn add_uniform(
        &mut self,
        name: &str,
        shape: impl Into<Shape>,
        bound: f64,
    ) -> Result<Var> {
        let shape = shape.into();
        let values = uniform(&mut stream(self.seed, name), shape.elem_count(), bound);
        self.add(name, values, shape)
    }

    /// Names and tensors, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Var)> {
        self.named.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// The tensor with this name.
    pub fn get(&self, name: &str) -> Option<&Var> {
        self.iter().find(|(own, _)| *own == name).map(|(_, var)| var)
    }

    /// Their device.
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    /// The total number of values.
    pub fn count(&self) -> usize {
        self.iter().map(|(_, var)| var.elem_count()).sum()
    }
}
