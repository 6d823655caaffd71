//! Whatever is pressed, nothing breaks, and what is on the screen is what is on
//! disk.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{fresh, press};
use crate::graph::{LoadOptions, load};
use crate::model::random::stream;
use crate::model::settings::Settings;
use crate::train::run::{RunFolder, metrics};
use crate::train::{Command as Order, Event, Keep, Phase, Start, Worker};
use crate::tui::commands::{Chord, TABLE};
use crate::tui::glyphs::Glyphs;
use crate::tui::message::{Effect, Message};
use crate::tui::questions::Question;
use crate::tui::state::State;
use crate::tui::update::update;
use crate::tui::views;
use rand::RngExt;

/// The explorer's loop without a terminal: effects reach a training thread, and
/// what it tells comes back.
struct Desk {
    state: State,
    worker: Worker,
    quits: usize,
}

impl Desk {
    fn take(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Train(order) => self.worker.send(order),
                // Answers that take longer than a key are left to other tests.
                Effect::Ask(question @ (Question::Density(_) | Question::Node(_))) => {
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

    /// Hears until training rests and has nothing more to tell.
    fn rest(&mut self) {
        self.worker.send(Order::Pause);
        let start = Instant::now();
        loop {
            self.hear();
            let rests = matches!(self.state.session.phase, Some(Phase::Paused | Phase::Finished));
            let pending = self.state.session.asked != self.state.session.settings;
            if (rests && !pending) || self.state.session.failed.is_some() {
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
    let keep = Some(Keep { folder, graph, load: LoadOptions::default() });
    let settings = Settings { epochs: 80, dimension: "8".parse().unwrap(), ..Settings::default() };
    let start = Start { keep, ..Start::new(Box::new(source), settings) };
    let worker = Worker::start(start, || {}).unwrap();
    let mut desk = Desk { state: fresh(Glyphs::Braille), worker, quits: 0 };
    let (keys, mut random) = (keys(), stream(seed, "keys"));
    for number in 0..count {
        desk.take(Message::Tick(Duration::from_millis(5 * number as u64)));
        desk.take(Message::Key(keys[random.random_range(0..keys.len())]));
        // Now and then nobody listens for a while, as when frames are slow.
        if random.random_range(0..3) == 0 {
            desk.hear();
        }
        if random.random_range(0..20) == 0 {
            let (width, height) = (random.random_range(1..140), random.random_range(1..50));
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            desk.state.hits = views::draw(&desk.state, &mut buffer);
        }
    }
    desk.rest();
    // The keyboard is alive: everything closes, and ctrl-c quits.
    press(&mut desk.state, "esc esc esc esc");
    let quits = desk.quits;
    desk.take(Message::Key("ctrl-c".parse().unwrap()));
    assert_eq!(desk.quits, quits + 1, "seed {seed}: ctrl-c does not quit");
    let Desk { state, worker, .. } = desk;
    worker.finish();
    let session = &state.session;
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
fn whatever_is_pressed_the_screen_and_the_record_agree() {
    pressed(600, 1);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_thousand_random_keys_break_nothing() {
    (0..5).for_each(|seed| pressed(10_000, seed));
}
