//! Node features in the model: when they help they are used, when they do not they
//! are not; the same bits, no test labels, and contributions that add up.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gesf_tui::explain::{
    ContributionTable, ExplainContext, Explanation, Faithfulness, Ranking, Rings, Slice,
    SliceGroup, Trial, by_label, by_ring, by_type, by_walk,
};
use gesf_tui::graph::{Graph, LoadOptions, NodeId, load};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{Dimensions, FeatureUse, Settings};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::{Score, Split, Trainer};

/// A number in 0..1 that looks random.
fn noise(seed: usize) -> f64 {
    (((seed * 2_654_435_761) ^ (seed >> 7)) % 10_007) as f64 / 10_007.0
}

/// Which part of the graph tells the class of a node.
#[derive(Clone, Copy, PartialEq)]
enum Telling {
    Edges,
    Features,
}

/// 120 nodes of three classes with four edges and three of thirty words each. Either
/// the edges or the words depend on the class; the others are random.
fn made(telling: Telling, folder: &Path) -> Arc<Graph> {
    let count = 120;
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    let mut words = String::from("id\tindices\n");
    for node in 0..count {
        writeln!(nodes, "n{node}\tc{}", node % 3).unwrap();
        for edge in 0..4 {
            let other = (noise(node * 31 + edge * 7 + 1) * f64::from(count as u32)) as usize;
            let inside = other - other % 3 + node % 3;
            let other = if telling == Telling::Edges { inside } else { other };
            if other != node && other < count {
                writeln!(edges, "n{node}\tn{other}").unwrap();
            }
        }
        let word = |at: usize| {
            let random = (noise(node * 17 + at * 5 + 3) * 30.0) as usize;
            if telling == Telling::Features { random / 3 * 3 + node % 3 } else { random }
        };
        writeln!(words, "n{node}\t{} {} {}", word(0), word(1), word(2)).unwrap();
    }
    std::fs::write(folder.join("nodes.tsv"), nodes).unwrap();
    std::fs::write(folder.join("edges.tsv"), edges).unwrap();
    std::fs::write(folder.join("attributes.tsv"), words).unwrap();
    Arc::new(load(folder, &LoadOptions::default()).unwrap().0)
}

fn graph(telling: Telling) -> Arc<Graph> {
    made(telling, tempfile::tempdir().unwrap().path())
}

fn settings(features: FeatureUse) -> Settings {
    Settings {
        features,
        dimension: Dimensions::Each(vec![16]),
        hidden: 16,
        epochs: 240,
        ..Settings::default()
    }
}

fn trainer(graph: &Arc<Graph>, settings: &Settings) -> Trainer {
    let cancel = Cancel::default();
    let prepared = PreparedGraph::prepare(graph, settings, None, &cancel, &mut |_| {}).unwrap();
    Trainer::new(prepared, settings.clone()).unwrap()
}

fn trained(graph: &Arc<Graph>, settings: &Settings) -> Trainer {
    let mut trainer = trainer(graph, settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    trainer
}

/// Test accuracy and the share of the features.
fn outcome(telling: Telling, features: FeatureUse) -> (f32, Option<f32>) {
    let scalars = trained(&graph(telling), &settings(features)).evaluate().unwrap().scalars;
    let Score::Classes { accuracy, .. } = scalars.test_x else { panic!("{:?}", scalars.test_x) };
    (accuracy, scalars.feature_share)
}

#[test]
fn features_that_tell_the_class_are_used_and_random_ones_hardly() {
    let (without, none) = outcome(Telling::Features, FeatureUse::Ignore);
    let (with, share) = outcome(Telling::Features, FeatureUse::Use);
    assert_eq!(none, None);
    assert!(without < 0.6 && with > 0.85, "{without} without, {with} with features");
    assert!(share.unwrap() > 0.7, "{share:?}");
    let (without, _) = outcome(Telling::Edges, FeatureUse::Ignore);
    let (with, share) = outcome(Telling::Edges, FeatureUse::Use);
    assert!(with > without - 0.05, "{without} without, {with} with features");
    assert!(share.unwrap() < 0.4, "{share:?}");
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let graph = graph(Telling::Features);
    let settings = Settings { epochs: 30, ..settings(FeatureUse::Use) };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&graph, &settings).state().unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_restored_state_continues_to_the_same_bits_in_either_stage() {
    let graph = graph(Telling::Features);
    let settings = Settings { epochs: 30, ..settings(FeatureUse::Use) };
    let mut own = trainer(&graph, &settings);
    let mut states = Vec::new();
    while !own.is_done() {
        states.push(own.state().unwrap());
        own.step().unwrap();
    }
    let last = own.state().unwrap();
    for at in [7, 20] {
        let mut other = trainer(&graph, &settings);
        other.restore(&states[at]).unwrap();
        while !other.is_done() {
            other.step().unwrap();
        }
        assert_eq!(other.state().unwrap(), last, "from epoch {at}");
    }
}

#[test]
fn test_labels_do_not_reach_the_map_of_the_features() {
    let folder = tempfile::tempdir().unwrap();
    let graph = made(Telling::Features, folder.path());
    let settings = Settings { epochs: 60, ..settings(FeatureUse::Use) };
    let split = Split::of(&graph, &settings);
    let is_test = |row: usize| split.test.contains(&NodeId::from(row));
    let text = std::fs::read_to_string(folder.path().join("nodes.tsv")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (at, line) in lines.iter_mut().skip(1).enumerate().filter(|(at, _)| is_test(*at)) {
        *line = format!("n{at}\tc{}", (at + 1) % 3);
    }
    std::fs::write(folder.path().join("nodes.tsv"), lines.join("\n") + "\n").unwrap();
    let poisoned = Arc::new(load(folder.path(), &LoadOptions::default()).unwrap().0);
    assert_ne!(graph.fingerprint(), poisoned.fingerprint());
    let state = |graph: &Arc<Graph>| {
        let cancel = Cancel::default();
        let prepared =
            PreparedGraph::prepare(graph, &settings, None, &cancel, &mut |_| {}).unwrap();
        let mut own = Trainer::with_split(prepared, settings.clone(), split.clone()).unwrap();
        while !own.is_done() {
            own.step().unwrap();
        }
        own.state().unwrap()
    };
    let found = state(&graph);
    assert!(found.values("psi_f.0.weight").unwrap().iter().any(|weight| *weight != 0.0));
    assert_eq!(found, state(&poisoned));
}

#[test]
fn contributions_of_neighbours_and_own_features_add_up_exactly() {
    let graph = graph(Telling::Features);
    let own = trained(&graph, &Settings { epochs: 120, ..settings(FeatureUse::Use) });
    let context = ExplainContext::of_trainer(&own).unwrap();
    for node in [0, 17, 80].map(NodeId) {
        let found = Explanation::of(&context, node, context.usual_aim(node)).unwrap();
        assert!(found.completeness_error().abs() < 1e-9);
        assert!(found.rounding_error().unwrap() < 1e-4, "{:?}", found.rounding_error());
        assert!(found.sum_error(&context).unwrap() < 1e-5);
        let words = graph.features().unwrap().row(node).count();
        assert_eq!(found.features.as_ref().unwrap().len(), words);
        assert!(found.own_features().abs() > 0.01);
        let rings = Rings::around(&graph, node);
        let table = ContributionTable::of(&context, &found, &rings, (Ranking::Size, 5)).unwrap();
        let features = table.features.unwrap();
        let listed: f64 = table.lines.iter().map(|line| line.score).sum();
        let whole = found.baseline + listed + table.own.score + features.score + table.rest;
        assert!((whole - found.value).abs() < 1e-9);
        let sum = |slices: &[Slice]| slices.iter().map(|slice| slice.score).sum::<f64>();
        for slices in [
            by_ring(&found, &rings, 3),
            by_type(&context, &found),
            by_label(&context, &found),
            by_walk(&context, &found).unwrap(),
        ] {
            assert!(slices.iter().any(|slice| slice.group == SliceGroup::Features));
            assert!((sum(&slices) - found.sum()).abs() < 1e-4 * found.size());
        }
        let trial = Trial { most: 400, ..Trial::default() };
        let tested = Faithfulness::of(&context, &found, trial, &Cancel::default()).unwrap();
        // Without any neighbour the own features are left, and the other way round.
        let alone = tested.kept[0];
        assert!((alone - tested.removed.last().unwrap()).abs() < 1e-6);
        assert!((features.left_out - found.value).abs() > 1e-3);
    }
}

#[test]
fn attributes_as_nodes_leave_no_features() {
    use gesf_tui::model::settings::AttributeUse;
    let settings = Settings { attributes: AttributeUse::Nodes, ..settings(FeatureUse::Use) };
    let own = trainer(&graph(Telling::Features), &settings);
    assert!(own.prepared().features.is_none());
    assert_eq!(own.evaluate().unwrap().scalars.feature_share, None);
}
