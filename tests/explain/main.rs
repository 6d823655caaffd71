//! Explanations as a whole: what adds up, comparison with brute force, invariances,
//! and what-if questions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod brute;
mod graphs;
mod nodes;
mod properties;
mod what_if;

use std::sync::Arc;

use gesf_tui::explain::ExplainContext;
use gesf_tui::graph::Graph;
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{Dimensions, EigenpairCount, Schedule, Settings};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::{Trainer, TrainerState};

fn trainer(graph: &Arc<Graph>, settings: &Settings) -> Trainer {
    let cancel = Cancel::default();
    let prepared = PreparedGraph::prepare(graph, settings, None, &cancel, &mut |_| {}).unwrap();
    Trainer::new(prepared, settings.clone()).unwrap()
}

fn small() -> Settings {
    Settings {
        dimension: Dimensions::Each(vec![4]),
        hidden: 5,
        start_size: 0.5,
        learning_rate: 0.01,
        schedule: Schedule::Constant,
        eigenpairs: EigenpairCount::All,
        ..Settings::default()
    }
}

/// Parameters away from the initial state, where residual branches are small and
/// the model is nearly linear.
fn stirred(trainer: &mut Trainer) -> TrainerState {
    let mut state = trainer.state().unwrap();
    for (at, own) in state.parameters.iter_mut().enumerate() {
        for (n, value) in own.values.iter_mut().enumerate() {
            *value += 0.6 * ((at * 31 + n) as f32 * 0.7).sin();
        }
    }
    trainer.restore(&state).unwrap();
    state
}

fn context(graph: &Arc<Graph>, settings: &Settings) -> ExplainContext {
    let mut trainer = trainer(graph, settings);
    stirred(&mut trainer);
    ExplainContext::of_trainer(&trainer).unwrap()
}
