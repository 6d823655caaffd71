//! Changing settings: at once where the run can go on, else as a draft that
//! waits for a new start.

use super::message::Effect;
use super::state::State;
use crate::model::settings::{Effect as Reach, SettingChange, Settings, change_effect, set};
use crate::train::Command as Order;

/// Takes other settings.
pub(super) fn change(state: &mut State, settings: Settings) -> Vec<Effect> {
    state.panel.typed = None;
    match change_effect(&state.session.asked, &settings) {
        None => {
            state.panel.draft = None;
            Vec::new()
        }
        Some(Reach::Now | Reach::NextEpoch) => {
            state.panel.draft = None;
            tell(state, &settings)
        }
        Some(Reach::RestartsModel | Reach::RestartsSpectrum) => {
            state.panel.draft = Some(settings);
            Vec::new()
        }
    }
}

/// Tells the training what is to change, and remembers how to undo it.
pub(super) fn tell(state: &mut State, settings: &Settings) -> Vec<Effect> {
    let asked = &state.session.asked;
    let changes = SettingChange::between(asked, settings);
    state.panel.undo.push(SettingChange::between(settings, asked));
    state.session.ask(&changes);
    vec![Effect::Train(Order::Set(changes))]
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
