//! The screen for a room.

use std::time::Duration;

use super::screens::at_sizes;
use super::{SIZES, drawn, press, press_and_settle, running};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::Message;
use crate::tui::update::update;

#[test]
fn fewer_and_larger_things() {
    for (name, keys) in
        [("train", "ctrl-f c"), ("settings", "ctrl-f e down"), ("filter", "ctrl-f f left left")]
    {
        let mut state = running(Glyphs::Braille, 120);
        press(&mut state, keys);
        // What was said fades before what was pressed.
        update(&mut state, Message::Tick(Duration::from_millis(5_500)));
        insta::assert_snapshot!(format!("projector_{name}"), at_sizes(&mut state, &SIZES));
        assert_eq!(state.look.theme.name, "high-contrast");
        press(&mut state, "ctrl-f");
        assert_eq!(state.look.theme.name, "dark");
    }
}

#[test]
fn every_screen_has_its_figures_and_a_node_one_part_at_a_time() {
    let mut state = running(Glyphs::Braille, 120);
    press_and_settle(&mut state, "ctrl-f v enter");
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("say its neighbours") && text.contains("P_uv"), "{text}");
    assert!(!text.contains("/ search"), "the list gave way to the node: {text}");
    for (keys, figure) in [
        ("m", "test accuracy"),
        ("U", "test accuracy"),
        ("t b space", "set function moved"),
        ("2", "moved, with types"),
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
fn keys_are_shown_with_what_they_do_and_fade() {
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
fn every_screen_fits_every_room() {
    let mut state = running(Glyphs::Ascii, 120);
    press(&mut state, "ctrl-f");
    for keys in ["", "e", "esc f", "left", "v", "b", "?", "esc '", "esc ctrl-o"] {
        press(&mut state, keys);
        for (width, height) in [(40, 12), (41, 17), (80, 24), (90, 30), (120, 40), (300, 100)] {
            assert!(drawn(&mut state, width, height).is_ascii(), "{keys} {width}x{height}");
        }
    }
}
