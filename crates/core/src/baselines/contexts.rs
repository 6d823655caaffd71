//! Context pairs of nodes: those near each other on random walks, and those with
//! the same label.

use rand_chacha::ChaCha8Rng;

use super::TrainingLabels;
use super::noise::Noise;
use super::skip_gram::{pull, sigmoid_table};
use super::walks::{Steps, visits};
use crate::model::random::{below, stream, unit};
use gesf_graph::Graph;

/// Dimension of the vectors.
pub(super) const WIDTH: usize = 50;

type Vector = [f32; WIDTH];

/// A vector for each node, and one for it as a context.
#[derive(Debug, Clone)]
pub(super) struct Embedding {
    pub(super) own: Vec<Vector>,
    near: Vec<Vector>,
    table: Vec<f32>,
}

impl Embedding {
    pub(super) fn new(nodes: usize, seed: u64) -> Self {
        let mut random = stream(seed, "planetoid, start");
        let start = || ((unit(&mut random) - 0.5) / WIDTH as f64) as f32;
        let mut numbers = std::iter::repeat_with(start);
        let own = (0..nodes).map(|_| std::array::from_fn(|_| numbers.next().unwrap_or(0.0)));
        Self { own: own.collect(), near: vec![[0.0; WIDTH]; nodes], table: sigmoid_table() }
    }

    /// One step for a positive pair and some negative ones.
    fn learn(&mut self, node: u32, with: u32, others: impl Iterator<Item = u32>, rate: f32) {
        let vector = &mut self.own[node as usize];
        let mut change = [0.0; WIDTH];
        pull(vector, &mut self.near[with as usize], (1.0, rate), &self.table, &mut change);
        for other in others.filter(|other| *other != with) {
            pull(vector, &mut self.near[other as usize], (0.0, rate), &self.table, &mut change);
        }
        vector.iter_mut().zip(&change).for_each(|(x, by)| *x += by);
    }
}

/// Pairs from walks.
pub(super) struct WalkContexts<'a> {
    steps: Steps<'a>,
    noise: Noise,
    nodes: u32,
    length: usize,
    window: usize,
    negatives: usize,
}

impl<'a> WalkContexts<'a> {
    pub(super) fn new(graph: &'a Graph, length: usize, window: usize, negatives: usize) -> Self {
        let noise = Noise::single(&visits(graph));
        let nodes = graph.node_count() as u32;
        Self { steps: Steps::new(graph), noise, nodes, length, window, negatives }
    }

    /// Trains on one walk from each node; returns the number of pairs.
    pub(super) fn learn(
        &self,
        embedding: &mut Embedding,
        rate: f32,
        random: &mut ChaCha8Rng,
    ) -> usize {
        let mut pairs = 0;
        let mut walk = Vec::with_capacity(self.length);
        for _ in 0..self.nodes {
            walk.clear();
            let mut here = Some(below(random, self.nodes as usize) as u32);
            while let Some(node) = here.filter(|_| walk.len() < self.length) {
                walk.push(node);
                here = self.steps.from(node, random);
            }
            for (at, &node) in walk.iter().enumerate() {
                let from = at.saturating_sub(self.window);
                let to = (at + self.window + 1).min(walk.len());
                for (place, &with) in walk[from..to].iter().enumerate() {
                    if from + place == at || with == node {
                        continue;
                    }
                    let noise = (0..self.negatives).map(|_| self.noise.draw(with, random));
                    embedding.learn(node, with, noise, rate);
                    pairs += 1;
                }
            }
        }
        pairs
    }
}

/// Pairs of labelled nodes of the same class.
pub(super) struct Agreement {
    /// Indices of the labelled nodes, by class.
    members: Vec<Vec<usize>>,
}

impl Agreement {
    pub(super) fn of(lesson: &TrainingLabels) -> Self {
        let has = |at: &usize, class: usize| lesson.target(*at)[class] > 0.5;
        let of = |class| (0..lesson.nodes.len()).filter(|at| has(at, class)).collect();
        Self { members: (0..lesson.task.outputs).map(of).collect() }
    }

    /// Trains on some pairs; the negative ones are from other classes.
    pub(super) fn learn(
        &self,
        lesson: &TrainingLabels,
        embedding: &mut Embedding,
        pairs: usize,
        (rate, negatives): (f32, usize),
        random: &mut ChaCha8Rng,
    ) {
        if lesson.nodes.len() < 2 {
            return;
        }
        for _ in 0..pairs {
            let at = below(random, lesson.nodes.len());
            let own = lesson.target(at);
            let classes = own.iter().enumerate().filter(|(_, y)| **y > 0.5).map(|(class, _)| class);
            let classes: Vec<usize> = classes.collect();
            if classes.is_empty() {
                continue;
            }
            let members = &self.members[classes[below(random, classes.len())]];
            let with = members[below(random, members.len())];
            let others = (0..negatives).map(|_| below(random, lesson.nodes.len()));
            let differs = |other: &usize| {
                !lesson.target(*other).iter().zip(own).any(|(a, b)| *a > 0.5 && *b > 0.5)
            };
            let others = others.filter(differs).map(|other| lesson.nodes[other].0);
            embedding.learn(lesson.nodes[at].0, lesson.nodes[with].0, others, rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Task;
    use gesf_graph::{LabelKind, NodeId};

    #[test]
    fn vectors_of_nodes_with_one_label_converge() {
        let lesson = TrainingLabels {
            task: Task { kind: LabelKind::One, outputs: 2 },
            nodes: (0..6).map(NodeId).collect(),
            targets: (0..6).flat_map(|n| if n < 3 { [1.0, 0.0] } else { [0.0, 1.0] }).collect(),
            seed: 1,
        };
        let mut embedding = Embedding::new(6, 1);
        let mut random = stream(1, "test");
        let agreement = Agreement::of(&lesson);
        agreement.learn(&lesson, &mut embedding, 20_000, (0.05, 5), &mut random);
        let cosine = |a: usize, b: usize| {
            let dot = |a: usize, b: usize| -> f32 {
                embedding.own[a].iter().zip(&embedding.own[b]).map(|(x, y)| x * y).sum()
            };
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        assert!(cosine(0, 1) > 0.8 && cosine(4, 5) > 0.8, "{} {}", cosine(0, 1), cosine(4, 5));
        assert!(cosine(0, 5) < 0.0, "{}", cosine(0, 5));
    }
}
