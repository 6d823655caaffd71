//! Commands of the settings panel.

use super::{Command, CommandScope, Effects, always, command, none};
use crate::model::settings::{SettingError, Settings, set};
use crate::tui::changes::change;
use crate::tui::panel::{Stride, stepped};
use crate::tui::state::{Focus, State};
use crate::tui::text_input::TextInput;

pub(super) const ROWS: &[Command] = &[
    command!(
        "more",
        ["right", "l"],
        "more",
        "Increase the chosen setting to the next round value.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Usual)
    ),
    command!(
        "less",
        ["left", "h"],
        "less",
        "Decrease the chosen setting to the next round value.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Usual)
    ),
    command!(
        "type-value",
        ["enter"],
        "type",
        "Type a value for the chosen setting.",
        Settings,
        always,
        type_value
    ),
    command!(
        "fine-more",
        ["]", "alt-right"],
        "",
        "Increase the chosen setting by a small step.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Fine)
    ),
    command!(
        "fine-less",
        ["[", "alt-left"],
        "",
        "Decrease the chosen setting by a small step.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Fine)
    ),
    command!(
        "coarse-more",
        ["}", "shift-right", "L"],
        "",
        "Increase the chosen setting by a large step.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Coarse)
    ),
    command!(
        "coarse-less",
        ["{", "shift-left", "H"],
        "",
        "Decrease the chosen setting by a large step.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Coarse)
    ),
    command!(
        "next-setting",
        ["down", "j"],
        "",
        "Go to the next setting.",
        Settings,
        always,
        |state| go(state, 1)
    ),
    command!(
        "previous-setting",
        ["up", "k"],
        "",
        "Go to the previous setting.",
        Settings,
        always,
        |state| go(state, -1)
    ),
    command!(
        "settings-page-down",
        ["pagedown", "ctrl-d"],
        "",
        "Go down a page of settings.",
        Settings,
        always,
        |state| go(state, 8)
    ),
    command!(
        "settings-page-up",
        ["pageup", "ctrl-u"],
        "",
        "Go up a page of settings.",
        Settings,
        always,
        |state| go(state, -8)
    ),
    command!(
        "first-setting",
        ["home", "g"],
        "",
        "Go to the first setting.",
        Settings,
        always,
        |state| go(state, -1000)
    ),
    command!(
        "last-setting",
        ["end", "G"],
        "",
        "Go to the last setting.",
        Settings,
        always,
        |state| go(state, 1000)
    ),
    command!(
        "explain",
        ["i"],
        "explain",
        "Explain the chosen setting and show its formula.",
        Settings,
        always,
        explain
    ),
    command!(
        "reset",
        ["r", "delete"],
        "reset",
        "Reset the chosen setting to its initial value.",
        Settings,
        always,
        reset
    ),
    command!("back", ["esc", "e"], "back", "Go back to the plot.", Settings, always, back),
];

fn step_setting(state: &mut State, up: bool, stride: Stride) -> Effects {
    let setting = state.graph.panel.setting();
    let stepped = stepped(state.shown_settings(), setting, up, stride);
    take(state, stepped)
}

fn take(state: &mut State, settings: Result<Settings, SettingError>) -> Effects {
    match settings {
        Ok(settings) => change(state, settings),
        Err(error) => {
            state.notices.fail(error.to_string());
            none()
        }
    }
}

fn type_value(state: &mut State) -> Effects {
    let value = (state.graph.panel.setting().get)(state.shown_settings());
    state.graph.panel.typed = Some(TextInput::new(&value));
    none()
}

fn go(state: &mut State, by: isize) -> Effects {
    state.graph.panel.go(by);
    none()
}

fn explain(state: &mut State) -> Effects {
    state.graph.panel.explained = !state.graph.panel.explained;
    none()
}

fn reset(state: &mut State) -> Effects {
    let setting = state.graph.panel.setting();
    let mut settings = state.shown_settings().clone();
    let result = set(&mut settings, setting.key, &(setting.get)(&state.graph.home));
    take(state, result.map(|()| settings))
}

fn back(state: &mut State) -> Effects {
    state.graph.focus = Focus::Plot;
    none()
}
