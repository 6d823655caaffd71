//! The Runs screen.

use std::sync::Arc;

use super::{SIZES, assert_screens, drawn, press, ready, running, scalars};
use crate::graph::LoadOptions;
use crate::spectral::Cancel;
use crate::train::run::{Left, Record, RunFolder, RunLabel, saved_runs};
use crate::train::{Band, BranchId, Event, PreparedRun, Scalars, TrainingCommand};
use crate::tui::glyphs::Glyphs;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::runs::{Detail, compared_alike, leads};
use crate::tui::state::{Screen, State};
use crate::tui::update::update;

/// Two runs: the current branch, and its parent.
fn two_runs(glyphs: Glyphs) -> State {
    let mut state = running(glyphs, 120);
    let settings = Box::new(state.graph.session.settings.clone());
    let mut changed = settings.as_ref().clone();
    changed.learning_rate = 0.05;
    let mut events = vec![
        Event::At { epoch: 40, settings },
        Event::Branched { line: BranchId(2), parent: BranchId(1), epoch: 40 },
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
        let scenes = [
            ("list", "", &SIZES[..]),
            ("confusion", "c", &SIZES[1..3]),
            ("second", "c down", &SIZES[1..2]),
        ];
        for (scene, keys, sizes) in scenes {
            let mut state = two_runs(glyphs);
            press(&mut state, keys);
            assert_screens(&format!("runs_{scene}_{name}"), &mut state, sizes);
            assert!(glyphs != Glyphs::Ascii || drawn(&mut state, 120, 40).is_ascii());
        }
    }
}

#[test]
fn a_run_can_be_selected_switched_to_overlaid_and_removed() {
    let mut state = two_runs(Glyphs::Braille);
    assert_eq!(state.screen, Screen::Runs);
    assert!(press(&mut state, "enter").is_empty(), "it is the current run already");
    assert!(state.graph.session.others[0].shown);
    press(&mut state, "down o");
    assert!(!state.graph.session.others[0].shown);
    assert!(matches!(
        press(&mut state, "enter")[..],
        [Effect::Train(TrainingCommand::Switch(BranchId(1)))]
    ));
    press(&mut state, "down down");
    assert_eq!(state.graph.runs.chosen, 1, "the list ends there");
    assert!(matches!(
        press(&mut state, "x")[..],
        [Effect::Train(TrainingCommand::Forget(BranchId(1)))]
    ));
    assert!(state.graph.session.others.is_empty() && state.graph.runs.chosen == 0);
}

#[test]
fn equal_predictions_do_not_differ_and_other_settings_are_listed() {
    let mut state = two_runs(Glyphs::Braille);
    press(&mut state, "down c c");
    assert_eq!(state.graph.runs.detail, Detail::Difference);
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("0 of 17 test nodes are predicted differently"), "{text}");
    assert!(text.contains("η 0.05→0.01"), "{text}");
}

#[test]
fn saved_runs_are_searched_once_and_can_be_opened() {
    let shelf = tempfile::tempdir().unwrap();
    let (ready, _) = ready();
    let graph = &ready.prepared.graph;
    let record = Record::of("karate".as_ref(), graph, &LoadOptions::default(), &ready.settings);
    let path = shelf.path().join("1");
    let mut folder = RunFolder::create(&path, &record).unwrap();
    (0..7).for_each(|epoch| folder.append(&scalars(epoch)).unwrap());
    folder.close();
    let mut state = running(Glyphs::Braille, 20);
    let kept = Event::Saved(shelf.path().join("2"), RunLabel::default());
    update(&mut state, Message::News { events: vec![kept], snapshot: None });
    let effects = press(&mut state, "U");
    let [Effect::Ask(question @ Job::RunSearch(_))] = &effects[..] else { panic!("{effects:?}") };
    let answers = std::cell::RefCell::new(Vec::new());
    question.clone().answer(&Cancel::default(), &|own| answers.borrow_mut().push(own));
    for answer in answers.into_inner() {
        update(&mut state, answer);
    }
    assert_eq!(state.graph.session.others[0].run.epochs, 7);
    assert!(press(&mut state, "t U").is_empty(), "looked for once");
    let taken = press(&mut state, "down enter");
    assert!(
        matches!(&taken[..], [Effect::Train(TrainingCommand::TakeUp(own))] if *own == path),
        "{taken:?}"
    );
    assert_eq!(state.graph.session.others.len(), 1, "nothing is removed until it is current");
    let events = vec![Event::Ready(ready), Event::Saved(path, RunLabel::default())];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(state.graph.session.others.len(), 1, "the run before is beside it now");
    assert_eq!(state.graph.session.others[0].run.epochs, 20);
}

#[test]
fn saved_runs_are_searched_however_the_screen_is_reached() {
    let mut state = running(Glyphs::Braille, 5);
    state.screen = Screen::Runs;
    let kept = Event::Saved("somewhere/1".into(), RunLabel::default());
    let effects = update(&mut state, Message::News { events: vec![kept], snapshot: None });
    assert!(matches!(&effects[..], [Effect::Ask(Job::RunSearch(_))]), "{effects:?}");
}

#[test]
fn names_and_notes_are_saved_with_the_run() {
    let shelf = tempfile::tempdir().unwrap();
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "n w i d e enter");
    let [Effect::Train(TrainingCommand::Label(BranchId(2), label))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(label.name, "wide");
    press(&mut state, "N b e s t enter");
    assert_eq!(
        (state.graph.session.name(), state.graph.session.label.note.as_str()),
        ("wide".into(), "best")
    );
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("wide") && text.contains("note: best"), "{text}");
    // A saved run left by a crash: its mark stays.
    let (ready, _) = ready();
    let record =
        Record::of("k".as_ref(), &ready.prepared.graph, &LoadOptions::default(), &ready.settings);
    let path = shelf.path().join("1");
    drop(RunFolder::create(&path, &record).unwrap());
    RunFolder::relabel(&path, label.clone()).unwrap();
    assert_eq!(RunFolder::record(&path).unwrap(), Record { label: label.clone(), ..record });
    assert_eq!(saved_runs(shelf.path())[0].left, Left::Crashed);
}

#[test]
fn other_methods_on_another_split_are_not_compared_with_the_current_run() {
    let mut state = two_runs(Glyphs::Braille);
    press(&mut state, "B");
    assert!(compared_alike(&state.graph.session, &state.graph.runs));
    let (ready, _) = ready();
    let mut split = ready.split.clone();
    let moved = split.test.pop().unwrap();
    split.train.push(moved);
    let events = vec![Event::Ready(Arc::new(PreparedRun { split, ..ready.as_ref().clone() }))];
    update(&mut state, Message::News { events, snapshot: None });
    assert!(!compared_alike(&state.graph.session, &state.graph.runs));
    assert!(leads(&state.graph.session, &state.graph.runs).iter().all(Option::is_none));
}

#[test]
fn a_repetition_over_seeds_becomes_a_band() {
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "r");
    let [Effect::Ask(Job::Repeat(own))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(own.seeds, [0, 1, 2, 3, 4]);
    update(&mut state, Message::Repeating(2, 5));
    assert!(drawn(&mut state, 80, 24).contains("2 of 5 seeds"));
    let line = |by: f32| -> Vec<Scalars> {
        (0..60)
            .map(|epoch| Scalars { total: scalars(epoch).total + by, ..scalars(epoch) })
            .collect()
    };
    let band =
        Band { seeds: 5, mean: line(0.0), low: line(-0.01), high: line(0.01), filters: Vec::new() };
    update(&mut state, Message::Repeated(Ok(Arc::new(band))));
    assert_eq!(state.graph.session.others[1].name(), "5 seeds");
    assert!(state.graph.runs.repeating.is_none());
    press(&mut state, "t");
    assert!(drawn(&mut state, 120, 40).contains("5 seeds"));
}

#[test]
fn other_methods_on_the_same_split_are_listed_below_the_runs() {
    let mut state = two_runs(Glyphs::Braille);
    let effects = press(&mut state, "B");
    let [Effect::Ask(question @ Job::Rivals(own))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(own.settings.labelled, 0.5);
    assert!(drawn(&mut state, 80, 24).contains("running other methods"));
    let answers = std::cell::RefCell::new(Vec::new());
    question.clone().answer(&Cancel::default(), &|own| answers.borrow_mut().push(own));
    for answer in answers.into_inner() {
        update(&mut state, answer);
    }
    assert!(
        !state.graph.runs.comparing && state.graph.runs.rivals.len() >= 5,
        "{:?}",
        state.graph.runs.rivals
    );
    let text = drawn(&mut state, 120, 40);
    assert!(text.contains("label-propagation"), "{text}");
}
