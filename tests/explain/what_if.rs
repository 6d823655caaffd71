//! What-if results compared with a model on the changed graph.

use std::sync::Arc;

use gesf_tui::explain::{Aim, Changes, Edit, Edits, ExplainContext, Explanation, Means, WhatIf};
use gesf_tui::graph::{ClassId, Graph, Label, NodeId};
use gesf_tui::model::settings::{Aggregation, FilterShape, MatrixChoice, Settings};
use gesf_tui::spectral::{Cancel, SelfTerm};
use gesf_tui::train::Trainer;

use crate::graphs::{made, sample};
use crate::{context, small, stirred, trainer};

const AIM: Aim = Aim::Class(ClassId(0));

fn changes(graph: &Graph, edits: impl IntoIterator<Item = Edit>) -> Changes {
    let mut list = Edits::default();
    edits.into_iter().for_each(|edit| list.push(edit));
    list.changes(graph).unwrap()
}

fn ask(context: &ExplainContext, node: NodeId, changes: &Changes) -> WhatIf {
    WhatIf::ask(context, (node, AIM), changes, &Cancel::default()).unwrap()
}

/// The same parameters on the changed graph.
fn really(graph: &Arc<Graph>, changes: &Changes, settings: &Settings, node: NodeId) -> Explanation {
    let state = stirred(&mut trainer(graph, settings));
    let mut stands = trainer(&Arc::new(changes.graph(graph)), settings);
    stands.restore(&state).unwrap();
    Explanation::of(&ExplainContext::of_trainer(&stands).unwrap(), node, AIM).unwrap()
}

#[test]
fn excluding_a_neighbour_equals_leaving_it_out() {
    let context = context(&sample("karate"), &small());
    let (node, muted) = (NodeId(4), NodeId(6));
    let found = ask(&context, node, &changes(context.graph(), [Edit::Mute(muted)]));
    assert_eq!(found.means, Means::Unchanged);
    let without = found.before.left_out(&context, &[muted]).unwrap();
    assert!((found.after.value - without[0]).abs() < 1e-12);
    assert!(found.after.scores[muted.index()].abs() < 1e-15);
}

#[test]
fn changed_edges_agree_with_the_same_parameters_on_the_changed_graph() {
    let matrices = [MatrixChoice::SymLoops, MatrixChoice::Sym, MatrixChoice::Relations];
    let filters = [FilterShape::ResidualMlp, FilterShape::Hops, FilterShape::Heat];
    for (matrix, filter) in matrices.into_iter().flat_map(|own| filters.map(|f| (own, f))) {
        let means = match filter {
            FilterShape::ResidualMlp => Means::Decomposed,
            _ => Means::Polynomial,
        };
        let aggregations = [Aggregation::Sum, Aggregation::Mean];
        let terms = [SelfTerm::Keep, SelfTerm::Drop].into_iter();
        for (self_term, aggregation) in terms.flat_map(|own| aggregations.map(|a| (own, a))) {
            let settings = Settings { matrix, self_term, filter, aggregation, ..small() };
            let graph = sample("karate");
            let context = context(&graph, &settings);
            let edits = [Edit::Cut(NodeId(0), NodeId(1)), Edit::Join(NodeId(0), NodeId(20))];
            let changes = changes(&graph, edits);
            for node in [NodeId(0), NodeId(1), NodeId(2)] {
                let found = ask(&context, node, &changes);
                assert_eq!(found.means, means);
                let exact = really(&graph, &changes, &settings, node);
                let (a, b) = (found.after.value, exact.value);
                assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{matrix:?} {a} {b}");
                assert!((found.before.value - found.after.value).abs() > 1e-6);
            }
        }
    }
}

/// A ring with chords, too large to be decomposed again for each question.
fn large() -> Arc<Graph> {
    let count = 450;
    let labels: Vec<String> = (0..count).map(|n| ["a", "b"][n / 225].to_owned()).collect();
    let ring = (0..count).map(|n| (n, (n + 1) % count));
    let chords = (0..count).step_by(7).map(|n| (n, (n * n + 31) % count));
    made(&labels, &ring.chain(chords).collect::<Vec<_>>())
}

#[test]
fn a_removed_edge_of_a_larger_graph_is_computed_exactly() {
    for filter in [FilterShape::Hops, FilterShape::Chebyshev, FilterShape::ResidualMlp] {
        let (graph, settings) = (large(), Settings { filter, ..small() });
        let context = context(&graph, &settings);
        let changes = changes(&graph, [Edit::Cut(NodeId(10), NodeId(11))]);
        let found = ask(&context, NodeId(10), &changes);
        let exact = really(&graph, &changes, &settings, NodeId(10));
        let (a, b) = (found.after.value, exact.value);
        assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{filter}: {a} {b}");
        assert!((found.before.value - b).abs() > 1e-3, "the change is to be seen");
    }
}

#[test]
fn a_changed_label_changes_no_prediction_but_can_be_trained_on() {
    let graph = sample("karate");
    let settings = Settings { epochs: 3, ..small() };
    let context = context(&graph, &settings);
    let node = context.split().train[0];
    let other = usize::from(graph.labels().of(node) == Label::Classes(vec![ClassId(0)]));
    let label = Label::Classes(vec![ClassId(other as u16)]);
    let changes =
        changes(&graph, [Edit::Relabel(node, label), Edit::Hide(context.split().train[1])]);
    let found = ask(&context, NodeId(0), &changes);
    assert_eq!(found.before.value.to_bits(), found.after.value.to_bits());
    let prepared = gesf_tui::model::PreparedGraph::prepare(
        &Arc::new(changes.graph(&graph)),
        &settings,
        None,
        &Cancel::default(),
        &mut |_| {},
    );
    let split = changes.split(context.split());
    let mut again = Trainer::with_split(prepared.unwrap(), settings, split).unwrap();
    again.restore(&context.snapshot().state).unwrap();
    again.step().unwrap();
    assert_eq!(again.split().train.len() + 1, context.split().train.len());
}
