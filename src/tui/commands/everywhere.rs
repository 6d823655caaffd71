//! Commands available on every screen.

use std::path::PathBuf;

use super::{Command, CommandScope, Effects, always, ask, command, none, open_layer};
use crate::tui::layers::{Layer, Prompt, Search, quit};
use crate::tui::message::Effect;
use crate::tui::overview::LEAST_COLUMNS;
use crate::tui::panes::{Pane, widen};
use crate::tui::picker::Picker;
use crate::tui::state::{Focus, Screen, State};

pub(super) const ROWS: &[Command] = &[
    command!(
        "overview-screen",
        ["O", "f10"],
        "",
        "Go to the whole model at once, and one node followed through it.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Overview)
    ),
    command!(
        "train-screen",
        ["t", "f2"],
        "",
        "Go to the curves and the settings.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Train)
    ),
    command!(
        "filter-screen",
        ["f", "f3"],
        "",
        "Go to the learned filter.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Filter)
    ),
    command!(
        "node-screen",
        ["v", "f4"],
        "",
        "Go to one node and its contributors.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Node)
    ),
    command!(
        "map-screen",
        ["m", "f5"],
        "",
        "Go to the map of nodes.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Map)
    ),
    command!(
        "lab-screen",
        ["b", "f6"],
        "",
        "Go to the set-function experiments.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Lab)
    ),
    command!(
        "runs-screen",
        ["U", "f7"],
        "",
        "Go to the runs of this graph, side by side.",
        Everywhere,
        always,
        |state| go_to(state, Screen::Runs)
    ),
    command!(
        "next-screen",
        ["tab"],
        "screen",
        "Go to the next screen.",
        Everywhere,
        always,
        |state| next_screen(state, 1)
    ),
    command!(
        "previous-screen",
        ["shift-tab"],
        "",
        "Go to the previous screen.",
        Everywhere,
        always,
        |state| next_screen(state, -1)
    ),
    command!(
        "pane-wider",
        ["ctrl-right"],
        "",
        "Make the pane beside the plot, map or node wider.",
        Everywhere,
        has_pane,
        |state| widen_pane(state, 4)
    ),
    command!(
        "pane-narrower",
        ["ctrl-left"],
        "",
        "Make the pane beside the plot, map or node narrower.",
        Everywhere,
        has_pane,
        |state| widen_pane(state, -4)
    ),
    command!(
        "palette",
        [":", "ctrl-p"],
        "commands",
        "Search commands and settings.",
        Everywhere,
        always,
        |state| open_layer(state, Layer::Palette(Search::default()))
    ),
    command!(
        "help",
        ["?", "f1"],
        "help",
        "List the commands available here, with their keys.",
        Everywhere,
        always,
        |state| open_layer(state, Layer::Help(Search::default()))
    ),
    command!("open-graph", ["ctrl-o"], "", "Open another graph.", Everywhere, always, open_graph),
    command!("theme", ["ctrl-t"], "", "Switch to the next theme.", Everywhere, always, theme),
    command!(
        "glyphs",
        ["ctrl-g"],
        "",
        "Switch how curves are drawn: ASCII, blocks, braille, octants, pixels.",
        Everywhere,
        always,
        glyphs
    ),
    command!(
        "picture",
        ["ctrl-s"],
        "",
        "Save the screen as a picture: SVG, HTML or text.",
        Everywhere,
        always,
        ask_picture
    ),
    command!("redraw", ["ctrl-l"], "", "Redraw the screen.", Everywhere, always, |_| vec![
        Effect::Redraw
    ]),
    command!(
        "suspend",
        ["ctrl-z"],
        "",
        "Suspend to the background; `fg` brings it back.",
        Everywhere,
        always,
        |_| vec![Effect::Suspend]
    ),
    command!("quit", ["q", "ctrl-c"], "quit", "Quit.", Everywhere, always, quit),
];

/// Switches to a screen, if the terminal is wide enough for it.
pub(in crate::tui) fn go_to(state: &mut State, screen: Screen) -> Effects {
    if screen.fits(state.size.0) {
        if state.screen != screen {
            state.graph.focus = Focus::Plot;
        }
        state.screen = screen;
    } else {
        let columns = state.size.0;
        let said =
            format!("the overview needs {LEAST_COLUMNS} columns; this terminal has {columns}");
        state.notices.say(said, state.now);
    }
    none()
}

/// Switches to the next screen that fits, or the previous one.
fn next_screen(state: &mut State, by: isize) -> Effects {
    let mut next = state.screen.rotated(by);
    while !next.fits(state.size.0) {
        next = next.rotated(by);
    }
    go_to(state, next)
}

fn has_pane(state: &State) -> bool {
    Pane::of(state.screen).is_some_and(|pane| state.hits.edge(pane).is_some())
}

fn widen_pane(state: &mut State, by: i16) -> Effects {
    widen(state, by);
    none()
}

fn ask_picture(state: &mut State) -> Effects {
    let name =
        state.graph.session.title.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "-");
    let screen = Screen::ALL.iter().find(|(own, _)| *own == state.screen).map_or("", |(_, n)| n);
    ask(state, Prompt::Picture, &format!("{name}-{}.svg", screen.to_lowercase()))
}

fn open_graph(state: &mut State) -> Effects {
    state.picker = Some(Picker::find(&state.access));
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

/// Opens the chosen graph.
pub(in crate::tui) fn open(path: PathBuf) -> Effects {
    vec![Effect::Open(path)]
}
