//! What is inside a box, and what it is made of.

use std::borrow::Cow;

use super::paint::Entry;
use super::{ColourBy, Paint};
use crate::graph::{Labels, NodeId};
use crate::layout::Place;
use crate::train::{Ready, Score, Snapshot, score};

/// The nodes in the box between two corners, in order.
pub(in crate::tui) fn inside(places: &[Place], from: Place, to: Place) -> Vec<NodeId> {
    let within = |place: &Place| {
        (0..2).all(|axis| {
            let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
            (low..=high).contains(&place[axis])
        })
    };
    let found = places.iter().enumerate().filter(|(_, place)| within(place));
    found.map(|(at, _)| NodeId::from(at)).collect()
}

/// What some nodes are made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Mix {
    /// How many there are.
    pub count: usize,
    /// How many of them are held back to judge by.
    pub held: usize,
    /// The score of these.
    pub score: Option<Score>,
    /// Labels, or what else nodes differ by, with their counts, most first.
    pub parts: Vec<Entry>,
}

/// What some nodes are made of: by label where there are any, else by what they
/// are coloured by.
pub(in crate::tui) fn mix(
    ready: &Ready,
    snapshot: Option<&Snapshot>,
    nodes: &[NodeId],
    (colour, painted): (ColourBy, &Paint),
) -> Mix {
    let graph = &ready.ground.graph;
    let labels = graph.labels();
    let by = if matches!(labels, Labels::None) { colour } else { ColourBy::Label };
    let paint = if by == colour {
        Cow::Borrowed(painted)
    } else {
        Cow::Owned(Paint::of(by, ready, snapshot))
    };
    let mut parts: Vec<Entry> =
        paint.entries.iter().map(|entry| Entry { count: 0, ..entry.clone() }).collect();
    for node in nodes {
        let own = paint.of.get(node.index()).and_then(|at| parts.get_mut(usize::from(*at)));
        if let Some(own) = own {
            own.count += 1;
        }
    }
    parts.retain(|own| own.count > 0);
    parts.sort_by_key(|own| std::cmp::Reverse(own.count));
    let held: Vec<NodeId> =
        nodes.iter().copied().filter(|node| ready.split.held.binary_search(node).is_ok()).collect();
    let judged = snapshot.filter(|_| !held.is_empty()).map(|snapshot| {
        score(labels, &snapshot.predictions.from_x, &ready.groups, &held, ready.units)
    });
    let score = judged.filter(|score| *score != Score::None);
    Mix { count: nodes.len(), held: held.len(), score, parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_holds_what_lies_between_its_corners_whichever_come_first() {
        let places = [[0.1, 0.1], [0.5, 0.5], [0.5, 0.9]];
        assert_eq!(inside(&places, [0.6, 0.6], [0.0, 0.0]), [NodeId(0), NodeId(1)]);
        assert!(inside(&places, [0.2, 0.2], [0.3, 0.3]).is_empty());
    }
}
