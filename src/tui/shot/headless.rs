//! A picture without a terminal: train so many epochs, then draw once.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::model::settings::Effect as Reach;
use crate::spectral::Cancel;
use crate::train::{Command as Order, Event, Phase, Worker};
use crate::tui::commands::Chord;
use crate::tui::launch::Launch;
use crate::tui::message::{Effect, Message};
use crate::tui::panel::reach;
use crate::tui::questions::Question;
use crate::tui::state::State;
use crate::tui::update::update;

/// What to take a picture of.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Columns and rows.
    pub size: (u16, u16),
    /// How many epochs are trained before.
    pub epochs: usize,
    /// Keys pressed before the picture is taken.
    pub keys: Vec<Chord>,
}

/// How long nothing may be heard of the training.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Opens a graph, trains, presses the keys, and gives the state to draw.
pub fn headless(launch: &Launch, path: &Path, shot: &Shot) -> Result<State, String> {
    let mut state = launch.state();
    state.size = shot.size;
    let opening = launch.open(path)?;
    let worker = opening.start(&mut state, launch.begin(true, None), || {})?;
    let watch = Watch { worker: &worker, start: Instant::now() };
    // The model comes to rest at its start by itself.
    watch.until_rest(&mut state)?;
    if shot.epochs > 0 {
        worker.send(Order::Run(shot.epochs));
        watch.until_rest(&mut state)?;
    }
    for chord in &shot.keys {
        for effect in update(&mut state, Message::Key(*chord)) {
            let order = match effect {
                Effect::Train(order) => order,
                Effect::Ask(question) => {
                    answer(&mut state, question);
                    continue;
                }
                _ => continue,
            };
            let trains = matches!(
                order,
                Order::Step
                    | Order::Run(_)
                    | Order::Resume
                    | Order::Restart
                    | Order::Replace(_)
                    | Order::GoTo(_)
                    | Order::Switch(_)
            );
            let restarts = matches!(&order, Order::Set(settings)
                if reach(&state.session.settings, settings) > Some(Reach::NextEpoch));
            worker.send(order);
            if trains || restarts {
                watch.until_rest(&mut state)?;
            } else {
                watch.next(&mut state)?;
            }
        }
    }
    worker.finish();
    Ok(state)
}

/// Hands on what the training tells.
struct Watch<'a> {
    worker: &'a Worker,
    start: Instant,
}

impl Watch<'_> {
    /// Takes events until the training rests.
    fn until_rest(&self, state: &mut State) -> Result<(), String> {
        while !self.next(state)? {}
        Ok(())
    }

    /// Takes the next event; says whether the training rests.
    fn next(&self, state: &mut State) -> Result<bool, String> {
        let Some(event) = self.worker.wait(PATIENCE) else { return Ok(true) };
        if let Event::Failed(why) = &event {
            return Err(why.clone());
        }
        let rests = matches!(&event, Event::Phase(Phase::Paused | Phase::Finished));
        update(state, Message::Tick(self.start.elapsed()));
        let ready = matches!(&event, Event::Ready(_));
        let snapshot = if ready { None } else { self.worker.snapshot() };
        for effect in update(state, Message::News { events: vec![event], snapshot }) {
            if let Effect::Ask(question) = effect {
                answer(state, question);
            }
        }
        Ok(rests)
    }
}

/// Answers a question here and now; what the answer asks is answered as well.
fn answer(state: &mut State, question: Question) {
    let answers = RefCell::new(Vec::new());
    question.answer(&Cancel::default(), &|message| answers.borrow_mut().push(message));
    for message in answers.into_inner() {
        for effect in update(state, message) {
            if let Effect::Ask(question) = effect {
                answer(state, question);
            }
        }
    }
}
