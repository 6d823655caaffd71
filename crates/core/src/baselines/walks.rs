//! Random walks, the input of skip-gram.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::alias::Alias;
use super::noise::Noise;
use super::skip_gram::{SkipGram, WIDTH};
use super::vectors::Vectors;
use super::{BaselineError, Watch};
use crate::model::random::{below, shuffle, stream};
use gesf_graph::{Graph, NodeId};

/// Number and length of the walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tours {
    /// Walks from each node.
    pub walks: usize,
    /// Nodes in a walk.
    pub length: usize,
}

impl Default for Tours {
    fn default() -> Self {
        Self { walks: 80, length: 40 }
    }
}

/// Steps from a node to its neighbours, weighted by edge weight.
pub(super) struct Steps<'a> {
    graph: &'a Graph,
    /// An alias table per node, if edges have weights.
    tables: Option<Vec<Alias>>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let table = |node: NodeId| {
            let weights = graph.neighbour_weights(node).iter();
            Alias::new(weights.map(|weight| f64::from(weight.abs())))
        };
        let tables = graph.is_weighted().then(|| graph.nodes().map(table).collect());
        Self { graph, tables }
    }

    /// A random neighbour; `None` if there is none.
    pub(super) fn from(&self, node: u32, random: &mut ChaCha8Rng) -> Option<u32> {
        let neighbours = self.graph.neighbours(NodeId(node));
        if neighbours.is_empty() {
            return None;
        }
        let at = match &self.tables {
            Some(tables) => tables[node as usize].draw(random),
            None => below(random, neighbours.len()),
        };
        neighbours.get(at).copied()
    }
}

/// Skip-gram vectors from rounds of walks. A walk gets the number of its round and
/// its first node.
pub(super) struct Walking<'a> {
    pub(super) graph: &'a Graph,
    pub(super) starts: Vec<u32>,
    pub(super) noise: Noise,
    pub(super) rounds: usize,
    pub(super) skip_gram: SkipGram,
}

impl<'a> Walking<'a> {
    /// With walks from every node.
    pub(super) fn everywhere(graph: &'a Graph, tours: Tours, skip_gram: SkipGram) -> Self {
        let starts = graph.nodes().map(|node| node.0).collect();
        let noise = Noise::single(&visits(graph));
        Self { graph, starts, noise, rounds: tours.walks, skip_gram }
    }

    pub(super) fn vectors(
        &self,
        seed: u64,
        watch: Watch<'_>,
        walk: impl Fn(usize, u32, &mut ChaCha8Rng) -> Vec<u32> + Sync,
    ) -> Result<Vectors, BaselineError> {
        let size = (self.graph.node_count(), self.rounds);
        let values = self.skip_gram.learn(size, &self.noise, seed, watch, |number| {
            round(&self.starts, seed, number, |node, random| walk(number, node, random))
        })?;
        Ok(Vectors::one(values, WIDTH))
    }
}

/// A round of walks: one from each node, in random order. Every walk has its own
/// generator, so the result does not depend on threads.
fn round(
    starts: &[u32],
    seed: u64,
    number: usize,
    walk: impl Fn(u32, &mut ChaCha8Rng) -> Vec<u32> + Sync,
) -> Vec<Vec<u32>> {
    let mut order = starts.to_vec();
    shuffle(&mut stream(seed, &format!("order of round {number}")), &mut order);
    let from = |&node: &u32| walk(node, &mut stream(seed, &format!("walk {number} {node}")));
    order.par_iter().map(from).collect()
}

/// How often walks visit each node, in proportion: by its degree, plus once for its
/// own walks.
pub(super) fn visits(graph: &Graph) -> Vec<f64> {
    let degree = |node: NodeId| -> f64 {
        graph.neighbour_weights(node).iter().map(|weight| f64::from(weight.abs())).sum()
    };
    graph.nodes().map(|node| degree(node).max(f64::MIN_POSITIVE)).collect()
}
