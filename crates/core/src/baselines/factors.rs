//! DeepWalk as a factorisation (Yang et al. 2015): M ≈ X Yᵀ with M = (P + P²) / 2
//! and P the transition matrix of a random walk. Only products with M are computed,
//! so a large graph needs no more memory than its edges.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};

use super::BaselineError;
use crate::model::random::{normal, stream};
use crate::model::sparse_product;
use gesf_graph::{Graph, NodeId};
use gesf_spectral::{EdgeValues, Matrix, MatrixKind, Sparse};

/// λ: the penalty of both factors.
const PENALTY: f64 = 0.2;

/// Products with M.
pub(super) struct TwoSteps {
    edges: Sparse<f32>,
    /// One over the degree of each node; 0 where that is 0.
    shares: Vec<f32>,
}

impl TwoSteps {
    pub(super) fn of(graph: &Graph) -> Result<Self, BaselineError> {
        let matrix = Matrix::of(graph, MatrixKind::Adjacency, EdgeValues::Weighted)?;
        let edges: Sparse<f32> = matrix.entries().cast();
        let share = |row: usize| {
            let degree: f32 = edges.row(row).1.iter().map(|value| value.abs()).sum();
            if degree > 0.0 { degree.recip() } else { 0.0 }
        };
        let shares = (0..edges.size()).map(share).collect();
        Ok(Self { edges, shares })
    }

    fn scale(&self, rows: &mut [f32], width: usize) {
        for (row, share) in rows.chunks_mut(width.max(1)).zip(&self.shares) {
            for x in row {
                *x *= share;
            }
        }
    }

    /// M · rows.
    fn forward(&self, rows: &[f32], width: usize) -> Vec<f32> {
        let step = |from: &[f32]| {
            let mut to = vec![0.0; from.len()];
            sparse_product(&self.edges, from, width, &mut to);
            self.scale(&mut to, width);
            to
        };
        let once = step(rows);
        mean(&once, &step(&once))
    }

    /// Mᵀ · rows.
    fn backward(&self, rows: &[f32], width: usize) -> Vec<f32> {
        let step = |from: &[f32]| {
            let mut scaled = from.to_vec();
            self.scale(&mut scaled, width);
            let mut to = vec![0.0; from.len()];
            sparse_product(&self.edges, &scaled, width, &mut to);
            to
        };
        let once = step(rows);
        mean(&once, &step(&once))
    }
}

fn mean(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| f32::midpoint(*a, *b)).collect()
}

/// Target directions of some rows, relative to the size of a typical row.
pub(super) struct Push<'a> {
    pub(super) nodes: &'a [NodeId],
    /// A row of numbers for each of them.
    pub(super) rows: &'a [f64],
    pub(super) share: f64,
}

/// X and Y, a row per node.
#[derive(Debug, Clone)]
pub(super) struct Factors {
    width: usize,
    own: Vec<f32>,
    near: Vec<f32>,
}

impl Factors {
    /// Random Y and zero X.
    pub(super) fn start(nodes: usize, width: usize, seed: u64) -> Self {
        let width = width.min(nodes);
        let near = normal(&mut stream(seed, "factors"), nodes * width, 0.1);
        Self { width, own: vec![0.0; nodes * width], near }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A row of X.
    pub(super) fn row(&self, node: NodeId) -> &[f32] {
        &self.own[node.index() * self.width..][..self.width]
    }

    /// The best X for this Y, with some of its rows pushed.
    pub(super) fn settle_own(&mut self, steps: &TwoSteps, push: Option<&Push<'_>>) {
        let mut sums = steps.forward(&self.near, self.width);
        if let Some(push) = push {
            let size = |square: f64, rows: usize| (square / rows.max(1) as f64).sqrt();
            let usual = sums.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            let usual = size(usual, steps.shares.len());
            let pushed = size(push.rows.iter().map(|x| x * x).sum(), push.nodes.len());
            let by = push.share * usual / pushed.max(f64::MIN_POSITIVE);
            for (node, wanted) in push.nodes.iter().zip(push.rows.chunks(self.width.max(1))) {
                let row = &mut sums[node.index() * self.width..][..self.width];
                row.iter_mut().zip(wanted).for_each(|(sum, w)| *sum += (by * w) as f32);
            }
        }
        self.own = ridge(&self.near, &sums, self.width);
    }

    /// The best Y for this X.
    pub(super) fn settle_near(&mut self, steps: &TwoSteps) {
        self.near = ridge(&self.own, &steps.backward(&self.own, self.width), self.width);
    }
}

/// sums · (otherᵀ other + λ I)⁻¹: ridge regression.
fn ridge(other: &[f32], sums: &[f32], width: usize) -> Vec<f32> {
    let nodes = sums.len() / width.max(1);
    let other = MatRef::from_row_major_slice(other, nodes, width);
    let mut gram = Mat::<f32>::zeros(width, width);
    matmul(gram.as_mut(), Accum::Replace, other.transpose(), other, 1.0, Par::Seq);
    let held = |i: usize, j: usize| f64::from(gram[(i, j)]) + if i == j { PENALTY } else { 0.0 };
    let held = Mat::from_fn(width, width, held);
    // Only values that are not finite make this fail; the rows then stay 0.
    let Ok(factor) = held.llt(Side::Lower) else { return vec![0.0; sums.len()] };
    let inverse = factor.solve(Mat::<f64>::identity(width, width));
    let inverse = Mat::from_fn(width, width, |i, j| inverse[(i, j)] as f32);
    let mut rows = vec![0.0; sums.len()];
    matmul(
        MatMut::from_row_major_slice_mut(&mut rows, nodes, width),
        Accum::Replace,
        MatRef::from_row_major_slice(sums, nodes, width),
        inverse.as_ref(),
        1.0,
        Par::Seq,
    );
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use gesf_graph::{LoadOptions, load};

    #[test]
    fn two_steps_reach_the_right_nodes() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let steps = TwoSteps::of(&graph).unwrap();
        let nodes = graph.node_count();
        let every = steps.forward(&vec![1.0; nodes], 1);
        assert!(every.iter().all(|sum| (sum - 1.0).abs() < 1e-5), "a step leads somewhere");
        let at = |node: usize| (0..nodes).map(|n| f32::from(u8::from(n == node))).collect();
        let (from, to): (Vec<f32>, Vec<f32>) = (at(3), at(11));
        let there = steps.forward(&to, 1)[3];
        let back = steps.backward(&from, 1)[11];
        assert!((there - back).abs() < 1e-6, "{there} {back}: one matrix and its transpose");
    }

    #[test]
    fn as_many_dimensions_as_nodes_reproduce_most_of_the_matrix() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let steps = TwoSteps::of(&graph).unwrap();
        let mut factors = Factors::start(graph.node_count(), 200, 1);
        let mut error = |rounds: usize| {
            for _ in 0..rounds {
                factors.settle_own(&steps, None);
                factors.settle_near(&steps);
            }
            let first = steps.forward(&factors.near, factors.width);
            let own = factors.own.iter().zip(&first).map(|(x, m)| f64::from(x * m)).sum::<f64>();
            assert!(own.is_finite());
            own
        };
        let (early, late) = (error(1), error(20));
        assert!(late > early, "{early} {late}: what X Yᵀ has in common with M grows");
    }
}
