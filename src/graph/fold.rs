//! From edge rows to neighbour lists: self-loops dropped, repeats and both
//! directions folded into one edge, everything counted.
//!
//! One array holds every row twice, once for each end. It is filled bucket by
//! bucket of consecutive nodes, then each bucket is sorted and folded where it
//! lies: all steps run in parallel, every random access stays in cache, and no
//! second array is written, for at ten million edges fresh pages cost more
//! than arithmetic.

use std::ops::Range;

use petgraph::IntoWeightedEdge;
use rayon::prelude::*;

use super::{EdgeRows, FoldCounts, Topology};

/// Folds edge rows over `nodes` nodes. Weights of repeated rows add up where
/// the source is weighted; else an edge weighs 1 however often it is listed.
pub(super) fn fold(rows: &EdgeRows, nodes: usize) -> (Topology, FoldCounts) {
    match &rows.weights {
        Some(weights) => fold_rows(rows, |row| weights.get(row).copied().unwrap_or(1.0), nodes),
        None => fold_rows(rows, |_| One, nodes),
    }
}

/// What a row weighs.
trait RowWeight: Copy + Send + Sync {
    fn value(self) -> f32;
    fn sum(run: &[Half<Self>]) -> Self;
}

impl RowWeight for f32 {
    fn value(self) -> f32 {
        self
    }

    fn sum(run: &[Half<Self>]) -> Self {
        run.iter().map(|half| half.weight).sum()
    }
}

/// The weight of every row of an unweighted source; takes no memory.
#[derive(Clone, Copy)]
struct One;

impl RowWeight for One {
    fn value(self) -> f32 {
        1.0
    }

    fn sum(_: &[Half<Self>]) -> Self {
        Self
    }
}

/// A row as seen from one of its ends.
#[derive(Clone, Copy)]
struct Half<W> {
    own: u32,
    /// The other end, shifted left by one; the low bit is set where the row is
    /// seen from its target.
    key: u32,
    weight: W,
}

impl<W> Half<W> {
    fn other(&self) -> u32 {
        self.key >> 1
    }

    fn is_backward(&self) -> bool {
        self.key & 1 == 1
    }
}

impl<W: RowWeight> IntoWeightedEdge<f32> for Half<W> {
    type NodeId = u32;

    fn into_weighted_edge(self) -> (u32, u32, f32) {
        (self.own, self.other(), self.weight.value())
    }
}

/// Consecutive nodes that are folded together: 2^12 list ends fit in cache.
const BUCKET_BITS: u32 = 12;

fn fold_rows<W: RowWeight>(
    rows: &EdgeRows,
    weight: impl Fn(usize) -> W + Sync,
    nodes: usize,
) -> (Topology, FoldCounts) {
    let buckets = nodes.div_ceil(1 << BUCKET_BITS);
    let shares = shares_of_rows(rows.len());
    let counted: Vec<(Vec<usize>, FoldCounts)> =
        shares.par_iter().map(|share| count(rows, &weight, share.clone(), buckets)).collect();
    let mut counts = FoldCounts { rows: rows.len(), ..FoldCounts::default() };
    for (_, own) in &counted {
        counts.self_loops += own.self_loops;
        counts.weightless += own.weightless;
    }
    let lengths: Vec<usize> =
        (0..buckets).map(|bucket| counted.iter().map(|(own, _)| own[bucket]).sum()).collect();
    let mut halves = if rows.is_empty() {
        Vec::new()
    } else {
        vec![Half { own: 0, key: 0, weight: weight(0) }; lengths.iter().sum()]
    };
    let places = split_by_share(&mut halves, &counted, buckets);
    shares
        .into_par_iter()
        .zip(places)
        .for_each(|(share, places)| distribute(rows, &weight, share, places));
    let folded: Vec<(usize, FoldCounts)> = split_by_lengths(&mut halves, &lengths)
        .into_par_iter()
        .map_init(Vec::new, |spare, bucket| sort_and_fold(bucket, spare))
        .collect();
    let (mut from, mut to) = (0, 0);
    for (length, (kept, own)) in lengths.into_iter().zip(folded) {
        counts.duplicates += own.duplicates;
        counts.reciprocal += own.reciprocal;
        halves.copy_within(from..from + kept, to);
        (from, to) = (from + length, to + kept);
    }
    halves.truncate(to);
    (topology(&halves, nodes), counts)
}

/// The rows, cut into one share a thread.
fn shares_of_rows(rows: usize) -> Vec<Range<usize>> {
    let shares = rayon::current_num_threads().max(1);
    (0..shares).map(|n| rows * n / shares..rows * (n + 1) / shares).collect()
}

fn bucket_of(node: u32) -> usize {
    (node >> BUCKET_BITS) as usize
}

/// The rows of a share that join two nodes, as (weight, source, target).
fn joining<'a, W: RowWeight>(
    rows: &'a EdgeRows,
    weight: &'a impl Fn(usize) -> W,
    share: Range<usize>,
) -> impl Iterator<Item = (W, u32, u32)> + 'a {
    let ends = rows.sources[share.clone()].iter().zip(&rows.targets[share.clone()]);
    share
        .zip(ends)
        .map(|(row, (source, target))| (weight(row), source.0, target.0))
        .filter(|(weight, source, target)| source != target && weight.value() != 0.0)
}

/// How many halves of a share fall into each bucket, and what joins nothing.
fn count<W: RowWeight>(
    rows: &EdgeRows,
    weight: &impl Fn(usize) -> W,
    share: Range<usize>,
    buckets: usize,
) -> (Vec<usize>, FoldCounts) {
    let mut lengths = vec![0_usize; buckets];
    let mut joined = 0;
    for (_, source, target) in joining(rows, weight, share.clone()) {
        lengths[bucket_of(source)] += 1;
        lengths[bucket_of(target)] += 1;
        joined += 1;
    }
    let ends = rows.sources[share.clone()].iter().zip(&rows.targets[share.clone()]);
    let self_loops = ends.filter(|(source, target)| source == target).count();
    let weightless = share.len() - joined - self_loops;
    (lengths, FoldCounts { self_loops, weightless, ..FoldCounts::default() })
}

/// For each share, its own stretch of every bucket. Inside a bucket the shares
/// follow each other, so halves keep the order of their rows.
fn split_by_share<'a, W>(
    halves: &'a mut [Half<W>],
    counted: &[(Vec<usize>, FoldCounts)],
    buckets: usize,
) -> Vec<Vec<&'a mut [Half<W>]>> {
    let mut places: Vec<Vec<&mut [Half<W>]>> = counted.iter().map(|_| Vec::new()).collect();
    let mut rest = halves;
    for bucket in 0..buckets {
        for (own, (lengths, _)) in places.iter_mut().zip(counted) {
            let (part, after) = rest.split_at_mut(lengths[bucket]);
            own.push(part);
            rest = after;
        }
    }
    places
}

fn split_by_lengths<'a, T>(mut rest: &'a mut [T], lengths: &[usize]) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (part, after) = rest.split_at_mut(length);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Puts both halves of every row of a share into their buckets.
fn distribute<W: RowWeight>(
    rows: &EdgeRows,
    weight: &impl Fn(usize) -> W,
    share: Range<usize>,
    places: Vec<&mut [Half<W>]>,
) {
    let mut slots: Vec<_> = places.into_iter().map(<[_]>::iter_mut).collect();
    for (weight, source, target) in joining(rows, weight, share) {
        for (own, other, backward) in [(source, target, 0), (target, source, 1)] {
            if let Some(slot) = slots[bucket_of(own)].next() {
                *slot = Half { own, key: other << 1 | backward, weight };
            }
        }
    }
}

/// Sorts a bucket by node and neighbour and folds repeats, moving what is kept
/// to the front; says how much that is.
fn sort_and_fold<W: RowWeight>(
    halves: &mut [Half<W>],
    spare: &mut Vec<Half<W>>,
) -> (usize, FoldCounts) {
    let mut ends = group_by_node(halves, spare);
    ends.dedup();
    let mut counts = FoldCounts::default();
    let (mut start, mut kept) = (0, 0);
    for end in ends {
        // Stable: rows of one pair keep their order, so that weights add up to
        // the same bits in the lists of both ends.
        halves[start..end].sort_by_key(Half::other);
        while start < end {
            let first = halves[start];
            let same = |half: &&Half<W>| half.other() == first.other();
            let length = halves[start..end].iter().take_while(same).count();
            let run = &halves[start..start + length];
            if length > 1 && first.own < first.other() {
                counts.duplicates += length - 1;
                let back = run.iter().filter(|half| half.is_backward()).count();
                counts.reciprocal += usize::from(back > 0 && back < length);
            }
            halves[kept] = Half { weight: W::sum(run), ..first };
            kept += 1;
            start += length;
        }
    }
    (kept, counts)
}

/// A counting sort by node; says where the group of each node ends.
fn group_by_node<W: RowWeight>(halves: &mut [Half<W>], spare: &mut Vec<Half<W>>) -> Vec<usize> {
    const NODES: usize = 1 << BUCKET_BITS;
    let place = |half: &Half<W>| half.own as usize % NODES;
    let mut next = vec![0_usize; NODES];
    for half in halves.iter() {
        next[place(half)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    spare.clear();
    spare.extend_from_slice(halves);
    for half in spare.iter() {
        let at = &mut next[place(half)];
        halves[*at] = *half;
        *at += 1;
    }
    next
}

fn topology<W: RowWeight>(sorted: &[Half<W>], nodes: usize) -> Topology {
    // The halves are sorted and distinct by construction.
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
                    prop_assert_eq!(slot.to_bits(), w.to_bits(), "both ends hold the same weight");
                }
            }
            prop_assert_eq!(&seen, &pairs);
            let kept = counts.rows - counts.self_loops - counts.weightless - counts.duplicates;
            prop_assert_eq!(kept, pairs.len());
        }
    }
}
