//! The Overview screen: the whole model from left to right, one node followed through
//! it, and how training goes.
//!
//! ```text
//! wide     graph → ψ → hop weights, ρ → φ → prediction | loss
//!          neighbours → what each distance brings → outcome | score
//! narrow   graph → ψ → hop weights, ρ → φ → prediction
//!          neighbours → what each distance brings → outcome
//!          loss                                      | score
//! ```

mod model;
mod node;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::{HitTarget, Hits, curves};
use crate::tui::overview::OverviewBox;
use crate::tui::run::PlotPane;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, split_columns, split_rows, wrapped};

/// Columns between two boxes, for the arrow.
const GAP: u16 = 3;
/// From this width on, the curves stand beside the model.
const WIDE: u16 = 170;
/// Below this height there is no room for a band of curves.
const TALL: u16 = 32;
/// Below this height there is room for the model only.
const LOW: u16 = 18;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    if area.width >= WIDE && area.height >= LOW {
        let (main, side) = split_columns(area, area.width * 18 / 25);
        let (upper, lower) = split_rows(main, main.height * 11 / 20);
        model::draw(state, buffer, upper, hits);
        node::draw(state, buffer, lower, hits);
        let (upper, lower) = split_rows(side, side.height / 2);
        curve(state, OverviewBox::Loss, buffer, upper, hits);
        curve(state, OverviewBox::Score, buffer, lower, hits);
    } else if area.height >= TALL {
        let (upper, rest) = split_rows(area, area.height * 2 / 5);
        let (middle, lower) = split_rows(rest, area.height * 3 / 10);
        model::draw(state, buffer, upper, hits);
        node::draw(state, buffer, middle, hits);
        let (left, right) = split_columns(lower, lower.width / 2);
        curve(state, OverviewBox::Loss, buffer, left, hits);
        curve(state, OverviewBox::Score, buffer, right, hits);
    } else if area.height >= LOW {
        let (upper, lower) = split_rows(area, area.height * 11 / 20);
        model::draw(state, buffer, upper, hits);
        node::draw(state, buffer, lower, hits);
    } else {
        model::draw(state, buffer, area, hits);
    }
}

fn curve(state: &State, which: OverviewBox, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let scored = state.graph.session.run.of(PlotPane::Score).next().is_some();
    let focused = state.graph.overview == which;
    if which == OverviewBox::Score && !scored {
        let inside = card(buffer, area, "score", focused, &state.look);
        say(state, buffer, inside, "no labels: nothing to score");
    } else {
        let pane = if which == OverviewBox::Loss { PlotPane::Loss } else { PlotPane::Score };
        curves::pane_at(state, pane, focused, buffer, area, hits);
    }
    hits.add(area, HitTarget::Overview(which));
}

/// A row of boxes with the given shares of the width, and arrows between them.
fn row<const N: usize>(
    state: &State,
    buffer: &mut Buffer,
    area: Rect,
    shares: [u16; N],
) -> [Rect; N] {
    let boxes: [Rect; N] =
        Layout::horizontal(shares.map(Constraint::Fill)).spacing(GAP).areas(area);
    let glyphs = state.look.glyphs;
    for own in &boxes[1..] {
        let gap = Rect { x: own.x - GAP, width: GAP, ..*own };
        let arrow = glyphs.pick("-->", "──▶");
        Writer::new(buffer, gap, gap.height / 2, glyphs).put(arrow, state.look.theme.accent);
    }
    boxes
}

/// A box with its title and, at its foot, a line that says what it does; returns the
/// room between them.
fn stage(
    state: &State,
    buffer: &mut Buffer,
    area: Rect,
    (which, title, what): (OverviewBox, &str, &str),
    hits: &mut Hits,
) -> Rect {
    let inside = card(buffer, area, title, state.graph.overview == which, &state.look);
    hits.add(area, HitTarget::Overview(which));
    let lines = wrapped(what, usize::from(inside.width));
    let rows = (lines.len() as u16).min(inside.height);
    let (room, foot) = split_rows(inside, inside.height - rows);
    for (at, line) in lines.iter().enumerate() {
        let mut writer = Writer::new(buffer, foot, at as u16, state.look.glyphs);
        writer.put(line, state.look.theme.text);
    }
    room
}

/// A text in place of what is missing.
fn say(state: &State, buffer: &mut Buffer, area: Rect, text: &str) {
    for (at, line) in wrapped(text, usize::from(area.width)).iter().enumerate() {
        let mut writer = Writer::new(buffer, area, at as u16, state.look.glyphs);
        writer.put(line, state.look.theme.faint);
    }
}
