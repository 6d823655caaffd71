//! ρ: the weight of each frequency of the graph.
//!
//! A [`Filter`] maps s = σ / max|σ| in [-1, 1] to ρ(s), whatever its form: hop
//! weights, another polynomial, a small network, or a fixed curve to compare with.

mod basis;
mod fixed;

use candle_core::{D, Device, Result, Tensor, Var};

use super::Parameters;
use super::hops;
use super::maps::{Linear, SMALL, activated};
use super::settings::{Activation, FilterLearning, FilterShape, Settings};
use super::slices::with_numbers;
pub use basis::Basis;
pub use fixed::fixed;

/// The learned filter.
#[derive(Debug, Clone)]
pub struct Filter {
    form: Form,
    /// Whether ρ is shifted to ρ(0) = 0 and scaled to the size of s.
    scaled: bool,
}

#[derive(Debug, Clone)]
enum Form {
    /// Σ α_n sⁿ from n = 1 on, with Σ |α_n| = 1.
    Hops {
        scores: Var,
        signed: bool,
    },
    Network {
        first: Linear,
        second: Linear,
        activation: Activation,
        residual: bool,
    },
    Polynomial {
        basis: Basis,
        coefficients: Var,
    },
    Fixed(fn(f64) -> f64),
}

/// Hidden units of the filter's network, as in the paper.
const HIDDEN: usize = 3;
/// The initial weight of hop 1 if there are others; they share the rest.
const NEAREST: f32 = 0.5;
/// Points of [-1, 1] at which the size of a curve is measured.
const SIZE_POINTS: usize = 64;
/// A step changes a free form by at most this share of its size.
const LONGEST_STEP: f32 = 0.05;
/// Maximum number of halvings of a step.
const SHORTENINGS: usize = 12;

impl FilterShape {
    /// Whether it has parameters.
    pub fn is_learned(self) -> bool {
        matches!(
            self,
            Self::Hops
                | Self::SignedHops
                | Self::Mlp
                | Self::ResidualMlp
                | Self::Monomial
                | Self::Chebyshev
                | Self::Bernstein
        )
    }

    /// Whether it weighs walks of no length negatively.
    pub fn is_nonnegative(self) -> bool {
        matches!(
            self,
            Self::Hops | Self::OneHop | Self::TwoHops | Self::ThreeHops | Self::Heat | Self::Ppr
        )
    }

    /// The degree of a polynomial that equals the filter up to rounding; `None` if
    /// there is none of moderate degree.
    ///
    /// ```
    /// use gesf_core::model::settings::FilterShape;
    ///
    /// assert_eq!(FilterShape::Hops.exact_degree(6), Some(6));
    /// assert_eq!(FilterShape::TwoHops.exact_degree(6), Some(2));
    /// assert!(FilterShape::Heat.exact_degree(6).is_some_and(|degree| degree < 30));
    /// assert_eq!(FilterShape::Mlp.exact_degree(6), None);
    /// ```
    pub fn exact_degree(self, degree: usize) -> Option<usize> {
        match self {
            Self::Hops | Self::SignedHops => Some(degree.max(1)),
            Self::Monomial | Self::Chebyshev | Self::Bernstein => Some(degree),
            Self::Mlp | Self::ResidualMlp => None,
            other => fixed::exact_degree(fixed(other)),
        }
    }
}

impl Filter {
    /// The filter of settings. All forms that can represent the identity start near
    /// ρ(s) = s: one step along the edges. One learned on withheld labels keeps the
    /// size of s, which the maps could undo, and has no self term, so that every
    /// form chooses among the same filters as hop weights do.
    pub(super) fn new(parameters: &mut Parameters, settings: &Settings) -> Result<Self> {
        let sizes = (HIDDEN, settings.degree);
        let mut filter = Self::sized(parameters, settings.filter, sizes, settings.activation)?;
        let free = matches!(filter.form, Form::Network { .. } | Form::Polynomial { .. });
        filter.scaled = free && settings.filter_learning == FilterLearning::Withheld;
        if let (true, Form::Network { first, second, activation, residual: false }) =
            (filter.scaled, &filter.form)
        {
            near_identity(first, second, *activation)?;
        }
        Ok(filter)
    }

    /// The same with this many hidden units, if it is a network.
    pub fn sized(
        parameters: &mut Parameters,
        shape: FilterShape,
        (hidden, degree): (usize, usize),
        activation: Activation,
    ) -> Result<Self> {
        let basis = match shape {
            FilterShape::Hops | FilterShape::SignedHops => {
                let signed = shape == FilterShape::SignedHops;
                let start = start_weights(degree.max(1));
                let scores = start.iter().map(|w| if signed { *w } else { w.ln() }).collect();
                let scores = parameters.add("rho.hops", scores, degree.max(1))?;
                return Ok(Self::of(Form::Hops { scores, signed }));
            }
            FilterShape::Mlp | FilterShape::ResidualMlp => {
                let residual = shape == FilterShape::ResidualMlp;
                let scale = if residual { SMALL } else { 1.0 };
                let first = Linear::new(parameters, "rho.1", (1, hidden), 1.0)?;
                let second = Linear::new(parameters, "rho.2", (hidden, 1), scale)?;
                return Ok(Self::of(Form::Network { first, second, activation, residual }));
            }
            FilterShape::Monomial => Basis::Monomial,
            FilterShape::Chebyshev => Basis::Chebyshev,
            FilterShape::Bernstein => Basis::Bernstein,
            fixed_shape => return Ok(Self::of(Form::Fixed(fixed(fixed_shape)))),
        };
        let start = basis.identity(degree);
        let coefficients = parameters.add("rho.coefficients", start, degree + 1)?;
        Ok(Self::of(Form::Polynomial { basis, coefficients }))
    }

    fn of(form: Form) -> Self {
        Self { form, scaled: false }
    }

    /// The filter of settings with parameter values looked up by name.
    pub(crate) fn of_values<'a>(
        settings: &Settings,
        values: impl Fn(&str) -> Option<&'a [f32]>,
    ) -> Result<Self> {
        let mut parameters = Parameters::new(0, &Device::Cpu);
        let filter = Self::new(&mut parameters, settings)?;
        for (name, var) in parameters.iter() {
            let missing = || candle_core::Error::Msg(format!("no parameter {name}"));
            let own = values(name).ok_or_else(missing)?;
            var.set(&Tensor::from_slice(own, var.shape(), &Device::Cpu)?)?;
        }
        Ok(filter)
    }

    /// ρ at the given points.
    pub fn respond(&self, points: &Tensor) -> Result<Tensor> {
        let curve = self.curve(points)?;
        if !self.scaled {
            return Ok(curve);
        }
        let axis: Vec<f32> = [0.0].into_iter().chain(size_points()).collect();
        let squares: f32 = axis.iter().map(|s| s * s).sum();
        let axis = self.curve(&Tensor::from_vec(axis, SIZE_POINTS + 1, points.device())?)?;
        let at_zero = axis.narrow(0, 0, 1)?;
        let moved = axis.narrow(0, 1, SIZE_POINTS)?.broadcast_sub(&at_zero)?;
        let size = ((moved.sqr()?.sum_all()? / f64::from(squares))? + 1e-12)?.sqrt()?;
        curve.broadcast_sub(&at_zero)?.broadcast_div(&size)
    }

    /// The state of a free form learned on withheld labels, to limit its next step.
    pub(crate) fn mark(&self) -> Result<Option<Mark>> {
        let parameters: Vec<&Var> = match &self.form {
            _ if !self.scaled => return Ok(None),
            Form::Network { first, second, .. } => {
                [first, second].into_iter().flat_map(|own| [own.weight(), own.bias()]).collect()
            }
            Form::Polynomial { coefficients, .. } => vec![coefficients],
            Form::Hops { .. } | Form::Fixed(_) => return Ok(None),
        };
        let parameters = parameters.into_iter();
        let parameters = parameters.map(|var| Ok((var.clone(), var.as_tensor().copy()?)));
        Ok(Some(Mark { parameters: parameters.collect::<Result<_>>()?, response: self.sizes()? }))
    }

    /// Shortens a step that changed ρ by too much: near a flat start a normal step
    /// can reverse the sign of ρ, and the maps would have to start over.
    pub(crate) fn hold(&self, mark: &Mark) -> Result<()> {
        let length = |values: &[f32]| values.iter().map(|own| own * own).sum::<f32>().sqrt();
        for _ in 0..SHORTENINGS {
            let now = self.sizes()?;
            let by: Vec<f32> = now.iter().zip(&mark.response).map(|(now, was)| now - was).collect();
            if length(&by) <= LONGEST_STEP * length(&mark.response) {
                return Ok(());
            }
            for (var, before) in &mark.parameters {
                var.set(&((var.as_tensor() + before)? * 0.5)?)?;
            }
        }
        Ok(())
    }

    /// ρ over [-1, 1].
    fn sizes(&self) -> Result<Vec<f32>> {
        let points: Vec<f32> = size_points().collect();
        self.respond(&Tensor::from_vec(points, SIZE_POINTS, &Device::Cpu)?)?.to_vec1()
    }

    fn curve(&self, points: &Tensor) -> Result<Tensor> {
        match &self.form {
            Form::Hops { scores, signed } => {
                let weights = hop_weights(scores, *signed)?;
                let zero = Tensor::zeros(1, weights.dtype(), weights.device())?;
                polynomial(Basis::Monomial, &Tensor::cat(&[&zero, &weights], 0)?, points)
            }
            Form::Network { first, second, activation, residual } => {
                let column = points.unsqueeze(1)?;
                let hidden = activated(&first.forward(&column)?, *activation)?;
                let network = second.forward(&hidden)?.squeeze(1)?;
                if *residual { network + points } else { Ok(network) }
            }
            Form::Polynomial { basis, coefficients } => polynomial(*basis, coefficients, points),
            Form::Fixed(curve) => {
                let at = |s: &f32| curve(f64::from(*s)) as f32;
                let values: Vec<f32> = points.to_vec1::<f32>()?.iter().map(at).collect();
                Tensor::from_vec(values, points.shape(), points.device())
            }
        }
    }

    /// α_1 … α_K of Σ α_n sⁿ, for a polynomial filter of at most this degree.
    pub fn hop_weights(&self, degree: usize) -> Result<Option<Vec<f32>>> {
        match &self.form {
            Form::Hops { scores, signed } => {
                let weights = hop_weights(scores, *signed)?.to_device(&Device::Cpu)?;
                Ok(Some(with_numbers(&weights, <[f32]>::to_vec)?))
            }
            Form::Network { .. } => Ok(None),
            Form::Polynomial { .. } | Form::Fixed(_) => {
                let count = 4 * (degree + 1);
                let angle = |n: usize| std::f64::consts::PI * (n as f64 + 0.5) / count as f64;
                let points: Vec<f64> = (0..count).map(|n| angle(n).cos()).collect();
                let at: Vec<f32> = points.iter().map(|s| *s as f32).collect();
                let response = self.respond(&Tensor::from_vec(at, count, &Device::Cpu)?)?;
                let response: Vec<f64> =
                    response.to_vec1::<f32>()?.into_iter().map(f64::from).collect();
                let found = hops::fit(&points, &response).filter(|found| found.error < 1e-4);
                let narrow = |weight: &f64| *weight as f32;
                Ok(found.map(|found| found.weights.iter().skip(1).map(narrow).collect()))
            }
        }
    }
}

/// The state of a filter before a step.
#[derive(Debug)]
pub(crate) struct Mark {
    parameters: Vec<(Var, Tensor)>,
    response: Vec<f32>,
}

fn size_points() -> impl Iterator<Item = f32> {
    (0..SIZE_POINTS).map(|n| ((2 * n + 1) as f32 / SIZE_POINTS as f32) - 1.0)
}

/// Sets the second layer of a network so that its slope at 0 equals that of s.
fn near_identity(first: &Linear, second: &Linear, activation: Activation) -> Result<()> {
    let hidden = first.bias().as_tensor();
    let slope = match activation {
        Activation::Tanh => (1.0 - hidden.tanh()?.sqr()?)?,
        Activation::Relu => hidden.gt(0.0)?.to_dtype(hidden.dtype())?,
    };
    let slopes = (first.weight().as_tensor().flatten_all()? * slope)?;
    let all = (slopes.sqr()?.sum_all()? + 1e-6)?;
    second.weight().set(&slopes.broadcast_div(&all)?.reshape(second.weight().shape())?)
}

/// Hop 1 gets half the weight, the others share the rest.
fn start_weights(most: usize) -> Vec<f32> {
    let others = (1.0 - NEAREST) / (most.max(2) - 1) as f32;
    (0..most)
        .map(|n| {
            if most == 1 {
                1.0
            } else if n == 0 {
                NEAREST
            } else {
                others
            }
        })
        .collect()
}

/// The weights given by scores: a softmax, or signed shares.
fn hop_weights(scores: &Tensor, signed: bool) -> Result<Tensor> {
    if !signed {
        return candle_nn::ops::softmax(scores, D::Minus1);
    }
    let size = (scores.abs()?.sum_all()? + 1e-12)?;
    scores.broadcast_div(&size)
}

fn polynomial(basis: Basis, coefficients: &Tensor, points: &Tensor) -> Result<Tensor> {
    let degree = coefficients.elem_count() - 1;
    let at = |s: &f32| basis.values(f64::from(*s), degree);
    let rows: Vec<f32> = points.to_vec1::<f32>()?.iter().flat_map(at).collect();
    let shape = (points.elem_count(), degree + 1);
    let table = Tensor::from_vec(rows, shape, points.device())?;
    table.matmul(&coefficients.unsqueeze(1)?)?.squeeze(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(shape: FilterShape, degree: usize) -> (Filter, Parameters) {
        let mut parameters = Parameters::new(0, &Device::Cpu);
        let settings = Settings { filter: shape, degree, ..Settings::default() };
        let filter = Filter::new(&mut parameters, &settings).unwrap();
        (filter, parameters)
    }

    #[test]
    fn hop_weights_start_near_one_hop_and_sum_to_one() {
        for shape in [FilterShape::Hops, FilterShape::SignedHops] {
            for degree in 1..9 {
                let (filter, _) = made(shape, degree);
                let weights = filter.hop_weights(degree).unwrap().unwrap();
                assert_eq!(weights.len(), degree);
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                assert!(weights[0] >= 0.5 - 1e-6);
                let one = Tensor::new(&[1.0_f32], &Device::Cpu).unwrap();
                let at_one = filter.respond(&one).unwrap().to_vec1::<f32>().unwrap()[0];
                assert!((at_one - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn every_free_form_starts_near_s_with_its_size_and_without_self_term() {
        use FilterShape::{Bernstein, Chebyshev, Mlp, Monomial, ResidualMlp};
        let points: Vec<f32> = (0..=40).map(|n| n as f32 / 20.0 - 1.0).collect();
        let axis = Tensor::from_slice(&points, points.len(), &Device::Cpu).unwrap();
        for shape in [Mlp, ResidualMlp, Monomial, Chebyshev, Bernstein] {
            let (filter, parameters) = made(shape, 6);
            let curve = || filter.respond(&axis).unwrap().to_vec1::<f32>().unwrap();
            let far = curve().iter().zip(&points).map(|(r, s)| (r - s).abs()).fold(0.0, f32::max);
            assert!(far < 0.5, "{shape} starts {far} from s");
            for (_, var) in parameters.iter() {
                var.set(&(var.as_tensor() * 7.0).unwrap()).unwrap();
            }
            let now = curve();
            assert!(now[20].abs() < 1e-5, "{shape}: {} at 0", now[20]);
            let size = now.iter().map(|r| r * r).sum::<f32>() / now.len() as f32;
            assert!((0.2..0.5).contains(&size), "{shape}: {size}");
        }
    }

    #[test]
    fn signed_hops_may_subtract() {
        let (filter, parameters) = made(FilterShape::SignedHops, 2);
        let scores = Tensor::new(&[3.0_f32, -1.0], &Device::Cpu).unwrap();
        parameters.get("rho.hops").unwrap().set(&scores).unwrap();
        assert_eq!(filter.hop_weights(2).unwrap().unwrap(), [0.75, -0.25]);
    }

    #[test]
    fn every_polynomial_form_returns_its_hop_weights() {
        let identity = [FilterShape::Monomial, FilterShape::Chebyshev, FilterShape::Bernstein];
        for shape in identity.into_iter().chain([FilterShape::OneHop]) {
            let weights = made(shape, 4).0.hop_weights(4).unwrap().unwrap();
            assert!((weights[0] - 1.0).abs() < 1e-4, "{shape}: {weights:?}");
            assert!(weights[1..].iter().all(|weight| weight.abs() < 1e-3), "{weights:?}");
        }
        let cubed = made(FilterShape::ThreeHops, 6).0.hop_weights(3).unwrap().unwrap();
        assert!((cubed[2] - 1.0).abs() < 1e-4 && cubed.len() == 3, "{cubed:?}");
        assert_eq!(made(FilterShape::Mlp, 6).0.hop_weights(6).unwrap(), None);
    }
}
