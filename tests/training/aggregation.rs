//! Sum or mean of the messages: the choice on withheld labels, and how it is kept.

use std::fmt::Write as _;
use std::sync::Arc;

use gesf_tui::explain::{ExplainContext, Explanation};
use gesf_tui::graph::{Graph, NodeId};
use gesf_tui::model::settings::{Aggregation, Dimensions, Settings};
use gesf_tui::train::Trainer;

use super::{check_restoring, from_tables, sample, trained, trainer};

/// Three classes; edges within a class are three times as heavy as others. With a
/// spread above 0, weights also grow with the strengths of both nodes, so that sums say
/// more about these than about classes.
fn blocks(spread: f64) -> Arc<Graph> {
    let mut state = 1_u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut nodes, mut edges) =
        (String::from("id\tlabels\n"), String::from("source\ttarget\tweight\n"));
    let strengths: Vec<f64> = (0..NODES).map(|_| (spread * (uniform() - 0.5)).exp()).collect();
    for a in 0..NODES {
        writeln!(nodes, "{a}\tc{}", a % 3).unwrap();
        for b in (0..a).filter(|_| uniform() < 0.1).collect::<Vec<_>>() {
            let within = if a % 3 == b % 3 { 3.0 } else { 1.0 };
            let noise = (uniform() - 0.5).exp();
            writeln!(edges, "{a}\t{b}\t{}", strengths[a] * strengths[b] * within * noise).unwrap();
        }
    }
    from_tables(&nodes, &edges)
}

const NODES: usize = 240;

fn quick(aggregation: Aggregation) -> Settings {
    let dimension = Dimensions::Each(vec![16]);
    Settings { aggregation, dimension, hidden: 16, epochs: 120, ..Settings::default() }
}

/// A trainer at the end of its first stage.
fn after_first_stage(graph: &Arc<Graph>, aggregation: Aggregation) -> Trainer {
    let mut own = trainer(graph, &quick(aggregation));
    while own.epoch() < own.filter_stage().epochs() {
        own.step().unwrap();
    }
    own
}

#[test]
fn messages_are_averaged_where_that_predicts_withheld_labels_better() {
    for (spread, expected) in [(8.0, Aggregation::Mean), (0.0, Aggregation::Sum)] {
        let graph = blocks(spread);
        let own = after_first_stage(&graph, Aggregation::Auto);
        assert_eq!(own.model().aggregation(), expected, "{spread}");
        // The second stage does not differ from one with this aggregation from the start.
        let alone = after_first_stage(&graph, expected);
        assert_eq!(own.state().unwrap(), alone.state().unwrap(), "{spread}");
    }
}

#[test]
fn too_few_labels_and_several_classes_are_not_compared() {
    for name in ["karate", "southern-women"] {
        let found = trainer(&sample(name), &Settings::default()).step().unwrap();
        assert_eq!((found.scalars.alternative, found.scalars.takes_mean), (None, false), "{name}");
    }
}

#[test]
fn states_before_and_after_the_choice_restore_to_the_same_bits() {
    let graph = blocks(8.0);
    let settings = Settings { epochs: 60, ..quick(Aggregation::Auto) };
    let own = check_restoring(&graph, &settings, &[5, 30, 20, 19]);
    assert_eq!(own.model().aggregation(), Aggregation::Mean);
    let mut fresh = trainer(&graph, &settings);
    fresh.restore(&own.state().unwrap()).unwrap();
    assert_eq!(fresh.evaluate().unwrap(), own.evaluate().unwrap());
}

#[test]
fn a_state_saved_before_aggregations_were_compared_continues_with_the_sum() {
    let graph = blocks(8.0);
    let mut alone = trainer(&graph, &quick(Aggregation::Sum));
    (0..7).for_each(|_| drop(alone.step().unwrap()));
    let mut own = trainer(&graph, &quick(Aggregation::Auto));
    own.restore(&alone.state().unwrap()).unwrap();
    while !alone.is_done() {
        assert_eq!(own.step().unwrap(), alone.step().unwrap());
    }
    assert_eq!(own.model().aggregation(), Aggregation::Sum);
}

#[test]
fn contributions_follow_the_chosen_aggregation() {
    let graph = blocks(8.0);
    let (_, own) = trained(&graph, &quick(Aggregation::Auto));
    let context = ExplainContext::of_trainer(&own).unwrap();
    for node in [0, 17, 239].map(NodeId) {
        let found = Explanation::of(&context, node, context.usual_aim(node)).unwrap();
        assert!(found.size.is_some(), "a mean has a size");
        assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
        assert!((found.given.unwrap() - found.value).abs() < 1e-4, "{node:?}");
    }
}
