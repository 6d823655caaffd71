//! The runs side by side.

use std::sync::Arc;

use super::{drawn, press, ready, running, scalars};
use crate::graph::LoadOptions;
use crate::spectral::Cancel;
use crate::train::run::{Left, Record, RunFolder, RunLabel, shelved};
use crate::train::{Band, Command as Order, Event, LineId, Ready, Scalars};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::{Effect, Message};
use crate::tui::questions::Question;
use crate::tui::runs::{Detail, compared_alike, leads};
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

/// Two runs: a branch in hand, and the one it parts from.
fn two_runs(glyphs: Glyphs) -> State {
    let mut state = running(glyphs, 120);
    let settings = Box::new(state.session.settings.clone());
    let mut changed = settings.as_ref().clone();
    changed.learning_rate = 0.05;
    let mut events = vec![
        Event::At { epoch: 40, settings },
        Event::Branched { line: LineId(2), parent: LineId(1), epoch: 40 },
        Event::Changed { epoch: 40, settings: Box::new(changed) },
    ];
    events.extend((40..90).map(|epoch| Event::Epoch(scalars(epoch))));
    update(&mut state, Message::News { events, snapshot: Some(ready().1) });
    press(&mut state, "U");
    state
}

#[test]
fn the_runs_screen() {
    for (name, glyphs) in [("braille", Glyphs::Braille), ("ascii", Glyphs::Ascii)] {
        let mut all = String::new();
        for (keys, sizes) in
            [("", &super::SIZES[..]), ("c", &super::SIZES[1..3]), ("c down", &super::SIZES[1..2])]
        {
            let mut state = two_runs(glyphs);
            press(&mut state, keys);
            for (width, height) in sizes {
                all.push_str(&drawn(&mut state, *width, *height));
                all.push('\n');
            }
        }
        assert!(glyphs != Glyphs::Ascii || all.is_ascii());
        insta::assert_snapshot!(format!("runs_{name}"), all);
    }
}

#[test]
fn a_run_is_chosen_taken_in_hand_overlaid_and_let_go() {
    let mut state = two_runs(Glyphs::Braille);
    assert_eq!(state.screen, Screen::Runs);
    assert!(press(&mut state, "enter").is_empty(), "the run in hand is in hand");
    assert!(state.session.others[0].shown);
    press(&mut state, "down o");
    assert!(!state.session.others[0].shown);
    assert!(matches!(press(&mut state, "enter")[..], [Effect::Train(Order::Switch(LineId(1)))]));
    press(&mut state, "down down");
    assert_eq!(state.runs.chosen, 1, "the list ends there");
    assert!(matches!(press(&mut state, "x")[..], [Effect::Train(Order::Forget(LineId(1)))]));
    assert!(state.session.others.is_empty() && state.runs.chosen == 0);
}

#[test]
fn the_same_predictions_do_not_disagree_and_other_settings_are_named() {
    let mut state = two_runs(Glyphs::Braille);
    press(&mut state, "down c c");
    assert_eq!(state.runs.detail, Detail::Difference);
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("0 of 17 held-out nodes are predicted differently"), "{text}");
    assert!(text.contains("η 0.05→0.01"), "{text}");
}

#[test]
fn runs_on_disk_are_found_once_and_opened() {
    let shelf = tempfile::tempdir().unwrap();
    let (ready, _) = ready();
    let graph = &ready.ground.graph;
    let record = Record::of("karate".as_ref(), graph, &LoadOptions::default(), &ready.settings);
    let path = shelf.path().join("1");
    let mut folder = RunFolder::create(&path, &record).unwrap();
    (0..7).for_each(|epoch| folder.append(&scalars(epoch)).unwrap());
    folder.close();
    let mut state = running(Glyphs::Braille, 20);
    let kept = Event::Kept(shelf.path().join("2"), RunLabel::default());
    update(&mut state, Message::News { events: vec![kept], snapshot: None });
    let effects = press(&mut state, "U");
    let [Effect::Ask(question @ Question::Shelf(_))] = &effects[..] else { panic!("{effects:?}") };
    let answers = std::cell::RefCell::new(Vec::new());
    question.clone().answer(&Cancel::default(), &|own| answers.borrow_mut().push(own));
    for answer in answers.into_inner() {
        update(&mut state, answer);
    }
    assert_eq!(state.session.others[0].run.epochs, 7);
    assert!(press(&mut state, "t U").is_empty(), "looked for once");
    let taken = press(&mut state, "down enter");
    assert!(matches!(&taken[..], [Effect::Train(Order::TakeUp(own))] if *own == path), "{taken:?}");
    assert_eq!(state.session.others.len(), 1, "nothing is gone until it is in hand");
    let events = vec![Event::Ready(ready), Event::Kept(path, RunLabel::default())];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(state.session.others.len(), 1, "the run before is beside it now");
    assert_eq!(state.session.others[0].run.epochs, 20);
}

#[test]
fn saved_runs_are_looked_for_however_the_screen_is_reached() {
    let mut state = running(Glyphs::Braille, 5);
    state.screen = Screen::Runs;
    let kept = Event::Kept("somewhere/1".into(), RunLabel::default());
    let effects = update(&mut state, Message::News { events: vec![kept], snapshot: None });
    assert!(matches!(&effects[..], [Effect::Ask(Question::Shelf(_))]), "{effects:?}");
}

#[test]
fn a_run_is_named_and_noted_where_it_is_kept() {
    let shelf = tempfile::tempdir().unwrap();
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "n w i d e enter");
    let [Effect::Train(Order::Label(LineId(2), label))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(label.name, "wide");
    press(&mut state, "N b e s t enter");
    assert_eq!((state.session.name(), state.session.label.note.as_str()), ("wide".into(), "best"));
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("wide") && text.contains("note: best"), "{text}");
    // One on disk, left by a crash: its mark stays.
    let (ready, _) = ready();
    let record =
        Record::of("k".as_ref(), &ready.ground.graph, &LoadOptions::default(), &ready.settings);
    let path = shelf.path().join("1");
    drop(RunFolder::create(&path, &record).unwrap());
    RunFolder::relabel(&path, label.clone()).unwrap();
    assert_eq!(RunFolder::record(&path).unwrap(), Record { label: label.clone(), ..record });
    assert_eq!(shelved(shelf.path())[0].left, Left::Crashed);
}

#[test]
fn other_methods_on_another_split_are_not_compared_with_the_run_in_hand() {
    let mut state = two_runs(Glyphs::Braille);
    press(&mut state, "B");
    assert!(compared_alike(&state.session, &state.runs));
    let (ready, _) = ready();
    let mut split = ready.split.clone();
    let moved = split.held.pop().unwrap();
    split.seen.push(moved);
    let events = vec![Event::Ready(Arc::new(Ready { split, ..ready.as_ref().clone() }))];
    update(&mut state, Message::News { events, snapshot: None });
    assert!(!compared_alike(&state.session, &state.runs));
    assert!(leads(&state.session, &state.runs).iter().all(Option::is_none));
}

#[test]
fn a_repetition_over_seeds_becomes_a_band() {
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "r");
    let [Effect::Ask(Question::Repeat(own))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(own.seeds, [0, 1, 2, 3, 4]);
    update(&mut state, Message::Repeating(2, 5));
    assert!(drawn(&mut state, 80, 24).contains("2 of 5 seeds"));
    let line = |by: f32| -> Vec<Scalars> {
        (0..60)
            .map(|epoch| Scalars { total: scalars(epoch).total + by, ..scalars(epoch) })
            .collect()
    };
    let band = Band { seeds: 5, mean: line(0.0), low: line(-0.01), high: line(0.01) };
    update(&mut state, Message::Repeated(Ok(Arc::new(band))));
    assert_eq!(state.session.others[1].name(), "5 seeds");
    assert!(state.runs.repeating.is_none());
    press(&mut state, "t");
    assert!(drawn(&mut state, 120, 40).contains("5 seeds"));
}

#[test]
fn other_methods_stand_below_the_runs_on_the_same_split() {
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "B");
    let [Effect::Ask(question @ Question::Rivals(own))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(own.settings.labelled, 0.5);
    assert!(drawn(&mut state, 80, 24).contains("other methods are at work"));
    let answers = std::cell::RefCell::new(Vec::new());
    question.clone().answer(&Cancel::default(), &|own| answers.borrow_mut().push(own));
    for answer in answers.into_inner() {
        update(&mut state, answer);
    }
    assert!(!state.runs.comparing && state.runs.rivals.len() >= 5, "{:?}", state.runs.rivals);
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("label-propagation"), "{text}");
}
