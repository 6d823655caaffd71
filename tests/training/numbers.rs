//! Numbers to predict: averaged messages, shrinkage, and states of earlier versions.

use std::fmt::Write as _;
use std::sync::Arc;

use gesf_tui::graph::{Graph, Labels, LoadOptions, RoleChoice, load};
use gesf_tui::model::settings::{Aggregation, MapPenalty, Settings};
use gesf_tui::train::Score;

use super::{sample, small, trained, trainer};

/// Karate with each node's degree as the number to predict.
pub(crate) fn degrees() -> Arc<Graph> {
    let graph = sample("karate");
    let targets: Vec<f64> = graph.nodes().map(|node| graph.degree(node) as f64).collect();
    let edges = graph.edges().map(|(a, b, _)| (a.index(), b.index()));
    with_numbers(&targets, &edges.collect::<Vec<_>>())
}

fn with_numbers(targets: &[f64], pairs: &[(usize, usize)]) -> Arc<Graph> {
    let folder = tempfile::tempdir().unwrap();
    let mut nodes = String::from("id\ttarget\n");
    let mut edges = String::from("source\ttarget\n");
    for (node, target) in targets.iter().enumerate() {
        writeln!(nodes, "{node}\t{target}").unwrap();
    }
    for (a, b) in pairs {
        writeln!(edges, "{a}\t{b}").unwrap();
    }
    std::fs::write(folder.path().join("nodes.tsv"), nodes).unwrap();
    std::fs::write(folder.path().join("edges.tsv"), edges).unwrap();
    let options = LoadOptions {
        roles: RoleChoice { target: Some("target".into()), ..RoleChoice::default() },
        ..LoadOptions::default()
    };
    let (graph, _) = load(folder.path(), &options).unwrap();
    assert!(matches!(graph.labels(), Labels::Numeric(_)));
    Arc::new(graph)
}

/// Every node beyond the first joined to two earlier ones, so that degrees differ.
fn attached(nodes: usize) -> Vec<(usize, usize)> {
    (2..nodes).flat_map(|node| [(node, node / 2), (node, node * 7 % 31 % node)]).collect()
}

fn r2_of(graph: &Arc<Graph>, aggregation: Aggregation) -> f32 {
    let settings = Settings { aggregation, epochs: 240, ..Settings::default() };
    match trained(graph, &settings).1.evaluate().unwrap().scalars.test_x {
        Score::Numeric { r2, .. } => r2,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_number_is_averaged_and_still_learned_from_the_degree() {
    let edges = attached(300);
    let mut degrees = vec![0.0_f64; 300];
    for (a, b) in &edges {
        degrees[*a] += 1.0;
        degrees[*b] += 1.0;
    }
    let logs: Vec<f64> = degrees.iter().map(|degree| degree.ln()).collect();
    let found = r2_of(&with_numbers(&logs, &edges), Aggregation::Auto);
    assert!(found > 0.7, "the degree: {found}");
    let ring: Vec<(usize, usize)> =
        (0..300).flat_map(|n| [(n, (n + 1) % 300), (n, (n + 2) % 300)]).collect();
    // Hubs, whose sums are larger, have the numbers of their neighbours.
    let hubs = (0..60).map(|n| (5 * n, (5 * n + 9) % 300));
    let wave: Vec<f64> = (0..300).map(|n| (f64::from(n) * 0.042).sin()).collect();
    let graph = with_numbers(&wave, &ring.iter().copied().chain(hubs).collect::<Vec<_>>());
    let (mean, sum) = (r2_of(&graph, Aggregation::Auto), r2_of(&graph, Aggregation::Sum));
    assert!(mean > 0.95 && mean > sum, "mean {mean}, sum {sum}");
}

#[test]
fn a_state_with_numbers_of_an_earlier_version_continues() {
    let (aggregation, map_penalty) = (Aggregation::Sum, MapPenalty::Weight(0.0));
    let settings = Settings { aggregation, map_penalty, epochs: 30, ..small() };
    let graph = degrees();
    let mut own = trainer(&graph, &settings);
    (0..12).for_each(|_| drop(own.step().unwrap()));
    let whole = own.state().unwrap();
    let mut old = whole.clone();
    old.parameters.retain(|own| !["rho.temperature", "rho.shrinkage"].contains(&own.name.as_str()));
    assert_eq!(whole.parameters.len() - old.parameters.len(), 2);
    let mut other = trainer(&graph, &settings);
    other.restore(&old).unwrap();
    let found = other.state().unwrap();
    assert_eq!((found.epoch, found.values("x.0")), (whole.epoch, whole.values("x.0")));
    assert_eq!(found.values("rho.shrinkage"), Some(&[1.0][..]));
    other.step().unwrap();
}

#[test]
fn a_number_the_graph_says_nothing_about_is_predicted_by_its_mean() {
    let noise: Vec<f64> = (0..300).map(|n| (f64::from(n * n % 997) * 12.9898).sin()).collect();
    let found = r2_of(&with_numbers(&noise, &attached(300)), Aggregation::Auto);
    assert!(found > -0.1, "{found}");
}
