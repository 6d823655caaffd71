//! Training commands: pause, resume, whole sets of settings.

use super::{Command, CommandScope, Effects, always, ask, command, none, open_layer, train};
use crate::train::TrainingCommand;
use crate::tui::changes::change;
use crate::tui::layers::{Layer, Prompt};
use crate::tui::message::Effect;
use crate::tui::speed::Speed;
use crate::tui::state::{Focus, Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "pause",
        ["space"],
        "pause",
        "Pause training after the current epoch.",
        Training,
        |state| state.graph.session.is_running(),
        |_| train(TrainingCommand::Pause)
    ),
    command!(
        "resume",
        ["space"],
        "resume",
        "Resume training.",
        Training,
        |state| !state.graph.session.is_running(),
        resume
    ),
    command!("step", ["s"], "step", "Train one epoch, then pause.", Training, always, |_| {
        train(TrainingCommand::Step)
    }),
    command!(
        "run-epochs",
        ["n"],
        "run n",
        "Train a number of epochs, then pause.",
        Training,
        always,
        |state| ask(state, Prompt::Epochs, "")
    ),
    command!(
        "slower",
        ["("],
        "",
        "Slow training down, to one epoch a second at the slowest.",
        Training,
        always,
        |state| set_speed(state, state.speed.slower())
    ),
    command!(
        "faster",
        [")"],
        "",
        "Speed training up, to as fast as it goes.",
        Training,
        |state| state.speed.limit().is_some(),
        |state| set_speed(state, state.speed.faster())
    ),
    command!(
        "settings",
        ["e"],
        "settings",
        "Go to the settings panel.",
        Training,
        |state| !state.in_settings(),
        settings
    ),
    command!(
        "reset-all",
        ["R"],
        "",
        "Reset every setting to its initial value.",
        Training,
        always,
        reset_all
    ),
    command!(
        "undo",
        ["u"],
        "undo",
        "Undo the last settings change.",
        Training,
        |state| !state.graph.panel.undo.is_empty(),
        undo
    ),
    command!("presets", ["p"], "presets", "Choose a preset.", Training, always, |state| {
        open_layer(state, Layer::Presets(0))
    }),
    command!(
        "save-preset",
        ["P"],
        "",
        "Save the current settings as a named preset.",
        Training,
        always,
        |state| ask(state, Prompt::PresetName, "")
    ),
    command!(
        "restart",
        ["ctrl-r"],
        "",
        "Restart training; the curves so far stay as a previous run.",
        Training,
        always,
        restart
    ),
];

fn set_speed(state: &mut State, speed: Speed) -> Effects {
    state.speed = speed;
    state.notices.say(format!("speed: {speed}"), state.now);
    let command = TrainingCommand::Speed(speed.limit());
    vec![Effect::Train(command), Effect::RememberSpeed(speed)]
}

fn resume(state: &mut State) -> Effects {
    if state.graph.session.at >= state.graph.session.settings.epochs {
        let text = "all epochs are done: raise `epochs`, or run more with n";
        state.notices.say(text, state.now);
        return none();
    }
    train(TrainingCommand::Resume)
}

fn restart(state: &mut State) -> Effects {
    state.notices.say("restarting", state.now);
    train(TrainingCommand::Restart)
}

fn settings(state: &mut State) -> Effects {
    // The filter has its own panel, so that one sees what a setting does to it.
    if state.screen != Screen::Filter {
        state.screen = Screen::Train;
    }
    state.graph.focus = Focus::Settings;
    none()
}

fn reset_all(state: &mut State) -> Effects {
    change(state, state.graph.home.clone())
}

fn undo(state: &mut State) -> Effects {
    let Some(changes) = state.graph.panel.undo.pop() else { return none() };
    let mut settings = state.graph.session.asked.clone();
    for change in &changes {
        change.apply(&mut settings);
    }
    let kept = state.graph.panel.undo.len();
    let effects = change(state, settings);
    state.graph.panel.undo.truncate(kept);
    effects
}
