//! The Node screen: what is drawn, and what keys and the mouse do.

use std::fmt::Write as _;
use std::sync::Arc;

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{SIZES, assert_screen, colourless, drawn, press_and_settle as press, running, settle};
use crate::explain::{Aim, Edit, NodeFilter, Sort};
use crate::graph::{ClassId, Graph, LoadOptions, NodeId, load};
use crate::model::PreparedGraph;
use crate::model::settings::{EigenpairCount, Settings};
use crate::spectral::Cancel;
use crate::train::{BranchId, Event, Phase, PreparedRun, Snapshot, Trainer, TrainingCommand};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::{Effect, Message};
use crate::tui::node::{NodeExplanation, NodePane, Slicing, open_node};
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

/// The karate club with its Node screen open.
fn karate(glyphs: Glyphs) -> State {
    let mut state = running(glyphs, 120);
    press(&mut state, "v");
    state
}

fn explanation(state: &State) -> &Arc<NodeExplanation> {
    state.graph.node.known().expect("a node is open")
}

/// A small custom graph, trained a little, with its Node screen open.
fn other(graph: Graph, glyphs: Glyphs) -> State {
    let settings = Settings { eigenpairs: EigenpairCount::All, ..Settings::default() };
    let cancel = Cancel::default();
    let prepared =
        PreparedGraph::prepare(&Arc::new(graph), &settings, None, &cancel, &mut |_| {}).unwrap();
    let trainer = Trainer::new(prepared, settings).unwrap();
    let snapshot = Snapshot::of(BranchId(1), &trainer).unwrap();
    let scalars = snapshot.scalars.clone();
    let ready = PreparedRun::of(BranchId(1), &trainer);
    let mut state = super::fresh(glyphs);
    let events = vec![
        Event::Phase(Phase::Preparing),
        Event::Ready(Arc::new(ready)),
        Event::Epoch(scalars),
        Event::Phase(Phase::Paused),
    ];
    settle(&mut state, Message::News { events, snapshot: Some(Arc::new(snapshot)) });
    press(&mut state, "v");
    state
}

fn sample(path: &str) -> Graph {
    load(path.as_ref(), &LoadOptions::default()).unwrap().0
}

/// A graph from a few rows of text.
fn written(nodes: &str, edges: &str, manifest: &str) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("nodes.tsv", nodes), ("edges.tsv", edges), ("graph.toml", manifest)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    load(folder.path(), &LoadOptions::default()).unwrap().0
}

/// The screen without rounding errors, which differ between machines.
fn steady(screen: &str) -> String {
    let mark = "rounding error";
    let line = |line: &str| match line.split_once(mark) {
        Some((before, _)) => format!("{before}{mark} ..."),
        None => line.to_owned(),
    };
    screen.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn assert_steady(name: &str, state: &mut State, sizes: &[(u16, u16)]) {
    for &(width, height) in sizes {
        settle(state, Message::Resize(width, height));
        let screen = steady(&drawn(state, width, height));
        assert!(!name.ends_with("ascii") || screen.is_ascii(), "{name}");
        assert_screen(name, (width, height), &screen);
    }
}

#[test]
fn the_node_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = karate(glyphs);
        assert_steady(&format!("node_{name}"), &mut state, &SIZES);
        for pane in [NodePane::Facts, NodePane::Table, NodePane::Ego, NodePane::Faithfulness] {
            state.graph.node.pane = pane;
            let pane = format!("{pane:?}").to_lowercase();
            assert_steady(&format!("node_{pane}_{name}"), &mut state, &SIZES[..2]);
        }
    }
}

#[test]
fn what_if_edits_and_slices_are_drawn() {
    let mut state = karate(Glyphs::Braille);
    press(&mut state, "enter d down down -");
    assert_steady("node_what_if", &mut state, &SIZES[..3]);
    press(&mut state, "u u g");
    assert_steady("node_by_hop", &mut state, &SIZES[2..3]);
    press(&mut state, "g g");
    assert_steady("node_by_frequency", &mut state, &SIZES[2..3]);
}

#[test]
fn without_colour_symbols_show_the_sign_of_contributions() {
    let mut state = karate(Glyphs::Braille);
    let text = colourless(&mut state);
    assert!(text.contains('●') && text.contains('○'), "{text}");
    assert_screen("node_without_colour", (120, 40), &steady(&text));
}

#[test]
fn shown_numbers_add_up_and_the_rounding_error_is_shown() {
    let mut state = karate(Glyphs::Braille);
    let explanation = explanation(&state).clone();
    let found = &explanation.found;
    assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
    assert!(explanation.sum_error.is_some_and(|error| error < 1e-5));
    let screen = drawn(&mut state, 200, 60);
    for text in ["baseline (z = 0)", "= logit of", "|Σc − z|", "self term (dropped)"] {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}

#[test]
fn nodes_can_be_searched_by_id_name_and_label() {
    let mut state = karate(Glyphs::Braille);
    press(&mut state, "/ o f f i c e r");
    assert!((2..34).contains(&state.graph.node.list.rows.len()), "by label");
    press(&mut state, "ctrl-u 3 3");
    assert_eq!(state.graph.node.list.rows.len(), 1);
    press(&mut state, "enter");
    let node = state.graph.chosen_node.unwrap();
    assert_eq!(state.graph.session.ready.as_ref().unwrap().prepared.graph.ids().text(node), "33");
    assert_eq!((explanation(&state).node(), state.graph.node.pane), (node, NodePane::Table));
    press(&mut state, "esc esc");
    assert_eq!(state.graph.node.list.rows.len(), 34, "cleared");
    press(&mut state, "/ z z z z");
    assert!(state.graph.node.list.rows.is_empty());
    assert!(drawn(&mut state, 80, 24).contains("no matches"));
    press(&mut state, "esc");
    assert_eq!(state.graph.node.list.rows.len(), 34);
}

#[test]
fn the_list_can_be_filtered_and_sorted() {
    let mut state = karate(Glyphs::Braille);
    press(&mut state, "w");
    assert_eq!(state.graph.node.list.query.filter, NodeFilter::Wrong);
    let wrong = state.graph.node.list.rows.len();
    assert!(wrong < 34);
    if let Some(first) = state.graph.node.list.rows.first() {
        assert_eq!(state.graph.chosen_node, Some(*first), "the first found is open");
    }
    press(&mut state, "W W");
    assert_eq!(state.graph.node.list.query.filter, NodeFilter::Predicted(ClassId(1)));
    press(&mut state, "w o o o o o o");
    assert_eq!(state.graph.node.list.query.sort, Sort::Degree);
    let graph = state.graph.session.ready.as_ref().unwrap().prepared.graph.clone();
    let degrees: Vec<usize> = state.graph.node.list.rows.iter().map(|n| graph.degree(*n)).collect();
    assert!(degrees.is_sorted_by(|a, b| a >= b), "the busiest first: {degrees:?}");
    press(&mut state, "O home");
    assert_eq!(graph.degree(state.graph.chosen_node.unwrap()), 1);
}

#[test]
fn drilling_down_to_a_neighbour_can_be_undone_like_in_a_browser() {
    let mut state = karate(Glyphs::Braille);
    let first = state.graph.chosen_node.unwrap();
    press(&mut state, "enter down enter");
    let second = state.graph.chosen_node.unwrap();
    assert!(second != first && explanation(&state).node() == second);
    press(&mut state, "enter");
    let third = state.graph.chosen_node.unwrap();
    press(&mut state, "backspace");
    assert_eq!(state.graph.chosen_node, Some(second));
    press(&mut state, "alt-left");
    assert_eq!(state.graph.chosen_node, Some(first));
    press(&mut state, "alt-right alt-right");
    assert_eq!(state.graph.chosen_node, Some(third));
    assert!(press(&mut state, "alt-right").is_empty(), "there is nothing more");
}

#[test]
fn other_screens_can_open_a_node_here() {
    let mut state = running(Glyphs::Braille, 120);
    open_node(&mut state, NodeId(7));
    assert_eq!((state.screen, state.graph.chosen_node), (Screen::Node, Some(NodeId(7))));
    settle(&mut state, Message::Resize(120, 40));
    assert_eq!(explanation(&state).node(), NodeId(7));
    open_node(&mut state, NodeId(7000));
    assert_eq!(state.graph.chosen_node, Some(NodeId(7)), "no such node");
    state.graph.chosen_node = Some(NodeId(9));
    settle(&mut state, Message::Resize(120, 40));
    assert_eq!(explanation(&state).node(), NodeId(9));
}

#[test]
fn the_class_and_the_slices_can_be_chosen() {
    let mut state = karate(Glyphs::Braille);
    let Aim::Class(usual) = explanation(&state).found.aim else { panic!("a class") };
    press(&mut state, "c");
    assert_eq!(explanation(&state).found.aim, Aim::Class(ClassId(1 - usual.0)));
    press(&mut state, "C");
    assert_eq!(explanation(&state).found.aim, Aim::Class(usual));
    press(&mut state, "g");
    assert_eq!(state.graph.node.slicing, Slicing::Ring);
    assert!(drawn(&mut state, 120, 40).contains("by distance"));
    press(&mut state, "c down");
    let Aim::Class(class) = explanation(&state).found.aim else { panic!("a class") };
    assert_eq!(
        explanation(&state).context.usual_aim(explanation(&state).node()),
        Aim::Class(class)
    );
}

#[test]
fn excluding_a_neighbour_and_cutting_an_edge_can_be_undone() {
    let mut state = karate(Glyphs::Braille);
    let value = explanation(&state).found.value;
    press(&mut state, "enter d");
    let muted = state.graph.node.row().unwrap();
    assert_eq!(state.graph.node.edits.list(), [Edit::Mute(muted)]);
    assert!((explanation(&state).found.value - value).abs() > 1e-6);
    assert_eq!(explanation(&state).before.as_ref().map(|own| own.value), Some(value));
    assert!(drawn(&mut state, 120, 40).contains("not retrained"));
    press(&mut state, "d");
    assert_eq!(explanation(&state).found.value, value, "it speaks again");
    press(&mut state, "u u");
    assert!(explanation(&state).before.is_none());
    let neighbour =
        state.graph.session.ready.as_ref().unwrap().prepared.graph.neighbours(NodeId(0))[0];
    state.graph.node.picked = Some(NodeId(neighbour));
    press(&mut state, "-");
    let pair = (NodeId(0), NodeId(neighbour));
    assert_eq!(explanation(&state).changes.edges.get(&pair), Some(&None));
    press(&mut state, "u + 9 9 9 enter");
    assert!(state.notices.has_error(), "no such node");
    press(&mut state, "esc + 2 6 enter");
    assert!(matches!(state.graph.node.edits.list(), [Edit::Join(NodeId(0), _)]));
    press(&mut state, "u ctrl-y u");
    assert!(state.graph.node.edits.list().is_empty() && explanation(&state).found.value == value);
}

#[test]
fn changed_labels_need_retraining_which_starts_from_scratch() {
    let mut state = karate(Glyphs::Braille);
    let train = state.graph.session.ready.as_ref().unwrap().split.train[0];
    open_node(&mut state, train);
    settle(&mut state, Message::Resize(120, 40));
    press(&mut state, "H");
    assert_eq!(state.graph.node.edits.list(), [Edit::Hide(train)]);
    assert!(drawn(&mut state, 120, 40).contains("label changes need retraining"));
    press(&mut state, "L");
    let effects = press(&mut state, "T");
    let [Effect::Train(TrainingCommand::Replace(own)), Effect::Train(TrainingCommand::Resume)] =
        &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert!(own.split.test.contains(&train) && !own.split.train.contains(&train));
    let before = &state.graph.session.ready.as_ref().unwrap().prepared.graph;
    assert_ne!(own.graph.labels().of(train), before.labels().of(train));
    assert!(state.graph.node.edits.list().is_empty());
    press(&mut state, "enter d");
    assert!(press(&mut state, "T").is_empty(), "muting changes no graph");
}

#[test]
fn the_screen_follows_training_unless_frozen() {
    let mut state = karate(Glyphs::Braille);
    let epoch = |state: &State| explanation(state).context.snapshot().scalars.epoch;
    let newer = |state: &State, epoch: usize| {
        let mut snapshot = state.graph.session.snapshot.as_deref().unwrap().clone();
        snapshot.scalars.epoch = epoch;
        Message::News { events: Vec::new(), snapshot: Some(Arc::new(snapshot)) }
    };
    let message = newer(&state, 130);
    settle(&mut state, message);
    assert_eq!(epoch(&state), 130);
    press(&mut state, "z");
    let message = newer(&state, 140);
    settle(&mut state, message);
    assert_eq!(epoch(&state), 130);
    assert!(drawn(&mut state, 120, 40).contains("frozen at 130"));
    press(&mut state, "z");
    assert_eq!(epoch(&state), 140);
}

#[test]
fn nothing_is_requested_twice_or_from_another_screen() {
    let mut state = karate(Glyphs::Braille);
    let asks = |effects: &[Effect]| effects.iter().any(|own| matches!(own, Effect::Ask(_)));
    assert!(!asks(&update(&mut state, Message::Resize(100, 30))));
    assert!(asks(&update(&mut state, Message::Key("down".parse().unwrap()))));
    assert!(!asks(&update(&mut state, Message::Resize(120, 30))), "asked already");
    state.screen = Screen::Train;
    state.graph.chosen_node = Some(NodeId(3));
    assert!(!asks(&update(&mut state, Message::Resize(100, 30))));
}

#[test]
fn the_faithfulness_test_can_be_shown_and_hidden() {
    let mut state = karate(Glyphs::Braille);
    state.size = (80, 24);
    assert!(!drawn(&mut state, 80, 24).contains("faithfulness"));
    press(&mut state, "F");
    assert!(drawn(&mut state, 80, 24).contains("faithfulness"));
    press(&mut state, "F");
    assert!(explanation(&state).faithfulness.is_none());
    state.size = (200, 60);
    press(&mut state, "F");
    assert!(drawn(&mut state, 200, 60).contains("only k:"));
}

fn click(state: &mut State, text: &str) -> Vec<Effect> {
    let screen = drawn(state, 120, 40);
    let (row, line) =
        screen.lines().enumerate().find(|(_, line)| line.contains(text)).expect("drawn");
    let column = line[..line.find(text).unwrap()].chars().count();
    at(state, MouseEventKind::Down(MouseButton::Left), column as u16, row as u16)
}

fn at(state: &mut State, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    settle(state, Message::Mouse(event))
}

#[test]
fn rows_headings_and_neighbours_can_be_clicked_and_the_wheel_scrolls() {
    let mut state = karate(Glyphs::Braille);
    click(&mut state, "deg");
    assert_eq!(state.graph.node.list.query.sort, Sort::Degree);
    drawn(&mut state, 120, 40);
    at(&mut state, MouseEventKind::Down(MouseButton::Left), 4, 8);
    let open = state.graph.chosen_node.unwrap();
    assert_eq!(state.graph.node.list.rows.get(state.graph.node.list.at), Some(&open));
    at(&mut state, MouseEventKind::ScrollDown, 4, 10);
    assert_ne!(state.graph.chosen_node, Some(open));
    let before = state.graph.chosen_node.unwrap();
    press(&mut state, "enter");
    let row = explanation(&state).rows[2].line.node;
    let place = |state: &mut State| {
        let screen = drawn(state, 120, 40);
        let heading = screen.lines().position(|line| line.contains("without it")).unwrap();
        (60, heading as u16 + 3)
    };
    for _ in 0..2 {
        let (column, line) = place(&mut state);
        at(&mut state, MouseEventKind::Down(MouseButton::Left), column, line);
        assert!(state.graph.node.back.len() <= 1);
    }
    assert_eq!((state.graph.chosen_node, state.graph.node.back.last()), (Some(row), Some(&before)));
}

#[test]
fn multiple_types_numbers_multiple_labels_and_no_labels_are_drawn() {
    let mut women = other(sample("sample_graphs/southern-women"), Glyphs::Braille);
    let screen = drawn(&mut women, 200, 60);
    assert!(screen.contains("type"), "{screen}");
    let numbers = written(
        "id\ttarget\na\t1.5\nb\t2.5\nc\t\nd\t4\ne\t3\n",
        "source\ttarget\na\tb\nb\tc\nc\td\nd\te\na\td\n",
        "label_kind = \"numeric\"\n",
    );
    let mut numbers = other(numbers, Glyphs::Braille);
    let screen = drawn(&mut numbers, 120, 40);
    assert!(screen.contains("predicted value") && screen.contains("off by"), "{screen}");
    let several = written(
        "id\tlabels\na\tred|blue\nb\tred\nc\t\nd\tblue\ne\tred|green\n",
        "source\ttarget\na\tb\nb\tc\nc\td\nd\te\na\td\n",
        "label_kind = \"several\"\n",
    );
    let mut several = other(several, Glyphs::Braille);
    let screen = drawn(&mut several, 120, 40);
    assert!(screen.contains("red|blue") || screen.contains("blue|red"), "{screen}");
    let bare = written("id\na\nb\nc\nlone\n", "source\ttarget\na\tb\nb\tc\n", "");
    let mut bare = other(bare, Glyphs::Braille);
    let screen = drawn(&mut bare, 120, 40);
    assert!(screen.contains("length of z"), "{screen}");
    for state in [&mut women, &mut numbers, &mut several, &mut bare] {
        press(state, "end enter d - L H c g g g T u u u u F y r x w w w w w w w w w");
        for (width, height) in [(40, 12), (41, 13), (75, 15), (76, 19), (100, 30), (300, 100)] {
            drawn(state, width, height);
        }
    }
}

#[test]
fn a_list_of_twenty_thousand_nodes_responds_at_once() {
    let (mut nodes, mut edges) = (String::from("id\tlabels\n"), String::from("source\ttarget\n"));
    for n in 0..20_000 {
        let _ = writeln!(nodes, "n{n}\tc{}", n % 7);
        let _ = writeln!(edges, "n{n}\tn{}", (n + 1) % 20_000);
    }
    let graph = written(&nodes, &edges, "");
    let mut state = karate(Glyphs::Braille);
    // The list alone: it needs neither matrix nor model.
    let listing = state.graph.node.list.listing.clone().unwrap();
    let directory = Arc::new(crate::explain::Directory::of(&Arc::new(graph)));
    let fact = listing.roster.facts[0];
    let facts =
        (0..20_000).map(|n| crate::explain::NodeFacts { node: NodeId(n), ..fact }).collect();
    let roster = Arc::new(crate::explain::Roster { facts });
    let start = std::time::Instant::now();
    state.graph.node.take_listing(crate::tui::node::Listing { directory, roster, ..listing });
    for sort in [Sort::Id, Sort::Confidence, Sort::Degree] {
        crate::tui::node::sort_by(&mut state, sort);
    }
    let each = start.elapsed() / 4;
    assert_eq!(state.graph.node.list.rows.len(), 20_000);
    assert!(each < std::time::Duration::from_millis(100), "{each:?}");
}
