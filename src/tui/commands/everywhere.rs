//! What can be done on every screen.

use std::path::PathBuf;

use super::{Command, Effects, Place, always, ask, command, none, open_layer};
use crate::tui::layers::{Layer, Prompt, Search, quit};
use crate::tui::message::Effect;
use crate::tui::picker::Picker;
use crate::tui::state::{Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "train-screen",
        ["t", "f2"],
        "",
        "Goes to the curves and the settings.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Train)
    ),
    command!(
        "filter-screen",
        ["f", "f3"],
        "",
        "Goes to the learned filter.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Filter)
    ),
    command!(
        "node-screen",
        ["v", "f4"],
        "",
        "Goes to one node, and who made it.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Node)
    ),
    command!(
        "map-screen",
        ["m", "f5"],
        "",
        "Goes to the map of nodes.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Map)
    ),
    command!(
        "lab-screen",
        ["b", "f6"],
        "",
        "Goes to the set-function experiments.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Lab)
    ),
    command!(
        "runs-screen",
        ["U", "f7"],
        "",
        "Goes to the runs of this graph, side by side.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Runs)
    ),
    command!(
        "next-screen",
        ["tab"],
        "screen",
        "Goes to the next screen.",
        Everywhere,
        always,
        |state| go_to(state, state.screen.turned(1))
    ),
    command!(
        "previous-screen",
        ["shift-tab"],
        "",
        "Goes to the screen before.",
        Everywhere,
        always,
        |state| go_to(state, state.screen.turned(-1))
    ),
    command!(
        "palette",
        [":", "ctrl-p"],
        "commands",
        "Finds a command or a setting by a few letters of it.",
        Everywhere,
        always,
        |state| open_layer(state, Layer::Palette(Search::default()))
    ),
    command!(
        "help",
        ["?", "f1"],
        "help",
        "Shows every command that applies here, with its keys.",
        Everywhere,
        always,
        |state| open_layer(state, Layer::Help(Search::default()))
    ),
    command!("open-graph", ["ctrl-o"], "", "Opens another graph.", Everywhere, always, open_graph),
    command!("theme", ["ctrl-t"], "", "Takes the next theme.", Everywhere, always, theme),
    command!(
        "glyphs",
        ["ctrl-g"],
        "",
        "Takes the next way to draw curves: ASCII, blocks, braille, octants.",
        Everywhere,
        always,
        glyphs
    ),
    command!(
        "picture",
        ["ctrl-s"],
        "",
        "Writes the screen as a picture: SVG, HTML or text.",
        Everywhere,
        always,
        ask_picture
    ),
    command!("redraw", ["ctrl-l"], "", "Draws everything anew.", Everywhere, always, |_| vec![
        Effect::Redraw
    ]),
    command!(
        "suspend",
        ["ctrl-z"],
        "",
        "Goes to the background; `fg` brings it back.",
        Everywhere,
        always,
        |_| vec![Effect::Suspend]
    ),
    command!("quit", ["q", "ctrl-c"], "quit", "Ends.", Everywhere, always, quit),
];

/// Goes to a screen.
pub(in crate::tui) fn go_to(state: &mut State, screen: Screen) -> Effects {
    state.screen = screen;
    none()
}

fn ask_picture(state: &mut State) -> Effects {
    let name = state.session.title.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "-");
    let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen).map_or("", |(_, n)| n);
    ask(state, Prompt::Picture, &format!("{name}-{}.svg", screen.to_lowercase()))
}

fn open_graph(state: &mut State) -> Effects {
    state.picker = Some(Picker::find());
    none()
}

fn theme(state: &mut State) -> Effects {
    state.look = state.look.with_next_theme();
    state.notices.say(format!("theme: {}", state.look.theme.name), state.now);
    none()
}

fn glyphs(state: &mut State) -> Effects {
    state.look = state.look.with_next_glyphs();
    state.notices.say(format!("glyphs: {}", state.look.glyphs.name()), state.now);
    none()
}

/// Opens a graph that was chosen.
pub(in crate::tui) fn open(path: PathBuf) -> Effects {
    vec![Effect::Open(path)]
}
