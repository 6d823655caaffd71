//! Explanations as a whole: what adds up, what brute force says, what stays the
//! same, and what would be if the graph were another.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod brute;
mod graphs;
mod nodes;
mod properties;
mod what_if;

use std::sync::Arc;

use gesf_tui::explain::Moment;
use gesf_tui::graph::Graph;
use gesf_tui::model::Ground;
use gesf_tui::model::settings::{Dimensions, Eigenpairs, Schedule, Settings};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::{State, Trainer};

fn trainer(graph: &Arc<Graph>, settings: &Settings) -> Trainer {
    let cancel = Cancel::default();
    let ground = Ground::prepare(graph, settings, None, &cancel, &mut |_| {}).unwrap();
    Trainer::new(ground, settings.clone()).unwrap()
}

fn small() -> Settings {
    Settings {
        dimension: Dimensions(vec![4]),
        hidden: 5,
        start_size: 0.5,
        learning_rate: 0.01,
        schedule: Schedule::Constant,
        eigenpairs: Eigenpairs::All,
        ..Settings::default()
    }
}

/// Parameters away from the start, where corrections are small and everything
/// is nearly straight.
fn stirred(trainer: &mut Trainer) -> State {
    let mut state = trainer.state().unwrap();
    for (at, own) in state.parameters.iter_mut().enumerate() {
        for (n, value) in own.values.iter_mut().enumerate() {
            *value += 0.6 * ((at * 31 + n) as f32 * 0.7).sin();
        }
    }
    trainer.restore(&state).unwrap();
    state
}

fn moment(graph: &Arc<Graph>, settings: &Settings) -> Moment {
    let mut trainer = trainer(graph, settings);
    stirred(&mut trainer);
    Moment::of_trainer(&trainer).unwrap()
}
