//! Planted motifs: small houses attached to a random graph, so that it is known which
//! nodes an explanation should find (BA-shapes; Ying et al. 2019).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::random::preferential_edges;
use super::{BadRecipe, RawGraph, at_least, numbered, share, texts};

/// Houses on a preferential-attachment graph. The class of a node is its role; the
/// column `motif` has the number of its house.
#[derive(Debug, Clone, PartialEq)]
pub struct PlantedMotifs {
    /// Nodes of the graph that the houses are attached to.
    pub nodes: usize,
    /// Edges of each of them when it is added.
    pub edges_each: usize,
    /// Houses, of five nodes each.
    pub motifs: usize,
    /// Random edges, as a share of all nodes.
    pub noise: f64,
}

impl Default for PlantedMotifs {
    fn default() -> Self {
        Self { nodes: 300, edges_each: 5, motifs: 80, noise: 0.1 }
    }
}

/// The roles of the nodes of a house.
const ROLES: [&str; 5] = ["bottom", "bottom", "middle", "middle", "top"];
/// A square with a roof.
const WALLS: [(usize, usize); 6] = [(0, 1), (2, 3), (0, 2), (1, 3), (2, 4), (3, 4)];

impl PlantedMotifs {
    pub(super) fn make(&self, rng: &mut ChaCha8Rng) -> Result<RawGraph, BadRecipe> {
        let Self { nodes, edges_each, motifs, noise } = *self;
        at_least("edges per new node", edges_each, 1)?;
        at_least("nodes", nodes, edges_each + 1)?;
        at_least("motifs", motifs, 1)?;
        share("share of random edges", noise)?;
        let all = at_least("nodes", nodes.saturating_add(motifs.saturating_mul(ROLES.len())), 1)?;
        let mut edges = preferential_edges(nodes, edges_each, rng);
        for first in (nodes..all).step_by(ROLES.len()) {
            edges.extend(WALLS.map(|(a, b)| (first + a, first + b)));
            edges.push((rng.random_range(0..nodes), first));
        }
        for _ in 0..(noise * all as f64).round() as usize {
            let (a, b) = (rng.random_range(0..all), rng.random_range(0..all - 1));
            edges.push((a, if b >= a { b + 1 } else { b }));
        }
        let mut graph = numbered(all, edges, &format!("{motifs} houses on a graph of {nodes}"));
        let place = |node: usize| node.checked_sub(nodes);
        let role = |node| place(node).map_or("base", |place| ROLES[place % ROLES.len()]);
        let motif = |node: usize| {
            place(node).map_or_else(String::new, |place| (place / ROLES.len() + 1).to_string())
        };
        graph.set_node_column("labels", texts((0..all).map(role)));
        graph.set_node_column("motif", texts((0..all).map(motif)));
        Ok(graph)
    }
}
