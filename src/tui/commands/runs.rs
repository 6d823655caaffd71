//! The Runs screen.

use super::{Command, Effects, Place, always, command, none, train};
use crate::train::Command as Order;
use crate::train::run::RunLabel;
use crate::tui::layers::{Layer, Prompt};
use crate::tui::line::Line;
use crate::tui::message::Effect;
use crate::tui::questions::{Question, Repetition, Rivals, Shelf};
use crate::tui::runs::{Detail, len, other};
use crate::tui::state::{Screen, State};

/// Seeds of a repetition.
const SEEDS: u64 = 5;

pub(super) const ROWS: &[Command] = &[
    command!(
        "next-run",
        ["down", "j"],
        "choose",
        "Goes to the next run of the list.",
        Runs,
        always,
        |state| go(state, 1)
    ),
    command!(
        "previous-run",
        ["up", "k"],
        "",
        "Goes to the run before in the list.",
        Runs,
        always,
        |state| go(state, -1)
    ),
    command!(
        "take-run",
        ["enter"],
        "take in hand",
        "Takes the chosen run in hand: a line of this session at its newest epoch, or a run from disk.",
        Runs,
        always,
        take
    ),
    command!(
        "overlay",
        ["o"],
        "overlay",
        "Shows or hides the curves of the chosen run beside those in hand.",
        Runs,
        |state| state.runs.chosen > 0,
        overlay
    ),
    command!(
        "detail",
        ["c"],
        "detail",
        "Shows the next thing about the chosen run: its classes, its confusion matrix, its difference.",
        Runs,
        always,
        detail
    ),
    command!(
        "repeat",
        ["r"],
        "repeat over seeds",
        "Trains the settings in force over five seeds, and shows mean and deviation as a band.",
        Runs,
        |state| state.runs.repeating.is_none(),
        repeat
    ),
    command!(
        "compare-methods",
        ["B"],
        "other methods",
        "Runs other methods on the split of the run in hand: label propagation, DeepWalk, GCN and more.",
        Runs,
        |state| !state.runs.comparing,
        compare
    ),
    command!(
        "name-run",
        ["n"],
        "name",
        "Name the chosen run; an empty line takes the name away.",
        Runs,
        can_be_labelled,
        |state| ask_label(state, Prompt::RunName)
    ),
    command!(
        "note-run",
        ["N"],
        "",
        "Write a note about the chosen run; an empty line takes it away.",
        Runs,
        can_be_labelled,
        |state| ask_label(state, Prompt::RunNote)
    ),
    command!(
        "forget-run",
        ["x", "delete"],
        "forget",
        "Lets go of the chosen run; what is on disk of it stays there.",
        Runs,
        |state| state.runs.chosen > 0,
        forget
    ),
];

fn go(state: &mut State, by: isize) -> Effects {
    let last = len(&state.session) - 1;
    state.runs.chosen = state.runs.chosen.saturating_add_signed(by).min(last);
    none()
}

fn take(state: &mut State) -> Effects {
    let Some(other) = other(&state.session, state.runs.chosen) else {
        state.notices.say("this run is in hand already", state.now);
        return none();
    };
    let effects = match (other.line, &other.path) {
        (Some(line), _) => train(Order::Switch(line)),
        (None, Some(path)) => train(Order::TakeUp(path.clone())),
        (None, None) => {
            state.notices.say("several runs in one cannot be taken in hand", state.now);
            return none();
        }
    };
    state.runs.chosen = 0;
    effects
}

/// Whether the chosen row is one run, in hand or kept somewhere.
fn can_be_labelled(state: &State) -> bool {
    let session = &state.session;
    other(session, state.runs.chosen)
        .map_or(session.line.is_some(), |own| own.line.is_some() || own.path.is_some())
}

fn ask_label(state: &mut State, prompt: Prompt) -> Effects {
    let session = &state.session;
    let label = other(session, state.runs.chosen).map_or(&session.label, |own| &own.label);
    let text = if prompt == Prompt::RunName { &label.name } else { &label.note };
    let layer = Layer::Prompt(prompt, Line::new(text));
    state.layers.push(layer);
    none()
}

/// Gives the chosen run another label, on the screen and on disk.
pub(in crate::tui) fn label(state: &mut State, label: RunLabel) -> Effects {
    let row = state.runs.chosen;
    let (line, path) = match other(&state.session, row) {
        None => (state.session.line, None),
        Some(own) => (own.line, own.path.clone()),
    };
    match row.checked_sub(1).and_then(|at| state.session.others.get_mut(at)) {
        None => state.session.label = label.clone(),
        Some(own) => own.label = label.clone(),
    }
    match (line, path) {
        (Some(line), _) => train(Order::Label(line, label)),
        (None, Some(path)) => vec![Effect::Relabel(path, label)],
        (None, None) => none(),
    }
}

fn overlay(state: &mut State) -> Effects {
    let at = state.runs.chosen - 1;
    if let Some(other) = state.session.others.get_mut(at) {
        other.shown = !other.shown;
    }
    none()
}

fn detail(state: &mut State) -> Effects {
    state.runs.detail = match state.runs.detail {
        Detail::Classes => Detail::Confusion,
        Detail::Confusion => Detail::Difference,
        Detail::Difference => Detail::Classes,
    };
    none()
}

fn repeat(state: &mut State) -> Effects {
    let Some(ready) = state.session.ready.clone() else { return none() };
    let settings = state.session.settings.clone();
    let first = settings.seed;
    let seeds = (0..SEEDS).map(|by| first.wrapping_add(by)).collect();
    state.runs.repeating = Some((0, SEEDS as usize));
    vec![Effect::Ask(Question::Repeat(Repetition { ready, settings: Box::new(settings), seeds }))]
}

fn compare(state: &mut State) -> Effects {
    let Some(ready) = state.session.ready.clone() else { return none() };
    state.runs.rivals.clear();
    state.runs.comparing = true;
    state.runs.compared = Some(ready.clone());
    let settings = ready.settings.clone();
    vec![Effect::Ask(Question::Rivals(Rivals { ready, settings: Box::new(settings) }))]
}

fn forget(state: &mut State) -> Effects {
    let forgotten = state.session.others.remove(state.runs.chosen - 1);
    state.runs.chosen -= 1;
    forgotten.line.map_or_else(none, |line| train(Order::Forget(line)))
}

/// Looks for the runs on disk, once, however the screen is reached.
pub(in crate::tui) fn look_for_runs(state: &mut State) -> Effects {
    if state.screen != Screen::Runs || state.runs.looked {
        return none();
    }
    // A run of an edited graph is on no disk; others of the session may be.
    let others = state.session.others.iter().filter_map(|other| other.path.as_ref());
    let shelf = state.session.path.iter().chain(others).find_map(|path| path.parent());
    let (Some(shelf), Some(ready)) = (shelf, &state.session.ready) else {
        return none();
    };
    let others = state.session.others.iter().filter_map(|other| other.path.clone());
    let known = others.chain(state.session.path.clone()).collect();
    let graph = &ready.ground.graph;
    let (types, kind) = (graph.types().names().to_vec(), graph.labels().kind());
    let shelf = Shelf { folder: shelf.to_owned(), known, types, kind };
    state.runs.looked = true;
    vec![Effect::Ask(Question::Shelf(shelf))]
}
