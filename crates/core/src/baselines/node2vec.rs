//! node2vec (Grover and Leskovec 2016): DeepWalk with second-order walks, which can
//! stay near or explore.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::skip_gram::SkipGram;
use super::walks::{Steps, Tours, Walking};
use super::{BaselineError, Method, PreparedMethod, Watch};
use crate::model::random::unit;
use gesf_graph::{Graph, NodeId};

/// node2vec.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node2vec {
    /// The walks.
    pub tours: Tours,
    /// How vectors are learned from them.
    pub skip_gram: SkipGram,
    /// p: the return parameter.
    pub turning: f64,
    /// q: the in-out parameter.
    pub leaving: f64,
}

impl Default for Node2vec {
    fn default() -> Self {
        Self {
            tours: Tours::default(),
            skip_gram: SkipGram::default(),
            turning: 0.25,
            leaving: 0.5,
        }
    }
}

/// Rejected draws before a step is accepted anyway; with sensible p and q this does
/// not happen.
const PATIENCE: usize = 1000;

impl Node2vec {
    /// The next node. A step of the plain walk is accepted with a probability
    /// proportional to its bias, which gives exactly the biased walk and needs no
    /// table per pair of neighbours.
    fn step(
        &self,
        graph: &Graph,
        steps: &Steps<'_>,
        (before, here): (u32, u32),
        random: &mut ChaCha8Rng,
    ) -> Option<u32> {
        let (back, near, far) = (self.turning.recip(), 1.0, self.leaving.recip());
        let most = back.max(near).max(far);
        let around = graph.neighbours(NodeId(before));
        let mut next = steps.from(here, random)?;
        for _ in 0..PATIENCE {
            let bias = match next {
                next if next == before => back,
                next if around.binary_search(&next).is_ok() => near,
                _ => far,
            };
            if unit(random) * most < bias {
                break;
            }
            next = steps.from(here, random)?;
        }
        Some(next)
    }
}

impl Method for Node2vec {
    fn name(&self) -> &'static str {
        "node2vec"
    }

    fn about(&self) -> &'static str {
        "skip-gram over biased random walks, then logistic regression"
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let steps = Steps::new(graph);
        let walking = Walking::everywhere(graph, self.tours, self.skip_gram);
        let vectors = walking.vectors(seed, watch, |_, node, random| {
            let mut walk = vec![node];
            let mut next = steps.from(node, random);
            while let Some(here) = next.filter(|_| walk.len() < self.tours.length) {
                let before = walk.last().copied().unwrap_or(node);
                walk.push(here);
                next = self.step(graph, &steps, (before, here), random);
            }
            walk
        })?;
        Ok(Box::new(vectors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::stream;
    use gesf_graph::{LoadOptions, load};

    #[test]
    fn a_small_p_makes_walks_return_more_often() {
        let (graph, _) = load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap();
        let steps = Steps::new(&graph);
        let edge = (0, graph.neighbours(NodeId(0))[0]);
        let returns = |turning: f64| {
            let walk = Node2vec { turning, leaving: 1.0, ..Node2vec::default() };
            let mut random = stream(1, "test");
            let mut step = || walk.step(&graph, &steps, edge, &mut random).unwrap();
            (0..4000).filter(|_| step() == edge.0).count() as f64 / 4000.0
        };
        // Of d neighbours one is the way back: its probability is (1/p) / (1/p + d
        // - 1).
        let others = graph.degree(NodeId(edge.1)) as f64 - 1.0;
        for turning in [0.1, 1.0, 10.0] {
            let exact = (1.0 / turning) / (1.0 / turning + others);
            assert!((returns(turning) - exact).abs() < 0.03, "{turning}");
        }
    }
}
