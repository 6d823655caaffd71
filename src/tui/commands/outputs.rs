//! Commands that take results out of the explorer: clipboard, report, export.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Command, CommandScope, Effects, always, ask, command};
use crate::tui::layers::Prompt;
use crate::tui::message::{Clip, Effect};
use crate::tui::node::NodeExplanation;
use crate::tui::outputs::OutputKind;
use crate::tui::state::State;
use crate::tui::{shot, views};

pub(super) const ROWS: &[Command] = &[
    command!(
        "copy-contributors",
        ["Y"],
        "copy",
        "Copy the table of contributors to the clipboard, separated by tabs.",
        Node,
        |state| state.graph.node.known().is_some(),
        copy_contributors
    ),
    command!(
        "copy-state-line",
        ["alt-s"],
        "",
        "Copy the state line of the current epoch to the clipboard.",
        Training,
        always,
        |_| vec![Effect::Copy(Clip::StateLine)]
    ),
    command!(
        "copy-figure",
        ["alt-y"],
        "",
        "Copy the screen to the clipboard as text.",
        Training,
        always,
        copy_figure
    ),
    command!(
        "report",
        ["alt-r"],
        "",
        "Write a report of the run: Markdown and HTML with figures.",
        Training,
        |state| state.graph.session.snapshot.is_some(),
        |state| ask_folder(state, OutputKind::Report)
    ),
    command!(
        "export",
        ["alt-e"],
        "",
        "Export embeddings, filter and predictions as tables.",
        Training,
        |state| state.graph.session.snapshot.is_some(),
        |state| ask_folder(state, OutputKind::Export)
    ),
];

fn copy_contributors(state: &mut State) -> Effects {
    let text = state.graph.node.known().map(|own| contributors(own)).unwrap_or_default();
    vec![Effect::Copy(Clip::Text("contributors", text))]
}

/// The contributors as a table, separated by tabs.
fn contributors(explanation: &NodeExplanation) -> String {
    let graph = explanation.context.graph();
    let mut text = String::from("id\tname\tdistance\tweight\tcontribution\tshare\n");
    for row in explanation.rows.iter().filter(|row| !row.muted) {
        let line = &row.line;
        // A tab in a name would start another column.
        let clean = |text: &str| text.replace(['\t', '\n'], " ");
        let (id, name) = (clean(graph.ids().text(line.node)), clean(graph.name(line.node)));
        let (ring, weight) = (line.ring, line.weight);
        let _ = writeln!(text, "{id}\t{name}\t{ring}\t{weight}\t{}\t{}", line.score, line.share);
    }
    text
}

fn copy_figure(state: &mut State) -> Effects {
    let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.0, state.size.1));
    views::draw_text(state, &mut buffer);
    vec![Effect::Copy(Clip::Text("screen", shot::text(&buffer)))]
}

fn ask_folder(state: &mut State, kind: OutputKind) -> Effects {
    let title = state.graph.session.title.to_lowercase();
    let name = title.replace(|c: char| !c.is_alphanumeric(), "-");
    ask(state, Prompt::Output(kind), &format!("{name}-{}", kind.name()))
}
