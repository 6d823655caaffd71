//! Properties that hold for every graph.

use gesf_tui::explain::{
    Aim, ContributionTable, Ego, EgoLimits, ExplainContext, Explanation, Faithfulness, Ranking,
    Ring, Rings, Trial, by_label, by_ring, by_type, from_afar,
};
use gesf_tui::graph::{ClassId, NodeId};
use gesf_tui::model::settings::{
    Activation, Aggregation, FilterShape, MapShape, MatrixChoice, Settings,
};
use gesf_tui::spectral::{Cancel, SelfTerm};
use gesf_tui::train::TrainerState;
use proptest::prelude::*;

use crate::graphs::{made, sample};
use crate::{context, small, stirred, trainer};

const NODES: usize = 14;

fn edges() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..NODES - 1, 0..NODES - 1), 1..30)
}

fn labels() -> Vec<String> {
    (0..NODES).map(|node| ["red", "blue", "", "green"][node % 4].to_owned()).collect()
}

fn settings() -> impl Strategy<Value = Settings> {
    let matrices = [MatrixChoice::Adjacency, MatrixChoice::Sym, MatrixChoice::SymLoops];
    (0..3_usize, any::<[bool; 4]>()).prop_map(move |(matrix, [keep, plain, relu, mean])| Settings {
        aggregation: if mean { Aggregation::Mean } else { Aggregation::Sum },
        filter: if mean { FilterShape::Hops } else { small().filter },
        matrix: matrices[matrix],
        self_term: if keep { SelfTerm::Keep } else { SelfTerm::Drop },
        map_shape: if plain { MapShape::Plain } else { MapShape::Residual },
        activation: if relu { Activation::Relu } else { Activation::Tanh },
        ..small()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn contributions_add_up_without_a_remainder(edges in edges(), settings in settings()) {
        let context = context(&made(&labels(), &edges), &settings);
        for node in context.graph().nodes() {
            for aim in [Aim::Class(ClassId(1)), Aim::Length] {
                let found = Explanation::of(&context, node, aim).unwrap();
                let length = found.gathered.iter().map(|z| z * z).sum::<f64>().sqrt();
                let error = found.sum_error(&context).unwrap();
                prop_assert!(error <= 1e-5 || error * length < 1e-6, "{error} of {length}");
                let size = 1.0 + found.value.abs() + found.size();
                prop_assert!(found.completeness_error().abs() <= 1e-12 * size);
                let mut sum = vec![0.0; found.gathered.len()];
                for other in context.graph().nodes() {
                    let own = found.contribution(&context, other);
                    sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
                }
                let weights: f64 = found.weights.iter().map(|&own| f64::from(own)).sum();
                if let (Some(size), Some(last)) = (found.size, sum.last_mut()) {
                    *last = size * weights;
                }
                for (sum, z) in sum.iter().zip(&found.gathered) {
                    prop_assert!((sum - z).abs() <= 1e-12 * (1.0 + length));
                }
            }
        }
    }

    #[test]
    fn permuting_the_nodes_permutes_the_contributions(
        edges in edges(),
        settings in settings(),
        order in Just((0..NODES).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        // Node `order[n]` of one graph is node n of the other.
        let mut place = [0; NODES];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let moved: Vec<(usize, usize)> = edges.iter().map(|&(a, b)| (place[a], place[b])).collect();
        let names: Vec<String> = order.iter().map(|&old| labels()[old].clone()).collect();
        let mut one = trainer(&made(&labels(), &edges), &settings);
        let mut other = trainer(&made(&names, &moved), &settings);
        let state = stirred(&mut one);
        other.restore(&permuted(&state, &order)).unwrap();
        let one = ExplainContext::of_trainer(&one).unwrap();
        let other = ExplainContext::of_trainer(&other).unwrap();
        for node in 0..NODES {
            let aim = Aim::Class(ClassId(0));
            let a = Explanation::of(&one, node.into(), aim).unwrap();
            let b = Explanation::of(&other, place[node].into(), aim).unwrap();
            let size = 1.0 + a.value.abs() + a.size();
            prop_assert!((a.value - b.value).abs() < 1e-4 * size, "{} {}", a.value, b.value);
            for (x, &there) in a.scores.iter().zip(&place) {
                let y = b.scores[there];
                prop_assert!((x - y).abs() < 1e-4 * size, "{x} {y}");
            }
        }
    }

    #[test]
    fn an_isolated_node_has_no_contributors(edges in edges(), settings in settings()) {
        let settings = Settings { self_term: SelfTerm::Drop, ..settings };
        let context = context(&made(&labels(), &edges), &settings);
        let alone = NodeId::from(NODES - 1);
        let found = Explanation::of(&context, alone, Aim::Class(ClassId(0))).unwrap();
        prop_assert!(found.size() < 1e-4, "{}", found.size());
        prop_assert!((found.value - found.baseline).abs() < 1e-4);
        let rings = Rings::around(context.graph(), alone);
        let others = context.graph().nodes().filter(|node| *node != alone);
        prop_assert!(others.into_iter().all(|node| rings.of(node) == Ring::Apart));
    }

    #[test]
    fn two_runs_give_the_same_bits(edges in edges(), settings in settings()) {
        let graph = made(&labels(), &edges);
        let answers = || {
            let context = context(&graph, &settings);
            let node = NodeId(2);
            let found = Explanation::of(&context, node, context.usual_aim(node)).unwrap();
            let rings = Rings::around(context.graph(), node);
            let table = ContributionTable::of(&context, &found, &rings, (Ranking::Size, 5)).unwrap();
            let ego = Ego::around(context.graph(), &found, &rings, EgoLimits::default());
            let trial = Trial { draws: 3, ..Trial::default() };
            let curves = Faithfulness::of(&context, &found, trial, &Cancel::default()).unwrap();
            let bits: Vec<u64> = found.scores.iter().map(|score| score.to_bits()).collect();
            (bits, found, table, ego, curves)
        };
        prop_assert_eq!(answers(), answers());
    }

    #[test]
    fn all_slices_and_tables_add_up(edges in edges(), settings in settings(), most in 0..9_usize) {
        let context = context(&made(&labels(), &edges), &settings);
        let node = NodeId(1);
        let found = Explanation::of(&context, node, Aim::Class(ClassId(2))).unwrap();
        let rings = Rings::around(context.graph(), node);
        let close = |sum: f64| (sum - found.sum()).abs() < 1e-10 * (1.0 + found.size());
        for slices in
            [by_ring(&found, &rings, 2), by_type(&context, &found), by_label(&context, &found)]
        {
            prop_assert!(close(slices.iter().map(|slice| slice.score).sum()));
            prop_assert_eq!(slices.iter().map(|slice| slice.nodes).sum::<usize>(), NODES);
        }
        let table = ContributionTable::of(&context, &found, &rings, (Ranking::Support, most)).unwrap();
        let lines: f64 = table.lines.iter().map(|line| line.score).sum();
        prop_assert!(close(lines + table.own.score + table.rest));
        prop_assert!(table.lines.len() <= most && table.lines.iter().all(|l| l.node != node));
        prop_assert!(table.lines.is_sorted_by(|a, b| a.score >= b.score));
        prop_assert!((0.0..=1.0).contains(&from_afar(&found, &rings)));
    }

    #[test]
    fn a_neighbourhood_graph_is_centred_and_inside_the_disc(
        edges in edges(), settings in settings(), most in 0..20_usize, hops in 0..4_u16,
    ) {
        let context = context(&made(&labels(), &edges), &settings);
        let node = NodeId(0);
        let found = Explanation::of(&context, node, Aim::Length).unwrap();
        let rings = Rings::around(context.graph(), node);
        let ego = Ego::around(context.graph(), &found, &rings, EgoLimits { hops, most, contributors: 4 });
        prop_assert!(ego.spots.len() <= most.max(1));
        prop_assert_eq!((ego.spots[0].node, ego.spots[0].x, ego.spots[0].y), (node, 0.0, 0.0));
        for spot in &ego.spots[1..] {
            let radius = spot.x.hypot(spot.y);
            prop_assert!(radius > 0.0 && radius <= 1.0 + 1e-12, "{radius}");
        }
        let neighbours = context.graph().neighbours(node);
        for link in &ego.links {
            let (a, b) = (ego.spots[link.from].node, ego.spots[link.to].node);
            let joined = context.graph().neighbours(a).contains(&b.0);
            prop_assert_eq!(joined, link.is_edge);
            prop_assert!(joined || link.from == 0);
        }
        let shown = ego.spots.iter().filter(|spot| neighbours.contains(&spot.node.0)).count();
        prop_assert_eq!(shown + ego.missing, neighbours.len());
    }
}

/// A state for the same graph with its nodes in another order.
fn permuted(state: &TrainerState, order: &[usize]) -> TrainerState {
    let mut state = state.clone();
    let x = state.parameters.iter_mut().find(|own| own.name == "x.0").unwrap();
    let width = x.shape[1];
    let old = x.values.clone();
    x.values =
        order.iter().flat_map(|&old_node| &old[old_node * width..][..width]).copied().collect();
    x.memory = gesf_tui::train::OptimizerState::default();
    for own in &mut state.parameters {
        own.memory = gesf_tui::train::OptimizerState::default();
    }
    state
}

#[test]
fn removing_top_contributors_changes_a_trained_model_more_than_removing_others() {
    let graph = sample("karate");
    let settings = Settings { epochs: 60, learning_rate: 0.02, ..small() };
    let mut trainer = trainer(&graph, &settings);
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let context = ExplainContext::of_trainer(&trainer).unwrap();
    let (mut leads, cancel) = (Vec::new(), Cancel::default());
    for node in context.graph().nodes() {
        let found = Explanation::of(&context, node, context.usual_aim(node)).unwrap();
        let curves = Faithfulness::of(&context, &found, Trial::default(), &cancel).unwrap();
        assert_eq!(curves.counts.len(), 34);
        assert!((curves.removed[0] - found.value).abs() < 1e-12);
        assert!((curves.kept[0] - found.baseline).abs() < 1e-6, "no self term");
        let all = curves.removed_random.last().unwrap();
        assert!((all.mean - found.baseline).abs() < 1e-6 && all.deviation < 1e-9);
        assert!(curves.removed_random[0].deviation < 1e-12);
        leads.extend(curves.lead());
    }
    let mean = leads.iter().sum::<f64>() / leads.len() as f64;
    assert!(mean > 0.1, "{mean}");
    cancel.cancel();
    let found = Explanation::of(&context, NodeId(0), Aim::Length).unwrap();
    let curves = Faithfulness::of(&context, &found, Trial::default(), &cancel);
    assert!(curves.is_err_and(|error| error.is_cancelled()));
}

#[test]
fn invalid_questions_are_refused_with_a_reason() {
    let women = context(&sample("southern-women"), &small());
    let event = women.graph().nodes().find(|node| women.outputs(*node).is_none()).unwrap();
    assert_eq!(women.usual_aim(event), Aim::Length);
    for (node, aim) in [
        (event, Aim::Class(ClassId(0))),
        (NodeId(0), Aim::Value),
        (NodeId(0), Aim::Class(ClassId(9))),
        (NodeId(9999), Aim::Length),
    ] {
        let said = Explanation::of(&women, node, aim).unwrap_err().to_string();
        assert!(said.contains("found") && said.contains("help:"), "{said}");
    }
}
