//! Going back in the run and forth again, and from one run to another.

use super::{Command, Effects, Place, ask, command, none, train};
use crate::train::Command as Order;
use crate::tui::layers::Prompt;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "back-one",
        ["[", "backspace"],
        "back",
        "Goes back by one epoch.",
        Training,
        |state| state.session.place() > 0 && !state.in_settings(),
        |state| go_to(state, state.session.place() - 1)
    ),
    command!(
        "forth-one",
        ["]"],
        "forth",
        "Goes forth by one epoch that was done before.",
        Training,
        is_back,
        |state| go_to(state, state.session.place() + 1)
    ),
    command!(
        "back-far",
        ["{"],
        "",
        "Goes back by a tenth of the run.",
        Training,
        |state| state.session.place() > 0 && !state.in_settings(),
        |state| go_to(state, state.session.place().saturating_sub(tenth(state)))
    ),
    command!(
        "forth-far",
        ["}"],
        "",
        "Goes forth by a tenth of the run.",
        Training,
        is_back,
        |state| go_to(state, state.session.place() + tenth(state))
    ),
    command!(
        "newest-epoch",
        ["w"],
        "newest",
        "Goes to the newest epoch of the run.",
        Training,
        is_back,
        |state| go_to(state, state.session.run.epochs)
    ),
    command!(
        "go-to-epoch",
        ["@"],
        "",
        "Goes to an epoch by its number.",
        Training,
        |state| !state.in_settings(),
        |state| ask(state, Prompt::Epoch, "")
    ),
    command!(
        "other-run",
        ["W"],
        "",
        "Takes the next run or branch in hand; its curves and states come back.",
        Training,
        |state| next_line(state).is_some(),
        |state| next_line(state).map_or_else(none, train)
    ),
];

/// Whether one stands in the past of the run.
fn is_back(state: &State) -> bool {
    state.session.place() < state.session.run.epochs && !state.in_settings()
}

fn tenth(state: &State) -> usize {
    (state.session.run.epochs / 10).max(1)
}

/// Goes to an epoch that was done before.
pub(in crate::tui) fn go_to(state: &mut State, epoch: usize) -> Effects {
    let epoch = epoch.min(state.session.run.epochs);
    state.session.wanted = Some(epoch);
    state.curves.cursor = None;
    train(Order::GoTo(epoch))
}

/// The order that takes the next line in hand, around the end.
fn next_line(state: &State) -> Option<Order> {
    let now = state.session.line?;
    let lines = state.session.others.iter().filter_map(|other| other.line);
    let later = lines.clone().filter(|line| *line > now).min();
    later.or(lines.min()).map(Order::Switch)
}
