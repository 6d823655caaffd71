//! The training thread: what it is told, what it tells, and how it ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use gesf_tui::graph::{LoadOptions, NodeId, load};
use gesf_tui::model::settings::{Balance, Eigenpairs, EngineChoice, SettingChange, Settings};
use gesf_tui::train::{Command, Event, Phase, Replacement, Start, Worker};

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
    let mut seen = Vec::new();
    loop {
        let event = worker.wait(PATIENCE).expect("an event in good time");
        let there = matches!(&event, Event::Phase(now) if *now == phase);
        seen.push(event);
        if there {
            return seen;
        }
    }
}

fn epochs(events: &[Event]) -> Vec<usize> {
    let epoch = |event: &Event| if let Event::Epoch(s) = event { Some(s.epoch) } else { None };
    events.iter().filter_map(epoch).collect()
}

#[test]
fn every_epoch_is_told_once_and_in_order() {
    let worker = worker(Settings { epochs: 40, ..Settings::default() }, false);
    let events = until(&worker, Phase::Finished);
    assert_eq!(epochs(&events), (0..40).collect::<Vec<_>>());
    assert_eq!(worker.snapshot().expect("the last state").scalars.epoch, 40);
}

#[test]
fn paused_it_waits_and_steps_as_told() {
    let worker = worker(Settings::default(), true);
    until(&worker, Phase::Paused);
    assert_eq!(worker.snapshot().expect("the start").scalars.epoch, 0);
    worker.send(Command::Step);
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [0]);
    worker.send(Command::Run(3));
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [1, 2, 3]);
    assert!(worker.wait(Duration::from_millis(50)).is_none(), "it does nothing by itself");
}

#[test]
fn a_live_setting_changes_the_run_and_another_starts_it_anew() {
    let settings = Settings { epochs: 1_000_000, ..Settings::default() };
    let worker = worker(settings.clone(), true);
    until(&worker, Phase::Paused);
    worker.send(Command::Run(5));
    until(&worker, Phase::Paused);
    let live = Settings { balance: Balance(vec![3.0]), ..settings.clone() };
    worker.send(Command::Set(SettingChange::between(&settings, &live)));
    worker.send(Command::Step);
    let events = until(&worker, Phase::Paused);
    let changed = |event: &Event| matches!(event, Event::Changed { epoch: 5, .. });
    assert!(events.iter().any(changed), "{events:?}");
    assert_eq!(epochs(&events), [5]);
    let (engine, eigenpairs) = (EngineChoice::Dense, Eigenpairs::Count(10));
    let other = Settings { engine, eigenpairs, ..live.clone() };
    worker.send(Command::Set(SettingChange::between(&live, &other)));
    let events = until(&worker, Phase::Paused);
    let ready =
        events.iter().find_map(|event| if let Event::Ready(r) = event { Some(r) } else { None });
    assert_eq!(ready.expect("a new model").ground.operator.points().len(), 10);
    worker.send(Command::Step);
    assert_eq!(epochs(&until(&worker, Phase::Paused)), [0]);
}

#[test]
fn a_graph_that_cannot_be_read_is_told_and_so_is_a_run_that_breaks() {
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
fn dropping_the_handle_ends_the_thread_whatever_it_does() {
    for paused in [true, false] {
        let worker = worker(Settings { epochs: 100_000_000, ..Settings::default() }, paused);
        let start = Instant::now();
        worker.finish();
        assert!(start.elapsed() < PATIENCE);
    }
}

#[test]
fn a_changed_graph_takes_the_place_of_the_one_before_and_stays_after_a_new_start() {
    let worker = worker(Settings { eigenpairs: Eigenpairs::All, ..Settings::default() }, true);
    let ready_of = |events: Vec<Event>| {
        let found = |event| if let Event::Ready(own) = event { Some(own) } else { None };
        events.into_iter().find_map(found).expect("a model")
    };
    let first = ready_of(until(&worker, Phase::Paused));
    let edges = [((NodeId(0), NodeId(1)), None)].into_iter().collect();
    let graph = Arc::new(first.ground.graph.with_edges(&edges));
    let mut split = first.split.clone();
    let hidden = split.seen.remove(0);
    worker.send(Command::Replace(Box::new(Replacement {
        graph,
        split: split.clone(),
        edits: "cut:0-1".into(),
        plan: None,
    })));
    let second = ready_of(until(&worker, Phase::Paused));
    assert_eq!(second.ground.graph.edge_count(), first.ground.graph.edge_count() - 1);
    assert_eq!(second.split, split);
    worker.send(Command::Run(10));
    until(&worker, Phase::Paused);
    worker.send(Command::GoTo(4));
    until(&worker, Phase::Paused);
    worker.send(Command::Restart);
    let third = ready_of(until(&worker, Phase::Paused));
    assert!(!third.split.seen.contains(&hidden), "what was changed stays changed");
    worker.send(Command::Switch(first.line));
    until(&worker, Phase::Paused);
    worker.send(Command::Restart);
    let fourth = ready_of(until(&worker, Phase::Paused));
    assert_eq!(fourth.ground.graph.edge_count(), first.ground.graph.edge_count());
    assert!(fourth.split.seen.contains(&hidden), "the line before has its own graph");
}
