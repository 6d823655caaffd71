//! The distance of every node from one node, in edges.

use gesf_graph::{Graph, NodeId};

/// The position of a node relative to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ring {
    /// The node itself.
    Own,
    /// This many edges away.
    Hops(u16),
    /// More than this many edges away.
    Beyond(u16),
    /// No path leads to it.
    Apart,
}

impl std::fmt::Display for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Own => f.pad("itself"),
            Self::Hops(1) => f.pad("1 hop"),
            Self::Hops(hops) => f.pad(&format!("{hops} hops")),
            Self::Beyond(hops) => f.pad(&format!("beyond {hops}")),
            Self::Apart => f.pad("no path"),
        }
    }
}

const FAR: u16 = u16::MAX;

/// The distance of every node from one.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Ring, Rings};
/// use gesf_graph::NodeId;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// let rings = Rings::around(&graph, NodeId(0));
/// assert_eq!(rings.of(NodeId(0)), Ring::Own);
/// let near = graph.nodes().filter(|node| rings.of(*node) == Ring::Hops(1)).count();
/// assert_eq!(near, graph.degree(NodeId(0)));
/// // The administrator is not a neighbour of the instructor.
/// assert_eq!(rings.within(NodeId(33), 1), Ring::Beyond(1));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rings {
    hops: Vec<u16>,
}

impl Rings {
    /// Breadth-first search from a node.
    pub fn around(graph: &Graph, node: NodeId) -> Self {
        let mut hops = vec![FAR; graph.node_count()];
        let mut front = Vec::new();
        if let Some(own) = hops.get_mut(node.index()) {
            *own = 0;
            front.push(node);
        }
        let mut distance = 0;
        while !front.is_empty() {
            // Longer paths count as the largest representable distance.
            distance = (distance + 1).min(FAR - 1);
            let mut next = Vec::new();
            for node in front {
                for &other in graph.neighbours(node) {
                    let own = &mut hops[other as usize];
                    if *own == FAR {
                        *own = distance;
                        next.push(NodeId(other));
                    }
                }
            }
            front = next;
        }
        Self { hops }
    }

    /// The ring of a node.
    pub fn of(&self, node: NodeId) -> Ring {
        match self.hops.get(node.index()) {
            None | Some(&FAR) => Ring::Apart,
            Some(0) => Ring::Own,
            Some(&hops) => Ring::Hops(hops),
        }
    }

    /// The ring of a node, with everything farther than `most` in one ring.
    pub fn within(&self, node: NodeId, most: u16) -> Ring {
        match self.of(node) {
            Ring::Hops(hops) if hops > most => Ring::Beyond(most),
            ring => ring,
        }
    }
}
