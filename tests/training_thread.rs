//! The training thread: its commands, its events, and how it ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use gesf_tui::graph::{LoadOptions, NodeId, load};
use gesf_tui::model::settings::{Balance, EigenpairCount, EngineChoice, SettingChange, Settings};
use gesf_tui::train::{Event, Phase, Replacement, Start, TrainingCommand, Worker};

const PATIENCE: Duration = Duration::from_secs(60);

fn worker(settings: Settings, paused: bool) -> Worker {
    let source = || {
        let graph = load("sample_graphs/karate".as_ref(), &LoadOptions::default());
        graph.map(|(graph, _)| Arc::new(graph)).map_err(|error| error.to_string())
    };
    Worker::start(Start { paused, ..Start::new(Box::new(source), settings) }, || {}).unwrap()
}

/// Events up to the given phase.
fn until(worker: &Worker, phase: Phase) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let event = worker.wait(PATIENCE).expect("an event in good time");
        let there = matches!(&event, Event::Phase(now) if *now == phase);
        events.push(event);
        if there {
            return events;
        }
    }
}

fn epochs(events: &[Event]) -> Vec<usize> {
    let epoch = |event: &Event| if let Event::Epoch(s) = event { Some(s.epoch) } else { None };
    events.iter().filter_map(epoch).collect()
}

#[test]
fn every_epoch_is_reported_once_and_in_order() {
    let worker = worker(Settings { epochs: 40, ..Settings::default() }, false);
    let events = until(&worker, Phase::Finished);
    assert_eq!(epochs(&events), (0..40).collect::<Vec<_>>());
    assert_eq!(worker.snapshot().expect("the last state").scalars.epoch, 40);
}

#[test]
fn when_paused_it_waits_and_steps_on_command() {
    let worker = worker(Settings::default(), true);
    until(&worker, Phase::Paused);
    assert_eq!(worker.snapshot().expect("the start").scalars.epoch, 0);
    worker.send(TrainingCommand::Step);
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [0]);
    worker.send(TrainingCommand::Run(3));
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [1, 2, 3]);
    assert!(worker.wait(Duration::from_millis(50)).is_none(), "it does nothing by itself");
}

#[test]
fn a_speed_limit_spaces_epochs_and_commands_are_heard_between_them() {
    let worker = worker(Settings { epochs: 100_000, ..Settings::default() }, true);
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::Speed(Some(20.0)));
    let start = Instant::now();
    worker.send(TrainingCommand::Run(5));
    assert_eq!(epochs(&until(&worker, Phase::Paused)).len(), 5);
    assert!(start.elapsed() >= Duration::from_millis(4 * 50), "four pauses between five epochs");
    worker.send(TrainingCommand::Speed(Some(0.02)));
    worker.send(TrainingCommand::Resume);
    // The next epoch is 50 s away, the answer to a key is not.
    worker.send(TrainingCommand::Pause);
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::Resume);
    worker.send(TrainingCommand::Speed(None));
    let first = std::iter::from_fn(|| worker.wait(PATIENCE));
    assert!(first.filter(|event| matches!(event, Event::Epoch(_))).take(50).count() == 50);
    assert!(start.elapsed() < Duration::from_secs(40), "full speed takes effect at once");
}

#[test]
fn a_live_setting_changes_the_run_and_others_restart_it() {
    let settings = Settings { epochs: 1_000_000, ..Settings::default() };
    let worker = worker(settings.clone(), true);
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::Run(5));
    until(&worker, Phase::Paused);
    let live = Settings { balance: Balance(vec![3.0]), ..settings.clone() };
    worker.send(TrainingCommand::Set(SettingChange::between(&settings, &live)));
    worker.send(TrainingCommand::Step);
    let events = until(&worker, Phase::Paused);
    let changed = |event: &Event| matches!(event, Event::Changed { epoch: 5, .. });
    assert!(events.iter().any(changed), "{events:?}");
    assert_eq!(epochs(&events), [5]);
    let (engine, eigenpairs) = (EngineChoice::Dense, EigenpairCount::Count(10));
    let other = Settings { engine, eigenpairs, ..live.clone() };
    worker.send(TrainingCommand::Set(SettingChange::between(&live, &other)));
    let events = until(&worker, Phase::Paused);
    let ready =
        events.iter().find_map(|event| if let Event::Ready(r) = event { Some(r) } else { None });
    assert_eq!(ready.expect("a new model").prepared.operator.points().len(), 10);
    worker.send(TrainingCommand::Step);
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [0]);
}

#[test]
fn an_unreadable_graph_and_a_failing_run_are_reported() {
    let source = || Err("no such graph".to_owned());
    let worker = Worker::start(Start::new(Box::new(source), Settings::default()), || {}).unwrap();
    until(&worker, Phase::Reading);
    let told = worker.wait(PATIENCE).unwrap();
    assert!(matches!(&told, Event::Failed(why) if why == "no such graph"), "{told:?}");

    let settings = gesf_tui::model::settings::preset("paper").unwrap();
    let wild = Settings { learning_rate: 100.0, epochs: 1000, ..settings };
    let worker = self::worker(wild, false);
    let events = until(&worker, Phase::Paused);
    let failed = events
        .iter()
        .find_map(|event| if let Event::Failed(why) = event { Some(why) } else { None });
    let why = failed.expect("a broken run says so");
    assert!(why.contains("epoch") && why.contains("learning_rate"), "{why}");
}

#[test]
fn dropping_the_handle_stops_the_thread_in_any_phase() {
    for paused in [true, false] {
        let worker = worker(Settings { epochs: 100_000_000, ..Settings::default() }, paused);
        let start = Instant::now();
        worker.finish();
        assert!(start.elapsed() < PATIENCE);
    }
}

#[test]
fn an_edited_graph_replaces_the_previous_one_and_stays_after_a_restart() {
    let worker = worker(Settings { eigenpairs: EigenpairCount::All, ..Settings::default() }, true);
    let ready_of = |events: Vec<Event>| {
        let found = |event| if let Event::Ready(own) = event { Some(own) } else { None };
        events.into_iter().find_map(found).expect("a model")
    };
    let first = ready_of(until(&worker, Phase::Paused));
    let edges = [((NodeId(0), NodeId(1)), None)].into_iter().collect();
    let graph = Arc::new(first.prepared.graph.with_edges(&edges));
    let mut split = first.split.clone();
    let hidden = split.train.remove(0);
    worker.send(TrainingCommand::Replace(Box::new(Replacement {
        graph,
        split: split.clone(),
        edits: "cut:0-1".into(),
        plan: None,
    })));
    let second = ready_of(until(&worker, Phase::Paused));
    assert_eq!(second.prepared.graph.edge_count(), first.prepared.graph.edge_count() - 1);
    assert_eq!(second.split, split);
    worker.send(TrainingCommand::Run(10));
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::GoTo(4));
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::Restart);
    let third = ready_of(until(&worker, Phase::Paused));
    assert!(!third.split.train.contains(&hidden), "what was changed stays changed");
    worker.send(TrainingCommand::Switch(first.line));
    until(&worker, Phase::Paused);
    worker.send(TrainingCommand::Restart);
    let fourth = ready_of(until(&worker, Phase::Paused));
    assert_eq!(fourth.prepared.graph.edge_count(), first.prepared.graph.edge_count());
    assert!(fourth.split.train.contains(&hidden), "the line before has its own graph");
}
