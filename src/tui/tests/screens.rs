//! Snapshots of each screen and overlay, from a phone's size to a wall's.

use std::time::Duration;

use super::{
    SIZES, assert_screen, assert_screens, colourless, drawn, fresh, press, press_and_settle,
    running, scalars, settle,
};
use crate::train::{BranchId, Event, Scalars};
use crate::tui::colour::Depth;
use crate::tui::glyphs::Glyphs;
use crate::tui::layers::Cut;
use crate::tui::message::Message;
use crate::tui::picker::{GraphChoice, Picker};
use crate::tui::state::Screen;
use crate::tui::update::update;

#[test]
fn the_train_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = running(glyphs, 120);
        assert_screens(&format!("train_{name}"), &mut state, &SIZES);
    }
}

#[test]
fn the_filter_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut state = running(glyphs, 120);
        press_and_settle(&mut state, "f r r r");
        assert_screens(&format!("filter_{name}"), &mut state, &SIZES);
    }
}

#[test]
fn overlays_and_the_settings_panel() {
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
        assert_screens(&format!("layer_{name}"), &mut state, &SIZES);
        let mut plain = running(Glyphs::Ascii, 120);
        press(&mut plain, keys);
        for (width, height) in SIZES {
            assert!(drawn(&mut plain, width, height).is_ascii(), "{name} at {width}x{height}");
        }
    }
}

#[test]
fn a_branch_next_to_its_parent_and_an_interrupted_run() {
    let mut state = running(Glyphs::Braille, 120);
    let settings = Box::new(state.graph.session.settings.clone());
    let branch = Event::Branched { line: BranchId(2), parent: BranchId(1), epoch: 40 };
    let mut events = vec![Event::At { epoch: 40, settings }, branch];
    let other = |epoch| Scalars { total: 2.0 * scalars(epoch).total, ..scalars(epoch) };
    events.extend((40..90).map(|epoch| Event::Epoch(other(epoch))));
    update(&mut state, Message::News { events, snapshot: None });
    assert_screens("branch", &mut state, &SIZES[1..3]);
    let cut = Cut { path: "1".into(), epoch: 212, ago: "3 minutes ago".to_owned() };
    update(&mut state, Message::CutOff(cut));
    assert_screens("layer_recover", &mut state, &SIZES);
}

#[test]
fn no_line_joins_the_two_stages_of_a_run() {
    let mut state = running(Glyphs::Braille, 0);
    let constant = |epoch: usize| {
        let (total, withheld_loss) = if epoch < 60 { (1.0, Some(1.0)) } else { (0.001, None) };
        Event::Epoch(Scalars { total, withheld_loss, ..scalars(epoch) })
    };
    let events = (0..120).map(constant).collect();
    update(&mut state, Message::News { events, snapshot: None });
    press(&mut state, "c");
    state.graph.session.run.curves.retain(|curve| curve.name == "total");
    let screen = drawn(&mut state, 120, 40);
    let inside = screen.lines().skip(12).take(16);
    let dots = inside.flat_map(str::chars).filter(|c| ('\u{2801}'..='\u{28ff}').contains(c));
    assert_eq!(dots.count(), 0, "{screen}");
}

#[test]
fn before_a_graph_is_open() {
    let mut state = fresh(Glyphs::Braille);
    assert_screens("loading", &mut state, &SIZES);
    let entry = |title: &str, about: &str| GraphChoice {
        title: title.to_owned(),
        about: about.to_owned(),
        place: "built-in sample".to_owned(),
        path: title.into(),
    };
    let entries = vec![
        entry("Zachary's karate club", "34 members and the ties among them."),
        entry("Les Misérables", "77 characters of the novel."),
    ];
    state.picker = Some(Picker { entries, ..Picker::default() });
    assert_screens("picker", &mut state, &SIZES);
}

#[test]
fn a_small_terminal_gets_a_message_and_no_size_panics() {
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
        assert_screen(&format!("{name}_without_colour"), (120, 40), &text);
    }
}

#[test]
fn every_theme_and_glyph_level_draws_every_screen() {
    for (theme, _) in crate::tui::theme::THEMES {
        for (_, glyphs) in Glyphs::NAMES {
            for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
                let mut state = running(glyphs, 30);
                state.look = crate::tui::appearance::Appearance::new(theme, glyphs, depth);
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
fn names_of_runs_with_equal_endpoints_do_not_overlap() {
    let mut state = running(Glyphs::Braille, 60);
    for number in 2..5 {
        let (ready, _) = super::ready();
        let ready = crate::train::PreparedRun { line: BranchId(number), ..ready.as_ref().clone() };
        let mut events = vec![Event::Ready(std::sync::Arc::new(ready))];
        events.extend((0..60).map(|epoch| Event::Epoch(scalars(epoch))));
        update(&mut state, Message::News { events, snapshot: None });
    }
    state.graph.session.others.iter_mut().for_each(|other| other.shown = true);
    let text = drawn(&mut state, 120, 40);
    for name in ["run 1", "run 2", "run 3"] {
        assert!(text.contains(name), "{name}: {text}");
    }
}

#[test]
fn every_loss_term_has_a_toggle_and_the_legend_says_what_is_off() {
    let mut state = running(Glyphs::Braille, 120);
    press(&mut state, "alt-1 alt-4");
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("total off") && text.contains("penalty off"), "{text}");
    assert!(!text.contains("supervised off"), "{text}");
    assert_screen("train_terms_off", (120, 40), &text);
    press(&mut state, "alt-1 alt-4");
    assert!(!drawn(&mut state, 120, 40).contains(" off"));
}
