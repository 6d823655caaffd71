//! Changing settings: at once where the run can go on, else as a draft that
//! waits for a new start.

use super::message::Effect;
use super::state::State;
use crate::model::settings::{Effect as Reach, Settings, change_effect, set};
use crate::train::Command as Order;

/// Takes other settings.
pub(super) fn change(state: &mut State, settings: Settings) -> Vec<Effect> {
    state.panel.typed = None;
    match change_effect(&state.session.settings, &settings) {
        None => {
            state.panel.draft = None;
            Vec::new()
        }
        Some(Reach::Now | Reach::NextEpoch) => {
            state.panel.draft = None;
            state.panel.undo.push(state.session.settings.clone());
            vec![Effect::Train(Order::Set(Box::new(settings)))]
        }
        Some(Reach::RestartsModel | Reach::RestartsSpectrum) => {
            state.panel.draft = Some(settings);
            Vec::new()
        }
    }
}

/// Takes one value, given as text.
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
