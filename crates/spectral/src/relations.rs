//! The `relations` matrix of a graph with several node types: every pair of types
//! is a separate relation normalised by its own degrees, so that a relation with
//! many edges does not dominate one with few.

use faer::{Mat, Side};

use gesf_graph::{Graph, TypeId};

use super::SpectralError;
use super::matrix::EdgeValues;

/// The weight of each relation (pair of node types).
///
/// A relation that is not named has weight 1 if the graph has an edge in it and 0
/// otherwise; without any edges, every same-type relation has weight 1. Only the
/// ratios matter: the weights are divided by the spectral norm of the K × K table
/// they form, so that no |σ| exceeds 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RelationWeights {
    named: Vec<(TypeId, TypeId, f64)>,
}

impl RelationWeights {
    /// Sets the weight of the relation between two types, in either order.
    #[must_use]
    pub fn with(mut self, one: TypeId, other: TypeId, weight: f64) -> Self {
        let pair = (one.min(other), one.max(other));
        self.named.retain(|entry| (entry.0, entry.1) != pair);
        self.named.push((pair.0, pair.1, weight));
        self.named.sort_by_key(|entry| (entry.0, entry.1));
        self
    }

    /// The weights that were set, each pair once, smaller type first.
    pub fn named(&self) -> &[(TypeId, TypeId, f64)] {
        &self.named
    }
}

/// Degrees and weights of all relations of one graph.
pub(super) struct Relations {
    kinds: usize,
    /// weight[a · K + b], already divided by the norm of the table.
    weight: Vec<f64>,
    /// For node v and type t: 1/√(degree of v towards type t), 0 for degree 0.
    scale: Vec<f64>,
}

impl Relations {
    pub(super) fn of(
        graph: &Graph,
        edges: EdgeValues,
        weights: &RelationWeights,
    ) -> Result<Self, SpectralError> {
        let types = graph.types();
        let kinds = types.count();
        let mut degree = vec![0.0; graph.node_count() * kinds];
        let mut joined = vec![false; kinds * kinds];
        for node in graph.nodes() {
            let own = types.of(node).index();
            for (&other, &weight) in
                graph.neighbours(node).iter().zip(graph.neighbour_weights(node))
            {
                let kind = types.of((other as usize).into()).index();
                degree[node.index() * kinds + kind] += edges.of(weight).abs();
                joined[own * kinds + kind] = true;
            }
        }
        let weight = table(kinds, &joined, weights)?;
        for node in graph.nodes() {
            let own = types.of(node).index();
            // The loop of A + I.
            degree[node.index() * kinds + own] += 1.0;
        }
        let scale = degree.iter().map(|&d| if d > 0.0 { d.sqrt().recip() } else { 0.0 }).collect();
        Ok(Self { kinds, weight, scale })
    }

    /// The factor that turns an edge value (or a loop's 1) between two nodes into a
    /// matrix entry.
    pub(super) fn factor(&self, one: (usize, TypeId), other: (usize, TypeId)) -> f64 {
        let towards = |node: usize, kind: TypeId| self.scale[node * self.kinds + kind.index()];
        self.weight[one.1.index() * self.kinds + other.1.index()]
            * towards(one.0, other.1)
            * towards(other.0, one.1)
    }
}

/// The K × K weights, divided by the table's spectral norm: M's norm is at most
/// that of the table of its blocks' norms, and each block's is at most 1.
fn table(
    kinds: usize,
    joined: &[bool],
    weights: &RelationWeights,
) -> Result<Vec<f64>, SpectralError> {
    let none = !joined.contains(&true);
    let default = |a: usize, b: usize| joined[a * kinds + b] || (none && a == b);
    let mut weight: Vec<f64> = (0..kinds * kinds)
        .map(|pair| f64::from(u8::from(default(pair / kinds, pair % kinds))))
        .collect();
    for &(a, b, value) in weights.named() {
        if a.index() >= kinds || b.index() >= kinds || !value.is_finite() || value < 0.0 {
            return Err(SpectralError::fault(
                "relation weights",
                format!("{value} for types {} and {}", a.0, b.0),
                format!("a weight of 0 or more, for types below {kinds}"),
                "use a pair of node types of this graph and a positive number",
            ));
        }
        weight[a.index() * kinds + b.index()] = value;
        weight[b.index() * kinds + a.index()] = value;
    }
    let square = Mat::from_fn(kinds, kinds, |a, b| weight[a * kinds + b]);
    // If the eigenvalues cannot be computed, the row sums bound them.
    let row_sum = |row: &[f64]| row.iter().sum::<f64>();
    let norm = match square.self_adjoint_eigenvalues(Side::Lower) {
        Ok(values) => values.into_iter().map(f64::abs).fold(0.0, f64::max),
        Err(_) => weight.chunks(kinds.max(1)).map(row_sum).fold(0.0, f64::max),
    };
    if norm > 0.0 {
        for value in &mut weight {
            *value /= norm;
        }
    }
    Ok(weight)
}
