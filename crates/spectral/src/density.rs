//! The density of a spectrum without computing eigenvalues: the kernel polynomial
//! method. Moments μ_n = tr T_n(M/scale) / N come from random sign vectors;
//! Jackson's kernel keeps the sum of cosines positive and without ringing.

use std::f64::consts::PI;
use std::sync::Arc;

use super::bounds::Interval;
use super::panels::Step;
use super::progress::{Monitor, Stage};
use super::random::signs;
use super::{Cancel, Matrix, Progress, SpectralError, bounds, progress};

/// Sign vectors probed at once.
const PROBES: usize = 16;

/// Up to this many nodes, white noise on them is averaged exactly.
const FEW: usize = 64;
/// Samples of white noise on more nodes.
const NOISES: usize = 32;

/// A smooth estimate of the distribution of the eigenvalues of a matrix.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_spectral::{Cancel, Density, decompose};
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let kind = gesf_spectral::MatrixKind::SymLoops;
/// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
/// # let matrix = std::sync::Arc::new(matrix);
/// let density = Density::of(&matrix, 32, &Cancel::default(), &mut |_| {})?;
/// // All eigenvalues are counted, and about as many above 0 as there really are.
/// assert!((density.histogram(10).iter().sum::<f64>() - 34.0).abs() < 1e-6);
/// let all = &Default::default();
/// let exact = decompose(&matrix, all, &Cancel::default(), &mut |_| {})?;
/// let above = exact.values().iter().filter(|value| **value > 0.0).count();
/// assert!((density.count_above(0.0) - above as f64).abs() < 4.0);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    nodes: usize,
    scale: f64,
    /// μ_n times Jackson's factor g_n.
    moments: Vec<f64>,
}

impl Density {
    /// Estimates the density with `moments` Chebyshev moments; its resolution
    /// is about π/moments of the spectrum's half width.
    pub fn of(
        matrix: &Arc<Matrix>,
        moments: usize,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, SpectralError> {
        let matrix = matrix.clone();
        progress::supervise(cancel, watch, move |monitor| {
            let ends = bounds::spectrum_bounds(&matrix, &monitor)?;
            Self::estimate(&matrix, ends, moments, 1, &monitor)
        })
    }

    /// How the energy of signals on the nodes is distributed over the eigenvalues:
    /// [`Density::histogram`] then gives shares of it, which add up to 1. The density
    /// of the whole spectrum is that of all unit vectors.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_spectral::{Cancel, Density, decompose};
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// # let kind = gesf_spectral::MatrixKind::SymLoops;
    /// # let matrix = gesf_spectral::Matrix::of(&graph, kind, gesf_spectral::EdgeValues::Weighted)?;
    /// # let matrix = std::sync::Arc::new(matrix);
    /// let (cancel, all) = (Cancel::default(), Default::default());
    /// let spectrum = decompose(&matrix, &all, &cancel, &mut |_| {})?;
    /// // An eigenvector has all its energy at its own eigenvalue.
    /// let rows = spectrum.vectors().chunks(spectrum.count());
    /// let signal: Vec<f64> = rows.map(|row| f64::from(row[2])).collect();
    /// let energy = Density::of_signals(&matrix, vec![signal], 128, &cancel, &mut |_| {})?;
    /// let above = |shift: f64| energy.count_above((spectrum.values()[2] + shift) / energy.scale());
    /// assert!(above(0.1) < 0.02 && above(-0.1) > 0.98);
    /// # Ok(()) }
    /// ```
    pub fn of_signals(
        matrix: &Arc<Matrix>,
        signals: Vec<Vec<f64>>,
        moments: usize,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, SpectralError> {
        let matrix = matrix.clone();
        progress::supervise(cancel, watch, move |monitor| {
            let scale = positive(bounds::spectrum_bounds(&matrix, &monitor)?.magnitude());
            let mut sums = vec![0.0; moments.max(2)];
            for some in signals.chunks(PROBES) {
                let entry = |signal: Option<&Vec<f64>>, node: usize| {
                    signal.and_then(|own| own.get(node)).copied().unwrap_or(0.0)
                };
                let row = |node| std::array::from_fn(|lane| entry(some.get(lane), node));
                let panel = (0..matrix.size()).map(row).collect();
                add_moments(&matrix, scale, panel, &mut sums, &monitor)?;
            }
            let energy = positive(sums[0]);
            let kernel = jackson(sums.len());
            let moments = sums.iter().zip(kernel).map(|(sum, own)| own * sum / energy).collect();
            Ok(Self { nodes: 1, scale, moments })
        })
    }

    /// The energy distribution of white noise on some nodes: what signals on them have
    /// on average if they ignore the edges.
    pub fn of_nodes(
        matrix: &Arc<Matrix>,
        nodes: &[usize],
        moments: usize,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, SpectralError> {
        let size = matrix.size();
        let signals = if nodes.len() <= FEW {
            let unit = |&node: &usize| {
                let mut signal = vec![0.0; size];
                if let Some(entry) = signal.get_mut(node) {
                    *entry = 1.0;
                }
                signal
            };
            nodes.iter().map(unit).collect()
        } else {
            let signs: Vec<[f64; NOISES]> = signs(nodes.len(), 0xdead_1000);
            let noise = |lane: usize| {
                let mut signal = vec![0.0; size];
                for (&node, signs) in nodes.iter().zip(&signs) {
                    if let Some(entry) = signal.get_mut(node) {
                        *entry = signs[lane];
                    }
                }
                signal
            };
            (0..NOISES).map(noise).collect()
        };
        Self::of_signals(matrix, signals, moments, cancel, watch)
    }

    /// The same on the calling thread, for a spectrum inside `ends`.
    pub(super) fn estimate(
        matrix: &Matrix,
        ends: Interval,
        moments: usize,
        rounds: usize,
        monitor: &Monitor,
    ) -> Result<Self, SpectralError> {
        let (size, scale) = (matrix.size(), positive(ends.magnitude()));
        let mut sums = vec![0.0; moments.max(2)];
        for round in 0..rounds {
            let seed = 0xdead_0000 + round as u64;
            add_moments(matrix, scale, signs(size, seed), &mut sums, monitor)?;
        }
        let all = positive((size * PROBES * rounds) as f64);
        let kernel = jackson(sums.len());
        let moments = sums.iter().zip(kernel).map(|(sum, factor)| factor * sum / all).collect();
        Ok(Self { nodes: size, scale, moments })
    }

    /// How many eigenvalues there are in all: N.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// What s = 1 stands for: σ = s · scale.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The density at s in (-1, 1), scaled so that it integrates to 1.
    pub fn at(&self, s: f64) -> f64 {
        let angle = s.clamp(-1.0, 1.0).acos();
        let waves = self.moments.iter().enumerate().skip(1);
        let sum: f64 = waves.map(|(n, context)| context * (n as f64 * angle).cos()).sum();
        (self.moments[0] + 2.0 * sum) / (PI * angle.sin().max(1e-6))
    }

    /// The approximate number of eigenvalues above s · scale.
    pub fn count_above(&self, s: f64) -> f64 {
        let angle = s.clamp(-1.0, 1.0).acos();
        let waves = self.moments.iter().enumerate().skip(1);
        let sum: f64 =
            waves.map(|(n, context)| context * (n as f64 * angle).sin() / n as f64).sum();
        self.nodes as f64 * (self.moments[0] * angle + 2.0 * sum) / PI
    }

    /// The approximate number of eigenvalues in each of `bins` equal parts of [-1,
    /// 1].
    pub fn histogram(&self, bins: usize) -> Vec<f64> {
        let edge = |bin: usize| 2.0 * bin as f64 / bins as f64 - 1.0;
        (0..bins)
            .map(|bin| (self.count_above(edge(bin)) - self.count_above(edge(bin + 1))).max(0.0))
            .collect()
    }

    /// The σ above which about `count` eigenvalues lie.
    pub(super) fn value_with_above(&self, count: f64) -> f64 {
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if self.count_above(middle) > count { low = middle } else { high = middle }
        }
        low * self.scale
    }

    /// The magnitude beyond which about `count` eigenvalues lie.
    pub(super) fn magnitude_with_beyond(&self, count: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let all = self.nodes as f64;
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            let beyond = self.count_above(middle) + all - self.count_above(-middle);
            if beyond > count { low = middle } else { high = middle }
        }
        low * self.scale
    }
}

/// Adds zᵀ T_n(M/scale) z over the probes. Two moments for every product:
/// T_2n = 2 T_n² − T_0 and T_2n+1 = 2 T_n+1 T_n − T_1.
fn add_moments(
    matrix: &Matrix,
    scale: f64,
    probes: Vec<[f64; PROBES]>,
    sums: &mut [f64],
    monitor: &Monitor,
) -> Result<(), SpectralError> {
    let entries = matrix.entries();
    let inner = |a: &[[f64; PROBES]], b: &[[f64; PROBES]]| -> f64 {
        a.iter().zip(b).map(|(x, y)| (0..PROBES).map(|lane| x[lane] * y[lane]).sum::<f64>()).sum()
    };
    let mut before = probes;
    let mut now = vec![[0.0; PROBES]; before.len()];
    entries.par_step(Step { product: 1.0 / scale, ..Step::PRODUCT }, &before, &mut now);
    let (first, second) = (inner(&before, &before), inner(&now, &before));
    sums[0] += first;
    sums[1] += second;
    for n in 1..sums.len().div_ceil(2) {
        monitor.report(Stage::Probe, n, sums.len() / 2)?;
        sums[2 * n] += 2.0 * inner(&now, &now) - first;
        let step = Step { product: 2.0 / scale, shift: 0.0, keep: -1.0 };
        entries.par_step(step, &now, &mut before);
        std::mem::swap(&mut before, &mut now);
        if let Some(odd) = sums.get_mut(2 * n + 1) {
            *odd += 2.0 * inner(&now, &before) - second;
        }
    }
    Ok(())
}

/// Jackson's kernel g_n for a sum of `count` terms.
fn jackson(count: usize) -> Vec<f64> {
    let turn = PI / (count + 1) as f64;
    let left = |n: usize| (count - n + 1) as f64;
    (0..count)
        .map(|n| {
            let angle = turn * n as f64;
            (left(n) * angle.cos() + angle.sin() / turn.tan()) / (count + 1) as f64
        })
        .collect()
}

fn positive(number: f64) -> f64 {
    if number > 0.0 { number } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::MatrixKind;
    use super::super::sparse::tests::symmetric;
    use super::*;

    /// Eigenvalues spread evenly over (-1, 1).
    fn even(size: usize) -> Density {
        let value = |n: usize| 2.0 * (n as f64 + 0.5) / size as f64 - 1.0;
        let diagonal: Vec<_> = (0..size).map(|n| (n, n, value(n))).collect();
        let matrix = Matrix::new(MatrixKind::Adjacency, symmetric(size, &diagonal)).unwrap();
        let ends = Interval { low: -1.0, high: 1.0 };
        Density::estimate(&matrix, ends, 100, 1, &Monitor::silent()).unwrap()
    }

    #[test]
    fn a_uniform_spectrum_has_a_uniform_density() {
        let density = even(1000);
        for s in [-0.8, -0.3, 0.0, 0.5, 0.9] {
            assert!((density.at(s) - 0.5).abs() < 0.02, "{}", density.at(s));
            assert!((density.count_above(s) - 500.0 * (1.0 - s)).abs() < 10.0);
        }
        assert!((density.histogram(10)[4] - 100.0).abs() < 5.0);
    }

    #[test]
    fn white_noise_on_all_nodes_has_the_density_of_the_spectrum() {
        let value = |n: usize| 2.0 * (n as f64 + 0.5) / 1000.0 - 1.0;
        let diagonal: Vec<_> = (0..1000).map(|n| (n, n, value(n))).collect();
        let matrix = Matrix::new(MatrixKind::Adjacency, symmetric(1000, &diagonal)).unwrap();
        let all: Vec<usize> = (0..1000).collect();
        let noise = Density::of_nodes(&Arc::new(matrix), &all, 64, &Cancel::default(), &mut |_| {});
        for share in noise.unwrap().histogram(10) {
            assert!((share - 0.1).abs() < 0.01, "{share}");
        }
    }

    #[test]
    fn a_count_maps_back_to_its_value() {
        let density = even(1000);
        assert!((density.value_with_above(250.0) - 0.5).abs() < 0.02);
        assert!((density.magnitude_with_beyond(500.0) - 0.5).abs() < 0.02);
    }
}
