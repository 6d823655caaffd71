//! What would be, beside a model that really stands on the changed graph.

use std::sync::Arc;

use gesf_tui::explain::{Aim, Changes, Edit, Edits, Explanation, Means, Moment, WhatIf};
use gesf_tui::graph::{ClassId, Graph, Label, NodeId};
use gesf_tui::model::settings::{Eigenpairs, EngineChoice, MatrixChoice, Settings};
use gesf_tui::spectral::{Cancel, SelfTerm};
use gesf_tui::train::Trainer;

use crate::graphs::{made, sample};
use crate::{moment, small, stirred, trainer};

const AIM: Aim = Aim::Class(ClassId(0));

fn changes(graph: &Graph, edits: impl IntoIterator<Item = Edit>) -> Changes {
    let mut list = Edits::default();
    edits.into_iter().for_each(|edit| list.push(edit));
    list.changes(graph).unwrap()
}

fn ask(moment: &Moment, node: NodeId, changes: &Changes) -> WhatIf {
    WhatIf::ask(moment, (node, AIM), changes, &Cancel::default()).unwrap()
}

/// The same parameters on the changed graph.
fn really(graph: &Arc<Graph>, changes: &Changes, settings: &Settings, node: NodeId) -> Explanation {
    let state = stirred(&mut trainer(graph, settings));
    let mut stands = trainer(&Arc::new(changes.graph(graph)), settings);
    stands.restore(&state).unwrap();
    Explanation::of(&Moment::of_trainer(&stands).unwrap(), node, AIM).unwrap()
}

#[test]
fn a_muted_neighbour_is_one_left_out() {
    let moment = moment(&sample("karate"), &small());
    let (node, muted) = (NodeId(4), NodeId(6));
    let found = ask(&moment, node, &changes(moment.graph(), [Edit::Mute(muted)]));
    assert_eq!(found.means, Means::Unchanged);
    let without = found.before.left_out(&moment, &[muted]).unwrap();
    assert!((found.after.value - without[0]).abs() < 1e-12);
    assert!(found.after.scores[muted.index()].abs() < 1e-15);
}

#[test]
fn changed_edges_give_what_the_same_parameters_give_on_the_changed_graph() {
    for matrix in [MatrixChoice::SymLoops, MatrixChoice::Sym, MatrixChoice::Relations] {
        for self_term in [SelfTerm::Keep, SelfTerm::Drop] {
            let settings = Settings { matrix, self_term, ..small() };
            let graph = sample("karate");
            let moment = moment(&graph, &settings);
            let edits = [Edit::Cut(NodeId(0), NodeId(1)), Edit::Join(NodeId(0), NodeId(20))];
            let changes = changes(&graph, edits);
            for node in [NodeId(0), NodeId(1), NodeId(9)] {
                let found = ask(&moment, node, &changes);
                assert_eq!(found.means, Means::Decomposed);
                let exact = really(&graph, &changes, &settings, node);
                let (a, b) = (found.after.value, exact.value);
                assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{matrix:?} {a} {b}");
                assert!((found.before.value - found.after.value).abs() > 1e-6);
            }
        }
    }
}

/// A ring with chords, too large to be decomposed anew at each question.
fn large() -> Arc<Graph> {
    let count = 450;
    let labels: Vec<String> = (0..count).map(|n| ["a", "b"][n / 225].to_owned()).collect();
    let ring = (0..count).map(|n| (n, (n + 1) % count));
    let chords = (0..count).step_by(7).map(|n| (n, (n * n + 31) % count));
    made(&labels, &ring.chain(chords).collect::<Vec<_>>())
}

#[test]
fn a_polynomial_follows_a_smooth_filter_on_a_large_graph() {
    let (graph, settings) = (large(), small());
    let moment = moment(&graph, &settings);
    let changes = changes(&graph, [Edit::Cut(NodeId(10), NodeId(11))]);
    let found = ask(&moment, NodeId(10), &changes);
    let Means::Polynomial { degree, error } = found.means else { panic!("{:?}", found.means) };
    assert!(error < 1e-4 && degree < 200, "{degree} {error}");
    let exact = really(&graph, &changes, &settings, NodeId(10));
    let (a, b) = (found.after.value, exact.value);
    assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{a} {b}");
    assert!((found.before.value - b).abs() > 1e-3, "the change is to be seen");
}

#[test]
fn where_eigenpairs_are_cut_off_the_error_is_told_and_the_change_goes_the_right_way() {
    let graph = large();
    let settings = Settings { eigenpairs: Eigenpairs::Count(200), ..small() };
    let moment = moment(&graph, &settings);
    let changes = changes(&graph, [Edit::Cut(NodeId(10), NodeId(11))]);
    let found = ask(&moment, NodeId(10), &changes);
    let Means::Polynomial { error, .. } = found.means else { panic!("{:?}", found.means) };
    assert!(error > 1e-4, "no polynomial follows a cliff: {error}");
    let exact = really(&graph, &changes, &settings, NodeId(10));
    let (before, after) = (found.before.value, found.after.value);
    let (told, true_change) = (after - before, exact.value - before);
    assert!((told - true_change).abs() < 0.5 * true_change.abs(), "{told} {true_change}");
}

#[test]
fn the_engine_without_eigenvectors_answers_by_its_own_polynomial() {
    for matrix in [MatrixChoice::SymLoops, MatrixChoice::Adjacency] {
        let settings = Settings {
            engine: EngineChoice::Chebyshev,
            self_term: SelfTerm::Keep,
            matrix,
            ..small()
        };
        let graph = sample("lesmis");
        let moment = moment(&graph, &settings);
        let changes = changes(&graph, [Edit::Join(NodeId(3), NodeId(40))]);
        let found = ask(&moment, NodeId(3), &changes);
        let Means::Polynomial { error, .. } = found.means else { panic!("{:?}", found.means) };
        assert!(error < 1e-4, "{error}");
        if matrix == MatrixChoice::SymLoops {
            let exact = really(&graph, &changes, &settings, NodeId(3)).value;
            assert!((found.after.value - exact).abs() < 1e-3 * (1.0 + exact.abs()));
        }
    }
}

#[test]
fn a_changed_label_changes_no_answer_but_can_be_trained_on() {
    let graph = sample("karate");
    let settings = Settings { epochs: 3, ..small() };
    let moment = moment(&graph, &settings);
    let node = moment.split().seen[0];
    let other = usize::from(graph.labels().of(node) == Label::Classes(vec![ClassId(0)]));
    let label = Label::Classes(vec![ClassId(other as u16)]);
    let changes = changes(&graph, [Edit::Relabel(node, label), Edit::Hide(moment.split().seen[1])]);
    let found = ask(&moment, NodeId(0), &changes);
    assert_eq!(found.before.value.to_bits(), found.after.value.to_bits());
    let ground = gesf_tui::model::Ground::prepare(
        &Arc::new(changes.graph(&graph)),
        &settings,
        None,
        &Cancel::default(),
        &mut |_| {},
    );
    let split = changes.split(moment.split());
    let mut again = Trainer::with_split(ground.unwrap(), settings, split).unwrap();
    again.restore(&moment.snapshot().state).unwrap();
    again.step().unwrap();
    assert_eq!(again.split().seen.len() + 1, moment.split().seen.len());
}
