//! How the classes of neighbours depend on each other.

use std::collections::BTreeMap;

use super::{ClassId, Classes, Graph, NodeId};

/// Measures over the edges with both ends labelled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Homophily {
    /// Share of edges whose ends share a label.
    pub(super) observed: f64,
    /// The same if edges were drawn at random with the same degrees.
    pub(super) by_chance: f64,
    /// How much the class of a neighbour tells about that of a node, from 0 to 1
    /// (Platonov et al. 2023, LI over edges). Only where every node has one class.
    pub(super) informativeness: Option<f64>,
}

type Label<'a> = &'a [ClassId];

impl Homophily {
    /// Measures a graph; `None` without such edges.
    ///
    /// By chance: both ends of an edge are drawn independently, each node with a
    /// probability proportional to its number of such edges. Nodes with the same set
    /// of labels are drawn as one group, so this costs groups², not nodes².
    pub(super) fn of(graph: &Graph, classes: &Classes) -> Option<Self> {
        let share = |a: Label<'_>, b: Label<'_>| a.iter().any(|class| b.contains(class));
        let mut pairs: BTreeMap<(Label<'_>, Label<'_>), usize> = BTreeMap::new();
        let labelled = |node: NodeId| Some(classes.of(node)).filter(|own| !own.is_empty());
        for (a, b, _) in graph.edges() {
            if let (Some(a), Some(b)) = (labelled(a), labelled(b)) {
                *pairs.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
        let edges: usize = pairs.values().sum();
        let alike = pairs.iter().filter(|((a, b), _)| share(a, b)).map(|(_, count)| count);
        let alike: usize = alike.sum();
        let mut ends: BTreeMap<Label<'_>, f64> = BTreeMap::new();
        for (&(a, b), &count) in &pairs {
            *ends.entry(a).or_default() += count as f64;
            *ends.entry(b).or_default() += count as f64;
        }
        let all = 2.0 * edges as f64;
        let expected = |(own, weight): (&Label<'_>, &f64)| {
            let like: f64 =
                ends.iter().filter(|(other, _)| share(own, other)).map(|(_, w)| w).sum();
            weight * like / (all * all)
        };
        let single = pairs.keys().all(|(a, b)| a.len() == 1 && b.len() == 1);
        (edges > 0).then(|| Self {
            observed: alike as f64 / edges as f64,
            by_chance: ends.iter().map(expected).sum(),
            informativeness: single.then(|| informativeness(&pairs, &ends, all)).flatten(),
        })
    }

    /// The observed homophily on a scale on which chance is 0 and 1 is the most.
    /// `None` where chance is all there is.
    pub(super) fn adjusted(&self) -> Option<f64> {
        let room = 1.0 - self.by_chance;
        (room > f64::EPSILON).then(|| (self.observed - self.by_chance) / room)
    }
}

/// LI = 2 - H(c, c') / H(c): the entropy of a pair of neighbours against that of one.
fn informativeness(
    pairs: &BTreeMap<(Label<'_>, Label<'_>), usize>,
    ends: &BTreeMap<Label<'_>, f64>,
    all: f64,
) -> Option<f64> {
    let entropy = |p: f64| -p * p.ln();
    let of_one: f64 = ends.values().map(|weight| entropy(weight / all)).sum();
    // A pair of two classes counts once in each direction, one of equals twice in one.
    let of_pair: f64 = pairs
        .iter()
        .map(|((a, b), count)| match (a == b, *count as f64) {
            (true, count) => entropy(2.0 * count / all),
            (false, count) => 2.0 * entropy(count / all),
        })
        .sum();
    (of_one > f64::EPSILON).then(|| 2.0 - of_pair / of_one)
}
