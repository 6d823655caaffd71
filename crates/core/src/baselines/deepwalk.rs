//! DeepWalk (Perozzi et al. 2014): skip-gram over random walks, and a
//! regression on the vectors.

use std::sync::Arc;

use super::skip_gram::SkipGram;
use super::walks::{Steps, Tours, Walking};
use super::{BaselineError, Method, PreparedMethod, Watch};
use gesf_graph::Graph;

/// DeepWalk with the settings of its paper.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DeepWalk {
    /// The walks.
    pub tours: Tours,
    /// How vectors are learned from them.
    pub skip_gram: SkipGram,
}

impl Method for DeepWalk {
    fn name(&self) -> &'static str {
        "deepwalk"
    }

    fn about(&self) -> &'static str {
        "skip-gram over random walks, then logistic regression"
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
            let mut walk = Vec::with_capacity(self.tours.length);
            let mut here = Some(node);
            while let Some(node) = here.filter(|_| walk.len() < self.tours.length) {
                walk.push(node);
                here = steps.from(node, random);
            }
            walk
        })?;
        Ok(Box::new(vectors))
    }
}
