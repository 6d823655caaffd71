//! A node order that puts neighbours close together, so that the rows a sparse
//! product gathers are still in cache.

use super::sparse::{Scalar, Sparse};

/// Reverse Cuthill–McKee: breadth-first from a node of minimum degree in every
/// component, neighbours by ascending degree, the whole list reversed.
pub(super) fn by_neighbourhood<T: Scalar>(matrix: &Sparse<T>) -> Vec<u32> {
    let size = matrix.size();
    let degree = |node: u32| matrix.row(node as usize).0.len();
    let mut roots: Vec<u32> = (0..size as u32).collect();
    roots.sort_by_key(|&node| degree(node));
    let mut seen = vec![false; size];
    let mut order = Vec::with_capacity(size);
    let mut next = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        let mut at = order.len();
        order.push(root);
        while let Some(&node) = order.get(at) {
            at += 1;
            let fresh = matrix.row(node as usize).0.iter().copied();
            next.extend(fresh.filter(|&other| !std::mem::replace(&mut seen[other as usize], true)));
            next.sort_by_key(|&other| degree(other));
            order.append(&mut next);
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::super::sparse::tests::symmetric;
    use super::*;

    #[test]
    fn every_node_appears_once_and_a_path_is_traversed_end_to_end() {
        // A path with a scattered numbering, and an isolated node.
        let path = [3_usize, 0, 4, 1, 2];
        let edges: Vec<_> = path.windows(2).map(|pair| (pair[0], pair[1], 1.0)).collect();
        let order = by_neighbourhood(&symmetric(6, &edges));
        assert_eq!(order.len(), 6);
        let walked: Vec<usize> = order.iter().map(|&n| n as usize).filter(|&n| n != 5).collect();
        assert!(walked == path || walked.iter().rev().eq(path.iter()), "{walked:?}");
    }
}
