//! Key presses and their effects.

use std::sync::Arc;
use std::time::Duration;

use super::{drawn, press, press_and_settle, running, scalars};
use crate::graph::LabelKind;
use crate::model::settings::Settings;
use crate::train::{BranchId, Event, Phase, Snapshot, TrainingCommand};
use crate::tui::commands::reference;
use crate::tui::glyphs::Glyphs;
use crate::tui::layers::Cut;
use crate::tui::message::{Effect, Message};
use crate::tui::run::{CurveKind, PlotPane, Run};
use crate::tui::state::{Focus, Screen, State};
use crate::tui::update::update;
use crate::tui::widgets::AxisScale;

fn state() -> State {
    running(Glyphs::Braille, 120)
}

/// The settings of the training after the requested changes.
fn set_of(effects: &[Effect]) -> Option<Settings> {
    let mut settings = super::ready().0.settings.clone();
    let orders = effects.iter().filter_map(|effect| match effect {
        Effect::Train(TrainingCommand::Set(changes)) => Some(changes),
        _ => None,
    });
    let told = orders.flatten().map(|change| change.apply(&mut settings)).count();
    (told > 0).then_some(settings)
}

#[test]
fn keys_faster_than_the_training_thread_lose_no_change() {
    let mut state = state();
    press(&mut state, ": b a l a n c e enter");
    let mut effects = press(&mut state, "left left left");
    effects.extend(press(&mut state, ": w e i g h t _ p e n a l t y enter right"));
    assert_ne!(state.graph.session.asked, state.graph.session.settings, "pending, not in force");
    let settings = set_of(&effects).expect("it is told");
    // 10 → 5 → 2 → 1, and the other change is included too.
    assert_eq!((settings.balance.of(0), settings.weight_penalty), (1.0, 0.002));
    // Confirmations arrive one by one; the remaining changes stay pending.
    let balance = crate::model::settings::Balance(vec![5.0]);
    let half = Settings { balance, ..super::ready().0.settings.clone() };
    let events = vec![Event::Changed { epoch: 120, settings: Box::new(half) }];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(state.graph.session.settings.balance.of(0), 5.0);
    assert_eq!(
        (state.graph.session.asked.balance.of(0), state.graph.session.asked.weight_penalty),
        (1.0, 0.002)
    );
}

#[test]
fn early_snapshots_wait_for_their_branch_and_those_of_other_branches_are_ignored() {
    let (ready, snapshot) = super::ready();
    let mut state = super::fresh(Glyphs::Braille);
    let early = Message::News { events: Vec::new(), snapshot: Some(snapshot.clone()) };
    update(&mut state, early);
    assert!(state.graph.session.snapshot.is_none(), "there is nothing yet that it is of");
    update(&mut state, Message::News { events: vec![Event::Ready(ready)], snapshot: None });
    assert!(state.graph.session.snapshot.as_ref().is_some_and(|own| Arc::ptr_eq(own, &snapshot)));
    let of_another = Snapshot { line: BranchId(7), ..Snapshot::clone(&snapshot) };
    let late = Message::News { events: Vec::new(), snapshot: Some(Arc::new(of_another)) };
    update(&mut state, late);
    assert!(state.graph.session.snapshot.as_ref().is_some_and(|own| Arc::ptr_eq(own, &snapshot)));
}

#[test]
fn space_pauses_and_resumes_and_s_steps() {
    let mut state = state();
    assert!(matches!(press(&mut state, "space")[..], [Effect::Train(TrainingCommand::Resume)]));
    let running = vec![Event::Phase(Phase::Running)];
    update(&mut state, Message::News { events: running, snapshot: None });
    assert!(matches!(press(&mut state, "space")[..], [Effect::Train(TrainingCommand::Pause)]));
    assert!(matches!(press(&mut state, "s")[..], [Effect::Train(TrainingCommand::Step)]));
}

#[test]
fn a_typed_number_runs_that_many_epochs() {
    let mut state = state();
    assert!(matches!(
        press(&mut state, "2 5 enter")[..],
        [Effect::Train(TrainingCommand::Run(25))]
    ));
    assert!(press(&mut state, "n x enter").is_empty());
    assert!(state.notices.has_error());
    press(&mut state, "esc");
    assert!(!state.notices.has_error());
}

#[test]
fn a_live_setting_applies_at_once_leaves_a_mark_and_can_be_undone() {
    let mut state = state();
    press(&mut state, ": b a l a n c e enter");
    assert_eq!((state.graph.focus, state.graph.panel.setting().key), (Focus::Settings, "balance"));
    let effects = press(&mut state, "left");
    let settings = set_of(&effects).expect("it is told");
    assert_eq!(settings.balance.of(0), 5.0);
    let events = vec![Event::Changed { epoch: 120, settings: Box::new(settings) }];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(state.graph.session.run.marks[0].label, "λ 10→5");
    assert!(drawn(&mut state, 120, 40).contains("λ 10→5"));
    let effects = press(&mut state, "u");
    assert_eq!(set_of(&effects).unwrap().balance.of(0), 10.0);
    assert!(state.graph.panel.undo.is_empty());
}

#[test]
fn changes_that_need_a_restart_are_confirmed_together_and_leave_a_ghost() {
    let mut state = state();
    assert!(press(&mut state, "e end right up up up right").is_empty());
    assert!(drawn(&mut state, 120, 40).contains("restart to apply changes"));
    let effects = press(&mut state, "y");
    let settings = set_of(&effects).expect("it is told");
    assert_eq!((settings.seed, settings.labelled), (1, 0.6));
    let (ready, _) = super::ready();
    let events = vec![Event::Ready(ready), Event::Epoch(scalars(0))];
    update(&mut state, Message::News { events, snapshot: None });
    assert_eq!(
        state.graph.session.shown().map(|other| other.run.epochs).collect::<Vec<_>>(),
        [120]
    );
    press(&mut state, "right n");
    assert!(state.graph.panel.draft.is_none(), "dropped");
}

#[test]
fn a_value_can_be_typed_and_reset_and_errors_give_a_reason() {
    let mut state = state();
    let effects = press(&mut state, ": e p o c h s enter enter ctrl-u 5 0 enter");
    assert_eq!(set_of(&effects).unwrap().epochs, 50);
    press(&mut state, "enter ctrl-u x enter");
    assert!(drawn(&mut state, 120, 40).contains("expected a whole number"));
    let effects = press(&mut state, "esc : l e a r n i n g _ r a t e space 0 . 5 enter");
    assert_eq!(set_of(&effects).unwrap().learning_rate, 0.5);
}

#[test]
fn presets_can_be_chosen_and_saved_under_a_name() {
    let mut state = state();
    press(&mut state, "p down down enter");
    assert!(state.graph.panel.draft.is_some(), "the paper's settings restart");
    press(&mut state, "n");
    let effects = press(&mut state, "P m i n e enter");
    assert!(matches!(&effects[..], [Effect::SavePreset(name, _)] if name == "mine"));
    press(&mut state, "p");
    assert!(drawn(&mut state, 120, 40).contains("mine"));
    press(&mut state, "esc");
    assert!(press(&mut state, "P m i n e enter").is_empty(), "it is there already");
    assert!(drawn(&mut state, 120, 40).contains("mine! overwrites it"));
    let effects = press(&mut state, "P m i n e ! enter");
    assert!(matches!(&effects[..], [Effect::SavePreset(name, _)] if name == "mine"));
}

#[test]
fn curves_can_be_zoomed_panned_smoothed_and_read() {
    let mut state = state();
    press(&mut state, "y S");
    assert_eq!((state.graph.curves.spread, state.graph.curves.smoothing), (AxisScale::Linear, 1));
    press(&mut state, "left");
    assert_eq!(state.graph.curves.cursor, Some(114));
    assert!(drawn(&mut state, 120, 40).contains("loss at epoch 114"));
    press(&mut state, "up up up");
    let (from, to) = state.in_view();
    assert!(to - from < 120.0 && (from..to).contains(&114.0));
    press(&mut state, "< < < < < <");
    assert_eq!(state.in_view().0, 0.0);
    press(&mut state, "a esc");
    assert_eq!((state.graph.curves.window, state.graph.curves.cursor), (None, None));
}

#[test]
fn the_filter_can_be_read_eigenvalue_by_eigenvalue() {
    let mut state = state();
    press_and_settle(&mut state, "tab");
    press(&mut state, "left left");
    assert_eq!(state.screen, Screen::Filter);
    let values = &state.graph.facts.as_ref().unwrap().values;
    assert_eq!(state.graph.filter.cursor, Some(values.len() - 3));
    let shown = drawn(&mut state, 120, 40);
    assert!(shown.contains("class separation at this σ") && shown.contains("Officer"));
    assert!(shown.contains("P = Σ αₙ Mⁿ, exact") && shown.contains("α6"));
    press(&mut state, "x esc shift-tab");
    assert!(state.graph.filter.frequency && state.graph.filter.cursor.is_none());
    assert_eq!(state.screen, Screen::Train);
}

#[test]
fn help_can_be_searched_and_runs_the_selected_command() {
    let mut state = state();
    let effects = press(&mut state, "? o n e space e p o c h enter");
    assert!(matches!(effects[..], [Effect::Train(TrainingCommand::Step)]), "{effects:?}");
    assert!(matches!(press(&mut state, "q")[..], [Effect::Quit]));
    assert!(matches!(press(&mut state, "? ctrl-c")[..], [Effect::Quit]));
}

#[test]
fn notices_fade_and_then_the_timer_stops() {
    let mut state = state();
    press(&mut state, "ctrl-t");
    assert!(state.moves() && drawn(&mut state, 80, 24).contains("theme: light"));
    update(&mut state, Message::Tick(Duration::from_secs(60)));
    assert!(!state.moves(), "nothing moves while paused");
}

#[test]
fn user_keys_replace_the_defaults() {
    let mut state = state();
    state.keymap.bind("step", vec!["x".parse().unwrap()]).unwrap();
    assert!(press(&mut state, "s").is_empty());
    assert!(matches!(press(&mut state, "x")[..], [Effect::Train(TrainingCommand::Step)]));
    assert!(drawn(&mut state, 120, 40).contains("x step"));
}

#[test]
fn the_key_reference_is_up_to_date() {
    let kept = include_str!("../../../docs/KEYS.md");
    let written = std::env::var_os("GESF_WRITE_DOCS").is_some();
    if written {
        std::fs::write("docs/KEYS.md", reference()).unwrap();
    }
    assert!(written || kept == reference(), "run this test with GESF_WRITE_DOCS=1 to renew it");
}

fn told(state: &mut State, events: Vec<Event>) {
    update(state, Message::News { events, snapshot: None });
}

#[test]
fn going_back_works_by_key_by_number_and_to_the_cursor() {
    let mut state = state();
    assert!(matches!(press(&mut state, "[")[..], [Effect::Train(TrainingCommand::GoTo(119))]));
    // Keys pressed before the model is restored add up.
    assert!(matches!(press(&mut state, "[")[..], [Effect::Train(TrainingCommand::GoTo(118))]));
    let settings = Box::new(state.graph.session.settings.clone());
    told(&mut state, vec![Event::At { epoch: 118, settings }, Event::Phase(Phase::Paused)]);
    assert_eq!((state.graph.session.at, state.graph.session.run.epochs), (118, 120));
    assert!(drawn(&mut state, 120, 40).contains("back at epoch 118 of 120"));
    assert!(matches!(press(&mut state, "]")[..], [Effect::Train(TrainingCommand::GoTo(119))]));
    assert!(matches!(
        press(&mut state, "@ 4 0 enter")[..],
        [Effect::Train(TrainingCommand::GoTo(40))]
    ));
    assert!(matches!(press(&mut state, "g enter")[..], [Effect::Train(TrainingCommand::GoTo(0))]));
    assert!(matches!(press(&mut state, "w")[..], [Effect::Train(TrainingCommand::GoTo(120))]));
}

#[test]
fn a_change_at_an_earlier_epoch_shows_both_branches_and_switching_works() {
    let mut state = state();
    let settings = Box::new(state.graph.session.settings.clone());
    told(&mut state, vec![Event::At { epoch: 50, settings }, Event::Phase(Phase::Paused)]);
    press(&mut state, ": b a l a n c e enter");
    let effects = press(&mut state, "left");
    let changed = Box::new(set_of(&effects).unwrap().clone());
    let (line, parent) = (BranchId(2), BranchId(1));
    told(
        &mut state,
        vec![
            Event::Branched { line, parent, epoch: 50 },
            Event::Changed { epoch: 50, settings: changed },
            Event::Phase(Phase::Running),
            Event::Epoch(scalars(50)),
        ],
    );
    assert_eq!(
        (state.graph.session.run.epochs, state.graph.session.name().as_str()),
        (51, "run 2")
    );
    assert_eq!(state.graph.session.parting.as_ref().map(|own| own.epoch), Some(50));
    assert_eq!(state.graph.session.shown().map(|own| own.run.epochs).collect::<Vec<_>>(), [120]);
    let screen = drawn(&mut state, 120, 40);
    assert!(screen.contains("run 1") && screen.contains("λ 10→5"), "{screen}");
    press(&mut state, "esc");
    assert!(matches!(
        press(&mut state, "W")[..],
        [Effect::Train(TrainingCommand::Switch(BranchId(1)))]
    ));
    let (ready, _) = super::ready();
    told(&mut state, vec![Event::Switched(ready), Event::Phase(Phase::Paused)]);
    assert_eq!((state.graph.session.run.epochs, state.graph.session.at), (120, 120));
    assert_eq!(state.graph.session.others[0].run.epochs, 51);
}

#[test]
fn an_interrupted_run_is_offered_once() {
    let mut state = state();
    let cut = Cut { path: "runs/1".into(), epoch: 212, ago: "3 minutes ago".to_owned() };
    update(&mut state, Message::CutOff(cut.clone()));
    assert!(drawn(&mut state, 80, 24).contains("saved at epoch 212"));
    assert!(matches!(&press(&mut state, "enter")[..], [Effect::Open(path)] if *path == cut.path));
    update(&mut state, Message::CutOff(cut.clone()));
    assert!(
        matches!(&press(&mut state, "esc")[..], [Effect::RepairRun(path)] if *path == cut.path)
    );
}

#[test]
fn quitting_with_an_unsaved_run_asks_first() {
    let mut state = state();
    let why = "runs/1/metrics.jsonl: No space left on device".to_owned();
    let events = vec![Event::NotSaved(why)];
    update(&mut state, Message::News { events, snapshot: None });
    assert!(press(&mut state, "q").is_empty());
    let shown = drawn(&mut state, 80, 24);
    assert!(shown.contains("This run is not saved") && shown.contains("No space left"), "{shown}");
    assert!(press(&mut state, "esc").is_empty() && state.layers.is_empty());
    assert!(matches!(press(&mut state, "q enter")[..], [Effect::Quit]));
    state.layers.clear();
    assert!(matches!(press(&mut state, "ctrl-c ctrl-c")[..], [Effect::Quit]), "in haste, twice");
}

#[test]
fn the_drawn_loss_terms_add_up_to_the_total() {
    let state = state();
    let run = &state.graph.session.run;
    for epoch in 0..run.epochs {
        let at = |figure| run.curve(figure).and_then(|curve| curve.series.at(epoch)).unwrap();
        let terms =
            [CurveKind::Reconstruction(0), CurveKind::Supervised, CurveKind::Penalty].map(at);
        let sum: f32 = terms.iter().sum();
        assert!((sum - at(CurveKind::Total)).abs() < 1e-6, "epoch {epoch}: {terms:?}");
    }
    assert!(
        run.of(PlotPane::Loss).any(|curve| curve.figure == CurveKind::Penalty),
        "all are drawn"
    );
}

#[test]
fn epochs_missing_on_disk_leave_a_gap_and_the_others_keep_their_position() {
    let mut run = Run::new(LabelKind::One);
    for epoch in [0, 1, 4, 8, 8, 5] {
        run.push(&scalars(epoch), &[]);
    }
    let total = &run.curve(CurveKind::Total).unwrap().series;
    assert_eq!((total.len(), run.epochs), (9, 9));
    assert_eq!((total.at(4), total.at(3)), (Some(scalars(4).total), None));
    assert_eq!(total.at(8), Some(scalars(8).total));
}

#[test]
fn screen_keys_work_on_every_screen() {
    let keys = [("t", Screen::Train), ("f", Screen::Filter), ("v", Screen::Node)];
    let others = [("m", Screen::Map), ("b", Screen::Lab), ("U", Screen::Runs)];
    for (from, _) in Screen::ALL {
        for (key, to) in keys.into_iter().chain(others) {
            let mut state = state();
            state.screen = from;
            press_and_settle(&mut state, key);
            assert_eq!(state.screen, to, "{key} on {from:?}");
        }
    }
}
