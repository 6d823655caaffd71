//! Layouts of graphs of every kind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use candle_core::Device;
use faer::{Mat, Side};
use gesf_tui::graph::generate::Recipe;
use gesf_tui::graph::{Graph, LoadOptions, NodeId, Reading, RoleChoice, build, load};
use gesf_tui::layout::{LayoutError, Position, Refined, force, principal, spectral};
use gesf_tui::model::settings::{EigenpairCount, EngineChoice, Settings};
use gesf_tui::model::{Groups, PreparedGraph};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::{SavedParameter, Trainer, TrainerState};
use proptest::prelude::*;

fn sample(name: &str) -> Graph {
    load(format!("sample_graphs/{name}").as_ref(), &LoadOptions::default()).unwrap().0
}

fn from_edges(text: &str) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.txt");
    std::fs::write(&path, text).unwrap();
    load(&path, &LoadOptions::default()).unwrap().0
}

fn barbell(nodes: usize) -> Graph {
    let raw = Recipe::Barbell { nodes }.make(1).unwrap();
    build(raw, &RoleChoice::default(), &mut Reading::default()).unwrap().0
}

fn forced(graph: &Graph, seed: u64) -> Refined {
    let mut last = None;
    force(graph, seed, &Cancel::default(), &mut |refined| last = Some(refined));
    last.unwrap()
}

fn assert_in_the_square(places: &[Position], nodes: usize) {
    assert_eq!(places.len(), nodes);
    assert!(places.iter().flatten().all(|value| (0.0..=1.0).contains(value)), "{places:?}");
}

/// The mean position of some nodes, and their mean distance from it.
fn cloud(places: &[Position], nodes: impl Iterator<Item = usize> + Clone) -> ([f32; 2], f32) {
    let count = nodes.clone().count() as f32;
    let mean = [0, 1].map(|axis| nodes.clone().map(|n| places[n][axis]).sum::<f32>() / count);
    let far = |n: usize| (places[n][0] - mean[0]).hypot(places[n][1] - mean[1]);
    (mean, nodes.map(far).sum::<f32>() / count)
}

#[test]
fn a_force_layout_depends_only_on_the_seed() {
    let graph = sample("lesmis");
    let (one, again, other) = (forced(&graph, 3), forced(&graph, 3), forced(&graph, 4));
    assert_eq!(one, again);
    assert_ne!(one.places, other.places);
    assert_eq!(one.done, one.total);
    assert_in_the_square(&one.places, graph.node_count());
}

fn with_vectors() -> Settings {
    let (engine, eigenpairs) = (EngineChoice::Dense, EigenpairCount::All);
    Settings { engine, eigenpairs, ..Settings::default() }
}

#[test]
fn the_cliques_of_a_barbell_end_up_apart() {
    let graph = barbell(60);
    let spectrum = prepared(&graph, &with_vectors());
    let by_waves = spectral(&graph, spectrum.spectrum.as_deref(), spectrum.matrix.kind()).unwrap();
    for places in [forced(&graph, 1).places, by_waves] {
        // The cliques are the nodes of high degree, in two ranges.
        let bell: Vec<usize> =
            graph.nodes().filter(|n| graph.degree(*n) > 3).map(NodeId::index).collect();
        let half = bell.len() / 2;
        let (left, spread) = cloud(&places, bell[..half].iter().copied());
        let (right, other) = cloud(&places, bell[half..].iter().copied());
        let apart = (left[0] - right[0]).hypot(left[1] - right[1]);
        assert!(apart > 3.0 * spread.max(other), "{apart} {spread} {other}");
    }
}

#[test]
fn graphs_with_one_or_two_nodes_or_many_components_have_layouts() {
    for text in ["a a\n", "a b\n", "a b\nc d\ne e\n", "a b\nb c\nc a\nd e\ne f\nf d\ng g\nh h\n"] {
        let graph = from_edges(text);
        let nodes = graph.node_count();
        assert_in_the_square(&forced(&graph, 1).places, nodes);
        let prepared = prepared(&graph, &with_vectors());
        match spectral(&graph, prepared.spectrum.as_deref(), prepared.matrix.kind()) {
            Ok(places) => assert_in_the_square(&places, nodes),
            Err(error) => assert!(matches!(error, LayoutError::TooFewVectors { .. }), "{error}"),
        }
    }
}

#[test]
fn a_cancelled_layout_sends_no_final_update() {
    let graph = sample("karate");
    let cancel = Cancel::default();
    let mut told = Vec::new();
    force(&graph, 1, &cancel, &mut |refined| {
        cancel.cancel();
        told.push(refined.done);
    });
    assert_eq!(told, [0], "only the start was told");
}

#[test]
fn polynomial_operators_have_no_spectral_layout_and_the_error_explains_why() {
    let graph = sample("karate");
    let prepared = prepared(&graph, &Settings::default());
    let said = spectral(&graph, prepared.spectrum.as_deref(), prepared.matrix.kind()).unwrap_err();
    assert_eq!(said, LayoutError::NoVectors);
    assert!(said.to_string().contains("help:"));
}

#[test]
fn the_spectral_layout_separates_the_sides_of_the_karate_club() {
    let graph = sample("karate");
    let prepared = prepared(&graph, &with_vectors());
    let places = spectral(&graph, prepared.spectrum.as_deref(), prepared.matrix.kind()).unwrap();
    let classes = graph.labels().classes().unwrap();
    let side = |class: usize| {
        let of = |n: &usize| classes.of(NodeId::from(*n))[0].index() == class;
        let nodes: Vec<usize> = (0..graph.node_count()).filter(of).collect();
        cloud(&places, nodes.into_iter()).0
    };
    assert!((side(0)[0] - side(1)[0]).abs() > 0.3, "{:?} {:?}", side(0), side(1));
}

fn prepared(graph: &Graph, settings: &Settings) -> PreparedGraph {
    let graph = Arc::new(graph.clone());
    PreparedGraph::prepare(&graph, settings, None, &Cancel::default(), &mut |_| {}).unwrap()
}

fn state_of(blocks: Vec<Vec<f32>>) -> TrainerState {
    let named = |(kind, values): (usize, Vec<f32>)| SavedParameter {
        name: format!("x.{kind}"),
        values,
        ..SavedParameter::default()
    };
    let parameters = blocks.into_iter().enumerate().map(named).collect();
    TrainerState { parameters, ..TrainerState::default() }
}

/// Numbers that look random and are the same everywhere.
fn scattered(count: usize, width: usize) -> Vec<f32> {
    let value = |at: usize| ((at * 7919 + 13) as f32).sin() * (1.0 + 3.0 / (1 + at % width) as f32);
    (0..count * width).map(value).collect()
}

/// The correlation of two lists of numbers.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |own: &[f64]| own.iter().sum::<f64>() / own.len() as f64;
    let (middle_a, middle_b) = (mean(a), mean(b));
    let product = |x: &[f64], mx: f64, y: &[f64], my: f64| {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
    };
    let cross = product(a, middle_a, b, middle_b);
    cross / (product(a, middle_a, a, middle_a) * product(b, middle_b, b, middle_b)).sqrt()
}

#[test]
fn principal_components_agree_with_a_dense_solver_of_the_gram_matrix() {
    let graph = sample("karate");
    let (nodes, width) = (graph.node_count(), 9);
    let values = scattered(nodes, width);
    let groups = Groups::of(&graph, &Device::Cpu).unwrap();
    let made = principal(&state_of(vec![values.clone()]), &groups, None);
    assert_in_the_square(&made.places, nodes);
    // The Gram matrix of the centred rows has the same components, unscaled.
    let mean: Vec<f64> = (0..width)
        .map(|c| (0..nodes).map(|r| f64::from(values[r * width + c])).sum::<f64>() / nodes as f64)
        .collect();
    let centred = |r: usize, c: usize| f64::from(values[r * width + c]) - mean[c];
    let gram = Mat::from_fn(nodes, nodes, |a, b| {
        (0..width).map(|c| centred(a, c) * centred(b, c)).sum::<f64>()
    });
    let eigen = gram.self_adjoint_eigen(Side::Lower).unwrap();
    for axis in 0..2 {
        let exact: Vec<f64> = eigen.U().col(nodes - 1 - axis).iter().copied().collect();
        let own: Vec<f64> = made.places.iter().map(|place| f64::from(place[axis])).collect();
        let same = correlation(&exact, &own).abs();
        assert!(same > 1.0 - 1e-9, "axis {axis}: {same}");
    }
    let sizes = eigen.S().column_vector();
    let all: f64 = sizes.iter().sum();
    let first = (sizes[nodes - 1] + sizes[nodes - 2]) / all;
    assert!((made.shown[0] - first).abs() < 1e-9, "{} {first}", made.shown[0]);
}

#[test]
fn a_projection_does_not_move_when_the_embedding_axes_are_permuted() {
    let graph = sample("karate");
    let (nodes, width) = (graph.node_count(), 6);
    let values = scattered(nodes, width);
    let groups = Groups::of(&graph, &Device::Cpu).unwrap();
    let first = principal(&state_of(vec![values.clone()]), &groups, None);
    // Every axis mirrored and the order of the axes reversed: the same cloud.
    let mut mirrored = values;
    mirrored.chunks_mut(width).for_each(|row| {
        row.reverse();
        for value in row {
            *value = -*value;
        }
    });
    let second = principal(&state_of(vec![mirrored]), &groups, Some(&first));
    for (a, b) in first.places.iter().zip(&second.places) {
        assert!((a[0] - b[0]).abs() < 1e-4 && (a[1] - b[1]).abs() < 1e-4, "{a:?} {b:?}");
    }
}

#[test]
fn node_types_of_different_width_each_have_a_part_of_the_projection() {
    let graph = sample("southern-women");
    let groups = Groups::of(&graph, &Device::Cpu).unwrap();
    assert_eq!(groups.count(), 2);
    let blocks = (0..2).map(|kind| scattered(groups.members(kind).len(), 3 + 4 * kind)).collect();
    let made = principal(&state_of(blocks), &groups, None);
    assert_in_the_square(&made.places, graph.node_count());
    let side = |kind: usize| groups.members(kind).iter().map(|&n| made.places[n as usize][0]);
    let (most, least) = (side(0).fold(0.0, f32::max), side(1).fold(1.0, f32::min));
    assert!(most < least, "{most} {least}");
}

#[test]
fn embeddings_are_projected_during_training() {
    let graph = Arc::new(sample("karate"));
    let settings = Settings { epochs: 30, eigenpairs: EigenpairCount::All, ..Settings::default() };
    let mut trainer = Trainer::new(prepared(&graph, &settings), settings).unwrap();
    let groups = trainer.model().groups().clone();
    let mut before = principal(&trainer.view().unwrap(), &groups, None);
    for _ in 0..30 {
        trainer.step().unwrap();
        let next = principal(&trainer.view().unwrap(), &groups, Some(&before));
        assert_in_the_square(&next.places, graph.node_count());
        before = next;
    }
    assert!(before.shown[0] > 0.2 && before.shown[0] <= 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_graph_layout_stays_inside_the_square(
        edges in prop::collection::vec((0_u32..12, 0_u32..12), 1..40),
        seed in 0_u64..1000,
    ) {
        let rows: Vec<String> = edges.iter().map(|(a, b)| format!("{a} {b}")).collect();
        let text = rows.join("\n");
        let graph = from_edges(&text);
        assert_in_the_square(&forced(&graph, seed).places, graph.node_count());
    }

    #[test]
    fn embeddings_with_any_values_have_positions(
        values in prop::collection::vec(
            prop_oneof![4 => -1e3_f32..1e3, 1 => Just(f32::NAN), 1 => Just(f32::INFINITY), 1 => Just(0.0)],
            34 * 3,
        ),
    ) {
        let graph = sample("karate");
        let groups = Groups::of(&graph, &Device::Cpu).unwrap();
        let made = principal(&state_of(vec![values]), &groups, None);
        assert_in_the_square(&made.places, 34);
    }
}
