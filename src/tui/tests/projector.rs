//! Projector mode.

use std::time::Duration;

use super::{SIZES, assert_screens, drawn, press, press_and_settle, running};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::Message;
use crate::tui::update::update;

#[test]
fn fewer_and_larger_items() {
    for (name, keys) in
        [("train", "ctrl-f c"), ("settings", "ctrl-f e down"), ("filter", "ctrl-f f left left")]
    {
        let mut state = running(Glyphs::Braille, 120);
        press(&mut state, keys);
        // Notices fade before keys.
        update(&mut state, Message::Tick(Duration::from_millis(5_500)));
        assert_screens(&format!("projector_{name}"), &mut state, &SIZES);
        assert_eq!(state.look.theme.name, "high-contrast");
        press(&mut state, "ctrl-f");
        assert_eq!(state.look.theme.name, "dark");
    }
}

#[test]
fn every_screen_has_large_figures_and_the_node_screen_shows_one_pane() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "ctrl-f v enter");
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("predicted from R") && text.contains("P_uv"), "{text}");
    assert!(!text.contains("/ search"), "the list gave way to the node: {text}");
    for (keys, figure) in [
        ("m", "test accuracy"),
        ("U", "test accuracy"),
        ("t b space", "set function change"),
        ("2", "change with types"),
        ("3 a", "edits"),
        ("4", "power sums"),
        ("5", "steps"),
    ] {
        press_and_settle(&mut state, keys);
        let text = drawn(&mut state, 120, 40);
        assert!(text.contains(figure), "{keys}: {text}");
    }
}

#[test]
fn keys_are_shown_with_their_effect_and_fade() {
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "left");
    press(&mut state, "ctrl-f space y");
    update(&mut state, Message::Tick(Duration::from_millis(5_500)));
    let text = drawn(&mut state, 80, 24);
    assert!(text.contains("space  resume") && text.contains("y  log axis"), "{text}");
    assert!(!text.contains("cursor left"), "what was pressed before is not shown");
    assert!(state.moves());
    update(&mut state, Message::Tick(Duration::from_secs(9)));
    let text = drawn(&mut state, 80, 24);
    assert!(!text.contains("log axis") && text.contains("? help"), "{text}");
    assert!(!state.moves(), "nothing moves once all has faded");
}

#[test]
fn every_screen_fits_every_size() {
    let mut state = running(Glyphs::Ascii, 120);
    press(&mut state, "ctrl-f");
    for keys in ["", "e", "esc f", "left", "v", "b", "?", "esc '", "esc ctrl-o"] {
        press(&mut state, keys);
        for (width, height) in [(40, 12), (41, 17), (80, 24), (90, 30), (120, 40), (300, 100)] {
            assert!(drawn(&mut state, width, height).is_ascii(), "{keys} {width}x{height}");
        }
    }
}
