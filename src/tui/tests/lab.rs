//! The lab: its screens, and the claim of each experiment by keys.

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{SIZES, assert_screen, drawn, fresh, press, running};
use crate::lab::lessons::{ACTIONS, Facts};
use crate::lab::{Aggregator, Experiment, Lab, MultisetAggregator, PairVerdict, Side};
use crate::tui::commands::Command;
use crate::tui::glyphs::Glyphs;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

fn open(glyphs: Glyphs) -> State {
    let mut state = running(glyphs, 120);
    press(&mut state, "b");
    state
}

fn lab(state: &State) -> &Lab {
    state.lab.as_ref().unwrap()
}

fn fact(state: &State, name: &str) -> f64 {
    let mut facts = Facts::default();
    lab(state).report(&mut facts);
    facts.as_number(name).unwrap_or_else(|| panic!("{name}"))
}

/// Runs requested jobs, and those their results request, up to a number of times.
fn answer(state: &mut State, effects: Vec<Effect>, times: usize) {
    let mut waiting = effects;
    for _ in 0..times {
        let asked = waiting.iter().find_map(|effect| match effect {
            Effect::Ask(question) => Some(question.clone()),
            _ => None,
        });
        let Some(question) = asked else { return };
        waiting = question.answers().into_iter().flat_map(|own| update(state, own)).collect();
    }
}

/// Masks long digit sequences, whose last digits may differ between machines.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_digit() || ('a'..='f').contains(&letter) {
            run.push(letter);
            continue;
        }
        let long = run.len() >= 6 && run.contains(|c: char| c.is_ascii_digit());
        out.push_str(&if long { "h".repeat(run.len()) } else { run.clone() });
        run.clear();
        out.push(letter);
    }
    out.pop();
    out
}

const SCENES: [(&str, &str); 5] = [
    ("shuffle", "1 s s right right enter right"),
    ("types", "2 enter right right right right enter"),
    ("aggregators", "3 right right d p p p"),
    ("theorem", "4 a - o"),
    ("filters", "5 o o g g"),
];

#[test]
fn the_lab_screen() {
    for (name, keys) in SCENES {
        let mut state = open(Glyphs::Braille);
        press(&mut state, keys);
        state.notices = crate::tui::notices::Notices::default();
        for (width, height) in SIZES {
            let screen = masked(&drawn(&mut state, width, height));
            assert_screen(&format!("lab_{name}"), (width, height), &screen);
        }
        let mut plain = open(Glyphs::Ascii);
        press(&mut plain, keys);
        plain.notices = crate::tui::notices::Notices::default();
        for (width, height) in SIZES {
            let text = drawn(&mut plain, width, height);
            assert!(text.is_ascii(), "{name} at {width}x{height}");
        }
        assert_screen(&format!("lab_{name}_ascii"), (80, 24), &masked(&drawn(&mut plain, 80, 24)));
    }
}

#[test]
fn the_lab_never_panics_at_any_size_with_or_without_a_graph() {
    for start in [open, fresh] {
        let mut state = start(Glyphs::Braille);
        press(&mut state, "b");
        for (_, keys) in SCENES {
            press(&mut state, keys);
            for width in [1, 39, 40, 41, 55, 56, 76, 100, 149, 150, 300] {
                for height in [11, 12, 13, 17, 18, 20, 27, 33, 60, 100] {
                    drawn(&mut state, width, height);
                }
            }
        }
    }
}

#[test]
fn the_lab_opens_before_anything_is_trained() {
    let mut state = fresh(Glyphs::Braille);
    press(&mut state, "f6");
    assert!(state.screen == Screen::Lab && state.graph.session.ready.is_none());
    assert!(drawn(&mut state, 80, 24).contains("synthetic neighbours"));
    press(&mut state, "s s 3");
    let (ready, _) = super::ready();
    let events = vec![crate::train::Event::Ready(ready)];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(lab(&state).open, Experiment::Aggregators, "one stays where one was");
    press(&mut state, "1");
    assert!(drawn(&mut state, 80, 24).contains("neighbours of Mr. Hi"));
}

#[test]
fn lab_actions_are_commands_of_their_experiments() {
    let mut state = open(Glyphs::Braille);
    for (experiments, name, _) in ACTIONS {
        let command = Command::named(name).unwrap_or_else(|| panic!("{name}"));
        for (at, experiment) in Experiment::ALL.into_iter().enumerate() {
            press(&mut state, &(at + 1).to_string());
            let here = experiments.contains(&experiment.name());
            assert_eq!(command.applies(&state), here, "{name} in {}", experiment.name());
        }
    }
    press(&mut state, "t");
    assert!(!Command::named("learn").unwrap().applies(&state));
}

#[test]
fn keys_move_between_experiments() {
    let mut state = open(Glyphs::Braille);
    press(&mut state, ", ");
    assert_eq!(lab(&state).open, Experiment::Filters);
    press(&mut state, ". . .");
    assert_eq!(lab(&state).open, Experiment::Aggregators);
    press(&mut state, "1 >");
    assert_ne!(state.lab_view.around.map(crate::graph::NodeId::index), Some(0));
    press(&mut state, "<");
    assert_eq!(state.lab_view.around.map(crate::graph::NodeId::index), Some(0));
}

#[test]
fn shuffling_neighbours_leaves_only_the_set_function_unchanged() {
    let mut state = open(Glyphs::Braille);
    press(&mut state, "s s s s s");
    assert_eq!((fact(&state, "shuffles"), fact(&state, "set_difference")), (5.0, 0.0));
    let moved = |own| lab(&state).shuffle.difference(own) > 0.01;
    assert!(moved(Aggregator::Concatenation) && moved(Aggregator::Recurrent));
    let screen = drawn(&mut state, 80, 24);
    assert!(screen.contains("shuffled 5 ×") && screen.contains("same bits"), "{screen}");
    assert!(screen.contains("largest difference 0\n") || screen.contains("largest difference 0│"));
    press(&mut state, "r");
    let first: Vec<String> = lab(&state).shuffle.cards().map(|own| own.name.clone()).collect();
    press(&mut state, "enter right right enter");
    let now: Vec<String> = lab(&state).shuffle.cards().map(|own| own.name.clone()).collect();
    assert_eq!((&now[0], &now[2], fact(&state, "swaps")), (&first[2], &first[0], 1.0));
    press(&mut state, "enter esc right enter enter");
    assert_eq!(fact(&state, "swaps"), 1.0, "put back, or down where it was");
}

#[test]
fn only_swaps_across_types_change_the_output_unless_types_are_ignored() {
    let mut state = open(Glyphs::Braille);
    press(&mut state, "2 enter right enter");
    assert_eq!((fact(&state, "swaps_within"), fact(&state, "typed_difference")), (1.0, 0.0));
    press(&mut state, "enter right right right right enter");
    assert_eq!((fact(&state, "swaps_across"), fact(&state, "strangers")), (1.0, 2.0));
    assert!(fact(&state, "typed_difference") > 0.0 && fact(&state, "merged_difference") == 0.0);
    press(&mut state, "i");
    assert_eq!(fact(&state, "types_ignored"), 1.0);
    // The sentence may wrap to the next line of its frame.
    let screen = drawn(&mut state, 120, 40).replace('│', " ");
    let words: Vec<&str> = screen.split_whitespace().collect();
    assert!(words.join(" ").contains("both give the same output"), "{screen}");
    press(&mut state, "r");
    assert_eq!(fact(&state, "strangers"), 0.0);
    drawn(&mut state, 80, 24);
    let before = state.lab_view.cursor(lab(&state));
    press(&mut state, "up");
    assert_ne!(before, state.lab_view.cursor(lab(&state)), "rows are gone between");
}

#[test]
fn the_sum_can_be_fooled_and_psi_separates() {
    let mut state = open(Glyphs::Braille);
    press(&mut state, "3 D");
    let tells = |state: &State, own| lab(state).multisets.separates(own);
    assert!(tells(&state, MultisetAggregator::Sum) && !tells(&state, MultisetAggregator::Mean));
    // {1, 2, 3} and {2, 2, 2}.
    press(&mut state, "r 3 right right right up right right down");
    assert_eq!(lab(&state).multisets.side(Side::Right), [2, 2, 2]);
    assert_eq!(lab(&state).multisets.verdict(), PairVerdict::SumFooled);
    let screen = drawn(&mut state, 80, 24);
    assert!(screen.contains("✕ fooled") && screen.contains("the sum is fooled"), "{screen}");
    assert_eq!(fact(&state, "sum_fooled"), 1.0);
    press(&mut state, "x x x");
    assert_eq!(lab(&state).multisets.side(Side::Right).len(), 0);
    press(&mut state, "x a up * p");
    assert_eq!(lab(&state).multisets.side(Side::Left), [1, 2], "a pair of the table");
}

#[test]
fn enough_power_sums_recover_the_numbers_and_networks_learn_them() {
    let mut state = open(Glyphs::Braille);
    press(&mut state, "4 -");
    assert!(fact(&state, "recovered_error") > 0.1);
    assert!(drawn(&mut state, 80, 24).contains("too few"));
    press(&mut state, "+ + a o");
    assert!(fact(&state, "set_size") > 3.0 && fact(&state, "recovered_error") < 1e-3);
    press(&mut state, "end l l l l");
    press(&mut state, "up");
    assert_eq!(fact(&state, "polynomial_edits"), 1.0);
    press(&mut state, "s S");
    assert!(lab(&state).groups.agrees());
    assert!(drawn(&mut state, 120, 40).contains("swap across groups"));
    let effects = press(&mut state, "space");
    answer(&mut state, effects, 20);
    assert_eq!(lab(&state).study.steps(), 200);
    let widths = &state.lab_view.study_figures.widths;
    assert!(widths[3].1 < widths[0].1 && fact(&state, "fit_error") < 0.6, "{widths:?}");
    press(&mut state, "space");
    assert!(!state.lab_view.study.on);
    press(&mut state, "z");
    assert!(!state.lab_view.study_figures.sizes.is_empty());
}

#[test]
fn a_planted_filter_is_learned_unless_no_filter_can_represent_it() {
    let mut state = open(Glyphs::Braille);
    // Eigenpairs of the open graph are requested separately.
    let is_spectrum = |effect: &Effect| matches!(effect, Effect::Ask(Job::Spectrum(_)));
    let (spectrum, effects): (Vec<_>, Vec<_>) =
        press(&mut state, "5 space").into_iter().partition(is_spectrum);
    answer(&mut state, spectrum, 1);
    answer(&mut state, effects, 60);
    assert!(state.lab_view.recovery.on && lab(&state).recovery.steps() == 600);
    assert!(fact(&state, "recovery_error") < 0.05);
    assert!(drawn(&mut state, 120, 40).contains("best"));
    // Another filter during training: results under way are discarded.
    let effects = press(&mut state, "space space");
    assert!(effects.is_empty(), "one stretch at a time");
    press(&mut state, "space o o o o o o g");
    assert_eq!(lab(&state).recovery.planted().target().name(), "every-other");
    assert_eq!((lab(&state).recovery.name(), lab(&state).recovery.steps()), ("ring", 0));
    assert!(fact(&state, "recovery_floor") > 0.1);
    assert!(drawn(&mut state, 80, 24).contains("floor 0."));
    press(&mut state, "g g");
    assert_eq!(lab(&state).recovery.name(), state.graph.session.title, "the graph that is open");
    press(&mut state, "g up");
    assert_eq!((lab(&state).recovery.name(), fact(&state, "strokes")), ("path", 1.0));
    press(&mut state, "c r");
    assert_eq!(state.lab_view.only, Some(0));
}

fn mouse(state: &mut State, kind: MouseEventKind, (column, row): (u16, u16)) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(state, Message::Mouse(event))
}

/// The first position where a text is drawn.
fn place(screen: &str, text: &str) -> (u16, u16) {
    let found = screen.lines().enumerate().find(|(_, line)| line.contains(text));
    let (row, line) = found.unwrap_or_else(|| panic!("{text} in\n{screen}"));
    (line[..line.find(text).unwrap()].chars().count() as u16, row as u16)
}

#[test]
fn the_mouse_drags_cards_and_draws_a_filter() {
    let (down, up) =
        (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left));
    let drag = MouseEventKind::Drag(MouseButton::Left);
    let mut state = open(Glyphs::Braille);
    let names = |state: &State| -> Vec<String> {
        lab(state).shuffle.cards().map(|own| own.name.clone()).collect()
    };
    let first = names(&state);
    drawn(&mut state, 120, 40);
    let spot = |state: &State, card: usize| {
        (0..120)
            .flat_map(|x| (0..40).map(move |y| (x, y)))
            .find(|(x, y)| {
                let at = ratatui::layout::Position::new(*x, *y);
                state.hits.at(at) == Some(crate::tui::views::HitTarget::Card(card))
            })
            .unwrap()
    };
    let (from, to) = (spot(&state, 1), spot(&state, 4));
    mouse(&mut state, down, from);
    mouse(&mut state, drag, to);
    mouse(&mut state, up, to);
    let now = names(&state);
    assert_eq!((&now[1], &now[4], state.lab_view.held), (&first[4], &first[1], None));
    // Released outside the cards, it returns; two clicks swap as well.
    mouse(&mut state, down, from);
    mouse(&mut state, up, (0, 39));
    assert_eq!((names(&state), state.lab_view.held), (now, None));
    mouse(&mut state, down, from);
    mouse(&mut state, up, from);
    mouse(&mut state, down, to);
    mouse(&mut state, up, to);
    assert_eq!(names(&state), first);
    let screen = drawn(&mut state, 120, 40);
    mouse(&mut state, down, place(&screen, "3 Sum, mean, max"));
    assert_eq!(lab(&state).open, Experiment::Aggregators);
    drawn(&mut state, 120, 40);
    let number = spot(&state, 1);
    mouse(&mut state, MouseEventKind::ScrollUp, number);
    assert_eq!(lab(&state).multisets.side(Side::Left), [1, 3, 3]);
    press(&mut state, "5");
    drawn(&mut state, 120, 40);
    mouse(&mut state, down, (60, 10));
    mouse(&mut state, drag, (70, 12));
    assert_eq!(lab(&state).recovery.planted().target().name(), "drawn");
    assert_eq!(fact(&state, "strokes"), 2.0);
}

#[test]
fn complex_roots_are_shown_as_such() {
    // Two sums of {1, 3, 4} leave the third undetermined: the polynomial has complex
    // roots.
    let found = crate::lab::theorem::recover(&[8.0, 26.0], 3);
    assert!(found.farthest_from_real() > 1.0, "{found:?}");
    let mut state = super::running(Glyphs::Braille, 5);
    press(&mut state, "b 4");
    press(&mut state, "-");
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains("i,") || shown.contains("i "), "{shown}");
    assert!(shown.contains("no real roots, true"), "{shown}");
}
