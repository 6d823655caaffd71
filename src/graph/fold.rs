//! From edge rows to neighbour lists: self-loops dropped, repeats and both
//! directions folded into one edge, everything counted.

use rayon::prelude::*;

use super::{EdgeRows, FoldCounts, Topology};

/// One neighbour in the making: who, whether the row pointed away from the
/// node, and the weight.
#[derive(Clone, Copy)]
struct Half {
    /// The neighbour, shifted left by one; the low bit is set for the half of
    /// a row that was seen from its target. Sorting by it puts repeats side by
    /// side and the forward ones first.
    key: u32,
    weight: f32,
}

impl Half {
    fn other(self) -> u32 {
        self.key >> 1
    }

    fn is_backward(self) -> bool {
        self.key & 1 == 1
    }
}

/// Folds edge rows over `nodes` nodes. Weights of repeated rows add up where
/// the source is weighted; else an edge weighs 1 however often it is listed.
pub(super) fn fold(rows: &EdgeRows, nodes: usize) -> (Topology, FoldCounts) {
    let weighted = rows.weights.is_some();
    let (mut halves, starts, mut counts) = scatter(rows, nodes);
    let lists = split_rows(&mut halves, &starts);
    let folded: Vec<(Vec<(u32, u32, f32)>, FoldCounts)> =
        lists.into_par_iter().map(|list| fold_lists(list, &starts, weighted)).collect();
    drop(halves);
    let mut edges = Vec::with_capacity(folded.iter().map(|(edges, _)| edges.len()).sum());
    for (part, part_counts) in folded {
        edges.extend(part);
        counts.duplicates += part_counts.duplicates;
        counts.reciprocal += part_counts.reciprocal;
    }
    (topology(&edges, nodes), counts)
}

/// A counting sort of the halves of all rows by the node they belong to.
fn scatter(rows: &EdgeRows, nodes: usize) -> (Vec<Half>, Vec<usize>, FoldCounts) {
    let mut counts = FoldCounts { rows: rows.len(), ..FoldCounts::default() };
    let mut starts = vec![0_usize; nodes + 1];
    for (source, target, weight) in rows.iter() {
        if source == target {
            counts.self_loops += 1;
        } else if weight == 0.0 {
            counts.weightless += 1;
        } else {
            starts[source.index() + 1] += 1;
            starts[target.index() + 1] += 1;
        }
    }
    for n in 0..nodes {
        starts[n + 1] += starts[n];
    }
    let mut next = starts.clone();
    let mut halves = vec![Half { key: 0, weight: 0.0 }; starts[nodes]];
    for (source, target, weight) in rows.iter() {
        if source != target && weight != 0.0 {
            let ends = [(source, target, 0), (target, source, 1)];
            for (own, other, backward) in ends {
                let at = &mut next[own.index()];
                halves[*at] = Half { key: other.0 << 1 | backward, weight };
                *at += 1;
            }
        }
    }
    (halves, starts, counts)
}

/// A stretch of consecutive nodes with the halves that belong to them.
struct Stretch<'a> {
    first: usize,
    end: usize,
    halves: &'a mut [Half],
}

/// Cuts the nodes into stretches of about equal work.
fn split_rows<'a>(mut halves: &'a mut [Half], starts: &[usize]) -> Vec<Stretch<'a>> {
    const STRETCHES: usize = 64;
    let nodes = starts.len() - 1;
    let share = (halves.len() / STRETCHES).max(1024);
    let (mut stretches, mut first) = (Vec::new(), 0);
    while first < nodes {
        let mut end = first + 1;
        while end < nodes && starts[end] - starts[first] < share {
            end += 1;
        }
        let (own, rest) = halves.split_at_mut(starts[end] - starts[first]);
        stretches.push(Stretch { first, end, halves: own });
        (halves, first) = (rest, end);
    }
    stretches
}

fn fold_lists(
    stretch: Stretch<'_>,
    starts: &[usize],
    weighted: bool,
) -> (Vec<(u32, u32, f32)>, FoldCounts) {
    let mut edges = Vec::with_capacity(stretch.halves.len());
    let mut counts = FoldCounts::default();
    let base = starts[stretch.first];
    for node in stretch.first..stretch.end {
        let list = &mut stretch.halves[starts[node] - base..starts[node + 1] - base];
        // Stable: rows of one pair keep their order, so weights add up the
        // same way in the lists of both ends.
        list.sort_by_key(|half| half.other());
        for run in list.chunk_by(|a, b| a.other() == b.other()) {
            let other = run[0].other();
            let sum: f32 = run.iter().map(|half| half.weight).sum();
            edges.push((node as u32, other, if weighted { sum } else { 1.0 }));
            if (node as u32) < other {
                counts.duplicates += run.len() - 1;
                let back = run.iter().filter(|half| half.is_backward()).count();
                counts.reciprocal += usize::from(back > 0 && back < run.len());
            }
        }
    }
    (edges, counts)
}

fn topology(sorted: &[(u32, u32, f32)], nodes: usize) -> Topology {
    // The rows are sorted and distinct by construction.
    let mut topology = Topology::from_sorted_edges(sorted).unwrap_or_default();
    while topology.node_count() < nodes {
        topology.add_node(());
    }
    topology
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::NodeId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn rows(list: &[(u32, u32, f32)], weighted: bool) -> EdgeRows {
        EdgeRows {
            sources: list.iter().map(|row| NodeId(row.0)).collect(),
            targets: list.iter().map(|row| NodeId(row.1)).collect(),
            weights: weighted.then(|| list.iter().map(|row| row.2).collect()),
            columns: Vec::new(),
        }
    }

    #[test]
    fn both_directions_and_repeats_become_one_edge_and_are_counted() {
        let list = [(0, 1, 1.0), (1, 0, 1.0), (0, 1, 1.0), (2, 2, 1.0), (1, 2, 1.0)];
        let (topology, counts) = fold(&rows(&list, false), 4);
        assert_eq!(topology.node_count(), 4);
        assert_eq!(topology.neighbors_slice(1), [0, 2]);
        assert_eq!(topology.edges_slice(1), [1.0, 1.0]);
        let expected =
            FoldCounts { rows: 5, self_loops: 1, duplicates: 2, reciprocal: 1, weightless: 0 };
        assert_eq!(counts, expected);
    }

    #[test]
    fn weights_of_repeated_rows_add_up_and_zero_is_no_edge() {
        let list = [(0, 1, 2.0), (1, 0, 0.5), (1, 2, 0.0)];
        let (topology, counts) = fold(&rows(&list, true), 3);
        assert_eq!(topology.edges_slice(0), [2.5]);
        assert_eq!(topology.edges_slice(2), [] as [f32; 0]);
        assert_eq!(counts.weightless, 1);
    }

    proptest! {
        #[test]
        fn folding_equals_a_map_of_pairs(
            list in prop::collection::vec((0..12_u32, 0..12_u32, 0..4_u8), 0..200)
        ) {
            let list: Vec<_> = list.into_iter().map(|(s, t, w)| (s, t, f32::from(w))).collect();
            let (topology, counts) = fold(&rows(&list, true), 12);
            let mut pairs: BTreeMap<(u32, u32), f32> = BTreeMap::new();
            for &(s, t, w) in list.iter().filter(|row| row.0 != row.1 && row.2 != 0.0) {
                *pairs.entry((s.min(t), s.max(t))).or_default() += w;
            }
            let mut seen = BTreeMap::new();
            for s in 0..12_u32 {
                let row = topology.neighbors_slice(s).iter().zip(topology.edges_slice(s));
                for (&t, &w) in row {
                    let slot = seen.entry((s.min(t), s.max(t))).or_insert(w);
                    prop_assert_eq!(*slot, w, "both ends hold the same weight");
                }
            }
            prop_assert_eq!(&seen, &pairs);
            let kept = counts.rows - counts.self_loops - counts.weightless - counts.duplicates;
            prop_assert_eq!(kept, pairs.len());
        }
    }
}
