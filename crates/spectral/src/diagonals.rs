//! The diagonals of T_n(M/scale).
//!
//! (T_a+b)_vv = 2⟨T_a·e_v, T_b·e_v⟩ − (T_|a−b|)_vv, so walks of n/2 steps from
//! every node give the diagonal of T_n exactly. Where these would take too long,
//! the rest are means of z_v (T_n·z)_v over random sign vectors z: unbiased, with
//! an error estimated from their spread.

use rayon::prelude::*;

use super::local::{LocalRecurrence, costs};
use super::panels::{ROWS_A_TASK, Step};
use super::progress::{Monitor, Stage};
use super::random::signs;
use super::{Sparse, SpectralError};

/// Matrix entries that may be visited for exact diagonals: less than a second on
/// two cores if a row of numbers stays in cache.
const BUDGET: f64 = 1e8;
/// The same for matrices whose rows do not stay in cache.
const LARGE_BUDGET: f64 = 2e7;
/// The number of rows from which on a matrix is large.
const LARGE: usize = 1 << 15;
/// Probes that go through the recurrence together.
const PANEL: usize = 32;
/// Nodes whose walks one task computes.
const NODES_A_TASK: usize = 256;

/// diag T_n for every n up to a degree.
#[derive(Debug, Clone)]
pub(super) struct Diagonals {
    /// diag T_0, diag T_1, …
    diagonals: Vec<Vec<f32>>,
    /// The root-mean-square error of each, from its spread over the probes.
    errors: Vec<f64>,
}

impl Diagonals {
    pub(super) fn of(
        matrix: &Sparse<f64>,
        scale: f64,
        degree: usize,
        probes: usize,
        monitor: &Monitor,
    ) -> Result<Self, SpectralError> {
        let budget = if matrix.size() < LARGE { BUDGET } else { LARGE_BUDGET };
        let half = degree.div_ceil(2);
        let costs = costs(matrix, half);
        let depth = costs.iter().rposition(|cost| *cost <= budget).unwrap_or(0);
        let exact = (2 * depth).min(degree);
        let mut diagonals = vec![vec![0.0_f32; matrix.size()]; degree + 1];
        let mut errors = vec![0.0; degree + 1];
        if exact < degree {
            probe(matrix, scale, probes, monitor, &mut diagonals, &mut errors)?;
        }
        walk(matrix, scale, exact, monitor, &mut diagonals)?;
        errors[..=exact].fill(0.0);
        Ok(Self { diagonals, errors })
    }

    /// Σ_n c_n diag T_n.
    pub(super) fn combine(&self, coefficients: &[f64]) -> Vec<f32> {
        let size = self.diagonals.first().map_or(0, Vec::len);
        let mut sums = vec![0.0; size];
        sums.par_chunks_mut(ROWS_A_TASK).enumerate().for_each(|(task, sums)| {
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum = self.combine_at(coefficients, task * ROWS_A_TASK + at) as f32;
            }
        });
        sums
    }

    /// Σ_n c_n (T_n)_vv of one node.
    pub(super) fn combine_at(&self, coefficients: &[f64], node: usize) -> f64 {
        let terms = self.diagonals.iter().zip(coefficients);
        terms.map(|(diagonal, factor)| factor * f64::from(diagonal[node])).sum()
    }

    /// Σ_v (T_n)_vv factor_v over some nodes, for every n.
    pub(super) fn inner(&self, nodes: &[u32], factors: &[f32]) -> Vec<f64> {
        let dot = |diagonal: &Vec<f32>| -> f64 {
            let pairs = nodes.iter().zip(factors);
            pairs.map(|(&node, factor)| f64::from(diagonal[node as usize] * factor)).sum()
        };
        self.diagonals.par_iter().map(dot).collect()
    }

    /// A bound on the root-mean-square error of [`Diagonals::combine`].
    pub(super) fn error(&self, coefficients: &[f64]) -> f64 {
        let terms = coefficients.iter().zip(&self.errors);
        terms.map(|(factor, error)| factor.abs() * error).sum()
    }
}

/// The diagonals up to a degree, by walks from every node.
fn walk(
    matrix: &Sparse<f64>,
    scale: f64,
    degree: usize,
    monitor: &Monitor,
    diagonals: &mut [Vec<f32>],
) -> Result<(), SpectralError> {
    let size = matrix.size();
    let entries = |(recurrence, nodes): (&mut LocalRecurrence<'_>, std::ops::Range<usize>)| {
        let mut found = Vec::with_capacity(nodes.len() * (degree + 1));
        for node in nodes {
            recurrence.start(node as u32);
            let first = found.len();
            found.push(1.0);
            while found.len() - first <= degree {
                recurrence.advance();
                let (own, mixed) = recurrence.products();
                if found.len() == first + 1 {
                    // (T_1)_vv = ⟨T_1·e_v, e_v⟩; T_2 follows from the first term alone.
                    found.push(mixed);
                } else {
                    found.push(2.0 * mixed - found[first + 1]);
                }
                if found.len() - first <= degree {
                    found.push(2.0 * own - 1.0);
                }
            }
        }
        found
    };
    let tasks = size.div_ceil(NODES_A_TASK);
    // In batches of tasks, so that the work can report progress and be cancelled.
    let stretch = tasks.div_ceil(8).max(64);
    for start in (0..tasks).step_by(stretch) {
        monitor.report(Stage::Probe, start, tasks)?;
        let found: Vec<Vec<f64>> = (start..(start + stretch).min(tasks))
            .into_par_iter()
            .map_init(
                || LocalRecurrence::new(matrix, scale),
                |recurrence, task| {
                    let nodes = task * NODES_A_TASK..((task + 1) * NODES_A_TASK).min(size);
                    entries((recurrence, nodes))
                },
            )
            .collect();
        let rows = found.iter().flat_map(|found| found.chunks(degree + 1));
        for (node, row) in (start * NODES_A_TASK..).zip(rows) {
            for (diagonal, value) in diagonals.iter_mut().zip(row) {
                diagonal[node] = *value as f32;
            }
        }
    }
    Ok(())
}

/// Every diagonal from the third on by probing, with the error of each.
fn probe(
    matrix: &Sparse<f64>,
    scale: f64,
    probes: usize,
    monitor: &Monitor,
    diagonals: &mut [Vec<f32>],
    errors: &mut [f64],
) -> Result<(), SpectralError> {
    let (size, degree) = (matrix.size(), diagonals.len() - 1);
    let matrix = matrix.cast::<f32>();
    let rounds = probes.div_ceil(PANEL).max(1);
    let mut squares = vec![0.0_f64; degree + 1];
    for round in 0..rounds {
        let probe = signs::<f32, PANEL>(size, 0xd1a6 + round as u64);
        let (mut now, mut before) = (probe.clone(), vec![[0.0; PANEL]; size]);
        for n in 1..=degree {
            monitor.report(Stage::Probe, round * degree + n, rounds * degree)?;
            let (twice, keep) = if n == 1 { (1.0, 0.0) } else { (2.0, -1.0) };
            let step = Step { product: twice / scale, shift: 0.0, keep };
            matrix.par_step(step, &now, &mut before);
            std::mem::swap(&mut now, &mut before);
            squares[n] += add_round(&probe, &now, &mut diagonals[n]);
        }
    }
    let vectors = (rounds * PANEL) as f64;
    for n in 1..=degree {
        for sum in &mut diagonals[n] {
            *sum /= vectors as f32;
        }
        let explained: f64 = diagonals[n].iter().map(|&mean| f64::from(mean).powi(2)).sum();
        let spread = (squares[n] / vectors - explained).max(0.0) / (size.max(1) as f64);
        errors[n] = (spread / (vectors - 1.0)).sqrt();
    }
    Ok(())
}

/// Adds z ∘ (T_n·z) of every probe; returns the sum of its squares.
fn add_round(probe: &[[f32; PANEL]], term: &[[f32; PANEL]], sums: &mut [f32]) -> f64 {
    let rows = probe.par_chunks(ROWS_A_TASK).zip(term.par_chunks(ROWS_A_TASK));
    let squares = rows.zip(sums.par_chunks_mut(ROWS_A_TASK)).map(|((probe, term), sums)| {
        let mut squares = 0.0;
        for ((z, term), sum) in probe.iter().zip(term).zip(sums) {
            let (mut row, mut square) = (0.0_f32, 0.0_f32);
            for lane in 0..PANEL {
                row += z[lane] * term[lane];
                square += term[lane] * term[lane];
            }
            *sum += row;
            squares += f64::from(square);
        }
        squares
    });
    // Collected first: the order of this sum must not depend on threads.
    squares.collect::<Vec<f64>>().into_iter().sum()
}
