//! The panel of settings.

use super::{Command, Effects, Place, always, command, none};
use crate::model::settings::{SettingError, Settings, set};
use crate::tui::changes::change;
use crate::tui::line::Line;
use crate::tui::panel::{Stride, stepped};
use crate::tui::state::{Focus, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "more",
        ["right", "l"],
        "more",
        "Steps the chosen setting up to the next round value.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Usual)
    ),
    command!(
        "less",
        ["left", "h"],
        "less",
        "Steps the chosen setting down to the next round value.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Usual)
    ),
    command!(
        "type-value",
        ["enter"],
        "type",
        "Types a value for the chosen setting.",
        Settings,
        always,
        type_value
    ),
    command!(
        "finely-more",
        ["]", "alt-right"],
        "",
        "Steps the chosen setting up a little.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Fine)
    ),
    command!(
        "finely-less",
        ["[", "alt-left"],
        "",
        "Steps the chosen setting down a little.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Fine)
    ),
    command!(
        "far-more",
        ["}", "shift-right", "L"],
        "",
        "Steps the chosen setting up far.",
        Settings,
        always,
        |state| step_setting(state, true, Stride::Coarse)
    ),
    command!(
        "far-less",
        ["{", "shift-left", "H"],
        "",
        "Steps the chosen setting down far.",
        Settings,
        always,
        |state| step_setting(state, false, Stride::Coarse)
    ),
    command!(
        "next-setting",
        ["down", "j"],
        "",
        "Goes to the next setting.",
        Settings,
        always,
        |state| go(state, 1)
    ),
    command!(
        "previous-setting",
        ["up", "k"],
        "",
        "Goes to the setting before.",
        Settings,
        always,
        |state| go(state, -1)
    ),
    command!(
        "next-settings",
        ["pagedown", "ctrl-d"],
        "",
        "Goes down a page of settings.",
        Settings,
        always,
        |state| go(state, 8)
    ),
    command!(
        "previous-settings",
        ["pageup", "ctrl-u"],
        "",
        "Goes up a page of settings.",
        Settings,
        always,
        |state| go(state, -8)
    ),
    command!(
        "first-setting",
        ["home", "g"],
        "",
        "Goes to the first setting.",
        Settings,
        always,
        |state| go(state, -1000)
    ),
    command!(
        "last-setting",
        ["end", "G"],
        "",
        "Goes to the last setting.",
        Settings,
        always,
        |state| go(state, 1000)
    ),
    command!(
        "explain",
        ["i"],
        "explain",
        "Shows what the chosen setting means and the formula it sits in.",
        Settings,
        always,
        explain
    ),
    command!(
        "reset",
        ["r", "delete"],
        "reset",
        "Puts the chosen setting back to where it was at the start.",
        Settings,
        always,
        reset
    ),
    command!("back", ["esc", "e"], "back", "Goes back to the curves.", Settings, always, back),
];

fn step_setting(state: &mut State, up: bool, stride: Stride) -> Effects {
    let setting = state.panel.setting();
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
    let value = (state.panel.setting().get)(state.shown_settings());
    state.panel.typed = Some(Line::new(&value));
    none()
}

fn go(state: &mut State, by: isize) -> Effects {
    state.panel.go(by);
    none()
}

fn explain(state: &mut State) -> Effects {
    state.panel.explained = !state.panel.explained;
    none()
}

fn reset(state: &mut State) -> Effects {
    let setting = state.panel.setting();
    let mut settings = state.shown_settings().clone();
    let result = set(&mut settings, setting.key, &(setting.get)(&state.home));
    take(state, result.map(|()| settings))
}

fn back(state: &mut State) -> Effects {
    state.focus = Focus::Plot;
    none()
}
