//! The map: what is drawn, and what keys and the mouse do.

use std::sync::Arc;

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{
    SIZES, assert_screens, colourless, drawn, press_and_settle as press, ready, running, scalars,
    settle,
};
use crate::graph::NodeId;
use crate::layout::Refined;
use crate::spectral::Cancel;
use crate::train::{BranchId, Event, PreparedRun, Snapshot};
use crate::tui::glyphs::Glyphs;
use crate::tui::map::{ColourBy, How, LayoutKind, LayoutResult};
use crate::tui::message::Message;
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

/// The map of the karate club, laid out.
fn map(glyphs: Glyphs) -> State {
    let mut state = running(glyphs, 120);
    press(&mut state, "f5");
    assert_eq!(state.screen, Screen::Map);
    drawn(&mut state, 120, 40);
    state
}

/// Synthetic positions, the same on every machine.
fn made_up(glyphs: Glyphs) -> State {
    let mut state = map(glyphs);
    let of = state.graph.session.ready.as_ref().unwrap().prepared.graph.clone();
    let spot = |n: usize, by: usize| 0.05 + 0.9 * ((n * by) % 34) as f32 / 33.0;
    let places = (0..34).map(|n| [spot(n, 5), spot(n, 9)]).collect();
    let refined = Refined { places, done: 150, total: 300 };
    let how = How::Force(state.graph.map.seed, refined);
    settle(&mut state, Message::LayoutResult(LayoutResult { of, how }));
    state
}

#[test]
fn the_map_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = made_up(glyphs);
        press(&mut state, "/ 3 3 enter");
        assert_screens(&format!("map_{name}"), &mut state, &SIZES);
        press(&mut state, "/ ctrl-u 8 enter v / ctrl-u 3 enter v C");
        assert_screens(&format!("map_selection_{name}"), &mut state, &SIZES);
        assert!(glyphs != Glyphs::Ascii || drawn(&mut state, 120, 40).is_ascii());
    }
}

#[test]
fn without_colour_the_map_uses_shapes() {
    let mut state = map(Glyphs::Braille);
    let text = colourless(&mut state);
    assert!(text.contains('●') && text.contains('▲'), "{text}");
}

#[test]
fn every_layout_and_colouring_is_drawn_at_any_size_and_glyph_level() {
    for (_, glyphs) in Glyphs::NAMES {
        let mut state = map(glyphs);
        for keys in ["x", "x c", "+ + c", "right v", "left left", "v c", "a", "a", "o w"] {
            press(&mut state, keys);
            for (width, height) in [(1, 1), (39, 12), (40, 12), (77, 13), (96, 20), (300, 100)] {
                let text = drawn(&mut state, width, height);
                assert!(glyphs != Glyphs::Ascii || text.is_ascii(), "{keys} {width}x{height}");
            }
        }
    }
}

#[test]
fn layouts_and_colourings_can_be_cycled_and_show_their_names() {
    let mut state = map(Glyphs::Braille);
    assert!(drawn(&mut state, 120, 40).contains("force layout by label"));
    press(&mut state, "x c");
    assert_eq!(
        (state.graph.map.layout, state.graph.map.colour),
        (LayoutKind::Spectral, ColourBy::Prediction)
    );
    press(&mut state, "x c c");
    assert!(drawn(&mut state, 120, 40).contains("embeddings by confidence · epoch 120 · PCA"));
    press(&mut state, "c");
    assert_eq!(state.graph.map.colour, ColourBy::Degree, "one type is nothing to colour by");
    press(&mut state, "X X C C C C c");
    assert_eq!(
        (state.graph.map.layout, state.graph.map.colour),
        (LayoutKind::Force, ColourBy::Prediction)
    );
}

#[test]
fn the_cursor_moves_between_nodes_and_describes_them() {
    let mut state = map(Glyphs::Braille);
    press(&mut state, "down");
    let first = state.graph.map.cursor.unwrap();
    press(&mut state, "left");
    let second = state.graph.map.cursor.unwrap();
    assert_ne!(first, second);
    let places = state.graph.map.places().unwrap();
    assert!(places[second.index()][0] < places[first.index()][0]);
    press(&mut state, "/ 3 3 enter");
    let node = state.graph.map.cursor.unwrap();
    let graph = &state.graph.session.ready.as_ref().unwrap().prepared.graph;
    assert_eq!(graph.ids().text(node), "33");
    let degree = format!("degree     {}", graph.degree(node));
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains(&degree) && shown.contains("predicted"), "{shown}");
    press(&mut state, "/ ctrl-u z z z enter");
    assert!(state.notices.has_error());
}

#[test]
fn the_view_zooms_around_the_cursor_pans_and_fits() {
    let mut state = map(Glyphs::Braille);
    press(&mut state, "/ 0 enter + + +");
    let zoomed = state.graph.map.window;
    assert!(zoomed.zoom > 3.0);
    let place = state.graph.map.places().unwrap()[state.graph.map.cursor.unwrap().index()];
    let frame = crate::tui::map::Frame::new(Rect::new(0, 0, 80, 30), zoomed);
    assert!(frame.seen(place).is_some(), "the cursor stays in view");
    press(&mut state, "L shift-up");
    assert_ne!(state.graph.map.window.middle, zoomed.middle);
    press(&mut state, "a");
    assert_eq!(state.graph.map.window.zoom, 1.0);
    press(&mut state, "- - -");
    assert_eq!(state.graph.map.window.zoom, 1.0, "nothing is farther away than all");
}

#[test]
fn a_box_of_two_corners_is_a_selection_that_other_layouts_keep() {
    let mut state = map(Glyphs::Braille);
    press(&mut state, "/ 3 3 enter v");
    assert!(state.graph.map.corner.is_some());
    press(&mut state, "/ ctrl-u 0 enter");
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains("selected"), "the box is told of while it is spanned");
    press(&mut state, "v");
    let selected = state.graph.map.selected.clone();
    assert!(selected.len() >= 2 && state.graph.map.corner.is_none());
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains(&format!("{} selected", selected.len())), "{shown}");
    press(&mut state, "x x");
    assert_eq!(state.graph.map.selected, selected);
    press(&mut state, "a");
    assert!(state.graph.map.window.zoom >= 1.0);
    press(&mut state, "esc");
    assert!(state.graph.map.selected.is_empty());
    press(&mut state, "esc");
    assert_eq!(state.graph.map.cursor, None);
}

#[test]
fn enter_opens_the_node_under_the_cursor() {
    let mut state = map(Glyphs::Braille);
    assert!(state.graph.chosen_node.is_none());
    press(&mut state, "/ 3 3 enter enter");
    let graph = &state.graph.session.ready.as_ref().unwrap().prepared.graph;
    assert_eq!(state.graph.chosen_node, graph.ids().find("33"));
}

#[test]
fn the_next_wrong_node_is_found() {
    let mut state = map(Glyphs::Braille);
    press(&mut state, "w");
    let first = state.graph.map.cursor.expect("an untrained model errs");
    press(&mut state, "w");
    let second = state.graph.map.cursor.unwrap();
    assert_ne!(first, second);
    let ready = state.graph.session.ready.as_ref().unwrap();
    for node in [first, second] {
        let own = crate::tui::map::facts(ready, state.graph.session.snapshot.as_deref(), node);
        assert_eq!(own.right, Some(false));
    }
}

#[test]
fn another_seed_changes_the_layout() {
    let mut state = map(Glyphs::Braille);
    let before = state.graph.map.places().unwrap().to_vec();
    press(&mut state, "r");
    assert_ne!(state.graph.map.places().unwrap(), before);
}

fn mouse(state: &mut State, kind: MouseEventKind, column: u16, row: u16) {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    settle(state, Message::Mouse(event));
}

/// The cell in which a node is drawn.
fn cell_of(state: &State, id: &str) -> (NodeId, u16, u16) {
    let graph = &state.graph.session.ready.as_ref().unwrap().prepared.graph;
    let node = graph.ids().find(id).unwrap();
    let frame = state.hits.map().unwrap();
    let (x, y) = frame.seen(state.graph.map.places().unwrap()[node.index()]).unwrap();
    (node, frame.area.x + x, frame.area.y + y)
}

#[test]
fn the_mouse_describes_selects_and_opens_a_node() {
    let mut state = map(Glyphs::Braille);
    let (_, x, y) = cell_of(&state, "33");
    mouse(&mut state, MouseEventKind::Moved, x, y);
    let pointed = state.graph.map.hover.expect("over a node");
    assert!(drawn(&mut state, 120, 40).contains("predicted"));
    mouse(&mut state, MouseEventKind::Down(MouseButton::Left), x, y);
    mouse(&mut state, MouseEventKind::Up(MouseButton::Left), x, y);
    assert_eq!((state.graph.map.cursor, state.graph.map.hover), (Some(pointed), None));
    assert!(state.graph.chosen_node.is_none());
    mouse(&mut state, MouseEventKind::Down(MouseButton::Left), x, y);
    assert_eq!(state.graph.chosen_node, Some(pointed));
    mouse(&mut state, MouseEventKind::Moved, 0, 0);
    assert_eq!(state.graph.map.hover, None);
}

#[test]
fn a_drag_selects_a_box_another_button_pans_and_the_wheel_zooms() {
    let mut state = map(Glyphs::Braille);
    let area = state.hits.map().unwrap().area;
    let (left, right) = (MouseButton::Left, MouseButton::Right);
    mouse(&mut state, MouseEventKind::Down(left), area.x, area.y);
    mouse(&mut state, MouseEventKind::Drag(left), area.right() - 1, area.bottom() - 1);
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains("34 selected"), "all are in the box");
    assert!(shown.contains("accuracy") && shown.contains("17 test nodes"), "{shown}");
    mouse(&mut state, MouseEventKind::Up(left), area.right() - 1, area.bottom() - 1);
    assert_eq!(state.graph.map.selected.len(), 34);
    let (node, x, y) = cell_of(&state, "33");
    for _ in 0..6 {
        mouse(&mut state, MouseEventKind::ScrollUp, x, y);
        drawn(&mut state, 120, 40);
    }
    let zoomed = state.graph.map.window;
    let (_, near_x, near_y) = cell_of(&state, "33");
    assert!(zoomed.zoom > 3.0 && near_x.abs_diff(x) <= 3 && near_y.abs_diff(y) <= 3, "{node:?}");
    mouse(&mut state, MouseEventKind::Down(right), x, y);
    mouse(&mut state, MouseEventKind::Drag(right), x.saturating_sub(5), y);
    assert_ne!(state.graph.map.window.middle, zoomed.middle);
    mouse(&mut state, MouseEventKind::Up(right), x, y);
    mouse(&mut state, MouseEventKind::ScrollDown, x, y);
    assert!(state.graph.map.window.zoom < zoomed.zoom);
}

#[test]
fn embeddings_follow_every_snapshot_and_a_new_graph_resets_the_map() {
    let mut state = map(Glyphs::Braille);
    press(&mut state, "X down");
    let (ready, snapshot) = ready();
    let mut next = Snapshot::clone(&snapshot);
    next.scalars = scalars(121);
    let news = Message::News { events: Vec::new(), snapshot: Some(Arc::new(next)) };
    settle(&mut state, news.clone());
    assert!(drawn(&mut state, 120, 40).contains("epoch 121"));
    assert!(
        update(&mut state, Message::Tick(std::time::Duration::ZERO)).is_empty(),
        "asked once a snapshot"
    );
    assert!(state.graph.map.cursor.is_some());
    let graph = Arc::new((*ready.prepared.graph).clone());
    let prepared = crate::model::PreparedGraph { graph, ..ready.prepared.clone() };
    let other = PreparedRun { line: BranchId(2), prepared, ..PreparedRun::clone(&ready) };
    let events = vec![Event::Ready(Arc::new(other))];
    update(&mut state, Message::News { events, snapshot: None });
    assert!(state.graph.map.places().is_none() && state.graph.map.cursor.is_none());
    drawn(&mut state, 120, 40);
}

/// A state on any graph, at the start of training.
fn opened(graph: crate::graph::Graph, settings: crate::model::settings::Settings) -> State {
    let graph = Arc::new(graph);
    let cancel = Cancel::default();
    let prepared =
        crate::model::PreparedGraph::prepare(&graph, &settings, None, &cancel, &mut |_| {})
            .unwrap();
    let trainer = crate::train::Trainer::new(prepared, settings).unwrap();
    let snapshot = Snapshot::of(BranchId(1), &trainer).unwrap();
    let ready = PreparedRun::of(BranchId(1), &trainer);
    let mut state = super::fresh(Glyphs::Braille);
    let snapshot = Some(Arc::new(snapshot));
    settle(&mut state, Message::News { events: vec![Event::Ready(Arc::new(ready))], snapshot });
    press(&mut state, "f5");
    state
}

fn loaded(nodes: &str, edges: &str, target: Option<&str>) -> crate::graph::Graph {
    use crate::graph::{LoadOptions, RoleChoice, load};
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nodes.tsv"), nodes).unwrap();
    std::fs::write(folder.path().join("edges.tsv"), edges).unwrap();
    let roles = RoleChoice { target: target.map(str::to_owned), ..RoleChoice::default() };
    load(folder.path(), &LoadOptions { roles, ..LoadOptions::default() }).unwrap().0
}

/// Cycles through all layouts and colourings, with a cursor and a selection.
fn look_at_everything(mut state: State) -> Vec<ColourBy> {
    let nodes = state.graph.session.ready.as_ref().unwrap().prepared.graph.node_count();
    let mut colours = Vec::new();
    for _ in 0..3 {
        for _ in 0..6 {
            let paint = &state.graph.map.paint;
            assert_eq!(paint.entries.iter().map(|entry| entry.count).sum::<usize>(), nodes);
            assert!(paint.of.iter().all(|at| usize::from(*at) < paint.entries.len()));
            if !colours.contains(&state.graph.map.colour) {
                colours.push(state.graph.map.colour);
            }
            press(&mut state, "c down v right v w");
            for (width, height) in [(40, 12), (120, 40)] {
                drawn(&mut state, width, height);
            }
        }
        press(&mut state, "esc esc esc esc x");
    }
    colours
}

const SQUARE: &str = "source\ttarget\na\tb\nb\tc\nc\td\nd\ta\na\te\n";

#[test]
fn maps_exist_for_numbers_multiple_labels_multiple_types_and_no_labels() {
    use crate::graph::{LoadOptions, load};
    use crate::model::settings::Settings;
    let numbers = loaded("id\tage\na\t1\nb\t2.5\nc\t\nd\t40\ne\t3\n", SQUARE, Some("age"));
    let seen = look_at_everything(opened(numbers, Settings::default()));
    let expected = [ColourBy::Label, ColourBy::Prediction, ColourBy::Error, ColourBy::Degree];
    assert_eq!(seen, expected, "numbers have no confidence");
    let several = loaded("id\tlabels\na\tx|y\nb\tx\nc\t\nd\ty\ne\ty|z\n", SQUARE, None);
    let seen = look_at_everything(opened(several, Settings::default()));
    assert!(seen.contains(&ColourBy::Confidence));
    let bare = loaded("id\na\nb\nc\nd\ne\n", SQUARE, None);
    assert_eq!(look_at_everything(opened(bare, Settings::default())), [ColourBy::Degree]);
    let women = load("sample_graphs/southern-women".as_ref(), &LoadOptions::default()).unwrap().0;
    let seen = look_at_everything(opened(women, Settings::default()));
    assert!(seen.contains(&ColourBy::Type));
}

#[test]
fn a_map_without_eigenvectors_explains_why_and_what_to_do() {
    use crate::graph::{LoadOptions, load};
    use crate::model::settings::{EngineChoice, Settings};
    let karate = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap().0;
    let settings = Settings { engine: EngineChoice::Chebyshev, ..Settings::default() };
    let mut state = opened(karate, settings);
    press(&mut state, "x down w /");
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains("has no eigenvectors") && shown.contains("help:"), "{shown}");
}

#[test]
fn classes_have_letters_in_the_legend_and_on_request_on_the_map() {
    let mut state = map(Glyphs::Braille);
    let shapes = drawn(&mut state, 120, 40);
    assert!(shapes.contains("● A Mr_Hi") && shapes.contains("▲ B Officer"), "{shapes}");
    press(&mut state, "i");
    let letters = drawn(&mut state, 120, 40);
    assert!(letters.matches('●').count() < shapes.matches('●').count());
    assert_screens("map_letters", &mut state, &[(120, 40)]);
}
