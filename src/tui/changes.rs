//! Changing settings: applied at once if the run can continue, otherwise as a draft
//! until the next restart.

use super::message::Effect;
use super::state::State;
use crate::model::settings::{AppliesAt, SettingChange, Settings, change_effect, set};
use crate::train::TrainingCommand;

/// Applies other settings, or drafts them if they need a restart.
pub(super) fn change(state: &mut State, settings: Settings) -> Vec<Effect> {
    state.graph.panel.typed = None;
    let nodes = state.graph.session.ready.as_ref().map(|own| own.prepared.graph.node_count());
    if let Some(why) = state.access.refuses_settings(&settings, nodes.unwrap_or(0)) {
        state.notices.fail(why);
        return Vec::new();
    }
    match change_effect(&state.graph.session.asked, &settings) {
        None => {
            state.graph.panel.draft = None;
            Vec::new()
        }
        Some(AppliesAt::Now | AppliesAt::NextEpoch) => {
            state.graph.panel.draft = None;
            tell(state, &settings)
        }
        Some(AppliesAt::RestartsModel | AppliesAt::RestartsSpectrum) => {
            state.graph.panel.draft = Some(settings);
            Vec::new()
        }
    }
}

/// Sends setting changes to the training thread, and records how to undo them.
pub(super) fn tell(state: &mut State, settings: &Settings) -> Vec<Effect> {
    let asked = &state.graph.session.asked;
    let changes = SettingChange::between(asked, settings);
    state.graph.panel.undo.push(SettingChange::between(settings, asked));
    state.graph.session.ask(&changes);
    vec![Effect::Train(TrainingCommand::Set(changes))]
}

/// Assigns one setting from text.
pub(super) fn assign(state: &mut State, key: &str, value: &str) -> Vec<Effect> {
    let mut settings = state.shown_settings().clone();
    match set(&mut settings, key, value) {
        Ok(()) => change(state, settings),
        Err(error) => {
            state.notices.fail(error.to_string());
            Vec::new()
        }
    }
}
