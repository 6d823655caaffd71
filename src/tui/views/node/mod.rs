//! The Node screen: which neighbours made this?
//!
//! ```text
//! wide     list | facts, distribution | contributors, what if
//!               | ego network         | faithfulness
//! medium   list | facts · ego or faithfulness
//!               | contributors, what if
//! narrow   list | facts
//!               | contributors, ego or faithfulness
//! small    one of them; on a projector as well
//! ```

mod bars;
mod ego;
mod facts;
mod faithfulness;
mod list;
mod sums;
mod table;
mod what_if;

pub(super) use bars::{aligned, bar, decimals, sign_style, signed_bar};
pub(super) use facts::prediction;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Hits;
use crate::tui::node::{NodeExplanation, NodePane, ROOMY};
use crate::tui::panes::Pane;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, split_columns, split_rows, wrapped};

/// From this width on the neighbourhood is drawn beside the facts.
const MEDIUM: u16 = 108;
/// From this width on the list stands beside the node.
const NARROW: u16 = 76;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    if area.width < NARROW || area.height < 16 || state.projector.on {
        return one(state, buffer, area, hits);
    }
    let wide = area.width >= ROOMY && area.height >= 34;
    let list_width = match area.width {
        _ if wide => (area.width / 4).clamp(40, 64),
        MEDIUM.. => (area.width * 3 / 10).clamp(34, 56),
        _ => 30,
    };
    let list_width = state.panes.width(Pane::NodeList, list_width, area.width);
    let (left, rest) = split_columns(area, list_width);
    list::draw(state, buffer, left, hits);
    hits.add_edge(Pane::NodeList, area, rest.x, list_width);
    let Some(explanation) = known(state, buffer, rest) else { return };
    if wide {
        let (middle, right) = split_columns(rest, rest.width * 9 / 20);
        let (upper, lower) = split_rows(middle, facts::wanted(explanation).min(middle.height / 2));
        facts::draw(state, explanation, buffer, upper);
        ego::draw(state, explanation, buffer, lower, hits);
        let curves = if state.graph.node.faithfulness { (right.height / 3).max(14) } else { 0 };
        let (upper, lower) = split_rows(right, right.height - curves);
        contributors(state, explanation, buffer, upper, hits);
        if curves > 0 {
            faithfulness::draw(state, explanation, buffer, lower, hits);
        }
    } else if rest.width >= 70 {
        let (upper, lower) = split_rows(rest, (rest.height / 2).min(18));
        let (facts, beside) = split_columns(upper, (upper.width * 9 / 20).max(34));
        facts::draw(state, explanation, buffer, facts);
        if state.graph.node.pane == NodePane::Faithfulness {
            faithfulness::draw(state, explanation, buffer, beside, hits);
        } else {
            ego::draw(state, explanation, buffer, beside, hits);
        }
        contributors(state, explanation, buffer, lower, hits);
    } else {
        let (upper, lower) =
            split_rows(rest, facts::wanted(explanation).min(rest.height * 2 / 5).max(6));
        facts::draw(state, explanation, buffer, upper);
        match state.graph.node.pane {
            NodePane::Ego => ego::draw(state, explanation, buffer, lower, hits),
            NodePane::Faithfulness => faithfulness::draw(state, explanation, buffer, lower, hits),
            _ => contributors(state, explanation, buffer, lower, hits),
        }
    }
}

/// One part at a time, where there is no room for more.
fn one(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    if state.graph.node.pane == NodePane::List {
        return list::draw(state, buffer, area, hits);
    }
    let Some(explanation) = known(state, buffer, area) else { return };
    match state.graph.node.pane {
        NodePane::List | NodePane::Table => contributors(state, explanation, buffer, area, hits),
        NodePane::Facts => facts::draw(state, explanation, buffer, area),
        NodePane::Ego => ego::draw(state, explanation, buffer, area, hits),
        NodePane::Faithfulness => faithfulness::draw(state, explanation, buffer, area, hits),
    }
}

/// The table, and under it what was changed, if anything was.
fn contributors(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let edits = state.graph.node.edits.list().len();
    if edits == 0 {
        return table::draw(state, explanation, buffer, area, hits);
    }
    let wanted = what_if::wanted(state, explanation).min(area.height / 2);
    let (upper, lower) = split_rows(area, area.height - wanted);
    table::draw(state, explanation, buffer, upper, hits);
    what_if::draw(state, explanation, buffer, lower);
}

/// What is known of the open node; where nothing is, that is said.
fn known<'a>(state: &'a State, buffer: &mut Buffer, area: Rect) -> Option<&'a NodeExplanation> {
    if let Some(explanation) = state.graph.node.known() {
        return Some(explanation);
    }
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "node", false, &state.look);
    let (text, style) = match &state.graph.node.explanation {
        Some(Err(why)) => (why.as_str(), theme.bad),
        _ if state.graph.chosen_node.is_some() => ("computing the explanation", theme.faint),
        _ => ("no node is open: choose one in the list", theme.faint),
    };
    for (at, line) in wrapped(text, usize::from(inside.width)).iter().enumerate() {
        Writer::new(buffer, inside, at as u16, glyphs).put(line, style);
    }
    None
}
