//! What is drawn. Every view reads the state and writes a buffer; none decides
//! anything.
//!
//! ```text
//! header   name · screens                          phase, epoch, speed
//! body     Overview: graph → ψ → filter → φ → prediction, a node followed through
//!          Train:  curves | settings      Filter:  ρ over σ | cursor, hops
//!          Node:   list | node, neighbourhood, contributors, test
//!          Map:    nodes | kinds, node, selection
//!          Lab:  an experiment, with a graph or without
//! footer   what applies now, or what was said
//! ```

mod confusion;
mod curve_points;
mod curves;
mod filter;
mod filter_legend;
mod filter_marks;
mod footer;
mod header;
mod hits;
mod hop_bars;
mod lab;
mod layers;
mod legend;
mod lesson;
mod lessons;
mod loading;
mod map;
mod node;
mod overview;
mod picker;
mod projector;
mod replay;
mod runs;
mod settings;

pub use footer::hints;
pub(super) use hits::HitTarget;
pub use hits::Hits;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::panes::Pane;
use super::state::{Focus, Screen, State};
use super::widgets::{Writer, split_columns, split_rows};

/// The smallest terminal there is a layout for.
pub(super) const LEAST: (u16, u16) = (40, 12);
/// Columns of the panel of settings beside the curves, which have most of a small
/// screen until the panel is used.
const PANEL: u16 = 34;
const NARROW_PANEL: u16 = 24;
const ROOMY_PANEL: u16 = 42;
/// From this width on, the panel has room for words.
const WIDE: u16 = 150;

/// Draws everything; says what the mouse can hit.
pub fn draw(state: &State, buffer: &mut Buffer) -> Hits {
    let area = *buffer.area();
    let mut hits = Hits::default();
    buffer.set_style(area, state.look.theme.background);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(state, buffer, area);
        return hits;
    }
    let tall = area.height >= 20 && !state.projector.on;
    let head = if tall { 2 } else { 1 };
    let [header, body, footer] =
        Layout::vertical([Constraint::Length(head), Constraint::Fill(1), Constraint::Length(1)])
            .areas(area);
    if state.projector.on {
        projector::header(state, buffer, header);
    } else {
        header::draw(state, buffer, header, &mut hits);
    }
    let (mut room, panel) = lesson::divide(state, body);
    let nothing_yet = state.graph.session.run.epochs == 0 && state.graph.session.snapshot.is_none();
    if state.picker.is_some() {
        picker::draw(state, buffer, room, &mut hits);
    } else if nothing_yet && state.screen != Screen::Lab {
        loading::draw(state, buffer, room);
    } else {
        if state.projector.on {
            room = projector::headlines(state, buffer, room);
        }
        match state.screen {
            Screen::Overview => overview::draw(state, buffer, room, &mut hits),
            Screen::Train => train(state, buffer, room, &mut hits),
            Screen::Filter => filter::draw(state, buffer, room, &mut hits),
            Screen::Node => node::draw(state, buffer, room, &mut hits),
            Screen::Map => map::draw(state, buffer, room, &mut hits),
            Screen::Runs => runs::draw(state, buffer, room, &mut hits),
            Screen::Lab => lab::draw(state, buffer, room, &mut hits),
        }
    }
    if let Some(panel) = panel {
        lesson::draw(state, buffer, panel, &mut hits);
    }
    footer::draw(state, buffer, footer, &mut hits);
    for layer in &state.layers {
        hits.cover();
        layers::draw(state, layer, buffer, body, &mut hits);
    }
    replay::draw(state, buffer, footer);
    hits.drawings.complete(buffer);
    hits
}

/// Draws everything as characters.
pub(super) fn draw_text(state: &State, buffer: &mut Buffer) {
    draw(state, buffer).drawings.as_text(buffer);
}

fn train(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let panel = match area.width {
        WIDE.. => 58,
        110.. => ROOMY_PANEL,
        _ if state.in_settings() => PANEL,
        _ => NARROW_PANEL,
    };
    if state.projector.on {
        // The settings are a few rows under the plot, and only when one is there.
        let rows = if state.in_settings() { 5.min(area.height / 2) } else { 0 };
        let (above, below) = split_rows(area, area.height - rows);
        curves::draw(state, buffer, above, hits);
        if rows > 2 {
            settings::draw(state, buffer, below, hits);
        }
    } else if area.width >= 76 {
        let panel = state.panes.width(Pane::Settings, panel, area.width);
        let (left, right) = split_columns(area, area.width - panel);
        curves::draw(state, buffer, left, hits);
        settings::draw(state, buffer, right, hits);
        hits.add_edge(Pane::Settings, area, right.x, panel);
    } else if state.graph.focus == Focus::Settings {
        settings::draw(state, buffer, area, hits);
    } else {
        curves::draw(state, buffer, area, hits);
    }
}

fn too_small(state: &State, buffer: &mut Buffer, area: Rect) {
    let look = &state.look;
    let lines = [
        "too small".to_owned(),
        format!("{} × {}, need", area.width, area.height),
        format!("{} × {}", LEAST.0, LEAST.1),
    ];
    for (at, line) in lines.iter().enumerate() {
        Writer::new(buffer, area, at as u16, look.glyphs).put(line, look.theme.text);
    }
}
