//! A picture without a terminal: train so many epochs, then draw once.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::spectral::{Cancel, Density};
use crate::train::{Command as Order, Event, Phase};
use crate::tui::commands::Chord;
use crate::tui::launch::Launch;
use crate::tui::message::{Effect, Message};
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
const MOMENTS: usize = 256;

/// Opens a graph, trains, presses the keys, and gives the state to draw.
pub fn headless(launch: &Launch, path: &Path, shot: &Shot) -> Result<State, String> {
    let mut state = launch.state();
    state.size = shot.size;
    let opening = launch.open(path)?;
    let worker = opening.start(&mut state, (launch.cache)(), true, || {})?;
    let start = Instant::now();
    let settle = |state: &mut State, orders: Vec<Effect>| -> Result<(), String> {
        let mut waits = 0;
        for effect in orders {
            match effect {
                Effect::Train(order) => {
                    waits += usize::from(!matches!(order, Order::Pause | Order::Stop));
                    worker.send(order);
                }
                Effect::Quit => return Ok(()),
                _ => {}
            }
        }
        // What was told to train comes to rest; live settings are only told.
        while waits > 0 {
            let Some(event) = worker.wait(PATIENCE) else { break };
            if let Event::Failed(why) = &event {
                return Err(why.clone());
            }
            let rests = matches!(&event, Event::Phase(Phase::Paused | Phase::Finished));
            let told = matches!(&event, Event::Changed { .. });
            waits -= usize::from(rests || told);
            update(state, Message::Tick(start.elapsed()));
            let snapshot = worker.snapshot();
            let more = update(state, Message::News { events: vec![event], snapshot });
            for effect in more {
                if let Effect::Estimate(matrix) = effect {
                    let density = Density::of(&matrix, MOMENTS, &Cancel::default(), &mut |_| {});
                    let density = density.map_err(|error| error.to_string())?;
                    update(state, Message::Density(Arc::new(density)));
                }
            }
        }
        Ok(())
    };
    // The first rest comes by itself: the model at its start.
    settle(&mut state, vec![Effect::Train(Order::Pause)])?;
    settle(&mut state, vec![Effect::Train(Order::Run(shot.epochs.max(1)))])?;
    settle(&mut state, vec![Effect::Train(Order::Run(1))])?;
    for chord in &shot.keys {
        let effects = update(&mut state, Message::Key(*chord));
        settle(&mut state, effects)?;
    }
    worker.finish();
    Ok(state)
}
