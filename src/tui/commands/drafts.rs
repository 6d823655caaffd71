//! Changes that wait for a new start: what their question answers to.

use super::{Command, Effects, Place, always, command, none};
use crate::tui::changes::tell;
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
