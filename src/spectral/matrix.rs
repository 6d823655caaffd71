//! The matrices of a graph whose spectrum the filter ρ works on.

use std::fmt;

use crate::graph::{Graph, NodeId};

use super::relations::{RelationWeights, Relations};
use super::{Sparse, SpectralError};

/// Which matrix M of the graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum MatrixKind {
    /// A, as in the paper. An isolated node is a row of zeros.
    Adjacency,
    /// D^-½ A D^-½. An isolated node is a row of zeros.
    Sym,
    /// D̃^-½ (A + I) D̃^-½. An isolated node has only its loop, so its entry is 1.
    #[default]
    SymLoops,
    /// Each pair of node types normalised by itself and weighted.
    Relations(RelationWeights),
}

impl fmt::Display for MatrixKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Adjacency => "adjacency",
            Self::Sym => "sym",
            Self::SymLoops => "sym-loops",
            Self::Relations(_) => "relations",
        })
    }
}

/// Whether an edge counts by its weight or just as an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EdgeValues {
    /// By the weight the source gives it; 1 where it gives none.
    #[default]
    Weighted,
    /// Every edge counts 1.
    Binary,
}

impl EdgeValues {
    pub(super) fn of(self, weight: f32) -> f64 {
        match self {
            Self::Weighted => f64::from(weight),
            Self::Binary => 1.0,
        }
    }
}

/// A matrix of a graph, with a bound that no eigenvalue exceeds.
#[derive(Debug, Clone)]
pub struct Matrix {
    kind: MatrixKind,
    entries: Sparse<f64>,
    bound: f64,
}

impl Matrix {
    /// The matrix of a graph. Degrees are sums of |weight|, so that negative
    /// weights keep |σ| ≤ 1 in the normalised kinds.
    pub fn of(graph: &Graph, kind: MatrixKind, edges: EdgeValues) -> Result<Self, SpectralError> {
        let entries = match &kind {
            MatrixKind::Adjacency => fill(graph, edges, 0.0, |_, _| 1.0),
            MatrixKind::Sym => normalised(graph, edges, 0.0),
            MatrixKind::SymLoops => normalised(graph, edges, 1.0),
            MatrixKind::Relations(weights) => {
                let relations = Relations::of(graph, edges, weights)?;
                let types = graph.types();
                let typed = |node: usize| (node, types.of(node.into()));
                fill(graph, edges, 1.0, |a, b| relations.factor(typed(a), typed(b)))
            }
        };
        Self::new(kind, entries)
    }

    fn new(kind: MatrixKind, entries: Sparse<f64>) -> Result<Self, SpectralError> {
        let row_sums = entries.row_sum_bound();
        if !row_sums.is_finite() {
            return Err(SpectralError::fault(
                format!("the {kind} matrix"),
                "an entry that is not finite",
                "finite edge weights",
                "check the weights of the edges, or leave them out (--unweighted)",
            ));
        }
        let bound = if kind == MatrixKind::Adjacency { row_sums } else { row_sums.min(1.0) };
        Ok(Self { kind, entries, bound })
    }

    /// Which matrix it is.
    pub fn kind(&self) -> &MatrixKind {
        &self.kind
    }

    /// How many rows there are: N.
    pub fn size(&self) -> usize {
        self.entries.size()
    }

    /// The entries by rows.
    pub fn entries(&self) -> &Sparse<f64> {
        &self.entries
    }

    /// No |σ| is larger than this.
    pub fn bound(&self) -> f64 {
        self.bound
    }
}

/// D^-½ (A + loop · I) D^-½.
fn normalised(graph: &Graph, edges: EdgeValues, looped: f64) -> Sparse<f64> {
    let scale: Vec<f64> = graph
        .nodes()
        .map(|node| {
            let sum: f64 = graph.neighbour_weights(node).iter().map(|&w| edges.of(w).abs()).sum();
            let degree = sum + looped;
            if degree > 0.0 { degree.sqrt().recip() } else { 0.0 }
        })
        .collect();
    fill(graph, edges, looped, |a, b| scale[a] * scale[b])
}

/// The rows of A + loop · I, every entry times its factor; zeros are not stored.
fn fill(
    graph: &Graph,
    edges: EdgeValues,
    looped: f64,
    factor: impl Fn(usize, usize) -> f64,
) -> Sparse<f64> {
    Sparse::from_rows(graph.nodes().map(|node| {
        let own = node.index();
        let mut row = Vec::with_capacity(graph.degree(node) + 1);
        let mut push = |other: usize, value: f64| {
            // The smaller end first: both halves of the matrix get the same bits.
            let entry = value * factor(own.min(other), own.max(other));
            if entry != 0.0 {
                row.push((NodeId::from(other).0, entry));
            }
        };
        let (before, after) = {
            let neighbours = graph.neighbours(node);
            neighbours.split_at(neighbours.partition_point(|&other| (other as usize) < own))
        };
        let (weights_before, weights_after) = graph.neighbour_weights(node).split_at(before.len());
        for (&other, &weight) in before.iter().zip(weights_before) {
            push(other as usize, edges.of(weight));
        }
        push(own, looped);
        for (&other, &weight) in after.iter().zip(weights_after) {
            push(other as usize, edges.of(weight));
        }
        row
    }))
}
