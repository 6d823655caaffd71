//! Heads in f64 and the activation function along a line, so that contributions add
//! up to more digits than the model computes with.

use super::ExplainError;
use crate::model::settings::{Activation, Settings};
use crate::model::{Inputs, TwoLayer};
use crate::train::TrainerState;

/// A layer x·W + b; W is row-major with a row for each input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) weight: Vec<f64>,
    pub(super) bias: Vec<f64>,
}

impl Layer {
    /// The layer with this name; an error if the state has none of that size.
    pub(super) fn of(
        state: &TrainerState,
        name: &str,
        inputs: usize,
    ) -> Result<Self, ExplainError> {
        let wide = |part: &str| {
            let values = state.values(&format!("{name}.{part}"))?;
            Some(values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>())
        };
        let parts = wide("weight").zip(wide("bias"));
        let fits = |(weight, bias): &(Vec<f64>, Vec<f64>)| weight.len() == inputs * bias.len();
        let (weight, bias) = parts.filter(fits).ok_or_else(|| {
            ExplainError::fault(
                "model parameters",
                format!("no layer {name} with {inputs} inputs"),
                "the layers required by the settings",
                "use the graph and the settings the model was trained with",
            )
        })?;
        Ok(Self { weight, bias })
    }

    /// Adds to the bias.
    pub(super) fn shift(&mut self, by: &[f32]) {
        self.bias.iter_mut().zip(by).for_each(|(bias, by)| *bias += f64::from(*by));
    }

    /// Multiplies the outputs.
    pub(super) fn shrink(&mut self, by: f32) {
        self.weight.iter_mut().chain(&mut self.bias).for_each(|value| *value *= f64::from(by));
    }

    /// Whether the state has a layer of this name.
    pub(super) fn exists(state: &TrainerState, name: &str) -> bool {
        state.values(&format!("{name}.weight")).is_some()
    }

    /// Number of outputs.
    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Wᵀx, added to `out`.
    pub(super) fn add_product(&self, from: usize, x: &[f64], out: &mut [f64]) {
        let outputs = self.outputs();
        let rows = self.weight.chunks(outputs.max(1)).skip(from);
        for (row, &factor) in rows.zip(x) {
            for (sum, weight) in out.iter_mut().zip(row) {
                *sum += factor * weight;
            }
        }
    }

    /// x·W + b of one row.
    pub(super) fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut out = self.bias.clone();
        self.add_product(0, x, &mut out);
        out
    }
}

/// The map with this name over these inputs.
pub(super) fn map_of(
    state: &TrainerState,
    name: &str,
    inputs: &Inputs,
    settings: &Settings,
) -> Result<TwoLayer, ExplainError> {
    let values = |part: &str| state.values(&format!("{name}.{part}")).unwrap_or_default();
    let packed = ["1.weight", "1.bias", "2.weight", "2.bias"].map(values);
    let outputs = packed[3].len();
    let form = (settings.map_shape, settings.activation);
    TwoLayer::of_parts(inputs, outputs, form, packed).ok_or_else(|| {
        ExplainError::fault(
            "model parameters",
            format!("no map {name} with {} inputs", inputs.count()),
            "the maps required by the settings",
            "use the graph and the settings the model was trained with",
        )
    })
}

/// The mean slope of an activation function from `start` to `start + step`: ∫₀¹
/// f'(start + α·step) dα, in closed form.
///
/// For tanh the difference of two values is tanh(step)·(1 − tanh·tanh), which is
/// accurate for any step size.
pub(super) fn mean_slope(start: f64, step: f64, activation: Activation) -> f64 {
    match activation {
        Activation::Tanh => {
            let flat = 1.0 - start.tanh() * (start + step).tanh();
            let ratio = if step.abs() < 1e-8 { 1.0 } else { step.tanh() / step };
            ratio * flat
        }
        Activation::Relu => {
            let end = start + step;
            match (start > 0.0, end > 0.0) {
                (true, true) => 1.0,
                (false, false) => 0.0,
                // The path crosses the kink: the share of it above 0.
                (true, false) => start / -step,
                (false, true) => end / step,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slope(x: f64, activation: Activation) -> f64 {
        match activation {
            Activation::Tanh => 1.0 - x.tanh().powi(2),
            Activation::Relu => f64::from(u8::from(x > 0.0)),
        }
    }

    proptest! {
        #[test]
        fn the_mean_slope_equals_the_integral_of_the_slope(
            start in -4.0_f64..4.0, step in -6.0_f64..6.0,
        ) {
            for activation in [Activation::Tanh, Activation::Relu] {
                let parts = 20_000;
                let at = |n: usize| start + step * (n as f64 + 0.5) / f64::from(parts as u32);
                let sum: f64 = (0..parts).map(|n| slope(at(n), activation)).sum();
                let found = mean_slope(start, step, activation);
                prop_assert!((found - sum / f64::from(parts as u32)).abs() < 1e-4);
            }
        }

        #[test]
        fn slope_times_step_equals_the_rise(start in -20.0_f64..20.0, step in -20.0_f64..20.0) {
            for activation in [Activation::Tanh, Activation::Relu] {
                let rise = activation.at(start + step) - activation.at(start);
                let found = mean_slope(start, step, activation) * step;
                prop_assert!((found - rise).abs() < 1e-12, "{found} {rise}");
            }
        }
    }

    #[test]
    fn a_zero_step_has_the_slope_at_its_start() {
        for start in [-1.5, 0.2, 3.0] {
            let found = mean_slope(start, 0.0, Activation::Tanh);
            assert!((found - slope(start, Activation::Tanh)).abs() < 1e-14);
        }
        assert!((mean_slope(1.0, 0.0, Activation::Relu) - 1.0).abs() < 1e-15);
        assert!(mean_slope(-1.0, 0.0, Activation::Relu).abs() < 1e-15);
    }
}
