//! Whatever keys are pressed, nothing breaks, and the screen agrees with the saved
//! run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{fresh, press};
use crate::graph::{LoadOptions, load};
use crate::model::random::stream;
use crate::model::settings::Settings;
use crate::train::run::{RunFolder, metrics};
use crate::train::{Event, Phase, SaveTarget, Start, TrainingCommand, Worker};
use crate::tui::commands::{Chord, TABLE};
use crate::tui::glyphs::Glyphs;
use crate::tui::jobs::Job;
use crate::tui::message::{Effect, Message};
use crate::tui::state::State;
use crate::tui::update::update;
use crate::tui::views;
use rand::RngExt;

/// The explorer's loop without a terminal: effects reach a training thread, and its
/// events come back.
struct Harness {
    state: State,
    worker: Worker,
    quits: usize,
}

impl Harness {
    fn take(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Train(order) => self.worker.send(order),
                // Jobs that take longer than a key press are covered by other tests.
                Effect::Ask(question @ (Job::Density(_) | Job::Node(_))) => {
                    question.answers().into_iter().for_each(|answer| self.take(answer));
                }
                Effect::Quit => self.quits += 1,
                _ => {}
            }
        }
    }

    fn hear(&mut self) {
        let events: Vec<Event> = std::iter::from_fn(|| self.worker.poll()).collect();
        let snapshot = self.worker.snapshot();
        self.take(Message::News { events, snapshot });
    }

    /// Processes events until training is paused and has no more.
    fn rest(&mut self) {
        self.worker.send(TrainingCommand::Pause);
        let start = Instant::now();
        loop {
            self.hear();
            let rests =
                matches!(self.state.graph.session.phase, Some(Phase::Paused | Phase::Finished));
            let pending = self.state.graph.session.asked != self.state.graph.session.settings;
            if (rests && !pending) || self.state.graph.session.failed.is_some() {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "training does not rest");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Keys that do something somewhere, and some that do nothing anywhere.
fn keys() -> Vec<Chord> {
    let bound = TABLE.iter().flat_map(|command| command.keys.iter().copied());
    let others = ["esc", "enter", "7", "9", "0", ".", "-", "a", "z", "f12", "ctrl-x", "backspace"];
    bound.chain(others).map(|key| key.parse().unwrap()).collect()
}

fn pressed(count: usize, seed: u64) {
    let shelf = tempfile::tempdir().unwrap();
    let place = "sample_graphs/karate";
    let source = move || {
        let graph = load(place.as_ref(), &LoadOptions::default());
        graph.map(|(graph, _)| Arc::new(graph)).map_err(|error| error.to_string())
    };
    let (folder, graph) = (shelf.path().to_owned(), place.into());
    let keep = Some(SaveTarget { folder, graph, load: LoadOptions::default(), most_runs: None });
    let settings = Settings { epochs: 80, dimension: "8".parse().unwrap(), ..Settings::default() };
    let start = Start { keep, ..Start::new(Box::new(source), settings) };
    let worker = Worker::start(start, || {}).unwrap();
    let mut harness = Harness { state: fresh(Glyphs::Braille), worker, quits: 0 };
    harness.state.size = (140, 50);
    let (keys, mut random) = (keys(), stream(seed, "keys"));
    for number in 0..count {
        harness.take(Message::Tick(Duration::from_millis(5 * number as u64)));
        harness.take(Message::Key(keys[random.random_range(0..keys.len())]));
        // Sometimes events are not processed for a while, as with slow frames.
        if random.random_range(0..3) == 0 {
            harness.hear();
        }
        if random.random_range(0..20) == 0 {
            let (width, height) = (random.random_range(1..140), random.random_range(1..50));
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            harness.state.hits = views::draw(&harness.state, &mut buffer);
        }
    }
    harness.rest();
    // The keyboard still works: everything closes, and ctrl-c quits.
    press(&mut harness.state, "esc esc esc esc");
    let quits = harness.quits;
    harness.take(Message::Key("ctrl-c".parse().unwrap()));
    assert_eq!(harness.quits, quits + 1, "seed {seed}: ctrl-c does not quit");
    let Harness { state, worker, .. } = harness;
    worker.finish();
    let session = &state.graph.session;
    let (Some(path), None) = (&session.path, session.edits()) else { return };
    let record = RunFolder::record(path).unwrap();
    assert!(
        *record.settings_at(session.at) == session.settings,
        "seed {seed}: the settings on the screen are not those of the record at {}",
        session.at
    );
    let epochs: Vec<usize> = metrics(path).unwrap().iter().map(|own| own.epoch).collect();
    assert_eq!(epochs, (0..session.run.epochs).collect::<Vec<_>>(), "seed {seed}");
}

#[test]
fn with_random_keys_the_screen_and_the_record_agree() {
    pressed(600, 1);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_thousand_random_keys_break_nothing() {
    (0..5).for_each(|seed| pressed(10_000, seed));
}
