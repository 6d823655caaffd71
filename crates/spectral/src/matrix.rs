//! The matrices of a graph whose spectrum the filter ρ works on.

use std::fmt;

use gesf_graph::{Graph, NodeId};

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
    /// Each pair of node types normalised separately and weighted.
    Relations(RelationWeights),
}

impl fmt::Display for MatrixKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Adjacency => "adjacency",
            Self::Sym => "sym",
            Self::SymLoops => "sym-loops",
            Self::Relations(_) => "relations",
        })
    }
}

/// Whether edges are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EdgeValues {
    /// By the weight in the source; 1 if it has none.
    #[default]
    Weighted,
    /// Every edge has weight 1.
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

/// A matrix of a graph, with a bound on its eigenvalues.
#[derive(Debug, Clone)]
pub struct Matrix {
    kind: MatrixKind,
    entries: Sparse<f64>,
    bound: f64,
}

impl Matrix {
    /// The matrix of a graph. Degrees are sums of |weight|, so that negative
    /// weights keep |σ| ≤ 1 in the normalised kinds.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_spectral::{EdgeValues, Matrix, MatrixKind};
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// let matrix = Matrix::of(&graph, MatrixKind::Adjacency, EdgeValues::Weighted)?;
    /// assert_eq!(matrix.entries().stored(), 2 * graph.edge_count());
    /// // A loop for each node, and no eigenvalue above 1.
    /// let looped = Matrix::of(&graph, MatrixKind::SymLoops, EdgeValues::Weighted)?;
    /// assert_eq!(looped.entries().stored(), 2 * graph.edge_count() + graph.node_count());
    /// assert!(looped.bound() <= 1.0);
    /// # Ok(()) }
    /// ```
    pub fn of(graph: &Graph, kind: MatrixKind, edges: EdgeValues) -> Result<Self, SpectralError> {
        let entries = match &kind {
            MatrixKind::Adjacency => fill(graph, edges, 0.0, |_, _| 1.0),
            MatrixKind::Sym => normalised(graph, edges, 0.0),
            MatrixKind::SymLoops => normalised(graph, edges, 1.0),
            MatrixKind::Relations(weights) => {
                let relations = Relations::of(graph, edges, weights)?;
                let types = graph.types();
                let with_type = |node: usize| (node, types.of(node.into()));
                fill(graph, edges, 1.0, |a, b| relations.factor(with_type(a), with_type(b)))
            }
        };
        Self::new(kind, entries)
    }

    pub(super) fn new(kind: MatrixKind, entries: Sparse<f64>) -> Result<Self, SpectralError> {
        let row_sums = entries.row_sum_bound();
        if !row_sums.is_finite() {
            return Err(SpectralError::fault(
                format!("the {kind} matrix"),
                "an entry that is not finite",
                "finite edge weights",
                "check the edge weights, or ignore them (--unweighted)",
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

    /// An upper bound of |σ|.
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

#[cfg(test)]
mod tests {
    use super::*;
    use gesf_graph::{IdTable, OnBadRow, RawGraph, Reading, RoleChoice, build};

    /// A triangle with weights, a pendant and an isolated node.
    fn graph(weights: Option<Vec<f32>>) -> Graph {
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..5), ..RawGraph::default() };
        for (a, b) in [(0, 1), (1, 2), (2, 0), (2, 3)] {
            raw.edges.push(NodeId(a), NodeId(b));
        }
        raw.edges.weights = weights;
        let mut reading = Reading::new("test", OnBadRow::Fail);
        build(raw, &RoleChoice::default(), &mut reading).unwrap().0
    }

    fn entry(matrix: &Matrix, row: usize, column: u32) -> f64 {
        let (columns, values) = matrix.entries().row(row);
        columns.binary_search(&column).map_or(0.0, |at| values[at])
    }

    fn matrix(kind: MatrixKind, weights: Option<Vec<f32>>) -> Matrix {
        Matrix::of(&graph(weights), kind, EdgeValues::Weighted).unwrap()
    }

    #[test]
    fn entries_equal_the_formulas() {
        let weights = Some(vec![1.0, 2.0, 3.0, 4.0]);
        let adjacency = matrix(MatrixKind::Adjacency, weights.clone());
        assert!((entry(&adjacency, 2, 3) - 4.0).abs() < 1e-12);
        let sym = matrix(MatrixKind::Sym, weights.clone());
        assert!((entry(&sym, 0, 1) - 1.0 / (4.0_f64 * 3.0).sqrt()).abs() < 1e-12);
        let loops = matrix(MatrixKind::SymLoops, weights);
        assert!((entry(&loops, 3, 3) - 1.0 / 5.0).abs() < 1e-12);
        assert!((entry(&loops, 2, 3) - 4.0 / (10.0_f64 * 5.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn an_isolated_node_is_a_row_of_zeros_or_only_its_loop() {
        for kind in [MatrixKind::Adjacency, MatrixKind::Sym] {
            assert!(matrix(kind, None).entries().row(4).0.is_empty());
        }
        assert!((entry(&matrix(MatrixKind::SymLoops, None), 4, 4) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn relations_with_one_type_equal_sym_loops() {
        let one = matrix(MatrixKind::SymLoops, None);
        let other = matrix(MatrixKind::Relations(RelationWeights::default()), None);
        for row in 0..5 {
            assert_eq!(one.entries().row(row).0, other.entries().row(row).0);
            for column in 0..5 {
                assert!((entry(&one, row, column) - entry(&other, row, column)).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn every_matrix_is_symmetric_to_the_bit() {
        let kinds = [MatrixKind::Sym, MatrixKind::SymLoops];
        for kind in kinds {
            let matrix = matrix(kind, Some(vec![0.1, 0.7, 1.3, 0.3]));
            for row in 0..5_u32 {
                for column in 0..5_u32 {
                    let other = entry(&matrix, column as usize, row);
                    assert_eq!(entry(&matrix, row as usize, column).to_bits(), other.to_bits());
                }
            }
        }
    }

    #[test]
    fn negative_weights_keep_the_spectrum_within_one() {
        let matrix = matrix(MatrixKind::Sym, Some(vec![-1.0, 2.0, -3.0, 4.0]));
        let dense = faer::Mat::from_fn(5, 5, |row, column| entry(&matrix, row, column as u32));
        let values = dense.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
        assert!(values.iter().all(|value| value.abs() <= 1.0 + 1e-12), "{values:?}");
    }

    #[test]
    fn without_weights_every_edge_counts_as_one() {
        let weighted = graph(Some(vec![5.0, 2.0, 3.0, 4.0]));
        let binary = Matrix::of(&weighted, MatrixKind::Adjacency, EdgeValues::Binary).unwrap();
        assert!((entry(&binary, 0, 1) - 1.0).abs() < 1e-12);
    }
}
