//! Shapes with known spectra.

use super::{RawGraph, numbered};

pub(super) fn grid(nodes: usize) -> RawGraph {
    let side = nodes.isqrt();
    let at = |row: usize, column: usize| row * side + column;
    let mut edges = Vec::new();
    for row in 0..side {
        for column in 0..side {
            if column + 1 < side {
                edges.push((at(row, column), at(row, column + 1)));
            }
            if row + 1 < side {
                edges.push((at(row, column), at(row + 1, column)));
            }
        }
    }
    numbered(side * side, edges, &format!("grid of {side} by {side}"))
}

pub(super) fn ring(nodes: usize) -> RawGraph {
    let edges = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
    numbered(nodes, edges, &format!("ring of {nodes}"))
}

/// Two complete graphs and a path between them, a third of the nodes each.
pub(super) fn barbell(nodes: usize) -> RawGraph {
    let bell = nodes.div_ceil(3);
    let path = nodes - 2 * bell;
    let mut edges = Vec::new();
    for first in [0, bell + path] {
        for a in 0..bell {
            edges.extend((a + 1..bell).map(|b| (first + a, first + b)));
        }
    }
    edges.extend((bell - 1..bell + path).map(|node| (node, node + 1)));
    let mut graph = numbered(nodes, edges, &format!("barbell of {nodes}"));
    let part = |node: usize| match node {
        _ if node < bell => "left",
        _ if node < bell + path => "path",
        _ => "right",
    };
    graph.set_node_column("labels", super::texts((0..nodes).map(part)));
    graph
}
