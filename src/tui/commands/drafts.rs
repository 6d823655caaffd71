//! Commands for setting changes that need a restart to apply.

use super::{Command, CommandScope, Effects, always, command, none};
use crate::train::Phase;
use crate::tui::changes::tell;
use crate::tui::message::Effect;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "dismiss",
        ["esc"],
        "dismiss",
        "Dismiss the message.",
        Everywhere,
        |state| state.notices.has_error(),
        dismiss
    ),
    command!(
        "cancel",
        ["esc"],
        "cancel",
        "Cancel preparation, or going back to an epoch.",
        Everywhere,
        |state| {
            let session = &state.graph.session;
            let preparing = session.phase == Some(Phase::Preparing) && session.failed.is_none();
            state.picker.is_none() && (preparing || session.wanted.is_some())
        },
        |_| vec![Effect::Interrupt]
    ),
    command!(
        "restart-with-changes",
        ["y", "ctrl-r"],
        "restart with changes",
        "Restart training with the pending changes.",
        Changes,
        always,
        apply_draft
    ),
    command!(
        "discard-changes",
        ["n", "esc"],
        "discard changes",
        "Discard the pending changes.",
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
    let Some(draft) = state.graph.panel.draft.take() else { return none() };
    tell(state, &draft)
}

fn drop_draft(state: &mut State) -> Effects {
    state.graph.panel.draft = None;
    state.graph.panel.typed = None;
    none()
}
