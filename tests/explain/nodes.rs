//! Facts about every node, and queries on the node list.

use gesf_tui::explain::{
    Directory, ExplainContext, LabelUse, NodeFilter, PredictFrom, Prediction, Query, Roster, Sort,
};
use gesf_tui::graph::{ClassId, NodeId, TypeId};
use gesf_tui::model::settings::Settings;
use gesf_tui::train::Score;

use crate::graphs::{degrees, sample};
use crate::{context, small, trainer};

#[test]
fn wrong_predictions_agree_with_the_scores() {
    for name in ["karate", "southern-women"] {
        let settings = Settings { epochs: 15, ..small() };
        let mut trainer = trainer(&sample(name), &settings);
        while !trainer.is_done() {
            trainer.step().unwrap();
        }
        let scalars = trainer.evaluate().unwrap().scalars;
        let context = ExplainContext::of_trainer(&trainer).unwrap();
        let roster = Roster::of(&context);
        let cases = [
            (LabelUse::Train, PredictFrom::X, scalars.train_x),
            (LabelUse::Test, PredictFrom::X, scalars.test_x),
            (LabelUse::Train, PredictFrom::R, scalars.train_r),
            (LabelUse::Test, PredictFrom::R, scalars.test_r),
        ];
        for (part, predict_from, score) in cases {
            let Score::Classes { accuracy, .. } = score else { panic!("{score:?}") };
            let of_part = || roster.facts.iter().filter(|facts| facts.part == part);
            let wrong = of_part().filter(|facts| facts.guess(predict_from).is_wrong()).count();
            let right = 1.0 - wrong as f32 / of_part().count() as f32;
            assert!((right - accuracy).abs() < 1e-6, "{name} {right} {accuracy}");
        }
    }
}

#[test]
fn numbers_are_wrong_if_their_error_exceeds_the_deviation_of_the_targets() {
    let context = context(&degrees(), &small());
    let roster = Roster::of(&context);
    for facts in &roster.facts {
        let Prediction::Value { value, error, right } = facts.from_r else { panic!("{facts:?}") };
        let truth = context.graph().degree(facts.node) as f32;
        assert!((error.unwrap() - (value - truth).abs()).abs() < 1e-5);
        assert_eq!(right, Some(error.unwrap() <= context.units().deviation));
        assert_eq!(facts.from_r.confidence(), None);
    }
    let directory = Directory::of(&context.prepared().graph);
    let query = Query { filter: NodeFilter::LeastSure, from: PredictFrom::R, ..Query::default() };
    let found = directory.select(&roster, &query);
    let error = |node: NodeId| match roster.facts[node.index()].from_r {
        Prediction::Value { error, .. } => error.unwrap(),
        _ => panic!(),
    };
    assert_eq!(found.len(), 4);
    assert!(found.is_sorted_by(|a, b| error(*a) >= error(*b)));
}

#[test]
fn the_list_can_be_searched_filtered_and_sorted() {
    let context = context(&sample("southern-women"), &small());
    let roster = Roster::of(&context);
    let directory = Directory::of(&context.prepared().graph);
    let ask = |query: Query| directory.select(&roster, &query);
    let nodes = context.graph().node_count();
    assert_eq!(ask(Query::default()), context.graph().nodes().collect::<Vec<_>>());
    let evelyn = ask(Query { text: " evelyn ".into(), ..Query::default() });
    assert_eq!(evelyn, [NodeId(0)]);
    assert!(ask(Query { text: "nobody of that name".into(), ..Query::default() }).is_empty());
    let first = ask(Query { filter: NodeFilter::Class(ClassId(0)), ..Query::default() });
    let by_label = ask(Query { text: "group_1".into(), ..Query::default() });
    assert_eq!(first, by_label);
    assert_eq!(ask(Query { filter: NodeFilter::Type(TypeId(1)), ..Query::default() }).len(), 14);
    assert_eq!(
        ask(Query { filter: NodeFilter::LabelUse(LabelUse::Unlabelled), ..Query::default() }).len(),
        14
    );
    let wrong = ask(Query { filter: NodeFilter::Wrong, ..Query::default() });
    let sure = ask(Query { filter: NodeFilter::ConfidentAndWrong, ..Query::default() });
    assert!(sure.iter().all(|node| wrong.contains(node)) && sure.len() <= wrong.len());
    let by_degree = ask(Query { sort: Sort::Degree, reversed: true, ..Query::default() });
    let degree = |node: &NodeId| context.graph().degree(*node);
    assert!(by_degree.is_sorted_by(|a, b| degree(a) >= degree(b)) && by_degree.len() == nodes);
    let by_name = ask(Query { sort: Sort::Name, ..Query::default() });
    assert_eq!(by_name.len(), nodes);
    let ids = ask(Query { sort: Sort::Id, ..Query::default() });
    assert_eq!(ids, context.graph().nodes().collect::<Vec<_>>(), "0, 1, 2, … 10, 11");
    let confidence = |node: &NodeId| roster.facts[node.index()].from_x.confidence();
    let least = ask(Query { filter: NodeFilter::LeastSure, ..Query::default() });
    assert_eq!(least.len(), 2, "a tenth of the women, rounded up");
    let all = ask(Query { sort: Sort::Confidence, ..Query::default() });
    assert_eq!(all[..2], least[..]);
    assert!(all[..18].is_sorted_by(|a, b| confidence(a) <= confidence(b)));
    for sort in [Sort::Truth, Sort::Prediction] {
        assert_eq!(ask(Query { sort, from: PredictFrom::R, ..Query::default() }).len(), nodes);
    }
}
