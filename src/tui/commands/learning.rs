//! Lessons, what things are, and the projector.

use super::{Command, Effects, Place, always, command, none, open_layer};
use crate::tui::layers::Layer;
use crate::tui::learning;
use crate::tui::state::State;
use crate::tui::what::What;

pub(super) const ROWS: &[Command] = &[
    command!(
        "continue-lesson",
        ["ctrl-n", "alt-n"],
        "go on",
        "Goes on to the next step of the lesson, once the task is done.",
        Lesson,
        |state| state.learning.is_done(),
        learning::go_on
    ),
    command!(
        "check-lesson",
        ["ctrl-n", "alt-n"],
        "",
        "Says what is still to be done in this step.",
        Lesson,
        |state| !state.learning.is_done(),
        learning::go_on
    ),
    command!(
        "lesson-back",
        ["ctrl-b", "alt-b"],
        "step back",
        "Goes back to the step before; it begins anew.",
        Lesson,
        |state| state.learning.step().is_some_and(|(at, _)| at > 0),
        learning::go_back
    ),
    command!(
        "lesson-panel",
        [";"],
        "lesson",
        "Shows or hides the text and the task of the lesson.",
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
        "Scrolls the text of the lesson down.",
        Lesson,
        always,
        |state| scroll(state, 3)
    ),
    command!(
        "lesson-up",
        ["alt-up"],
        "",
        "Scrolls the text of the lesson up.",
        Lesson,
        always,
        |state| scroll(state, -3)
    ),
    command!(
        "leave-lesson",
        ["ctrl-x"],
        "",
        "Leaves the lesson; the graph stays open.",
        Lesson,
        always,
        learning::leave
    ),
    command!(
        "lessons",
        ["f8"],
        "",
        "Shows the lessons and how far they have come.",
        Everywhere,
        always,
        |state| learning::shelf(state, None)
    ),
    command!(
        "what",
        ["'", "f9"],
        "what?",
        "Says what the thing in focus is: its formula, and the lesson that shows it.",
        Everywhere,
        always,
        what
    ),
    command!(
        "projector",
        ["ctrl-f"],
        "",
        "Shows fewer and larger things in strong contrast, and the keys that are pressed.",
        Everywhere,
        always,
        |state| {
            state.turn_projector();
            none()
        }
    ),
];

/// Scrolls the text, no farther than it goes.
fn scroll(state: &mut State, by: isize) -> Effects {
    let most = state.hits.most_scroll();
    state.learning.scroll = state.learning.scroll.saturating_add_signed(by).min(most);
    none()
}

fn what(state: &mut State) -> Effects {
    let what = What::here(state);
    open_layer(state, Layer::What(what))
}
