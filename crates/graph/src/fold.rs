//! From edge rows to neighbour lists: self-loops are dropped, duplicates and both
//! directions are merged into one edge, and everything is counted.
//!
//! Every row becomes a pair (higher end, lower end). The pairs are put into buckets
//! of consecutive higher ends, sorted and merged bucket by bucket, and then
//! mirrored: read in order, the sorted pairs also fill the list of each lower end
//! in order. Grouping by the higher end balances the work, since hubs appear early
//! in a file and so have low numbers. All steps run in parallel and keep random
//! access in cache.
//! Arrays are allocated zeroed, so that their pages are first touched by the
//! threads that fill them: at ten million edges that costs more than arithmetic.

use std::ops::Range;

use bytemuck::Zeroable;
use petgraph::IntoWeightedEdge;
use rayon::prelude::*;

use super::{EdgeRows, FoldCounts, Topology};

/// Merges edge rows over `nodes` nodes. Weights of rows with the same pair are
/// added; without weights an edge has weight 1, however many rows list it.
pub(super) fn fold(rows: &EdgeRows, nodes: usize) -> (Topology, FoldCounts) {
    match &rows.weights {
        Some(weights) => {
            fold_rows(rows, |row| weights.get(row).copied().unwrap_or(1.0), nodes, true)
        }
        None => fold_rows(rows, |_| 1.0, nodes, false),
    }
}

/// A row, independent of its direction.
#[derive(Clone, Copy, Zeroable)]
struct Pair {
    high: u32,
    /// The lower end, shifted left by one; the low bit is set if the row ran from
    /// the higher end to the lower.
    key: u32,
    weight: f32,
}

impl Pair {
    fn low(&self) -> u32 {
        self.key >> 1
    }

    fn is_backward(&self) -> bool {
        self.key & 1 == 1
    }
}

/// An edge as an entry in the list of one of its ends.
#[derive(Clone, Copy, Zeroable)]
struct Neighbour {
    own: u32,
    other: u32,
    weight: f32,
}

impl IntoWeightedEdge<f32> for Neighbour {
    type NodeId = u32;

    fn into_weighted_edge(self) -> (u32, u32, f32) {
        (self.own, self.other, self.weight)
    }
}

fn fold_rows(
    rows: &EdgeRows,
    weight: impl Fn(usize) -> f32 + Sync,
    nodes: usize,
    add_up: bool,
) -> (Topology, FoldCounts) {
    let (pairs, counts) = distinct_pairs(rows, weight, nodes, add_up);
    let neighbours = mirror(&pairs, nodes);
    drop(pairs);
    // The lists are sorted and distinct by construction.
    let mut topology = Topology::from_sorted_edges(&neighbours).unwrap_or_default();
    while topology.node_count() < nodes {
        topology.add_node(());
    }
    (topology, counts)
}

/// Consecutive nodes that are merged together: 2^12 list ends fit in cache.
const BUCKET_BITS: u32 = 12;

fn bucket_of(node: u32) -> usize {
    (node >> BUCKET_BITS) as usize
}

/// Every distinct pair once, in order, with the counts of merged rows.
fn distinct_pairs(
    rows: &EdgeRows,
    weight: impl Fn(usize) -> f32 + Sync,
    nodes: usize,
    add_up: bool,
) -> (Vec<Pair>, FoldCounts) {
    let buckets = nodes.div_ceil(1 << BUCKET_BITS);
    let shares = even_shares(rows.len());
    let counted: Vec<(Vec<usize>, FoldCounts)> =
        shares.par_iter().map(|share| count(rows, &weight, share.clone(), buckets)).collect();
    let mut counts = FoldCounts { rows: rows.len(), ..FoldCounts::default() };
    for (_, own) in &counted {
        counts.self_loops += own.self_loops;
        counts.weightless += own.weightless;
    }
    let lengths: Vec<usize> =
        (0..buckets).map(|bucket| counted.iter().map(|(own, _)| own[bucket]).sum()).collect();
    let mut pairs: Vec<Pair> = bytemuck::zeroed_vec(lengths.iter().sum());
    let places = split_by_share(&mut pairs, &counted, buckets);
    shares
        .into_par_iter()
        .zip(places)
        .for_each(|(share, places)| distribute(rows, &weight, share, places));
    let folded: Vec<(usize, FoldCounts)> = split_by_lengths(&mut pairs, &lengths)
        .into_par_iter()
        .map_init(Vec::new, |spare, bucket| sort_and_fold(bucket, spare, add_up))
        .collect();
    let (mut from, mut to) = (0, 0);
    for (length, (kept, own)) in lengths.into_iter().zip(folded) {
        counts.duplicates += own.duplicates;
        counts.reciprocal += own.reciprocal;
        pairs.copy_within(from..from + kept, to);
        (from, to) = (from + length, to + kept);
    }
    pairs.truncate(to);
    (pairs, counts)
}

/// `0..whole`, divided into one share per thread.
fn even_shares(whole: usize) -> Vec<Range<usize>> {
    let shares = rayon::current_num_threads().clamp(1, 8);
    (0..shares).map(|n| whole * n / shares..whole * (n + 1) / shares).collect()
}

/// The rows of a share that join two different nodes.
fn joining<'a>(
    rows: &'a EdgeRows,
    weight: &'a impl Fn(usize) -> f32,
    share: Range<usize>,
) -> impl Iterator<Item = Pair> + 'a {
    let ends = rows.sources[share.clone()].iter().zip(&rows.targets[share.clone()]);
    share
        .zip(ends)
        .map(|(row, (source, target))| {
            let backward = u32::from(target < source);
            let (low, high) = (source.0.min(target.0), source.0.max(target.0));
            Pair { high, key: low << 1 | backward, weight: weight(row) }
        })
        .filter(|pair| pair.high != pair.low() && pair.weight != 0.0)
}

/// How many pairs of a share fall into each bucket, and the counts of dropped rows.
fn count(
    rows: &EdgeRows,
    weight: &impl Fn(usize) -> f32,
    share: Range<usize>,
    buckets: usize,
) -> (Vec<usize>, FoldCounts) {
    let mut lengths = vec![0_usize; buckets];
    for pair in joining(rows, weight, share.clone()) {
        lengths[bucket_of(pair.high)] += 1;
    }
    let ends = rows.sources[share.clone()].iter().zip(&rows.targets[share.clone()]);
    let self_loops = ends.filter(|(source, target)| source == target).count();
    let weightless = share.len() - self_loops - lengths.iter().sum::<usize>();
    (lengths, FoldCounts { self_loops, weightless, ..FoldCounts::default() })
}

/// The part of every bucket for each share. Inside a bucket the shares follow each
/// other, so pairs keep the order of their rows.
fn split_by_share<'a>(
    pairs: &'a mut [Pair],
    counted: &[(Vec<usize>, FoldCounts)],
    buckets: usize,
) -> Vec<Vec<&'a mut [Pair]>> {
    let mut places: Vec<Vec<&mut [Pair]>> = counted.iter().map(|_| Vec::new()).collect();
    let mut rest = pairs;
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

/// Puts every row of a share into its bucket.
fn distribute(
    rows: &EdgeRows,
    weight: &impl Fn(usize) -> f32,
    share: Range<usize>,
    places: Vec<&mut [Pair]>,
) {
    let mut slots: Vec<_> = places.into_iter().map(<[_]>::iter_mut).collect();
    for pair in joining(rows, weight, share) {
        if let Some(slot) = slots[bucket_of(pair.high)].next() {
            *slot = pair;
        }
    }
}

/// Sorts a bucket and merges duplicates, moving the result to the front; returns
/// its length.
fn sort_and_fold(pairs: &mut [Pair], spare: &mut Vec<Pair>, add_up: bool) -> (usize, FoldCounts) {
    let ends = group_by_high_end(pairs, spare);
    let mut counts = FoldCounts::default();
    let (mut start, mut kept) = (0, 0);
    for end in ends {
        // Stable: weights add up in the order of the rows.
        pairs[start..end].sort_by_key(Pair::low);
        while start < end {
            let first = pairs[start];
            let same = |pair: &&Pair| pair.low() == first.low();
            let length = pairs[start..end].iter().take_while(same).count();
            let run = &pairs[start..start + length];
            let back = run.iter().filter(|pair| pair.is_backward()).count();
            counts.duplicates += length - 1;
            counts.reciprocal += usize::from(back > 0 && back < length);
            let weight = if add_up {
                // The sum of finite weights may overflow.
                run.iter().map(|pair| pair.weight).sum::<f32>().min(f32::MAX)
            } else {
                first.weight
            };
            pairs[kept] = Pair { weight, ..first };
            kept += 1;
            start += length;
        }
    }
    (kept, counts)
}

/// A counting sort by the higher end; returns the end of each node's group.
fn group_by_high_end(pairs: &mut [Pair], spare: &mut Vec<Pair>) -> Vec<usize> {
    const NODES: usize = 1 << BUCKET_BITS;
    let place = |pair: &Pair| pair.high as usize % NODES;
    let mut next = vec![0_usize; NODES];
    for pair in pairs.iter() {
        next[place(pair)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    spare.clear();
    spare.extend_from_slice(pairs);
    for pair in spare.iter() {
        let at = &mut next[place(pair)];
        pairs[*at] = *pair;
        *at += 1;
    }
    next
}

/// Both directions of every pair, as neighbour lists in node order.
fn mirror(pairs: &[Pair], nodes: usize) -> Vec<Neighbour> {
    let degrees = degrees(pairs, nodes);
    let (shares, lengths) = shares_by_degree(&degrees, 2 * pairs.len());
    let mut neighbours: Vec<Neighbour> = bytemuck::zeroed_vec(2 * pairs.len());
    let parts = split_by_lengths(&mut neighbours, &lengths);
    let tasks: Vec<_> = shares.into_iter().zip(parts).collect();
    tasks.into_par_iter().for_each(|(share, part)| fill_lists(pairs, &share, &degrees, part));
    neighbours
}

/// For each node, the numbers of lower neighbours and of all neighbours.
fn degrees(pairs: &[Pair], nodes: usize) -> Vec<(u32, u32)> {
    let mut degrees = vec![(0_u32, 0_u32); nodes];
    for run in pairs.chunk_by(|a, b| a.high == b.high) {
        let below = run.len() as u32;
        let own = &mut degrees[run[0].high as usize];
        *own = (below, own.1 + below);
        for pair in run {
            degrees[pair.low() as usize].1 += 1;
        }
    }
    degrees
}

/// Ranges of nodes, one per thread, with about the same number of neighbours, and
/// those numbers.
fn shares_by_degree(degrees: &[(u32, u32)], total: usize) -> (Vec<Range<usize>>, Vec<usize>) {
    let wanted = total.div_ceil(rayon::current_num_threads().clamp(1, 8)).max(1);
    let (mut shares, mut lengths) = (Vec::new(), Vec::new());
    let (mut start, mut length) = (0, 0);
    for (node, (_, degree)) in degrees.iter().enumerate() {
        length += *degree as usize;
        if length >= wanted || node + 1 == degrees.len() {
            shares.push(start..node + 1);
            lengths.push(length);
            (start, length) = (node + 1, 0);
        }
    }
    (shares, lengths)
}

/// Fills the lists of a share: first the lower neighbours of a node, then the
/// higher ones, both in the order of the pairs, which is ascending.
fn fill_lists(
    pairs: &[Pair],
    share: &Range<usize>,
    degrees: &[(u32, u32)],
    lists: &mut [Neighbour],
) {
    let mut start = 0;
    let mut next: Vec<(usize, usize)> = Vec::with_capacity(share.len());
    for &(below, degree) in &degrees[share.clone()] {
        next.push((start, start + below as usize));
        start += degree as usize;
    }
    for pair in pairs {
        let (low, high, weight) = (pair.low(), pair.high, pair.weight);
        if share.contains(&(high as usize)) {
            let at = &mut next[high as usize - share.start].0;
            lists[*at] = Neighbour { own: high, other: low, weight };
            *at += 1;
        }
        if share.contains(&(low as usize)) {
            let at = &mut next[low as usize - share.start].1;
            lists[*at] = Neighbour { own: low, other: high, weight };
            *at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;
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
    fn without_weights_both_directions_and_repeats_become_one_edge_of_weight_one() {
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
    fn weights_of_repeated_rows_are_added_and_zero_is_not_an_edge() {
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
