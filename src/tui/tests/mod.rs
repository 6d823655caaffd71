//! The explorer without a terminal: what is drawn, and what keys do.

#![allow(clippy::float_cmp)] // Synthetic values are exact.

mod filter;
mod help_topics;
mod keys;
mod lab;
mod lessons;
mod map;
mod mouse;
mod node;
mod outputs;
mod overview;
mod pixels;
mod projector;
mod random_keys;
mod runs;
mod screens;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::appearance::Appearance;
use super::colour::Depth;
use super::glyphs::Glyphs;
use super::message::{Effect, Message};
use super::state::State;
use super::update::update;
use super::{shot, views};
use crate::graph::{LoadOptions, load};
use crate::model::PreparedGraph;
use crate::model::settings::{EigenpairCount, Settings};
use crate::spectral::Cancel;
use crate::train::{BranchId, Event, Phase, PreparedRun, Scalars, Score, Snapshot, Trainer};

/// Compares a screen at one size with its snapshot file.
fn assert_screen(name: &str, (width, height): (u16, u16), screen: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), screen);
    });
}

/// Compares a state at several sizes, each with a separate snapshot file.
fn assert_screens(name: &str, state: &mut State, sizes: &[(u16, u16)]) {
    for &(width, height) in sizes {
        assert_screen(name, (width, height), &drawn(state, width, height));
    }
}

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

/// The karate club, prepared for training.
fn ready() -> (Arc<PreparedRun>, Arc<Snapshot>) {
    static READY: OnceLock<(Arc<PreparedRun>, Arc<Snapshot>)> = OnceLock::new();
    let make = || {
        let graph = load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap().0;
        let settings = Settings { eigenpairs: EigenpairCount::All, ..Settings::default() };
        let cancel = Cancel::default();
        let prepared =
            PreparedGraph::prepare(&Arc::new(graph), &settings, None, &cancel, &mut |_| {})
                .unwrap();
        let trainer = Trainer::new(prepared.clone(), settings.clone()).unwrap();
        let epoch = trainer.evaluate().unwrap();
        // A synthetic filter, the same on every machine.
        let rho = |s: &f32| 0.6 * s + 0.35 * s * s - 0.1;
        let snapshot = Snapshot {
            line: BranchId(1),
            scalars: Scalars { epoch: 120, ..epoch.scalars },
            predictions: epoch.predictions,
            state: trainer.view().unwrap(),
            curve: Snapshot::grid().iter().map(rho).collect(),
            response: prepared.operator.points().iter().map(rho).collect(),
        };
        let ready = PreparedRun::of(BranchId(1), &trainer);
        (Arc::new(ready), Arc::new(snapshot))
    };
    READY.get_or_init(make).clone()
}

/// The metrics of a synthetic epoch.
fn scalars(epoch: usize) -> Scalars {
    let at = epoch as f32;
    let wave = (at * 0.7).sin() * (-at / 60.0).exp();
    let score = |accuracy: f32| Score::Classes { accuracy, macro_f1: accuracy, micro_f1: accuracy };
    let reconstruction = 0.05 + 0.4 * (-at / 25.0).exp();
    let supervised = 0.02 + 0.7 * (-at / 15.0).exp() + 0.05 * wave.abs();
    Scalars {
        epoch,
        total: reconstruction + supervised + 0.01,
        reconstruction: vec![reconstruction],
        supervised: Some(supervised),
        penalty: 0.01,
        learning_rate: 0.02,
        train_x: score(1.0 - 0.5 * (-at / 8.0).exp()),
        test_x: score(0.92 - 0.45 * (-at / 12.0).exp() + 0.02 * wave),
        train_r: score(0.97 - 0.5 * (-at / 10.0).exp()),
        test_r: score(0.90 - 0.45 * (-at / 14.0).exp()),
        ..Scalars::default()
    }
}

fn look(glyphs: Glyphs, depth: Depth) -> Appearance {
    Appearance::new("dark", glyphs, depth)
}

/// A state before any event.
fn fresh(glyphs: Glyphs) -> State {
    State::new("karate".to_owned(), Settings::default(), look(glyphs, Depth::True))
}

/// A state in the middle of a synthetic run, paused.
fn running(glyphs: Glyphs, epochs: usize) -> State {
    let mut state = fresh(glyphs);
    tell(&mut state, epochs);
    state
}

/// Sends the events of a synthetic run with a number of epochs.
fn tell(state: &mut State, epochs: usize) {
    let (ready, snapshot) = ready();
    let mut events = vec![Event::Phase(Phase::Preparing), Event::Ready(ready)];
    events.push(Event::Phase(Phase::Running));
    events.extend((0..epochs).map(|epoch| Event::Epoch(scalars(epoch))));
    events.push(Event::Phase(Phase::Paused));
    update(state, Message::Tick(Duration::from_secs(1)));
    update(state, Message::News { events, snapshot: Some(snapshot) });
    state.graph.session.speed = Some(123.0);
    state.graph.home = state.graph.session.settings.clone();
}

/// The screen without colours; no cell may have one.
#[track_caller]
fn colourless(state: &mut State) -> String {
    state.look = look(Glyphs::Braille, Depth::None);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
    views::draw(state, &mut buffer);
    let plain = |cell: &Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
    assert!(buffer.content().iter().all(plain));
    shot::text(&buffer)
}

/// Presses keys given in key notation; returns the effects.
fn press(state: &mut State, keys: &str) -> Vec<Effect> {
    let chords = keys.split_whitespace().map(|key| key.parse().unwrap());
    chords.flat_map(|chord| update(state, Message::Key(chord))).collect()
}

/// Processes a message and runs all requested jobs; returns the other effects.
fn settle(state: &mut State, message: Message) -> Vec<Effect> {
    let mut rest = Vec::new();
    for effect in update(state, message) {
        let Effect::Ask(question) = effect else {
            rest.push(effect);
            continue;
        };
        for answer in question.answers() {
            rest.extend(settle(state, answer));
        }
    }
    rest
}

/// Presses keys and runs the jobs they request.
fn press_and_settle(state: &mut State, keys: &str) -> Vec<Effect> {
    let chords = keys.split_whitespace().map(|key| key.parse().unwrap());
    chords.flat_map(|chord| settle(state, Message::Key(chord))).collect()
}

/// The drawn screen as text; mouse targets are recorded.
fn drawn(state: &mut State, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    state.hits = views::draw(state, &mut buffer);
    super::shot::text(&buffer)
}
