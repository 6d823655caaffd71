//! Commands of the Runs screen.

use super::{Command, CommandScope, Effects, always, command, none, train};
use crate::train::TrainingCommand;
use crate::train::run::RunLabel;
use crate::tui::jobs::{Job, Repetition, Rivals, RunSearch};
use crate::tui::layers::{Layer, Prompt};
use crate::tui::message::Effect;
use crate::tui::runs::{Detail, len, other};
use crate::tui::state::{Screen, State};
use crate::tui::text_input::TextInput;

/// Number of seeds of a repetition.
const SEEDS: u64 = 5;

pub(super) const ROWS: &[Command] = &[
    command!(
        "next-run",
        ["down", "j"],
        "choose",
        "Go to the next run in the list.",
        Runs,
        always,
        |state| go(state, 1)
    ),
    command!(
        "previous-run",
        ["up", "k"],
        "",
        "Go to the previous run in the list.",
        Runs,
        always,
        |state| go(state, -1)
    ),
    command!(
        "switch-run",
        ["enter"],
        "switch to",
        "Switch to the chosen run: a branch at its latest epoch, or a saved run.",
        Runs,
        always,
        take
    ),
    command!(
        "overlay",
        ["o"],
        "overlay",
        "Show or hide the chosen run's curves beside the current run's.",
        Runs,
        |state| state.graph.runs.chosen > 0,
        overlay
    ),
    command!(
        "detail",
        ["c"],
        "detail",
        "Show the chosen run's classes, confusion matrix or setting differences.",
        Runs,
        always,
        detail
    ),
    command!(
        "repeat",
        ["r"],
        "repeat over seeds",
        "Train the current settings over five seeds; show mean and deviation as a band.",
        Runs,
        |state| state.graph.runs.repeating.is_none(),
        repeat
    ),
    command!(
        "compare-methods",
        ["B"],
        "other methods",
        "Run other methods on the current split: label propagation, DeepWalk, GCN and more.",
        Runs,
        |state| !state.graph.runs.comparing,
        compare
    ),
    command!(
        "name-run",
        ["n"],
        "name",
        "Name the chosen run; an empty line removes the name.",
        Runs,
        can_be_labelled,
        |state| ask_label(state, Prompt::RunName)
    ),
    command!(
        "note-run",
        ["N"],
        "",
        "Write a note about the chosen run; an empty line removes it.",
        Runs,
        can_be_labelled,
        |state| ask_label(state, Prompt::RunNote)
    ),
    command!(
        "remove-run",
        ["x", "delete"],
        "remove",
        "Remove the chosen run from the list; its files stay on disk.",
        Runs,
        |state| state.graph.runs.chosen > 0,
        forget
    ),
];

fn go(state: &mut State, by: isize) -> Effects {
    let last = len(&state.graph.session) - 1;
    state.graph.runs.chosen = state.graph.runs.chosen.saturating_add_signed(by).min(last);
    none()
}

fn take(state: &mut State) -> Effects {
    let Some(other) = other(&state.graph.session, state.graph.runs.chosen) else {
        state.notices.say("this is already the current run", state.now);
        return none();
    };
    let effects = match (other.line, &other.path) {
        (Some(line), _) => train(TrainingCommand::Switch(line)),
        (None, Some(path)) => train(TrainingCommand::TakeUp(path.clone())),
        (None, None) => {
            state.notices.say("cannot switch to a summary of several runs", state.now);
            return none();
        }
    };
    state.graph.runs.chosen = 0;
    effects
}

/// Whether the selected row is a single run: the current one, or one saved on disk.
fn can_be_labelled(state: &State) -> bool {
    let session = &state.graph.session;
    other(session, state.graph.runs.chosen)
        .map_or(session.line.is_some(), |own| own.line.is_some() || own.path.is_some())
}

fn ask_label(state: &mut State, prompt: Prompt) -> Effects {
    let session = &state.graph.session;
    let label = other(session, state.graph.runs.chosen).map_or(&session.label, |own| &own.label);
    let text = if prompt == Prompt::RunName { &label.name } else { &label.note };
    let layer = Layer::Prompt(prompt, TextInput::new(text));
    state.layers.push(layer);
    none()
}

/// Sets the label of the selected run, on the screen and on disk.
pub(in crate::tui) fn label(state: &mut State, label: RunLabel) -> Effects {
    let row = state.graph.runs.chosen;
    let (line, path) = match other(&state.graph.session, row) {
        None => (state.graph.session.line, None),
        Some(own) => (own.line, own.path.clone()),
    };
    match row.checked_sub(1).and_then(|at| state.graph.session.others.get_mut(at)) {
        None => state.graph.session.label = label.clone(),
        Some(own) => own.label = label.clone(),
    }
    match (line, path) {
        (Some(line), _) => train(TrainingCommand::Label(line, label)),
        (None, Some(path)) => vec![Effect::Relabel(path, label)],
        (None, None) => none(),
    }
}

fn overlay(state: &mut State) -> Effects {
    let at = state.graph.runs.chosen - 1;
    if let Some(other) = state.graph.session.others.get_mut(at) {
        other.shown = !other.shown;
    }
    none()
}

fn detail(state: &mut State) -> Effects {
    state.graph.runs.detail = match state.graph.runs.detail {
        Detail::Classes => Detail::Confusion,
        Detail::Confusion => Detail::Difference,
        Detail::Difference => Detail::Classes,
    };
    none()
}

fn repeat(state: &mut State) -> Effects {
    let Some(ready) = state.graph.session.ready.clone() else { return none() };
    let settings = state.graph.session.settings.clone();
    let first = settings.seed;
    let seeds = (0..SEEDS).map(|by| first.wrapping_add(by)).collect();
    state.graph.runs.repeating = Some((0, SEEDS as usize));
    vec![Effect::Ask(Job::Repeat(Repetition { ready, settings: Box::new(settings), seeds }))]
}

fn compare(state: &mut State) -> Effects {
    let Some(ready) = state.graph.session.ready.clone() else { return none() };
    state.graph.runs.rivals.clear();
    state.graph.runs.comparing = true;
    state.graph.runs.compared = Some(ready.clone());
    let settings = ready.settings.clone();
    vec![Effect::Ask(Job::Rivals(Rivals { ready, settings: Box::new(settings) }))]
}

fn forget(state: &mut State) -> Effects {
    let forgotten = state.graph.session.others.remove(state.graph.runs.chosen - 1);
    state.graph.runs.chosen -= 1;
    forgotten.line.map_or_else(none, |line| train(TrainingCommand::Forget(line)))
}

/// Searches for saved runs once, however the screen is reached.
pub(in crate::tui) fn look_for_runs(state: &mut State) -> Effects {
    if state.screen != Screen::Runs || state.graph.runs.looked {
        return none();
    }
    // A run on an edited graph is not saved; other runs of the session may be.
    let others = state.graph.session.others.iter().filter_map(|other| other.path.as_ref());
    let shelf = state.graph.session.path.iter().chain(others).find_map(|path| path.parent());
    let (Some(shelf), Some(ready)) = (shelf, &state.graph.session.ready) else {
        return none();
    };
    let others = state.graph.session.others.iter().filter_map(|other| other.path.clone());
    let known = others.chain(state.graph.session.path.clone()).collect();
    let graph = &ready.prepared.graph;
    let (types, kind) = (graph.types().names().to_vec(), graph.labels().kind());
    let shelf = RunSearch { folder: shelf.to_owned(), known, types, kind };
    state.graph.runs.looked = true;
    vec![Effect::Ask(Job::RunSearch(shelf))]
}
