//! How far every node is from one, in edges.

use crate::graph::{Graph, NodeId};

/// A place seen from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ring {
    /// The node itself.
    Own,
    /// So many edges away.
    Hops(u16),
    /// More than so many edges away.
    Beyond(u16),
    /// No path leads there.
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
/// use gesf_tui::explain::{Ring, Rings};
/// use gesf_tui::graph::NodeId;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// let rings = Rings::around(&graph, NodeId(0));
/// assert_eq!(rings.of(NodeId(0)), Ring::Own);
/// let near = graph.nodes().filter(|node| rings.of(*node) == Ring::Hops(1)).count();
/// assert_eq!(near, graph.degree(NodeId(0)));
/// // The administrator is no friend of the instructor.
/// assert_eq!(rings.within(NodeId(33), 1), Ring::Beyond(1));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rings {
    hops: Vec<u16>,
}

impl Rings {
    /// Walks outwards from a node.
    pub fn around(graph: &Graph, node: NodeId) -> Self {
        let mut hops = vec![FAR; graph.node_count()];
        let mut front = Vec::new();
        if let Some(own) = hops.get_mut(node.index()) {
            *own = 0;
            front.push(node);
        }
        let mut distance = 0;
        while !front.is_empty() {
            // Paths longer than can be counted end at the last that can.
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

    /// Where a node is.
    pub fn of(&self, node: NodeId) -> Ring {
        match self.hops.get(node.index()) {
            None | Some(&FAR) => Ring::Apart,
            Some(0) => Ring::Own,
            Some(&hops) => Ring::Hops(hops),
        }
    }

    /// Where a node is, with all that is farther than `most` in one ring.
    pub fn within(&self, node: NodeId, most: u16) -> Ring {
        match self.of(node) {
            Ring::Hops(hops) if hops > most => Ring::Beyond(most),
            ring => ring,
        }
    }
}
