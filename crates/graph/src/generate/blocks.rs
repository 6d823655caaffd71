//! Stochastic block models, with one node type or two.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::random::{pair_probability, pairs_with_probability};
use super::{BadRecipe, RawGraph, at_least, numbered, share, texts};

/// Classes of equal size whose members are preferably joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    /// Nodes.
    pub nodes: usize,
    /// Classes.
    pub classes: usize,
    /// Mean number of neighbours.
    pub mean_degree: f64,
    /// Share of edges within a class.
    pub inside: f64,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { nodes: 300, classes: 3, mean_degree: 8.0, inside: 0.8 }
    }
}

/// Items with a class, and words preferred by the items of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedBlocks {
    /// The items and the edges among them.
    pub items: Blocks,
    /// Number of words, divided among the classes.
    pub words: usize,
    /// Mean number of words per item.
    pub words_each: f64,
}

impl Default for TypedBlocks {
    fn default() -> Self {
        Self { items: Blocks::default(), words: 120, words_each: 6.0 }
    }
}

impl Blocks {
    pub(super) fn make(&self, rng: &mut ChaCha8Rng) -> Result<RawGraph, BadRecipe> {
        let edges = self.edges(rng)?;
        let title = format!("{} nodes in {} blocks", self.nodes, self.classes);
        let mut graph = numbered(self.nodes, edges, &title);
        graph.set_node_column("labels", texts((0..self.nodes).map(|node| self.class_name(node))));
        Ok(graph)
    }

    /// Nodes are assigned to the classes in turn.
    fn class_of(&self, node: usize) -> usize {
        node % self.classes
    }

    fn class_name(&self, node: usize) -> String {
        format!("block_{}", self.class_of(node) + 1)
    }

    fn edges(&self, rng: &mut ChaCha8Rng) -> Result<Vec<(usize, usize)>, BadRecipe> {
        at_least("nodes", self.nodes, 2)?;
        at_least("classes", self.classes, 1)?;
        share("share of edges inside a class", self.inside)?;
        let all = self.nodes as f64;
        let own = all / self.classes as f64;
        let within = pair_probability("mean degree", self.mean_degree * self.inside, own)?;
        let outside = self.mean_degree * (1.0 - self.inside);
        let between = pair_probability("mean degree", outside, all - own)?;
        // Drawing every pair at the higher rate and thinning needs only one pass
        // over the pairs, whatever the number of classes.
        let highest = within.max(between);
        let drawn = pairs_with_probability(self.nodes, highest, rng);
        let mut edges = Vec::with_capacity(drawn.len());
        for (a, b) in drawn {
            let rate = if self.class_of(a) == self.class_of(b) { within } else { between };
            if rng.random::<f64>() * highest < rate {
                edges.push((a, b));
            }
        }
        Ok(edges)
    }
}

impl TypedBlocks {
    pub(super) fn make(&self, rng: &mut ChaCha8Rng) -> Result<RawGraph, BadRecipe> {
        let items = &self.items;
        at_least("words", self.words, items.classes.max(1))?;
        let mut edges = items.edges(rng)?;
        let chance = pair_probability("words per item", self.words_each, self.words as f64)?;
        let classes = items.classes as f64;
        let own_preference = items.inside * classes;
        let other_preference = (1.0 - items.inside) * classes / (classes - 1.0).max(1.0);
        for item in 0..items.nodes {
            for word in 0..self.words {
                let own = items.class_of(item) == items.class_of(word);
                let preference = if own { own_preference } else { other_preference };
                if rng.random::<f64>() < chance * preference {
                    edges.push((item, items.nodes + word));
                }
            }
        }
        let nodes = items.nodes + self.words;
        let title =
            format!("{} items and {} words in {} blocks", items.nodes, self.words, items.classes);
        let mut graph = numbered(nodes, edges, &title);
        let is_item = |node: usize| node < items.nodes;
        let kinds = (0..nodes).map(|node| if is_item(node) { "item" } else { "word" });
        graph.set_node_column("type", texts(kinds));
        let label = |node| if is_item(node) { items.class_name(node) } else { String::new() };
        graph.set_node_column("labels", texts((0..nodes).map(label)));
        Ok(graph)
    }
}
