//! Initial positions of the force layout: each component as a tree around its node
//! of highest degree, the largest component in the centre. An untangled start needs
//! far fewer steps.

use std::f64::consts::TAU;

use crate::model::random::{stream, unit};
use gesf_graph::{Graph, NodeId};

/// Initial distance of neighbours.
const SPACING: f64 = 20.0;
/// The golden angle, which spreads the components evenly.
const GOLDEN_TURN: f64 = 2.399_963_229_728_653;

/// The initial position of every node, with a small rotation and jitter from the
/// seed.
pub(super) fn start(graph: &Graph, seed: u64) -> Vec<[f64; 2]> {
    let mut random = stream(seed, "layout");
    let mut points = vec![[0.0; 2]; graph.node_count()];
    let mut before = 0_usize;
    for (number, tree) in components(graph).iter().enumerate() {
        let size = tree.order.len();
        let away = if number == 0 { 0.0 } else { 1.3 * SPACING * ((before + size) as f64).sqrt() };
        let turn = GOLDEN_TURN * number as f64 + TAU * unit(&mut random);
        let middle = [away * turn.cos(), away * turn.sin()];
        let reach = SPACING * (size as f64).sqrt() / f64::from(tree.depth.max(1));
        let angles = tree.angles(TAU * unit(&mut random));
        for (place, &node) in tree.order.iter().enumerate() {
            let shake = 0.2 * SPACING * (unit(&mut random) - 0.5);
            let radius = reach * f64::from(tree.depths[place]) + shake;
            let angle = angles[place] + 0.01 * (unit(&mut random) - 0.5);
            points[node as usize] =
                [middle[0] + radius * angle.cos(), middle[1] + radius * angle.sin()];
        }
        before += size;
    }
    points
}

/// A component in breadth-first order.
struct Tree {
    /// Its nodes.
    order: Vec<u32>,
    /// For each node the index of its parent; the root is its own.
    parents: Vec<u32>,
    /// For each node its distance from the root.
    depths: Vec<u32>,
    /// The largest of these.
    depth: u32,
}

/// The components, largest first.
fn components(graph: &Graph) -> Vec<Tree> {
    let mut seen = vec![false; graph.node_count()];
    let mut by_degree: Vec<u32> = (0..graph.node_count() as u32).collect();
    by_degree.sort_by_key(|&node| std::cmp::Reverse(graph.degree(NodeId(node))));
    let mut trees = Vec::new();
    for root in by_degree {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        let mut tree = Tree { order: vec![root], parents: vec![0], depths: vec![0], depth: 0 };
        let mut next = 0;
        while let Some(&node) = tree.order.get(next) {
            for &other in graph.neighbours(NodeId(node)) {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    tree.order.push(other);
                    tree.parents.push(next as u32);
                    tree.depths.push(tree.depths[next] + 1);
                }
            }
            next += 1;
        }
        tree.depth = tree.depths.last().copied().unwrap_or(0);
        trees.push(tree);
    }
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.order.len()));
    trees
}

/// The number of the component of each node, the largest being 0.
pub(super) fn component_numbers(graph: &Graph) -> Vec<u32> {
    let mut numbers = vec![0; graph.node_count()];
    for (number, tree) in components(graph).iter().enumerate() {
        tree.order.iter().for_each(|&node| numbers[node as usize] = number as u32);
    }
    numbers
}

impl Tree {
    /// A direction for each node: children share the wedge of their parent by the
    /// size of their subtrees.
    fn angles(&self, from: f64) -> Vec<f64> {
        let count = self.order.len();
        let mut below = vec![1_usize; count];
        for place in (1..count).rev() {
            below[self.parents[place] as usize] += below[place];
        }
        // Where each wedge begins, and how much of it the children have used.
        let mut begins = vec![from; count];
        let mut widths = vec![TAU; count];
        let mut taken = vec![0.0; count];
        for place in 1..count {
            let parent = self.parents[place] as usize;
            let share = below[place] as f64 / (below[parent] - 1).max(1) as f64;
            begins[place] = begins[parent] + taken[parent];
            widths[place] = widths[parent] * share;
            taken[parent] += widths[place];
        }
        begins.iter().zip(&widths).map(|(begin, width)| begin + width / 2.0).collect()
    }
}
