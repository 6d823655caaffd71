//! The neighbours of a node as cards in any order.

use gesf_core::model::random::{stream, uniform};
use gesf_graph::{Graph, NodeId, TypeId};

/// A neighbour: a name, a vector and a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its vector x.
    pub vector: Vec<f32>,
    /// Its node type.
    pub kind: TypeId,
}

/// Dimension of a random vector.
pub const MADE_UP_WIDTH: usize = 3;

/// A random vector for a node: deterministic for a seed, different for every node.
pub fn made_up(seed: u64, node: NodeId) -> Vec<f32> {
    let mut random = stream(seed, &format!("node {}", node.0));
    uniform(&mut random, MADE_UP_WIDTH, 1.0)
}

/// The nodes within some hops of a node, nearest first, in graph order and without
/// the node itself. At most `most` of each type.
pub fn around(
    graph: &Graph,
    node: NodeId,
    steps: usize,
    most: usize,
    vector: impl Fn(NodeId) -> Vec<f32>,
) -> Vec<Card> {
    if node.index() >= graph.node_count() {
        return Vec::new();
    }
    let mut seen = vec![false; graph.node_count()];
    seen[node.index()] = true;
    let mut taken = vec![0; graph.types().count()];
    let (mut ring, mut cards) = (vec![node], Vec::new());
    for _ in 0..steps {
        let mut next = Vec::new();
        for &other in ring.iter().flat_map(|own| graph.neighbours(*own)) {
            if !std::mem::replace(&mut seen[other as usize], true) {
                next.push(NodeId(other));
            }
        }
        next.sort_unstable();
        for &other in &next {
            let kind = graph.types().of(other);
            if taken[kind.index()] < most {
                taken[kind.index()] += 1;
                cards.push(Card {
                    name: graph.name(other).to_owned(),
                    vector: vector(other),
                    kind,
                });
            }
        }
        ring = next;
    }
    cards
}

/// Cards of two types without a graph, and the type names.
pub(super) fn two_types(seed: u64) -> (Vec<String>, Vec<Card>) {
    const ROWS: [[&str; 4]; 2] =
        [["Ann", "Bea", "Cleo", "Dora"], ["ball", "fair", "picnic", "play"]];
    let card = |kind: usize, at: usize, name: &str| Card {
        name: name.to_owned(),
        vector: made_up(seed, NodeId((kind * 4 + at) as u32)),
        kind: TypeId(kind as u16),
    };
    let rows = ROWS.iter().enumerate();
    let cards = rows
        .flat_map(|(kind, row)| row.iter().enumerate().map(move |(at, name)| card(kind, at, name)));
    (vec!["woman".to_owned(), "event".to_owned()], cards.collect())
}

/// Cards without a graph: letters with random vectors.
pub fn letters(count: usize, seed: u64) -> Vec<Card> {
    let name = |at: usize| char::from(b'A' + (at % 26) as u8).to_string();
    let card = |at: usize| Card {
        name: name(at),
        vector: made_up(seed, NodeId(at as u32)),
        kind: TypeId(0),
    };
    (0..count).map(card).collect()
}
