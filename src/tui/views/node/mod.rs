//! The Node screen: which neighbours made this?
//!
//! ```text
//! wide     list | facts, distribution | contributors, what if
//!               | ego network         | faithfulness
//! medium   list | facts · ego or faithfulness
//!               | contributors, what if
//! narrow   list | facts
//!               | contributors, ego or faithfulness
//! small    one of them; before a room as well
//! ```

mod bars;
mod ego;
mod facts;
mod faithfulness;
mod list;
mod sums;
mod table;
mod what_if;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Hits;
use crate::tui::node::{Account, Pane, ROOMY};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, wrapped};

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
    let left = Rect { width: list_width, ..area };
    let rest = Rect { x: left.right(), width: area.width - list_width, ..area };
    list::draw(state, buffer, left, hits);
    let Some(account) = known(state, buffer, rest) else { return };
    if wide {
        let middle = Rect { width: rest.width * 9 / 20, ..rest };
        let right = Rect { x: middle.right(), width: rest.width - middle.width, ..rest };
        let (upper, lower) = parted(middle, facts::wanted(account).min(middle.height / 2));
        facts::draw(state, account, buffer, upper);
        ego::draw(state, account, buffer, lower, hits);
        let curves = if state.node.faithfulness { (right.height / 3).max(14) } else { 0 };
        let (upper, lower) = parted(right, right.height - curves);
        contributors(state, account, buffer, upper, hits);
        if curves > 0 {
            faithfulness::draw(state, account, buffer, lower);
        }
    } else if rest.width >= 70 {
        let (upper, lower) = parted(rest, (rest.height / 2).min(18));
        let facts_width = (upper.width * 9 / 20).max(34);
        let facts = Rect { width: facts_width, ..upper };
        let beside = Rect { x: facts.right(), width: upper.width - facts_width, ..upper };
        facts::draw(state, account, buffer, facts);
        if state.node.pane == Pane::Faithfulness {
            faithfulness::draw(state, account, buffer, beside);
        } else {
            ego::draw(state, account, buffer, beside, hits);
        }
        contributors(state, account, buffer, lower, hits);
    } else {
        let (upper, lower) = parted(rest, facts::wanted(account).min(rest.height * 2 / 5).max(6));
        facts::draw(state, account, buffer, upper);
        match state.node.pane {
            Pane::Ego => ego::draw(state, account, buffer, lower, hits),
            Pane::Faithfulness => faithfulness::draw(state, account, buffer, lower),
            _ => contributors(state, account, buffer, lower, hits),
        }
    }
}

/// One part at a time, where there is no room for more.
fn one(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    if state.node.pane == Pane::List {
        return list::draw(state, buffer, area, hits);
    }
    let Some(account) = known(state, buffer, area) else { return };
    match state.node.pane {
        Pane::List | Pane::Table => contributors(state, account, buffer, area, hits),
        Pane::Facts => facts::draw(state, account, buffer, area),
        Pane::Ego => ego::draw(state, account, buffer, area, hits),
        Pane::Faithfulness => faithfulness::draw(state, account, buffer, area),
    }
}

/// The upper part of so many rows, and the rest.
fn parted(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let upper = Rect { height, ..area };
    (upper, Rect { y: upper.bottom(), height: area.height - height, ..area })
}

/// The table, and under it what was changed, if anything was.
fn contributors(
    state: &State,
    account: &Account,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let edits = state.node.edits.list().len();
    if edits == 0 {
        return table::draw(state, account, buffer, area, hits);
    }
    let wanted = what_if::wanted(state, account).min(area.height / 2);
    let (upper, lower) = parted(area, area.height - wanted);
    table::draw(state, account, buffer, upper, hits);
    what_if::draw(state, account, buffer, lower);
}

/// What is known of the open node; where nothing is, that is said.
fn known<'a>(state: &'a State, buffer: &mut Buffer, area: Rect) -> Option<&'a Account> {
    if let Some(account) = state.node.known() {
        return Some(account);
    }
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "node", false, &state.look);
    let (text, style) = match &state.node.account {
        Some(Err(why)) => (why.as_str(), theme.bad),
        _ if state.chosen_node.is_some() => ("being found out", theme.faint),
        _ => ("no node is open: choose one in the list", theme.faint),
    };
    for (at, line) in wrapped(text, usize::from(inside.width)).iter().enumerate() {
        Writer::new(buffer, inside, at as u16, glyphs).put(line, style);
    }
    None
}
