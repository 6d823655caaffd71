//! The training: hold, go on, settings as a whole.

use super::{Command, Effects, Place, always, ask, command, none, open_layer, train};
use crate::train::Command as Order;
use crate::tui::changes::change;
use crate::tui::layers::{Layer, Prompt};
use crate::tui::state::{Focus, Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "pause",
        ["space"],
        "pause",
        "Holds the training after the epoch that runs.",
        Training,
        |state| state.session.is_running(),
        |_| train(Order::Pause)
    ),
    command!(
        "resume",
        ["space"],
        "go on",
        "Goes on with the training.",
        Training,
        |state| !state.session.is_running(),
        resume
    ),
    command!("step", ["s"], "step", "Trains one epoch, then holds.", Training, always, |_| train(
        Order::Step
    )),
    command!(
        "run-epochs",
        ["n"],
        "run n",
        "Trains a number of epochs, then holds.",
        Training,
        always,
        |state| ask(state, Prompt::Epochs, "")
    ),
    command!(
        "settings",
        ["e"],
        "settings",
        "Goes to the panel of settings.",
        Training,
        |state| !state.in_settings(),
        settings
    ),
    command!(
        "reset-all",
        ["R"],
        "",
        "Puts every setting back to where it was at the start.",
        Training,
        always,
        reset_all
    ),
    command!(
        "undo",
        ["u"],
        "undo",
        "Takes back the last change of settings.",
        Training,
        |state| !state.panel.undo.is_empty(),
        undo
    ),
    command!(
        "presets",
        ["p"],
        "presets",
        "Shows sets of settings to choose from.",
        Training,
        always,
        |state| open_layer(state, Layer::Presets(0))
    ),
    command!(
        "save-preset",
        ["P"],
        "",
        "Keeps the settings in force as a preset, under a name.",
        Training,
        always,
        |state| ask(state, Prompt::PresetName, "")
    ),
    command!(
        "restart",
        ["ctrl-r"],
        "",
        "Starts the training anew; the curves so far stay as a ghost.",
        Training,
        always,
        restart
    ),
];

fn resume(state: &mut State) -> Effects {
    if state.session.at >= state.session.settings.epochs {
        let text = "all epochs are done: raise `epochs`, or run more with n";
        state.notices.say(text, state.now);
        return none();
    }
    train(Order::Resume)
}

fn restart(state: &mut State) -> Effects {
    state.notices.say("starting anew", state.now);
    train(Order::Restart)
}

fn settings(state: &mut State) -> Effects {
    state.screen = Screen::Train;
    state.focus = Focus::Settings;
    none()
}

fn reset_all(state: &mut State) -> Effects {
    change(state, state.home.clone())
}

fn undo(state: &mut State) -> Effects {
    let Some(changes) = state.panel.undo.pop() else { return none() };
    let mut settings = state.session.asked.clone();
    for change in &changes {
        change.apply(&mut settings);
    }
    let kept = state.panel.undo.len();
    let effects = change(state, settings);
    state.panel.undo.truncate(kept);
    effects
}
