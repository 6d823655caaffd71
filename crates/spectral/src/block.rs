//! The block engine: some eigenpairs of a large sparse matrix by
//! Chebyshev-filtered subspace iteration.
//!
//! ```text
//! density ─▶ damped interval ─▶ filter every panel ─▶ Rayleigh–Ritz ─▶ residuals ─▶ done?
//!                  ▲                                                       │ no
//!                  └───────────── Ritz values, degrees by panel ◀──────────┘
//! ```
//!
//! Nearly all the work is the sparse kernel on panels that stay in cache, and
//! matrix products. Equal eigenvalues are not a problem: a subspace does not need
//! to separate them. Panels with converged pairs are left unchanged, but stay in
//! the projection, where they keep the others orthogonal.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::bounds::{Interval, spectrum_bounds};
use super::damping::Damping;
use super::density::Density;
use super::order::by_neighbourhood;
use super::plan::{Plan, Seen};
use super::progress::{Monitor, Stage};
use super::subspace::{PANEL, Subspace, rayleigh_ritz};
use super::{Matrix, Sparse, SpectralError, Which};

/// Maximum number of passes.
const MOST_PASSES: usize = 60;
/// Chebyshev moments for finding the end of the unwanted interval.
const MOMENTS: usize = 200;

/// Eigenpairs as returned by an engine: values in any order, vectors row-major.
pub(super) struct Pairs {
    pub values: Vec<f64>,
    pub vectors: Vec<f32>,
}

/// How many columns the engine iterates on to find `count` pairs.
pub(super) fn width_for(count: usize, size: usize) -> usize {
    let spare = (count / 8).max(24);
    (count + spare).next_multiple_of(PANEL).min(size.next_multiple_of(PANEL))
}

/// The requested pairs, with residuals below `tolerance` · max|σ|.
pub(super) fn decompose(
    matrix: &Matrix,
    count: usize,
    which: Which,
    tolerance: f64,
    monitor: &mut Monitor,
) -> Result<Pairs, SpectralError> {
    let ends = spectrum_bounds(matrix, monitor)?;
    let density = Density::estimate(matrix, ends, MOMENTS, 1, monitor)?;
    let order = by_neighbourhood(matrix.entries());
    let entries = matrix.entries().permuted(&order);
    let width = width_for(count, matrix.size());
    let target = tolerance * ends.magnitude();
    let mut plan = Plan::start(&density, which, (count, width), ends, target);
    let mut space = Subspace::random(matrix.size(), width, 0x5eed);
    let mut seen = Seen::default();
    for pass in 1..=MOST_PASSES {
        monitor.enter_pass(pass, seen.converged);
        filter(&mut space, &entries, plan.stretch, &plan.degrees, monitor)?;
        let values = project(&mut space, &entries, monitor)?;
        let residuals = space.residuals(&entries, &values);
        seen = Seen::of(values, residuals, count, which, target);
        if seen.converged == count {
            return Ok(collect(&space, &seen, &order));
        }
        // Columns lost to rank deficiency restart from random numbers.
        space.refill(seen.values.len(), 0xf111 + pass as u64);
        plan.advance(pass, &seen);
    }
    Err(SpectralError::fault(
        format!("the block engine on the {} matrix", matrix.kind()),
        format!("a residual of {:.1e} after {MOST_PASSES} passes", seen.worst),
        format!("{target:.1e} or less"),
        "request slightly more or fewer eigenpairs, or use the dense or Chebyshev engine",
    ))
}

/// Filters every panel by its own degree.
fn filter(
    space: &mut Subspace,
    entries: &Sparse<f64>,
    stretch: Interval,
    degrees: &[usize],
    monitor: &Monitor,
) -> Result<(), SpectralError> {
    let damping = Damping::on(stretch);
    if damping.is_void() {
        return Ok(());
    }
    let done = AtomicUsize::new(0);
    space.change_panels(|number, panel, other| {
        damping.apply(entries, degrees[number], panel, other, monitor)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        monitor.report(Stage::Filter, done, degrees.len())
    })
}

/// Rayleigh–Ritz: the space's columns become Ritz vectors, their values are
/// returned ascending. Columns past the values are zero.
fn project(
    space: &mut Subspace,
    entries: &Sparse<f64>,
    monitor: &Monitor,
) -> Result<Vec<f64>, SpectralError> {
    monitor.report(Stage::Project, 0, 3)?;
    let gram = space.gram(entries, monitor)?;
    monitor.report(Stage::Project, 1, 3)?;
    let ritz = rayleigh_ritz(&gram)?;
    monitor.report(Stage::Project, 2, 3)?;
    space.rotate(&ritz.rotation, monitor)?;
    monitor.report(Stage::Project, 3, 3)?;
    Ok(ritz.values)
}

/// The wanted columns in the original node order.
fn collect(space: &Subspace, seen: &Seen, order: &[u32]) -> Pairs {
    let wanted = &seen.wanted;
    let mut vectors = vec![0.0_f32; order.len() * wanted.len()];
    for (row, &node) in order.iter().enumerate() {
        let from = space.row(row);
        let to = &mut vectors[node as usize * wanted.len()..][..wanted.len()];
        for (value, &column) in to.iter_mut().zip(wanted) {
            *value = from[column] as f32;
        }
    }
    Pairs { values: wanted.iter().map(|&n| seen.values[n]).collect(), vectors }
}
