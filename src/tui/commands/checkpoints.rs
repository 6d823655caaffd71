//! Going back and forward in a run, and switching between runs.

use super::{Command, CommandScope, Effects, ask, command, none, train};
use crate::train::TrainingCommand;
use crate::tui::layers::Prompt;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "back-one",
        ["[", "backspace"],
        "back",
        "Go back one epoch.",
        Training,
        |state| state.graph.session.place() > 0 && !state.in_settings(),
        |state| go_to(state, state.graph.session.place() - 1)
    ),
    command!(
        "forward-one",
        ["]"],
        "forward",
        "Go forward one epoch.",
        Training,
        is_back,
        |state| { go_to(state, state.graph.session.place() + 1) }
    ),
    command!(
        "back-far",
        ["{"],
        "",
        "Go back a tenth of the run.",
        Training,
        |state| state.graph.session.place() > 0 && !state.in_settings(),
        |state| go_to(state, state.graph.session.place().saturating_sub(tenth(state)))
    ),
    command!(
        "forward-far",
        ["}"],
        "",
        "Go forward a tenth of the run.",
        Training,
        is_back,
        |state| go_to(state, state.graph.session.place() + tenth(state))
    ),
    command!(
        "latest-epoch",
        ["w"],
        "latest",
        "Go to the latest epoch of the run.",
        Training,
        is_back,
        |state| go_to(state, state.graph.session.run.epochs)
    ),
    command!(
        "go-to-epoch",
        ["@"],
        "",
        "Go to an epoch by number.",
        Training,
        |state| !state.in_settings(),
        |state| ask(state, Prompt::Epoch, "")
    ),
    command!(
        "other-run",
        ["W"],
        "",
        "Switch to the next run or branch.",
        Training,
        |state| next_line(state).is_some(),
        |state| next_line(state).map_or_else(none, train)
    ),
];

/// Whether the current epoch is before the latest one.
fn is_back(state: &State) -> bool {
    state.graph.session.place() < state.graph.session.run.epochs && !state.in_settings()
}

fn tenth(state: &State) -> usize {
    (state.graph.session.run.epochs / 10).max(1)
}

/// Goes to an epoch that is already trained.
pub(in crate::tui) fn go_to(state: &mut State, epoch: usize) -> Effects {
    let epoch = epoch.min(state.graph.session.run.epochs);
    state.graph.session.wanted = Some(epoch);
    state.graph.curves.cursor = None;
    train(TrainingCommand::GoTo(epoch))
}

/// The command that switches to the next branch, wrapping around.
fn next_line(state: &State) -> Option<TrainingCommand> {
    let now = state.graph.session.line?;
    let lines = state.graph.session.others.iter().filter_map(|other| other.line);
    let later = lines.clone().filter(|line| *line > now).min();
    later.or(lines.min()).map(TrainingCommand::Switch)
}
