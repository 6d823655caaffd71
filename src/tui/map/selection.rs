//! The nodes inside a box, and their composition.

use std::borrow::Cow;

use super::paint::LegendEntry;
use super::{ColourBy, Paint};
use crate::graph::{Labels, NodeId};
use crate::layout::Position;
use crate::train::{PreparedRun, Score, Snapshot, score};

/// The nodes in the box between two corners, in order.
pub(in crate::tui) fn inside(places: &[Position], from: Position, to: Position) -> Vec<NodeId> {
    let within = |place: &Position| {
        (0..2).all(|axis| {
            let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
            (low..=high).contains(&place[axis])
        })
    };
    let found = places.iter().enumerate().filter(|(_, place)| within(place));
    found.map(|(at, _)| NodeId::from(at)).collect()
}

/// Composition of a set of nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Mix {
    /// Number of nodes.
    pub count: usize,
    /// Number of test nodes among them.
    pub test: usize,
    /// Their score.
    pub score: Option<Score>,
    /// Labels, or the current colour categories, with counts, most frequent first.
    pub parts: Vec<LegendEntry>,
}

/// Composition of a set of nodes: by label if there are any, or else by the current
/// colouring.
pub(in crate::tui) fn mix(
    ready: &PreparedRun,
    snapshot: Option<&Snapshot>,
    nodes: &[NodeId],
    (colour, painted): (ColourBy, &Paint),
) -> Mix {
    let graph = &ready.prepared.graph;
    let labels = graph.labels();
    let by = if matches!(labels, Labels::None) { colour } else { ColourBy::Label };
    let paint = if by == colour {
        Cow::Borrowed(painted)
    } else {
        Cow::Owned(Paint::of(by, ready, snapshot))
    };
    let mut parts: Vec<LegendEntry> =
        paint.entries.iter().map(|entry| LegendEntry { count: 0, ..entry.clone() }).collect();
    for node in nodes {
        let own = paint.of.get(node.index()).and_then(|at| parts.get_mut(usize::from(*at)));
        if let Some(own) = own {
            own.count += 1;
        }
    }
    parts.retain(|own| own.count > 0);
    parts.sort_by_key(|own| std::cmp::Reverse(own.count));
    let test: Vec<NodeId> =
        nodes.iter().copied().filter(|node| ready.split.test.binary_search(node).is_ok()).collect();
    let judged = snapshot.filter(|_| !test.is_empty()).map(|snapshot| {
        score(labels, &snapshot.predictions.from_x, &ready.groups, &test, ready.units)
    });
    let score = judged.filter(|score| *score != Score::None);
    Mix { count: nodes.len(), test: test.len(), score, parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_contains_what_lies_between_its_corners_in_any_order() {
        let places = [[0.1, 0.1], [0.5, 0.5], [0.5, 0.9]];
        assert_eq!(inside(&places, [0.6, 0.6], [0.0, 0.0]), [NodeId(0), NodeId(1)]);
        assert!(inside(&places, [0.2, 0.2], [0.3, 0.3]).is_empty());
    }
}
