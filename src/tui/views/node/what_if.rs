//! What was changed, and what it does to the prediction at once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::bars::{percent, signed};
use crate::explain::{Aim, Explanation};
use crate::graph::Classes;
use crate::tui::node::{NodeExplanation, in_words};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, short};

/// Changes that are listed; the newest last.
const LISTED: usize = 4;

/// Rows it takes.
pub(super) fn wanted(state: &State, explanation: &NodeExplanation) -> u16 {
    (lines(state, explanation).len() + 2) as u16
}

pub(super) fn draw(state: &State, explanation: &NodeExplanation, buffer: &mut Buffer, area: Rect) {
    let title = "what if · current filter, not retrained";
    let inside = card(buffer, area, title, false, &state.look);
    for (at, (text, style)) in lines(state, explanation).iter().enumerate() {
        Writer::new(buffer, inside, at as u16, state.look.glyphs).put(text, *style);
    }
}

fn lines(state: &State, explanation: &NodeExplanation) -> Vec<(String, Style)> {
    let theme = &state.look.theme;
    let mut lines = Vec::new();
    let after = &explanation.found;
    if let Some(before) = &explanation.before {
        if let (Some(was), Some(is)) = (said(explanation, before), said(explanation, after)) {
            let style = if was.0 == is.0 { theme.text } else { theme.warn };
            lines.push((format!("prediction  {} {} → {} {}", was.0, was.1, is.0, is.1), style));
        }
        let aim = after.aim.name(explanation.context.graph());
        let change = signed(after.value - before.value);
        let (was, is) = (short(before.value), short(after.value));
        lines.push((format!("{aim}  {was} → {is}  ({change})"), theme.text));
    }
    let edits = state.graph.node.edits.list();
    let skipped = edits.len().saturating_sub(LISTED);
    for (at, edit) in edits.iter().enumerate().skip(skipped) {
        lines.push((
            format!("{}. {}", at + 1, in_words(explanation.context.graph(), edit)),
            theme.accent,
        ));
    }
    let keys = if explanation.changes.reach_labels() {
        "u undo · label changes need retraining: T retrains"
    } else if explanation.changes.reach_edges() {
        "u undo · T retrains"
    } else {
        "u undo · d includes it again"
    };
    lines.push((keys.to_owned(), theme.faint));
    lines
}

/// The likeliest class and how likely it is, or the number.
fn said(explanation: &NodeExplanation, found: &Explanation) -> Option<(String, String)> {
    let odds = explanation.odds_of(found);
    if found.aim == Aim::Length {
        return None;
    }
    let labels = explanation.context.graph().labels();
    let Some(names) = labels.classes().map(Classes::names) else {
        return Some((String::new(), short(*odds.first()?)));
    };
    let best = (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]))?;
    Some((names.get(best)?.clone(), percent(odds[best])))
}
