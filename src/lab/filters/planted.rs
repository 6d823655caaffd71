//! A filter planted on a graph: signals that went in, and what came out.

use std::sync::Arc;

use candle_core::{Device, Tensor};

use super::Target;
use crate::lab::LabError;
use crate::model::random::{normal, stream};
use crate::spectral::{EigenOperator, Operator, SelfTerm, Signal, Spectrum};

/// Eigenvalues closer than this, as a share of the largest, are one.
const APART: f64 = 1e-6;
/// A stretch without eigenvalues that is worth pointing out.
const WIDE: f64 = 0.12;

/// Less of the signals than this, and what came out counts as silence.
const SILENT: f64 = 1e-3;

/// A stretch of [-1, 1] without an eigenvalue: nothing was measured there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// Signals and what the planted filter made of them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::lab::filters::{Planted, Stage, Target};
///
/// // A star has the frequencies 1, 0 and −1, and nothing in between.
/// let star = Planted::new(&Stage::Star.spectrum()?, Target::Low, 2, 1)?;
/// assert_eq!((star.distinct().len(), star.gaps().len()), (3, 2));
/// assert!(star.floor() < 1e-9);
/// // On a ring pairs of waves share a frequency: no filter tells them apart.
/// let ring = Planted::new(&Stage::Ring.spectrum()?, Target::EveryOther, 2, 1)?;
/// assert!(ring.repeated() > 0 && ring.floor() > 0.01);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Planted {
    target: Target,
    pub(super) operator: Arc<dyn Operator>,
    /// s of each distinct eigenvalue, with how many eigenvectors share it.
    distinct: Vec<(f64, usize)>,
    /// X and Y, a column a signal.
    pub(super) signals: Tensor,
    pub(super) wanted: Tensor,
    /// ‖Y‖², by which losses are divided; a little of ‖X‖² where that is 0.
    pub(super) size: f64,
    floor: f64,
}

impl Planted {
    /// Plants a target on a spectrum and sends some random signals through it.
    pub fn new(
        spectrum: &Arc<Spectrum>,
        target: Target,
        signals: usize,
        seed: u64,
    ) -> Result<Self, LabError> {
        let (nodes, width) = (spectrum.nodes(), signals.max(1));
        if spectrum.count() == 0 {
            return Err(LabError::Nothing {
                what: "a filter to plant",
                found: "a graph without eigenpairs".to_owned(),
                expected: "at least one".to_owned(),
                advice: "choose one of the graphs of the experiment".to_owned(),
            });
        }
        let operator: Arc<dyn Operator> = Arc::new(EigenOperator::new(spectrum.clone()));
        let values = normal(&mut stream(seed, "filters: signals"), nodes * width, 1.0);
        let wished = target.response(operator.points());
        let input = Signal { values: &values, width };
        let output = operator.apply(&wished, input, SelfTerm::Keep, &[])?.output;
        let square = |values: &[f32]| values.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
        // A filter that stops all this graph has leaves nothing to divide by.
        let size = square(&output).max(SILENT * square(&values));
        let scale = spectrum.scale();
        let distinct: Vec<(f64, usize)> = spectrum
            .multiplicities(APART)
            .into_iter()
            .map(|(value, n)| (value / scale, n))
            .collect();
        let energies = energies(spectrum, &values, width);
        let floor = floor(&distinct, &wished, &energies) / size;
        Ok(Self {
            signals: Tensor::from_vec(values, (nodes, width), &Device::Cpu)?,
            wanted: Tensor::from_vec(output, (nodes, width), &Device::Cpu)?,
            target,
            operator,
            distinct,
            size,
            floor,
        })
    }

    /// What was planted.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// s of each distinct eigenvalue, highest first, and how often it occurs.
    pub fn distinct(&self) -> &[(f64, usize)] {
        &self.distinct
    }

    /// How many eigenvalues are shared by several eigenvectors.
    pub fn repeated(&self) -> usize {
        self.distinct.iter().filter(|(_, count)| *count > 1).count()
    }

    /// The wide stretches without an eigenvalue, from −1 up.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut ends = vec![-1.0];
        ends.extend(self.distinct.iter().rev().map(|(s, _)| *s));
        ends.push(1.0);
        let stretches = ends.windows(2).map(|pair| Gap { from: pair[0], to: pair[1] });
        stretches.filter(|gap| gap.to - gap.from > WIDE).collect()
    }

    /// The least loss that any filter can reach, as a share of ‖Y‖²: 0 unless
    /// eigenvectors of one eigenvalue were treated differently.
    pub fn floor(&self) -> f64 {
        self.floor
    }
}

/// How much of the signals lies along each eigenvector: Σ (uᵀx)².
fn energies(spectrum: &Spectrum, values: &[f32], width: usize) -> Vec<f64> {
    let count = spectrum.count();
    let mut sums = vec![0.0; count * width];
    for (row, x) in spectrum.vectors().chunks(count).zip(values.chunks(width)) {
        for (sums, u) in sums.chunks_mut(width).zip(row) {
            sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += f64::from(*u) * f64::from(*x));
        }
    }
    sums.chunks(width).map(|own| own.iter().map(|sum| sum * sum).sum()).collect()
}

/// What is left when each distinct eigenvalue gets its best single value.
fn floor(distinct: &[(f64, usize)], wished: &[f32], energies: &[f64]) -> f64 {
    let mut from = 0;
    let mut left = 0.0;
    for (_, count) in distinct {
        let own = from..from + count;
        let pairs = || wished[own.clone()].iter().zip(&energies[own.clone()]);
        let whole: f64 = pairs().map(|(_, energy)| energy).sum();
        let mean = pairs().map(|(rho, energy)| f64::from(*rho) * energy).sum::<f64>() / whole;
        if whole > 0.0 {
            left += pairs().map(|(rho, e)| (f64::from(*rho) - mean).powi(2) * e).sum::<f64>();
        }
        from += count;
    }
    left
}
