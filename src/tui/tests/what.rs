//! "What is this?" on every screen.

use super::screens::at_sizes;
use super::{SIZES, drawn, fresh, press, press_and_settle, running};
use crate::lab::Explanations;
use crate::model::settings::TABLE;
use crate::tui::glyphs::Glyphs;
use crate::tui::layers::Layer;
use crate::tui::message::Effect;
use crate::tui::what::{focus_key, topics};

#[test]
fn the_thing_in_focus_is_explained() {
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
fn everything_that_can_be_asked_for_has_an_explanation() {
    let all = Explanations::built_in();
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "e");
    for row in 0..TABLE.len() {
        state.panel.row = row;
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
fn what_is_said_is_one_paragraph_a_formula_and_a_lesson() {
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "f left '");
    insta::assert_snapshot!("what", at_sizes(&mut state, &SIZES));
    press(&mut state, "down");
    let text = drawn(&mut state, 80, 24);
    assert!(text.contains("2 of"), "{text}");
    // The last one stays the last.
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
