//! The neighbourhood graph of a node: its nodes, edges and positions.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::rings::{Ring, Rings};
use super::{Explanation, Ranking};
use gesf_graph::{Graph, NodeId};

/// The size of the neighbourhood graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EgoLimits {
    /// Neighbours are included up to this distance.
    pub hops: u16,
    /// Maximum number of nodes.
    pub most: usize,
    /// How many of them are reserved for top contributors at any distance.
    pub contributors: usize,
}

impl Default for EgoLimits {
    fn default() -> Self {
        Self { hops: 2, most: 40, contributors: 12 }
    }
}

/// From this many neighbours on, only the top contributors are shown: more would hide
/// each other.
const HUB: usize = 30;
/// Contributors shown around a hub.
const FAN: usize = 20;

/// A node of the neighbourhood graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The node.
    pub node: NodeId,
    /// Its distance from the centre.
    pub ring: Ring,
    /// Its contribution to the explained value.
    pub score: f64,
    /// Whether it is a top contributor.
    pub strong: bool,
    /// Horizontal position in the unit disc, to the right.
    pub x: f64,
    /// Vertical position in the unit disc, upwards.
    pub y: f64,
}

/// A line between two nodes of the neighbourhood graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The index of one end.
    pub from: usize,
    /// The index of the other end.
    pub to: usize,
    /// Whether it is an edge of the graph; otherwise it joins a distant contributor
    /// to the centre.
    pub is_edge: bool,
    /// For links to the centre: the contribution of the other end. 0 elsewhere.
    pub score: f64,
}

/// The neighbourhood graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ego {
    /// The nodes, the centre first.
    pub spots: Vec<Spot>,
    /// The lines.
    pub links: Vec<Link>,
    /// Number of direct neighbours that are not shown.
    pub missing: usize,
}

impl Ego {
    /// The neighbourhood graph of an explained node. A hub is shown with its top
    /// contributors, those for it first.
    pub fn around(graph: &Graph, found: &Explanation, rings: &Rings, frame: EgoLimits) -> Self {
        let neighbours = graph.neighbours(found.node);
        let is_hub = neighbours.len() >= HUB;
        let fan = EgoLimits { hops: 1, most: frame.most.min(FAN + 1), contributors: FAN };
        let frame = if is_hub { fan } else { frame };
        let strong = found.ranked(Ranking::Size, frame.contributors.min(frame.most));
        let chosen = choose(graph, found, rings, frame, &strong);
        let strong: BTreeSet<NodeId> = strong.into_iter().collect();
        let spot = |node: NodeId| Spot {
            node,
            ring: rings.of(node),
            score: found.scores[node.index()],
            strong: strong.contains(&node),
            x: 0.0,
            y: 0.0,
        };
        let mut spots = vec![spot(found.node)];
        spots.extend(chosen.iter().map(|&node| spot(node)));
        if is_hub {
            spots[1..].sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        place(graph, &mut spots, frame.hops);
        let shown = neighbours.iter().filter(|node| chosen.contains(&NodeId(**node))).count();
        let mut links = links(graph, &spots);
        // Edges among the neighbours of a hub are too many to follow.
        links.retain(|link| link.from == 0 || !is_hub);
        Self { links, missing: neighbours.len() - shown, spots }
    }
}

/// Chooses the nodes: the top contributors, then neighbours by contribution, ring
/// by ring.
fn choose(
    graph: &Graph,
    found: &Explanation,
    rings: &Rings,
    frame: EgoLimits,
    strong: &[NodeId],
) -> BTreeSet<NodeId> {
    let room = frame.most.saturating_sub(1);
    let mut chosen: BTreeSet<NodeId> = strong.iter().copied().take(room).collect();
    let mut front = vec![found.node];
    for hop in 1..=frame.hops {
        let outer: BTreeSet<NodeId> = front
            .iter()
            .flat_map(|&node| graph.neighbours(node))
            .map(|&other| NodeId(other))
            .filter(|&other| rings.of(other) == Ring::Hops(hop))
            .collect();
        let mut ranked: Vec<NodeId> = outer.into_iter().collect();
        let size = |node: &NodeId| found.scores[node.index()].abs();
        ranked.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        for &node in &ranked {
            if chosen.len() >= room {
                break;
            }
            chosen.insert(node);
        }
        // A node is only shown if a neighbour closer to the centre is.
        ranked.retain(|node| chosen.contains(node));
        front = ranked;
    }
    chosen
}

/// Places nodes on rings around the centre, near their neighbours on the next inner
/// ring.
fn place(graph: &Graph, spots: &mut [Spot], hops: u16) {
    let ring_of = |spot: &Spot| match spot.ring {
        Ring::Own => 0,
        Ring::Hops(own) if own <= hops => own,
        _ => hops + 1,
    };
    let outermost = spots.iter().map(ring_of).max().unwrap_or(0).max(1);
    let mut angles: Vec<Option<f64>> = vec![None; spots.len()];
    for ring in 1..=outermost {
        let members: Vec<usize> =
            (0..spots.len()).filter(|&at| ring_of(&spots[at]) == ring).collect();
        let wish = |at: usize| {
            let near = graph.neighbours(spots[at].node);
            let (mut x, mut y) = (0.0, 0.0);
            for (other, angle) in angles.iter().enumerate() {
                if let Some(angle) = angle
                    && near.binary_search(&spots[other].node.0).is_ok()
                {
                    x += angle.cos();
                    y += angle.sin();
                }
            }
            if x == 0.0 && y == 0.0 { f64::INFINITY } else { y.atan2(x).rem_euclid(TAU) }
        };
        let mut wishes: Vec<(f64, usize)> = members.iter().map(|&at| (wish(at), at)).collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let count = wishes.len().max(1) as f64;
        // Spread evenly, rotated to match the preferred angles on average.
        let turn = wishes.iter().find(|wish| wish.0.is_finite()).map_or(0.0, |wish| wish.0);
        let radius = f64::from(ring) / f64::from(outermost);
        let placed: Vec<(usize, f64)> = wishes
            .iter()
            .enumerate()
            .map(|(n, &(_, at))| (at, turn + TAU * n as f64 / count))
            .collect();
        for (at, angle) in placed {
            angles[at] = Some(angle);
            (spots[at].x, spots[at].y) = (radius * angle.cos(), radius * angle.sin());
        }
    }
}

fn links(graph: &Graph, spots: &[Spot]) -> Vec<Link> {
    let mut links = Vec::new();
    for (from, one) in spots.iter().enumerate() {
        let near = graph.neighbours(one.node);
        for (to, other) in spots.iter().enumerate().skip(from + 1) {
            let is_edge = near.binary_search(&other.node.0).is_ok();
            let to_centre = from == 0 && (is_edge || other.strong);
            if is_edge || to_centre {
                let score = if to_centre { other.score } else { 0.0 };
                links.push(Link { from, to, is_edge, score });
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::super::Aim;
    use super::*;
    use gesf_graph::LoadOptions;

    #[test]
    fn a_hub_shows_its_top_contributors_and_counts_the_rest() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/email-eu");
        let (graph, _) = gesf_graph::load(sample.as_ref(), &LoadOptions::default()).unwrap();
        let hub = graph.nodes().max_by_key(|node| graph.degree(*node)).unwrap();
        let score = |node: NodeId| match graph.neighbours(hub).binary_search(&node.0) {
            Ok(at) => at as f64 - 100.0,
            Err(_) => 0.0,
        };
        let found = Explanation {
            node: hub,
            aim: Aim::Length,
            weights: vec![0.0; graph.node_count()],
            size: None,
            scores: graph.nodes().map(score).collect(),
            features: None,
            gathered: Vec::new(),
            baseline: 0.0,
            value: 0.0,
            answers: Vec::new(),
            given: None,
        };
        let rings = Rings::around(&graph, hub);
        let ego = Ego::around(&graph, &found, &rings, EgoLimits::default());
        assert_eq!((ego.spots.len(), ego.missing), (FAN + 1, graph.degree(hub) - FAN));
        assert!(ego.spots[1..].iter().all(|spot| spot.strong && spot.ring == Ring::Hops(1)));
        assert!(ego.spots[1..].windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert!(ego.links.iter().all(|link| link.from == 0));
    }
}
