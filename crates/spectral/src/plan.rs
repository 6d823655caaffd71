//! Plans the next pass of the block engine: which interval of the spectrum is
//! damped, and the filter degree of each panel.

use super::Which;
use super::bounds::Interval;
use super::damping::Damping;
use super::density::Density;
use super::subspace::PANEL;

/// Maximum degree of a pass.
const MOST_DEGREE: f64 = 300.0;
/// The slowest wanted column should not need a higher degree than this.
const PATIENT_DEGREE: f64 = 150.0;
/// Number of passes that use the damped interval estimated from the density.
const TRUSTED_PASSES: usize = 3;
/// With residuals below this share of max|σ|, Ritz values are used as eigenvalues.
const SETTLED: f64 = 1e-2;
/// ln of the largest spread of growth for a random start: beyond it the first
/// eigenvectors dominate all columns and their Gram matrix loses rank.
const START_SPREAD: f64 = 16.0;
/// The same for Ritz vectors, each dominated by its own eigenvector: there the
/// rounding of f64 is the limit.
const SPREAD: f64 = 30.0;

/// The result of a pass.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Ritz values, ascending.
    pub values: Vec<f64>,
    /// The residual of each.
    pub residuals: Vec<f64>,
    /// All positions, from the most to the least wanted.
    pub ranked: Vec<usize>,
    /// The positions of the requested pairs.
    pub wanted: Vec<usize>,
    /// The largest residual among them.
    pub worst: f64,
    /// How many of them have converged.
    pub converged: usize,
}

impl Seen {
    pub(super) fn of(
        values: Vec<f64>,
        residuals: Vec<f64>,
        count: usize,
        which: Which,
        target: f64,
    ) -> Self {
        let ranked = which.ranked(&values);
        let wanted: Vec<usize> = ranked.iter().copied().take(count).collect();
        let worst = wanted.iter().map(|&n| residuals[n]).fold(0.0, f64::max);
        let converged = wanted.iter().filter(|&&n| residuals[n] <= target).count();
        Self { values, residuals, ranked, wanted, worst, converged }
    }
}

/// The next pass.
#[derive(Debug)]
pub(super) struct Plan {
    /// The interval to damp.
    pub stretch: Interval,
    /// The degree for every panel.
    pub degrees: Vec<usize>,
    guess: Interval,
    which: Which,
    count: usize,
    ends: Interval,
    target: f64,
}

impl Plan {
    /// The first pass, on random columns: `sizes` are the numbers of requested
    /// pairs and of columns.
    pub(super) fn start(
        density: &Density,
        which: Which,
        sizes: (usize, usize),
        ends: Interval,
        target: f64,
    ) -> Self {
        let guess = stretch_by_density(density, which, sizes.1, ends);
        let damping = Damping::on(guess);
        let fastest = damping.rate(ends.high).max(damping.rate(ends.low));
        // The highest degree that a random start allows.
        let degree = (START_SPREAD / fastest.max(1e-9)).clamp(4.0, MOST_DEGREE) as usize;
        let degrees = vec![degree; sizes.1 / PANEL];
        Self { stretch: guess, degrees, guess, which, count: sizes.0, ends, target }
    }

    /// Plans the pass after `pass`.
    pub(super) fn advance(&mut self, pass: usize, seen: &Seen) {
        self.stretch = self.next_stretch(pass, seen);
        if pass >= TRUSTED_PASSES || seen.worst <= SETTLED * self.ends.magnitude() {
            self.stretch = self.drawn_back(seen);
        }
        self.degrees = self.next_degrees(seen);
    }

    /// In early passes the last Ritz values of a block lag far behind and the
    /// density is more accurate; later the estimate is limited to the middle of the
    /// spare columns, so that an error in it cannot damp wanted eigenvalues.
    fn next_stretch(&self, pass: usize, seen: &Seen) -> Interval {
        let by = |rank: usize| stretch_by_ritz(seen, rank, self.which, self.ends);
        let held = self.guess.within(by(usize::midpoint(self.count, seen.ranked.len())));
        match self.which {
            _ if pass < TRUSTED_PASSES || held.low >= held.high => self.guess,
            // The gap between the two middle Ritz values has no meaning here.
            Which::BothEnds => held,
            _ => by(seen.ranked.len()).around(held),
        }
    }

    /// The interval, moved away from the wanted values if it comes so close that
    /// they would not grow. This happens if more eigenvalues are equal than there
    /// are columns, so that spare columns have the same value as the wanted ones.
    fn drawn_back(&self, seen: &Seen) -> Interval {
        let Interval { low, high } = self.stretch;
        let slowest = growth(seen.worst, self.target).ln() / PATIENT_DEGREE;
        let wanted = seen.wanted.iter().map(|&n| seen.values[n]);
        if self.which == Which::Highest {
            // (σ − centre) / half = cosh(rate), with a fixed lower end.
            let least = wanted.fold(f64::INFINITY, f64::min);
            let half = ((least - low) / (1.0 + slowest.cosh())).max(0.0);
            return Interval { low, high: low + 2.0 * half.min(self.stretch.half()) };
        }
        let centre = f64::midpoint(low, high);
        let nearest = wanted.map(|value| (value - centre).abs()).fold(f64::INFINITY, f64::min);
        let half = self.stretch.half().min(nearest / slowest.cosh());
        Interval { low: centre - half, high: centre + half }
    }

    /// For every panel the degree that its slowest unconverged column needs.
    fn next_degrees(&self, seen: &Seen) -> Vec<usize> {
        let damping = Damping::on(self.stretch);
        let rate = |n: usize| damping.rate(seen.values[n]);
        let fastest = damping.rate(self.ends.high).max(damping.rate(self.ends.low));
        let slowest = seen.wanted.iter().map(|&n| rate(n)).fold(f64::INFINITY, f64::min);
        let most = (SPREAD / (fastest - slowest).max(1e-9)).clamp(2.0, MOST_DEGREE);
        let mut degrees = vec![0; self.degrees.len()];
        let mut guards = vec![true; self.degrees.len() * PANEL];
        for &n in &seen.wanted {
            guards[n] = false;
            if seen.residuals[n] > self.target {
                let need = growth(seen.residuals[n], self.target).ln() / rate(n).max(1e-9);
                let degree = need.clamp(2.0, most).ceil() as usize;
                degrees[n / PANEL] = degree.max(degrees[n / PANEL]);
            }
        }
        // The spare columns protect the last wanted ones and are filtered like
        // them.
        let highest = degrees.iter().copied().max().unwrap_or(0);
        for (degree, guards) in degrees.iter_mut().zip(guards.chunks(PANEL)) {
            if guards.contains(&true) {
                *degree = highest;
            }
        }
        degrees
    }
}

/// The growth that a wanted direction needs over the unwanted ones, with a factor 2
/// for the ½ in cosh and another 2 to get below the target.
fn growth(residual: f64, target: f64) -> f64 {
    4.0 * (residual / target).max(1.0)
}

/// The interval that leaves out about `width` wanted eigenvalues, by density.
fn stretch_by_density(density: &Density, which: Which, width: usize, ends: Interval) -> Interval {
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

/// The interval between the `rank` most wanted Ritz values.
fn stretch_by_ritz(seen: &Seen, rank: usize, which: Which, ends: Interval) -> Interval {
    let mut best: Vec<f64> = seen.ranked.iter().take(rank).map(|&n| seen.values[n]).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: Interval = Interval { low: -1.0, high: 1.0 };

    fn seen(values: &[f64], residual: f64, count: usize, which: Which) -> Seen {
        Seen::of(values.to_vec(), vec![residual; values.len()], count, which, 1e-6)
    }

    #[test]
    fn the_interval_ends_where_the_wanted_values_begin() {
        let values = [-0.9, -0.5, 0.1, 0.6, 1.0];
        let of = |which, rank| stretch_by_ritz(&seen(&values, 0.0, 2, which), rank, which, ENDS);
        assert_eq!(of(Which::Highest, 2), Interval { low: -1.0, high: 0.6 });
        assert_eq!(of(Which::LargestMagnitude, 3), Interval { low: -0.6, high: 0.6 });
        assert_eq!(of(Which::BothEnds, 4), Interval { low: -0.5, high: 0.6 });
    }

    #[test]
    fn equal_wanted_and_spare_values_shrink_the_interval() {
        let seen = seen(&[0.5; 32], 1e-3, 16, Which::Highest);
        let stretch = Interval { low: -1.0, high: 0.5 };
        let plan = Plan {
            stretch,
            degrees: vec![0; 2],
            guess: stretch,
            which: Which::Highest,
            count: 16,
            ends: ENDS,
            target: 1e-6,
        };
        let back = plan.drawn_back(&seen);
        let need = growth(1e-3, 1e-6).ln() / Damping::on(back).rate(0.5);
        assert!(back.high < 0.5 && need <= PATIENT_DEGREE + 1.0, "{back:?} {need}");
    }

    #[test]
    fn converged_panels_are_skipped_and_spare_ones_use_the_highest_degree() {
        let values: Vec<f64> = (0..48).map(|n| 0.5 + f64::from(n) / 100.0).collect();
        let mut seen = seen(&values, 0.0, 32, Which::Highest);
        seen.residuals[20] = 1e-3;
        let stretch = Interval { low: -1.0, high: 0.5 };
        let plan = Plan {
            stretch,
            degrees: vec![0; 3],
            guess: stretch,
            which: Which::Highest,
            count: 32,
            ends: ENDS,
            target: 1e-6,
        };
        let degrees = plan.next_degrees(&seen);
        assert!(degrees[2] == 0 && degrees[1] > 5 && degrees[0] == degrees[1], "{degrees:?}");
    }
}
