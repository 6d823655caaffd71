//! Finding nodes: near a point, in a direction, by name.

use super::Frame;
use crate::graph::{Graph, NodeId};
use crate::layout::Position;

/// A direction from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heading {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

impl Heading {
    /// The unit step in this direction: right, and up.
    pub(crate) fn step(self) -> [f64; 2] {
        match self {
            Self::Left => [-1.0, 0.0],
            Self::Right => [1.0, 0.0],
            Self::Up => [0.0, 1.0],
            Self::Down => [0.0, -1.0],
        }
    }
}

/// The node nearest to a screen position, within a maximum distance in columns.
pub(in crate::tui) fn nearest(
    places: &[Position],
    frame: &Frame,
    to: Position,
    within: f64,
) -> Option<NodeId> {
    let far = places.iter().map(|place| frame.apart(*place, to)).enumerate();
    let best = far.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 <= within).then(|| NodeId::from(best.0))
}

/// The next node in a direction: near, and not far off the straight line. Nodes at
/// the same position follow each other by index.
pub(in crate::tui) fn beside(
    places: &[Position],
    frame: &Frame,
    from: NodeId,
    heading: Heading,
) -> Option<NodeId> {
    let start = *places.get(from.index())?;
    let step = heading.step();
    let cost = |place: Position| {
        let way = frame.between(start, place);
        let ahead = way[0] * step[0] + way[1] * step[1];
        let aside = (way[0] * step[1] - way[1] * step[0]).abs();
        (ahead > 1e-6 && aside <= 1.5 * ahead).then_some(ahead + 2.0 * aside)
    };
    let forward = matches!(heading, Heading::Right | Heading::Up);
    let bits = |place: Position| place.map(f32::to_bits);
    let twin = |n: &usize| bits(places[*n]) == bits(start);
    let twin = if forward {
        (from.index() + 1..places.len()).find(twin)
    } else {
        (0..from.index()).rev().find(twin)
    };
    let costs = places.iter().enumerate().filter_map(|(n, place)| Some((n, cost(*place)?)));
    let ahead = || costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(n, _)| n);
    twin.or_else(ahead).map(NodeId::from)
}

/// The nodes a text refers to, best first: by id, by full name, or else all whose id
/// or name contains it.
pub(in crate::tui) fn found(graph: &Graph, text: &str) -> Vec<NodeId> {
    if let Some(node) = graph.ids().find(text) {
        return vec![node];
    }
    let wanted = text.to_lowercase();
    let name = |node: &NodeId| graph.name(*node).to_lowercase();
    let exact: Vec<NodeId> = graph.nodes().filter(|node| name(node) == wanted).collect();
    if !exact.is_empty() {
        return exact;
    }
    let holds = |node: &NodeId| {
        name(node).contains(&wanted) || graph.ids().text(*node).to_lowercase().contains(&wanted)
    };
    graph.nodes().filter(holds).collect()
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::tui::map::Window;

    #[test]
    fn nodes_are_found_near_a_point_and_in_a_direction() {
        let frame = Frame::new(Rect::new(0, 0, 80, 40), Window::default());
        let places = [[0.5, 0.5], [0.7, 0.52], [0.5, 0.9], [0.1, 0.5], [0.5, 0.5]];
        assert_eq!(nearest(&places, &frame, [0.69, 0.5], 5.0), Some(NodeId(1)));
        assert_eq!(nearest(&places, &frame, [0.9, 0.1], 5.0), None);
        let from = NodeId(4);
        assert_eq!(beside(&places, &frame, from, Heading::Right), Some(NodeId(1)));
        assert_eq!(beside(&places, &frame, from, Heading::Up), Some(NodeId(2)));
        assert_eq!(beside(&places, &frame, from, Heading::Left), Some(NodeId(0)), "its twin");
        assert_eq!(beside(&places, &frame, NodeId(0), Heading::Left), Some(NodeId(3)));
        assert_eq!(beside(&places, &frame, NodeId(3), Heading::Left), None);
        assert_eq!(beside(&[], &frame, NodeId(3), Heading::Left), None);
    }
}
