//! Graphs to explain.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gesf_tui::graph::{Graph, LoadOptions, RoleChoice, load};

pub(crate) fn sample(name: &str) -> Arc<Graph> {
    let path = Path::new("sample_graphs").join(name);
    Arc::new(load(&path, &LoadOptions::default()).unwrap().0)
}

/// A graph of edges between numbered nodes, with a label for each.
pub(crate) fn made(labels: &[String], edges: &[(usize, usize)]) -> Arc<Graph> {
    written(labels, edges, "labels", &LoadOptions::default())
}

/// The same with numbers to predict.
pub(crate) fn numeric(targets: &[String], edges: &[(usize, usize)]) -> Arc<Graph> {
    let roles = RoleChoice { target: Some("target".into()), ..RoleChoice::default() };
    written(targets, edges, "target", &LoadOptions { roles, ..LoadOptions::default() })
}

fn written(
    cells: &[String],
    edges: &[(usize, usize)],
    column: &str,
    options: &LoadOptions,
) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    let mut nodes = format!("id\t{column}\n");
    for (at, cell) in cells.iter().enumerate() {
        writeln!(nodes, "n{at}\t{cell}").unwrap();
    }
    let mut rows = String::from("source\ttarget\n");
    for (a, b) in edges {
        writeln!(rows, "n{a}\tn{b}").unwrap();
    }
    std::fs::write(folder.path().join("nodes.tsv"), nodes).unwrap();
    std::fs::write(folder.path().join("edges.tsv"), rows).unwrap();
    Arc::new(load(folder.path(), options).unwrap().0)
}

/// Karate with the number of neighbours as the target.
pub(crate) fn degrees() -> Arc<Graph> {
    let graph = sample("karate");
    let targets: Vec<String> = graph.nodes().map(|node| graph.degree(node).to_string()).collect();
    let edges: Vec<(usize, usize)> =
        graph.edges().map(|(a, b, _)| (a.index(), b.index())).collect();
    numeric(&targets, &edges)
}
