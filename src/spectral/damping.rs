//! The Chebyshev filter of the block engine: a polynomial of M that stays
//! within ±1 on the unwanted stretch of the spectrum and grows as fast as any
//! polynomial can outside it.

use super::bounds::Interval;
use super::density::Density;
use super::progress::{Monitor, Stage};
use super::sparse::Step;
use super::subspace::{PANEL, Panel};
use super::{Sparse, SpectralError, Which};

/// The stretch of the spectrum to damp.
#[derive(Debug, Clone, Copy)]
pub(super) struct Damping {
    centre: f64,
    half: f64,
}

impl Damping {
    pub(super) fn on(stretch: Interval) -> Self {
        Self { centre: f64::midpoint(stretch.low, stretch.high), half: stretch.half() }
    }

    /// Whether there is nothing to damp: all eigenvalues are the same.
    pub(super) fn is_void(self) -> bool {
        self.half <= f64::EPSILON * self.centre.abs() || self.half < f64::MIN_POSITIVE
    }

    /// How fast a direction with this eigenvalue grows: e^(rate · degree) / 2
    /// against at most 1 inside the damped stretch.
    pub(super) fn rate(self, value: f64) -> f64 {
        let outside = ((value - self.centre) / self.half).abs();
        if outside > 1.0 { outside.acosh() } else { 0.0 }
    }

    /// Filters a panel in place and scales its columns to length 1.
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

/// The stretch that leaves out about `width` wanted eigenvalues, by density.
pub(super) fn stretch_by_density(
    density: &Density,
    which: Which,
    width: usize,
    ends: Interval,
) -> Interval {
    let (all, count) = (density.nodes() as f64, width as f64);
    match which {
        Which::Highest | Which::All => {
            Interval { low: ends.low, high: density.value_with_above(count) }
        }
        Which::LargestMagnitude => {
            let high = density.magnitude_with_beyond(count);
            Interval { low: -high, high }
        }
        Which::BothEnds => Interval {
            low: density.value_with_above(all - count / 2.0),
            high: density.value_with_above(count / 2.0),
        },
    }
}

/// The stretch between the `rank` most wanted Ritz values.
pub(super) fn stretch_by_ritz(
    values: &[f64],
    ranked: &[usize],
    rank: usize,
    which: Which,
    ends: Interval,
) -> Interval {
    let mut best: Vec<f64> = ranked.iter().take(rank).map(|&n| values[n]).collect();
    best.sort_by(f64::total_cmp);
    let Some(&first) = best.first() else { return ends };
    match which {
        Which::Highest | Which::All => Interval { low: ends.low, high: first },
        Which::LargestMagnitude => {
            let high = best.iter().map(|value| value.abs()).fold(f64::INFINITY, f64::min);
            Interval { low: -high, high }
        }
        Which::BothEnds => {
            let bottom = best.len() / 2;
            let low = if bottom > 0 { best[bottom - 1] } else { ends.low };
            Interval { low, high: best[bottom] }
        }
    }
}
