//! Help topics on every screen.

use super::{SIZES, assert_screens, drawn, fresh, press, press_and_settle, running};
use crate::lab::HelpTopics;
use crate::model::settings::TABLE;
use crate::tui::glyphs::Glyphs;
use crate::tui::help_topics::{focus_key, topics};
use crate::tui::layers::Layer;
use crate::tui::message::Effect;

#[test]
fn the_focused_item_is_explained() {
    for (keys, key) in [
        ("", "loss"),
        ("c c", "accuracy"),
        ("e", "setting.matrix"),
        ("e down", "setting.edge_values"),
        ("f", "rho"),
        ("f left", "cursor"),
        ("f5", "map.force"),
        ("f5 x", "map.spectral"),
        ("U", "run"),
        ("v", "node"),
        ("v right right g", "hop-ring"),
        ("v right", "distribution"),
        ("b", "lab.set-function"),
        ("b 2", "lab.types"),
        ("b 3", "lab.sum"),
        ("b 4", "lab.power-sums"),
        ("b 4 left", "lab.two-groups"),
        ("b 5", "lab.planted"),
    ] {
        let mut state = running(Glyphs::Braille, 120);
        press_and_settle(&mut state, keys);
        assert_eq!(focus_key(&state), key, "{keys}");
    }
    assert_eq!(focus_key(&fresh(Glyphs::Braille)), "graph");
}

#[test]
fn every_visible_item_has_a_help_topic() {
    let all = HelpTopics::built_in();
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "e");
    for row in 0..TABLE.len() {
        state.graph.panel.row = row;
        let keys = topics(&state);
        assert!(keys.iter().all(|key| all.of(key).is_some()), "{keys:?}");
    }
    for keys in ["esc", "f r left", "v", "right", "right", "g", "g", "g", "b", ".", ".", ".", "."] {
        press(&mut state, keys);
        for key in topics(&state) {
            assert!(all.of(&key).is_some(), "{key}");
        }
    }
}

#[test]
fn a_topic_has_one_paragraph_a_formula_and_a_lesson() {
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "f left '");
    assert_screens("help_topics", &mut state, &SIZES);
    press(&mut state, "down");
    let text = drawn(&mut state, 80, 24);
    assert!(text.contains("2 of"), "{text}");
    // The list stops at its end.
    press(&mut state, &"down ".repeat(60));
    assert!(matches!(state.layers.last(), Some(Layer::What(what)) if what.shown().is_some()));
    press(&mut state, &"up ".repeat(60));
    let effects = press(&mut state, "enter");
    assert!(matches!(&effects[..], [Effect::Learn(own), ..] if own.id == "read-a-filter"));
    let mut state = running(Glyphs::Ascii, 120);
    press(&mut state, "'");
    assert!(drawn(&mut state, 80, 24).is_ascii());
    press(&mut state, "q");
    assert!(state.layers.is_empty());
}
