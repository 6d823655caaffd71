//! Snapshots of each screen and overlay, from a phone's size to a wall's.

use std::fmt::Write as _;

use std::time::Duration;

use super::{SIZES, colourless, drawn, fresh, press, press_and_settle, running, scalars, settle};
use crate::train::{Event, LineId, Scalars};
use crate::tui::colour::Depth;
use crate::tui::glyphs::Glyphs;
use crate::tui::layers::Cut;
use crate::tui::message::Message;
use crate::tui::picker::{Entry, Picker};
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

/// The screen at several sizes, one under the other.
pub(super) fn at_sizes(state: &mut State, sizes: &[(u16, u16)]) -> String {
    let mut all = String::new();
    for (width, height) in sizes {
        let _ = writeln!(all, "{width}x{height}\n{}", drawn(state, *width, *height));
    }
    all
}

#[test]
fn the_train_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = running(glyphs, 120);
        insta::assert_snapshot!(format!("train_{name}"), at_sizes(&mut state, &SIZES));
    }
}

#[test]
fn the_filter_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = running(glyphs, 120);
        press_and_settle(&mut state, "f r r r");
        insta::assert_snapshot!(format!("filter_{name}"), at_sizes(&mut state, &SIZES));
    }
}

#[test]
fn overlays_and_the_panel() {
    for (name, keys) in [
        ("settings", "e down down down down down down down down down down down down i"),
        ("draft", "e right"),
        ("help", "?"),
        ("palette", ": b a l"),
        ("presets", "p down"),
        ("prompt", "2 5"),
        ("cursor", "left left left"),
    ] {
        let mut state = running(Glyphs::Braille, 120);
        press(&mut state, keys);
        insta::assert_snapshot!(format!("layer_{name}"), at_sizes(&mut state, &SIZES));
        let mut plain = running(Glyphs::Ascii, 120);
        press(&mut plain, keys);
        for (width, height) in SIZES {
            assert!(drawn(&mut plain, width, height).is_ascii(), "{name} at {width}x{height}");
        }
    }
}

#[test]
fn a_branch_beside_its_run_and_a_run_that_was_cut_off() {
    let mut state = running(Glyphs::Braille, 120);
    let settings = Box::new(state.session.settings.clone());
    let branch = Event::Branched { line: LineId(2), parent: LineId(1), epoch: 40 };
    let mut events = vec![Event::At { epoch: 40, settings }, branch];
    let other = |epoch| Scalars { total: 2.0 * scalars(epoch).total, ..scalars(epoch) };
    events.extend((40..90).map(|epoch| Event::Epoch(other(epoch))));
    update(&mut state, Message::News { events, snapshot: None });
    insta::assert_snapshot!("branch", at_sizes(&mut state, &SIZES[1..3]));
    let cut = Cut { path: "1".into(), epoch: 212, ago: "3 minutes ago".to_owned() };
    update(&mut state, Message::CutOff(cut));
    insta::assert_snapshot!("layer_recover", at_sizes(&mut state, &SIZES));
}

#[test]
fn before_anything_is_open() {
    let mut state = fresh(Glyphs::Braille);
    insta::assert_snapshot!("making_ready", at_sizes(&mut state, &SIZES));
    let entry = |title: &str, about: &str| Entry {
        title: title.to_owned(),
        about: about.to_owned(),
        place: "comes with the program".to_owned(),
        path: title.into(),
    };
    let entries = vec![
        entry("Zachary's karate club", "34 members and the ties among them."),
        entry("Les Misérables", "77 characters of the novel."),
    ];
    state.picker = Some(Picker { entries, ..Picker::default() });
    insta::assert_snapshot!("picker", at_sizes(&mut state, &SIZES));
}

#[test]
fn a_terminal_too_small_says_so_and_none_panics() {
    let mut state = running(Glyphs::Braille, 120);
    assert!(drawn(&mut state, 30, 8).contains("too small"));
    for keys in ["", "e i", "esc ?", "esc :", "esc f left", "p", "esc 1"] {
        press(&mut state, keys);
        for width in [1, 2, 7, 39, 40, 41, 75, 76, 77, 95, 96, 110, 150, 300] {
            for height in [1, 2, 11, 12, 13, 17, 19, 20, 26, 100] {
                drawn(&mut state, width, height);
            }
        }
    }
}

#[test]
fn without_colour_no_cell_has_one_and_the_shade_is_a_pattern() {
    for screen in [Screen::Train, Screen::Filter] {
        let mut state = running(Glyphs::Braille, 120);
        state.screen = screen;
        settle(&mut state, Message::Tick(Duration::from_secs(1)));
        let text = colourless(&mut state);
        assert_eq!(text.contains('░'), screen == Screen::Filter);
        let name = if screen == Screen::Train { "train" } else { "filter" };
        insta::assert_snapshot!(format!("{name}_without_colour"), text);
    }
}

#[test]
fn every_theme_and_rung_draws_every_screen() {
    for (theme, _) in crate::tui::theme::THEMES {
        for (_, glyphs) in Glyphs::NAMES {
            for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
                let mut state = running(glyphs, 30);
                state.look = crate::tui::look::Look::new(theme, glyphs, depth);
                drawn(&mut state, 100, 30);
                press(&mut state, "f");
                drawn(&mut state, 100, 30);
            }
        }
    }
}

#[test]
fn a_long_run_draws_about_as_fast_as_a_short_one() {
    let time = |epochs: usize| {
        let mut state = running(Glyphs::Braille, epochs);
        press(&mut state, "a");
        let start = std::time::Instant::now();
        (0..5).for_each(|_| drop(drawn(&mut state, 200, 60)));
        start.elapsed()
    };
    let (short, long) = (time(300), time(100_000));
    assert!(long < short * 20 + std::time::Duration::from_millis(50), "{short:?} {long:?}");
}

#[test]
fn names_of_runs_that_end_alike_do_not_lie_over_each_other() {
    let mut state = running(Glyphs::Braille, 60);
    for number in 2..5 {
        let (ready, _) = super::ready();
        let ready = crate::train::Ready { line: LineId(number), ..ready.as_ref().clone() };
        let mut events = vec![Event::Ready(std::sync::Arc::new(ready))];
        events.extend((0..60).map(|epoch| Event::Epoch(scalars(epoch))));
        update(&mut state, Message::News { events, snapshot: None });
    }
    state.session.others.iter_mut().for_each(|other| other.shown = true);
    let text = drawn(&mut state, 120, 40);
    for name in ["run 1", "run 2", "run 3"] {
        assert!(text.contains(name), "{name}: {text}");
    }
}
