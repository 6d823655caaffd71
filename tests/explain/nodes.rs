//! Facts of every node, and questions to the list of them.

use gesf_tui::explain::{Directory, Filter, Guess, Moment, Part, Query, Roster, Sort, Voice};
use gesf_tui::graph::{ClassId, NodeId, TypeId};
use gesf_tui::model::settings::Settings;
use gesf_tui::train::Score;

use crate::graphs::{degrees, sample};
use crate::{moment, small, trainer};

#[test]
fn what_is_wrong_is_what_the_scores_say() {
    for name in ["karate", "southern-women"] {
        let settings = Settings { epochs: 15, ..small() };
        let mut trainer = trainer(&sample(name), &settings);
        while !trainer.is_done() {
            trainer.step().unwrap();
        }
        let scalars = trainer.evaluate().unwrap().scalars;
        let moment = Moment::of_trainer(&trainer).unwrap();
        let roster = Roster::of(&moment);
        let cases = [
            (Part::Seen, Voice::X, scalars.seen_x),
            (Part::Held, Voice::X, scalars.held_x),
            (Part::Seen, Voice::R, scalars.seen_r),
            (Part::Held, Voice::R, scalars.held_r),
        ];
        for (part, voice, score) in cases {
            let Score::Classes { accuracy, .. } = score else { panic!("{score:?}") };
            let of_part = || roster.facts.iter().filter(|facts| facts.part == part);
            let wrong = of_part().filter(|facts| facts.guess(voice).is_wrong()).count();
            let right = 1.0 - wrong as f32 / of_part().count() as f32;
            assert!((right - accuracy).abs() < 1e-6, "{name} {right} {accuracy}");
        }
    }
}

#[test]
fn numbers_are_wrong_when_they_are_farther_off_than_the_targets_spread() {
    let moment = moment(&degrees(), &small());
    let roster = Roster::of(&moment);
    for facts in &roster.facts {
        let Guess::Value { value, error, right } = facts.from_r else { panic!("{facts:?}") };
        let truth = moment.graph().degree(facts.node) as f32;
        assert!((error.unwrap() - (value - truth).abs()).abs() < 1e-5);
        assert_eq!(right, Some(error.unwrap() <= moment.units().deviation));
        assert_eq!(facts.from_r.confidence(), None);
    }
    let directory = Directory::of(&moment.ground().graph);
    let query = Query { filter: Filter::LeastSure, from: Voice::R, ..Query::default() };
    let found = directory.select(&roster, &query);
    let error = |node: NodeId| match roster.facts[node.index()].from_r {
        Guess::Value { error, .. } => error.unwrap(),
        _ => panic!(),
    };
    assert_eq!(found.len(), 4);
    assert!(found.is_sorted_by(|a, b| error(*a) >= error(*b)));
}

#[test]
fn the_list_is_searched_filtered_and_sorted() {
    let moment = moment(&sample("southern-women"), &small());
    let roster = Roster::of(&moment);
    let directory = Directory::of(&moment.ground().graph);
    let ask = |query: Query| directory.select(&roster, &query);
    let nodes = moment.graph().node_count();
    assert_eq!(ask(Query::default()), moment.graph().nodes().collect::<Vec<_>>());
    let evelyn = ask(Query { text: " evelyn ".into(), ..Query::default() });
    assert_eq!(evelyn, [NodeId(0)]);
    assert!(ask(Query { text: "nobody of that name".into(), ..Query::default() }).is_empty());
    let first = ask(Query { filter: Filter::Class(ClassId(0)), ..Query::default() });
    let by_label = ask(Query { text: "group_1".into(), ..Query::default() });
    assert_eq!(first, by_label);
    assert_eq!(ask(Query { filter: Filter::Type(TypeId(1)), ..Query::default() }).len(), 14);
    assert_eq!(ask(Query { filter: Filter::Part(Part::Unlabelled), ..Query::default() }).len(), 14);
    let wrong = ask(Query { filter: Filter::Wrong, ..Query::default() });
    let sure = ask(Query { filter: Filter::ConfidentAndWrong, ..Query::default() });
    assert!(sure.iter().all(|node| wrong.contains(node)) && sure.len() <= wrong.len());
    let by_degree = ask(Query { sort: Sort::Degree, reversed: true, ..Query::default() });
    let degree = |node: &NodeId| moment.graph().degree(*node);
    assert!(by_degree.is_sorted_by(|a, b| degree(a) >= degree(b)) && by_degree.len() == nodes);
    let by_name = ask(Query { sort: Sort::Name, ..Query::default() });
    assert_eq!(by_name.len(), nodes);
    let ids = ask(Query { sort: Sort::Id, ..Query::default() });
    assert_eq!(ids, moment.graph().nodes().collect::<Vec<_>>(), "0, 1, 2, … 10, 11");
    let confidence = |node: &NodeId| roster.facts[node.index()].from_x.confidence();
    let least = ask(Query { filter: Filter::LeastSure, ..Query::default() });
    assert_eq!(least.len(), 2, "a tenth of the women, rounded up");
    let all = ask(Query { sort: Sort::Confidence, ..Query::default() });
    assert_eq!(all[..2], least[..]);
    assert!(all[..18].is_sorted_by(|a, b| confidence(a) <= confidence(b)));
    for sort in [Sort::Truth, Sort::Prediction] {
        assert_eq!(ask(Query { sort, from: Voice::R, ..Query::default() }).len(), nodes);
    }
}
