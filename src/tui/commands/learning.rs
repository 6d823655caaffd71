//! Commands for lessons, help topics and projector mode.

use super::{Command, CommandScope, Effects, always, command, none, open_layer};
use crate::tui::help_topics::What;
use crate::tui::layers::Layer;
use crate::tui::learning;
use crate::tui::state::State;

pub(super) const ROWS: &[Command] = &[
    command!(
        "continue-lesson",
        ["ctrl-n", "alt-n"],
        "continue",
        "Continue to the next lesson step once the task is done.",
        Lesson,
        |state| state.learning.is_done(),
        learning::go_on
    ),
    command!(
        "check-lesson",
        ["ctrl-n", "alt-n"],
        "",
        "Show what is left to do in this step.",
        Lesson,
        |state| !state.learning.is_done() && state.learning.question().is_none(),
        learning::go_on
    ),
    command!(
        "answer-question",
        ["ctrl-n", "alt-n"],
        "answer",
        "Answer the question of this step; a digit starts the answer as well.",
        Lesson,
        |state| state.learning.question().is_some(),
        |state| learning::ask(state, "")
    ),
    command!(
        "lesson-back",
        ["ctrl-b", "alt-b"],
        "step back",
        "Go back to the previous step and restart it.",
        Lesson,
        |state| state.learning.step().is_some_and(|(at, _)| at > 0),
        learning::go_back
    ),
    command!(
        "lesson-panel",
        [";"],
        "lesson",
        "Show or hide the lesson text and task.",
        Lesson,
        always,
        |state| {
            state.learning.shown = !state.learning.shown;
            none()
        }
    ),
    command!(
        "lesson-down",
        ["alt-down"],
        "",
        "Scroll the lesson text down.",
        Lesson,
        always,
        |state| scroll(state, 3)
    ),
    command!("lesson-up", ["alt-up"], "", "Scroll the lesson text up.", Lesson, always, |state| {
        scroll(state, -3)
    }),
    command!(
        "leave-lesson",
        ["ctrl-x"],
        "",
        "Leave the lesson; the graph stays open.",
        Lesson,
        always,
        learning::leave
    ),
    command!(
        "lessons",
        ["f8"],
        "",
        "List the lessons and your progress.",
        Everywhere,
        always,
        |state| learning::shelf(state, None)
    ),
    command!(
        "what-is-this",
        ["'", "f9"],
        "what?",
        "Explain the item in focus: its meaning, its formula and its lesson.",
        Everywhere,
        always,
        what
    ),
    command!(
        "projector",
        ["ctrl-f"],
        "",
        "Toggle projector mode: less and larger content, high contrast, keys shown.",
        Everywhere,
        always,
        |state| {
            state.turn_projector();
            none()
        }
    ),
];

/// Scrolls the text within its limits.
fn scroll(state: &mut State, by: isize) -> Effects {
    let most = state.hits.most_scroll();
    state.learning.scroll = state.learning.scroll.saturating_add_signed(by).min(most);
    none()
}

fn what(state: &mut State) -> Effects {
    let what = What::here(state);
    open_layer(state, Layer::What(what))
}
