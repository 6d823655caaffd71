//! ρ as a function of s, in f64, out of a model's parameters.

use super::ExplainError;
use super::network::{Layer, bend_all};
use crate::model::settings::{Activation, FilterShape, Settings};
use crate::model::{Basis, fixed};
use crate::train::State;

/// The filter of a model.
#[derive(Debug, Clone)]
pub(super) enum Response {
    Network { first: Layer, second: Layer, activation: Activation, residual: bool },
    Polynomial { basis: Basis, coefficients: Vec<f64> },
    Fixed(fn(f64) -> f64),
}

impl Response {
    /// The filter that settings and parameters make.
    pub(super) fn of(state: &State, settings: &Settings) -> Result<Self, ExplainError> {
        let basis = match settings.filter {
            FilterShape::Mlp | FilterShape::ResidualMlp => {
                let first = Layer::of(state, "rho.1", 1)?;
                let second = Layer::of(state, "rho.2", first.outputs())?;
                let residual = settings.filter == FilterShape::ResidualMlp;
                let activation = settings.activation;
                return Ok(Self::Network { first, second, activation, residual });
            }
            FilterShape::Monomial => Basis::Monomial,
            FilterShape::Chebyshev => Basis::Chebyshev,
            FilterShape::Bernstein => Basis::Bernstein,
            shape => return Ok(Self::Fixed(fixed(shape))),
        };
        let values = state.values("rho.coefficients").filter(|values| !values.is_empty());
        let values = values.ok_or_else(|| {
            ExplainError::fault(
                "the parameters of the model",
                "no coefficients of the filter",
                "those of the polynomial that the settings ask for",
                "use the settings the model was trained with",
            )
        })?;
        let coefficients = values.iter().map(|&value| f64::from(value)).collect();
        Ok(Self::Polynomial { basis, coefficients })
    }

    /// ρ(s).
    pub(super) fn at(&self, s: f64) -> f64 {
        match self {
            Self::Network { first, second, activation, residual } => {
                let mut hidden = first.forward(&[s]);
                bend_all(&mut hidden, *activation);
                let network = second.forward(&hidden).first().copied().unwrap_or(0.0);
                if *residual { network + s } else { network }
            }
            Self::Polynomial { basis, coefficients } => {
                let values = basis.values(s, coefficients.len().saturating_sub(1));
                values.iter().zip(coefficients).map(|(value, c)| f64::from(*value) * c).sum()
            }
            Self::Fixed(curve) => curve(s),
        }
    }
}
