//! The block engine: some eigenpairs of a large sparse matrix by
//! Chebyshev-filtered subspace iteration.
//!
//! ```text
//! density ─▶ damped stretch ─▶ filter every panel ─▶ Rayleigh–Ritz ─▶ residuals ─▶ done?
//!                  ▲                                                      │ no
//!                  └───────────── Ritz values, degrees by panel ◀─────────┘
//! ```
//!
//! Nearly all the work is the sparse kernel on panels that stay in cache, and
//! matrix products. Equal eigenvalues do no harm: a subspace has no need to
//! tell them apart.

use super::bounds::{Interval, spectrum_bounds};
use super::damping::{Damping, stretch_by_density, stretch_by_ritz};
use super::density::Density;
use super::order::by_neighbourhood;
use super::progress::{Monitor, Stage};
use super::subspace::{PANEL, Subspace, rayleigh_ritz};
use super::{Matrix, SpectralError, Which};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Passes after which the engine gives up.
const MOST_PASSES: usize = 60;
/// A pass filters by at most this degree.
const MOST_DEGREE: usize = 300;
/// Passes for which the density's guess of the damped stretch is taken as it is.
const TRUSTED_PASSES: usize = 3;
/// Residuals below this share of max|σ| make Ritz values as good as eigenvalues.
const SETTLED: f64 = 1e-2;
/// The slowest wanted column shall need no higher degree than this.
const PATIENT_DEGREE: f64 = 150.0;
/// ln of the largest spread of growth a random start may have: beyond it the
/// columns all lean on the first eigenvectors and their Gram matrix loses rank.
const START_SPREAD: f64 = 16.0;
/// The same for columns that are Ritz vectors, each dominated by its own
/// eigenvector: there the rounding of f64 is the limit.
const SPREAD: f64 = 30.0;

/// Eigenpairs as an engine finds them: values in any order, vectors row-major.
pub(super) struct Pairs {
    pub values: Vec<f64>,
    pub vectors: Vec<f32>,
}

/// How many columns the engine iterates on to find `count` pairs.
pub(super) fn width_for(count: usize, size: usize) -> usize {
    let spare = (count / 8).max(24);
    (count + spare).next_multiple_of(PANEL).min(size.next_multiple_of(PANEL))
}

/// The `count` pairs asked for, with residuals below `tolerance` · max|σ|.
pub(super) fn decompose(
    matrix: &Matrix,
    count: usize,
    which: Which,
    tolerance: f64,
    monitor: &mut Monitor,
) -> Result<Pairs, SpectralError> {
    let ends = spectrum_bounds(matrix, monitor)?;
    let target = tolerance * ends.magnitude();
    let order = by_neighbourhood(matrix.entries());
    let entries = matrix.entries().permuted(&order);
    let width = width_for(count, matrix.size());
    let density = Density::estimate(matrix, ends, 200, 1, monitor)?;
    let mut space = Subspace::random(matrix.size(), width, 0x5eed);
    let guess = stretch_by_density(&density, which, width, ends);
    let mut stretch = guess;
    let mut degrees = vec![start_degree(stretch, ends); width / PANEL];
    let mut worst = f64::INFINITY;
    for pass in 1..=MOST_PASSES {
        let damping = Damping::on(stretch);
        let done = AtomicUsize::new(0);
        let t0 = std::time::Instant::now();
        if !damping.is_void() {
            space.change_panels(|number, panel, other| {
                let degree = degrees.get(number).copied().unwrap_or(0);
                damping.apply(&entries, degree, panel, other, monitor)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                monitor.report(Stage::Filter, done, degrees.len())
            })?;
        }
        let t1 = std::time::Instant::now();
        monitor.report(Stage::Project, 0, 3)?;
        let (projected, gram) = space.gram(&entries, monitor)?;
        let t2 = std::time::Instant::now();
        monitor.report(Stage::Project, 1, 3)?;
        let ritz = rayleigh_ritz(&projected, &gram)?;
        let t3 = std::time::Instant::now();
        monitor.report(Stage::Project, 2, 3)?;
        space.rotate(&ritz.rotation, monitor)?;
        let t4 = std::time::Instant::now();
        let mut values = ritz.values;
        let found = values.len();
        values.resize(width, 0.0);
        let residuals = space.residuals(&entries, &values);
        values.truncate(found);
        let ranked = which.ranked(&values);
        let wanted: Vec<usize> = ranked.iter().copied().take(count).collect();
        worst = wanted.iter().map(|&n| residuals[n]).fold(0.0, f64::max);
        let converged = wanted.iter().filter(|&&n| residuals[n] <= target).count();
        if std::env::var_os("SPECTRAL_TRACE").is_some() {
            eprintln!(
                "pass {pass}: stretch {stretch:?} degrees {:?} filter {:.2} gram {:.2} ritz {:.2} rot {:.2} res {:.2} worst {worst:.2e} conv {converged}/{count} found {found}",
                (degrees.iter().min(), degrees.iter().max()),
                (t1 - t0).as_secs_f64(),
                (t2 - t1).as_secs_f64(),
                (t3 - t2).as_secs_f64(),
                (t4 - t3).as_secs_f64(),
                t4.elapsed().as_secs_f64()
            );
        }
        monitor.enter_pass(pass + 1, converged);
        if wanted.len() == count && converged == count {
            return Ok(collect(&space, &values, &wanted, &order));
        }
        if found < width {
            space.refill(found, 0xf111 + pass as u64);
        }
        stretch = next_stretch(pass, guess, &values, &ranked, count, which, ends);
        if pass >= TRUSTED_PASSES || worst <= SETTLED * ends.magnitude() {
            stretch = apart_from(stretch, &values, &wanted, which, worst / target);
        }
        degrees = plan(&values, &residuals, &wanted, stretch, ends, target, width);
    }
    Err(SpectralError::fault(
        format!("the block engine on the {} matrix", matrix.kind()),
        format!("a residual of {worst:.1e} after {MOST_PASSES} passes"),
        format!("{target:.1e} or less"),
        "ask for a few eigenpairs more or fewer, or use the dense or the Chebyshev engine",
    ))
}

/// The degree of the first pass: as high as a random start can bear.
fn start_degree(stretch: Interval, ends: Interval) -> usize {
    let damping = Damping::on(stretch);
    let fastest = damping.rate(ends.high).max(damping.rate(ends.low));
    ((START_SPREAD / fastest.max(1e-9)) as usize).clamp(4, MOST_DEGREE)
}

/// The stretch for the next pass. Early on the last Ritz values of a block lag
/// far behind those of the matrix and the density knows better; later its guess
/// is held to the middle of the spare columns, so that an error in it cannot
/// damp what is wanted.
fn next_stretch(
    pass: usize,
    guess: Interval,
    values: &[f64],
    ranked: &[usize],
    count: usize,
    which: Which,
    ends: Interval,
) -> Interval {
    let by = |rank: usize| stretch_by_ritz(values, ranked, rank, which, ends);
    let held = guess.within(by(usize::midpoint(count, ranked.len())));
    match which {
        _ if pass < TRUSTED_PASSES || held.low >= held.high => guess,
        // What lies between the two middle Ritz values says nothing here.
        Which::BothEnds => held,
        _ => by(ranked.len()).around(held),
    }
}

/// The stretch, drawn back from the wanted values where it comes so close that
/// they would not grow: so it is when more eigenvalues are equal than there are
/// columns, and the spare columns hold the same value as the wanted ones.
fn apart_from(
    stretch: Interval,
    values: &[f64],
    wanted: &[usize],
    which: Which,
    growth: f64,
) -> Interval {
    let slowest = (4.0 * growth.max(1.0)).ln() / PATIENT_DEGREE;
    let (centre, half) = (f64::midpoint(stretch.low, stretch.high), stretch.half());
    let of_wanted = wanted.iter().map(|&n| values[n]);
    if which == Which::Highest {
        // (σ − centre) / half = cosh(rate), with the lower end where it is.
        let lowest = of_wanted.fold(f64::INFINITY, f64::min);
        let most = ((lowest - stretch.low) / (1.0 + slowest.cosh())).max(0.0);
        return Interval { low: stretch.low, high: stretch.low + 2.0 * half.min(most) };
    }
    let nearest = of_wanted.map(|value| (value - centre).abs()).fold(f64::INFINITY, f64::min);
    let most = half.min(nearest / slowest.cosh());
    Interval { low: centre - most, high: centre + most }
}

/// The degree for every panel: what its slowest unconverged column needs.
fn plan(
    values: &[f64],
    residuals: &[f64],
    wanted: &[usize],
    stretch: Interval,
    ends: Interval,
    target: f64,
    width: usize,
) -> Vec<usize> {
    let damping = Damping::on(stretch);
    let fastest = damping.rate(ends.high).max(damping.rate(ends.low));
    let slowest = wanted.iter().map(|&n| damping.rate(values[n])).fold(f64::INFINITY, f64::min);
    let most = (SPREAD / (fastest - slowest).max(1e-9)).min(MOST_DEGREE as f64);
    let mut degrees = vec![0_usize; width / PANEL];
    let mut is_wanted = vec![false; width];
    for &n in wanted {
        is_wanted[n] = true;
        if residuals[n] > target {
            let growth = 2.0 * residuals[n] / (0.5 * target);
            let need = (growth.ln() / damping.rate(values[n]).max(1e-9)).min(most).max(2.0);
            let panel = &mut degrees[n / PANEL];
            *panel = (*panel).max(need.ceil() as usize);
        }
    }
    // The spare columns guard the last wanted ones and are filtered like them.
    let highest = degrees.iter().copied().max().unwrap_or(0);
    for (number, panel) in degrees.iter_mut().enumerate() {
        if (number * PANEL..(number + 1) * PANEL).any(|n| !is_wanted[n]) {
            *panel = highest;
        }
    }
    degrees
}

/// The wanted columns in the graph's own numbering.
fn collect(space: &Subspace, values: &[f64], wanted: &[usize], order: &[u32]) -> Pairs {
    let mut vectors = vec![0.0_f32; order.len() * wanted.len()];
    for (row, &node) in order.iter().enumerate() {
        let from = space.row(row);
        let to = &mut vectors[node as usize * wanted.len()..][..wanted.len()];
        for (value, &column) in to.iter_mut().zip(wanted) {
            *value = from[column] as f32;
        }
    }
    Pairs { values: wanted.iter().map(|&n| values[n]).collect(), vectors }
}
