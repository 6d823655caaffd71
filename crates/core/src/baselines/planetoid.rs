//! Planetoid (Yang et al. 2016) without features, transductive: the node vectors
//! predict contexts on random walks, nodes with the same label, and the label.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::contexts::{Agreement, Embedding, WIDTH, WalkContexts};
use super::method::classes_only;
use super::softmax::Softmax;
use super::{BaselineError, Method, PreparedMethod, Tours, TrainingLabels, Watch};
use crate::model::random::{shuffle, stream};
use crate::train::Split;
use gesf_graph::Graph;

/// Planetoid with the walks, window and width of its paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planetoid {
    /// Walks before labels are used.
    pub tours: Tours,
    /// Walks from each node while labels are learned.
    pub joint: usize,
    /// Maximum distance on a walk of two nodes that form a pair.
    pub window: usize,
    /// Negative samples per pair.
    pub negatives: usize,
    /// Pairs of the same label for each pair of a walk.
    pub agreeing: f64,
    /// The learning rate of the vectors.
    pub rate: f32,
    /// The learning rate of the labels.
    pub label_rate: f32,
}

impl Default for Planetoid {
    fn default() -> Self {
        Self {
            tours: Tours { walks: 40, length: 10 },
            joint: 40,
            window: 3,
            negatives: 5,
            agreeing: 0.5,
            rate: 0.05,
            label_rate: 0.1,
        }
    }
}

struct Walked {
    method: Planetoid,
    graph: Arc<Graph>,
    embedding: Embedding,
}

impl Method for Planetoid {
    fn name(&self) -> &'static str {
        "planetoid"
    }

    fn about(&self) -> &'static str {
        "embeddings trained jointly on graph contexts and labels"
    }

    fn suits(&self, graph: &Graph) -> Result<(), BaselineError> {
        classes_only(self.name(), graph)
    }

    fn is_random(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        graph: &Arc<Graph>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Box<dyn PreparedMethod>, BaselineError> {
        let mut embedding = Embedding::new(graph.node_count(), seed);
        let mut random = stream(seed, "planetoid");
        let contexts = WalkContexts::new(graph, self.tours.length, self.window, self.negatives);
        for round in 0..self.tours.walks {
            watch.check()?;
            (watch.tell)(&format!("walks {} of {}", round + 1, self.tours.walks));
            let left = 1.0 - 0.9 * round as f32 / self.tours.walks.max(1) as f32;
            contexts.learn(&mut embedding, self.rate * left, &mut random);
        }
        Ok(Box::new(Walked { method: *self, graph: graph.clone(), embedding }))
    }
}

/// One pass over the training labels, in random order.
fn supervise(
    lesson: &TrainingLabels,
    rate: f32,
    embedding: &mut Embedding,
    softmax: &mut Softmax,
    random: &mut ChaCha8Rng,
) {
    let mut order: Vec<usize> = (0..lesson.nodes.len()).collect();
    shuffle(random, &mut order);
    for at in order {
        let vector = &mut embedding.own[lesson.nodes[at].index()];
        softmax.step(vector, lesson.target(at), rate);
    }
}

impl PreparedMethod for Walked {
    fn answer(
        &self,
        lesson: &TrainingLabels,
        _split: &Split,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>, BaselineError> {
        let method = &self.method;
        let mut embedding = self.embedding.clone();
        let mut softmax = Softmax::new(lesson.task, WIDTH);
        let mut random = stream(lesson.seed, "planetoid, labels");
        let (length, window) = (method.tours.length, method.window);
        let walks = WalkContexts::new(&self.graph, length, window, method.negatives);
        let agreement = Agreement::of(lesson);
        for round in 0..method.joint {
            watch.check()?;
            let left = 1.0 - 0.99 * round as f32 / method.joint.max(1) as f32;
            let pairs = walks.learn(&mut embedding, method.rate * left, &mut random);
            let agreeing = (pairs as f64 * method.agreeing) as usize;
            let steps = (method.rate * left, method.negatives);
            agreement.learn(lesson, &mut embedding, agreeing, steps, &mut random);
            let rate = method.label_rate * left;
            supervise(lesson, rate, &mut embedding, &mut softmax, &mut random);
        }
        Ok(embedding.own.iter().flat_map(|vector| softmax.answer(vector)).collect())
    }
}
