//! Changes that wait for a new start: what their question answers to.

use super::{Command, Effects, Place, always, command, none};
use crate::train::Phase;
use crate::tui::changes::tell;
use crate::tui::message::Effect;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "dismiss",
        ["esc"],
        "seen",
        "Takes the message away.",
        Everywhere,
        |state| state.notices.has_error(),
        dismiss
    ),
    command!(
        "cancel",
        ["esc"],
        "cancel",
        "Cancel the preparation, or going back to an epoch.",
        Everywhere,
        |state| {
            let session = &state.session;
            let preparing = session.phase == Some(Phase::Preparing) && session.failed.is_none();
            state.picker.is_none() && (preparing || session.wanted.is_some())
        },
        |_| vec![Effect::Interrupt]
    ),
    command!(
        "restart-with-changes",
        ["y", "ctrl-r"],
        "restart with changes",
        "Starts the training anew with the changes that wait for it.",
        Changes,
        always,
        apply_draft
    ),
    command!(
        "drop-changes",
        ["n", "esc"],
        "drop them",
        "Drops the changes that wait for a new start.",
        Changes,
        always,
        drop_draft
    ),
];

fn dismiss(state: &mut State) -> Effects {
    state.notices.dismiss();
    none()
}

fn apply_draft(state: &mut State) -> Effects {
    let Some(draft) = state.panel.draft.take() else { return none() };
    tell(state, &draft)
}

fn drop_draft(state: &mut State) -> Effects {
    state.panel.draft = None;
    state.panel.typed = None;
    none()
}
