//! A filter planted on a graph: input signals and filtered signals.

use std::sync::Arc;

use candle_core::{Device, Tensor};

use super::PlantedFilter;
use crate::LabError;
use gesf_core::model::random::{normal, stream};
use gesf_spectral::{EigenOperator, Operator, SelfTerm, Signal, Spectrum};

/// Eigenvalues closer than this share of the largest count as equal.
const APART: f64 = 1e-6;
/// Minimum width of a gap between eigenvalues that is reported.
const WIDE: f64 = 0.12;

/// Below this share of the input, the output counts as zero.
const SILENT: f64 = 1e-3;

/// An interval of [-1, 1] without an eigenvalue, where the filter is undetermined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// Signals and their output of the planted filter.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_lab::filters::{Planted, SyntheticGraph, PlantedFilter};
///
/// // A star has the eigenvalues 1, 0 and −1, and none in between.
/// let star = Planted::new(&SyntheticGraph::Star.spectrum()?, PlantedFilter::Low, 2, 1)?;
/// assert_eq!((star.distinct().len(), star.gaps().len()), (3, 2));
/// assert!(star.floor() < 1e-9);
/// // On a ring pairs of eigenvectors share an eigenvalue: no filter separates them.
/// let ring = Planted::new(&SyntheticGraph::Ring.spectrum()?, PlantedFilter::EveryOther, 2, 1)?;
/// assert!(ring.repeated() > 0 && ring.floor() > 0.01);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Planted {
    target: PlantedFilter,
    pub(super) operator: Arc<dyn Operator>,
    /// s of each distinct eigenvalue, with its multiplicity.
    distinct: Vec<(f64, usize)>,
    /// X and Y, one column per signal.
    pub(super) signals: Tensor,
    pub(super) wanted: Tensor,
    /// ‖Y‖², by which losses are divided; a small share of ‖X‖² if it is 0.
    pub(super) size: f64,
    floor: f64,
}

impl Planted {
    /// Plants a target on a spectrum and filters random signals with it.
    pub fn new(
        spectrum: &Arc<Spectrum>,
        target: PlantedFilter,
        signals: usize,
        seed: u64,
    ) -> Result<Self, LabError> {
        let (nodes, width) = (spectrum.nodes(), signals.max(1));
        if spectrum.count() == 0 {
            return Err(LabError::Nothing {
                what: "a filter to plant",
                found: "a graph without eigenpairs".to_owned(),
                expected: "at least one".to_owned(),
                advice: "choose one of the experiment's graphs".to_owned(),
            });
        }
        let operator: Arc<dyn Operator> = Arc::new(EigenOperator::new(spectrum.clone()));
        let values = normal(&mut stream(seed, "filters: signals"), nodes * width, 1.0);
        let wished = target.response(operator.points());
        let input = Signal { values: &values, width };
        let output = operator.apply(&wished, input, SelfTerm::Keep, &[])?.output;
        let square = |values: &[f32]| values.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
        // A filter that blocks the whole spectrum would give a division by zero.
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

    /// The planted filter.
    pub fn target(&self) -> &PlantedFilter {
        &self.target
    }

    /// s of each distinct eigenvalue, highest first, with its multiplicity.
    pub fn distinct(&self) -> &[(f64, usize)] {
        &self.distinct
    }

    /// How many eigenvalues have several eigenvectors.
    pub fn repeated(&self) -> usize {
        self.distinct.iter().filter(|(_, count)| *count > 1).count()
    }

    /// The wide gaps between eigenvalues, from −1 up.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut ends = vec![-1.0];
        ends.extend(self.distinct.iter().rev().map(|(s, _)| *s));
        ends.push(1.0);
        let stretches = ends.windows(2).map(|pair| Gap { from: pair[0], to: pair[1] });
        stretches.filter(|gap| gap.to - gap.from > WIDE).collect()
    }

    /// The smallest loss of any filter, relative to ‖Y‖²: 0 unless eigenvectors
    /// with the same eigenvalue were treated differently.
    pub fn floor(&self) -> f64 {
        self.floor
    }
}

/// The energy of the signals along each eigenvector: Σ (uᵀx)².
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

/// The loss when each distinct eigenvalue gets its best single value.
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
