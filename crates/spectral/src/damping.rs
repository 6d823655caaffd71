//! The Chebyshev filter of the block engine: a polynomial of M that stays within ±1
//! on the unwanted interval of the spectrum and grows as fast as possible outside
//! it.

use super::bounds::Interval;
use super::panels::Step;
use super::progress::{Monitor, Stage};
use super::subspace::{PANEL, Panel};
use super::{Sparse, SpectralError};

/// The interval of the spectrum to damp.
#[derive(Debug, Clone, Copy)]
pub(super) struct Damping {
    centre: f64,
    half: f64,
}

impl Damping {
    pub(super) fn on(stretch: Interval) -> Self {
        Self { centre: f64::midpoint(stretch.low, stretch.high), half: stretch.half() }
    }

    /// Whether there is nothing to damp: all eigenvalues are equal.
    pub(super) fn is_void(self) -> bool {
        self.half <= f64::EPSILON * self.centre.abs() || self.half < f64::MIN_POSITIVE
    }

    /// How fast a direction with this eigenvalue grows: e^(rate · degree) / 2
    /// against at most 1 inside the damped interval.
    pub(super) fn rate(self, value: f64) -> f64 {
        let outside = ((value - self.centre) / self.half).abs();
        if outside > 1.0 { outside.acosh() } else { 0.0 }
    }

    /// Filters a panel in place and normalises its columns.
    pub(super) fn apply(
        self,
        matrix: &Sparse<f64>,
        degree: usize,
        panel: &mut Panel,
        other: &mut Panel,
        monitor: &Monitor,
    ) -> Result<(), SpectralError> {
        let (unit, centre) = (self.half.recip(), self.centre);
        for n in 1..=degree {
            monitor.check(Stage::Filter)?;
            // T_1 = y, T_n = 2 y T_n-1 − T_n-2 with y = (M − centre) / half.
            let twice = if n == 1 { 1.0 } else { 2.0 };
            let step = Step {
                product: twice * unit,
                shift: -twice * unit * centre,
                keep: if n == 1 { 0.0 } else { -1.0 },
            };
            matrix.step(step, panel, other);
            std::mem::swap(panel, other);
        }
        scale_columns(panel);
        Ok(())
    }
}

fn scale_columns(panel: &mut Panel) {
    let mut sums = [0.0; PANEL];
    for row in panel.iter() {
        for lane in 0..PANEL {
            sums[lane] += row[lane] * row[lane];
        }
    }
    let scale = sums.map(|sum: f64| if sum > 0.0 { sum.sqrt().recip() } else { 1.0 });
    for row in panel.iter_mut() {
        for lane in 0..PANEL {
            row[lane] *= scale[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::tests::symmetric;
    use super::*;

    #[test]
    fn damped_components_fade_and_wanted_ones_remain() {
        let diagonal: Vec<_> = (0..5).map(|n| (n, n, f64::from(n as u32) / 4.0)).collect();
        let matrix = symmetric(5, &diagonal);
        let damping = Damping::on(Interval { low: 0.0, high: 0.8 });
        let (mut panel, mut other) = (vec![[1.0; PANEL]; 5], vec![[0.0; PANEL]; 5]);
        damping.apply(&matrix, 20, &mut panel, &mut other, &Monitor::silent()).unwrap();
        assert!(panel[..4].iter().all(|row| row[3].abs() < 1e-6), "{panel:?}");
        assert!((panel[4][3].abs() - 1.0).abs() < 1e-9);
        let growth = (20.0 * damping.rate(1.0)).cosh();
        assert!(growth > 1e6, "{growth}");
    }

    #[test]
    fn an_interval_of_one_point_damps_nothing() {
        assert!(Damping::on(Interval { low: 1.0, high: 1.0 }).is_void());
        assert!(Damping::on(Interval { low: 0.0, high: 0.0 }).is_void());
    }
}
