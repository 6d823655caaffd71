//! ρ: how much each frequency of the graph counts.
//!
//! A [`Filter`] is fed s = σ / max|σ| in [-1, 1] and gives ρ(s), whatever its
//! shape: a small network, a polynomial, or a fixed curve to compare with.

mod basis;
mod fixed;

use candle_core::{Result, Tensor, Var};

use super::Parameters;
use super::maps::{Linear, SMALL};
use super::settings::{Activation, FilterShape};
pub use basis::Basis;
pub use fixed::fixed;

/// The learned filter.
#[derive(Debug, Clone)]
pub struct Filter {
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    Network { first: Linear, second: Linear, activation: Activation, residual: bool },
    Polynomial { basis: Basis, coefficients: Var },
    Fixed(fn(f64) -> f64),
}

/// Hidden units of the filter's network, as in the paper.
const HIDDEN: usize = 3;

impl Filter {
    /// A filter of the given shape. All that can be the identity start near
    /// ρ(s) = s: one step along the edges.
    pub(super) fn new(
        parameters: &mut Parameters,
        shape: FilterShape,
        degree: usize,
        activation: Activation,
    ) -> Result<Self> {
        Self::sized(parameters, shape, (HIDDEN, degree), activation)
    }

    /// The same with as many hidden units as asked for, where it is a network.
    pub(crate) fn sized(
        parameters: &mut Parameters,
        shape: FilterShape,
        (hidden, degree): (usize, usize),
        activation: Activation,
    ) -> Result<Self> {
        let basis = match shape {
            FilterShape::Mlp | FilterShape::ResidualMlp => {
                let residual = shape == FilterShape::ResidualMlp;
                let scale = if residual { SMALL } else { 1.0 };
                let first = Linear::new(parameters, "rho.1", (1, hidden), 1.0)?;
                let second = Linear::new(parameters, "rho.2", (hidden, 1), scale)?;
                return Ok(Self { form: Form::Network { first, second, activation, residual } });
            }
            FilterShape::Monomial => Basis::Monomial,
            FilterShape::Chebyshev => Basis::Chebyshev,
            FilterShape::Bernstein => Basis::Bernstein,
            fixed_shape => return Ok(Self { form: Form::Fixed(fixed(fixed_shape)) }),
        };
        let start = basis.identity(degree);
        let coefficients = parameters.add("rho.coefficients", start, degree + 1)?;
        Ok(Self { form: Form::Polynomial { basis, coefficients } })
    }

    /// ρ at each of the points.
    pub fn respond(&self, points: &Tensor) -> Result<Tensor> {
        match &self.form {
            Form::Network { first, second, activation, residual } => {
                let column = points.unsqueeze(1)?;
                let hidden = first.bent(&column, *activation)?;
                let network = second.forward(&hidden)?.squeeze(1)?;
                if *residual { network + points } else { Ok(network) }
            }
            Form::Polynomial { basis, coefficients } => {
                let degree = coefficients.elem_count() - 1;
                let at = |s: &f32| basis.values(f64::from(*s), degree);
                let rows: Vec<f32> = points.to_vec1::<f32>()?.iter().flat_map(at).collect();
                let shape = (points.elem_count(), degree + 1);
                let table = Tensor::from_vec(rows, shape, points.device())?;
                table.matmul(&coefficients.unsqueeze(1)?)?.squeeze(1)
            }
            Form::Fixed(curve) => {
                let at = |s: &f32| curve(f64::from(*s)) as f32;
                let values: Vec<f32> = points.to_vec1::<f32>()?.iter().map(at).collect();
                Tensor::from_vec(values, points.shape(), points.device())
            }
        }
    }
}
