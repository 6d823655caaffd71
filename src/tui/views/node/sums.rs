//! The foot of the table: baseline, shares and self term add up to the number,
//! to the last digit shown, with what exactness there is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bars::{aligned, percent};
use crate::spectral::SelfTerm;
use crate::tui::node::{NodeExplanation, Slicing};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, short};

/// Rows of the foot in a table of so many rows.
pub(super) fn rows(explanation: &NodeExplanation, height: u16) -> u16 {
    let more = u16::from(explanation.table.features.is_some());
    match height {
        15.. => 7 + more,
        12.. => 5 + more,
        _ => 1.min(height.saturating_sub(2)),
    }
}

pub(super) fn draw(
    state: &State,
    explanation: &NodeExplanation,
    digits: usize,
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let found = &explanation.found;
    let round = |value: f64| format!("{value:.digits$}").parse::<f64>().unwrap_or(value);
    let aim = found.aim.name(explanation.context.graph());
    // Rounded numbers add up only if one of them takes what rounding leaves.
    let (own, baseline) = (round(found.own()), round(found.baseline));
    let features = explanation.table.features.map(|own| round(own.score));
    let others = round(found.value) - baseline - own - features.unwrap_or(0.0);
    let dropped = explanation.context.settings().self_term == SelfTerm::Drop;
    if area.height < 5 {
        let features = features.map(|own| format!(" features {}", aligned(own, digits)));
        let text = format!(
            "z=0 {} neighbours {}{} self {} = {}",
            aligned(baseline, digits),
            aligned(others, digits),
            features.unwrap_or_default(),
            aligned(own, digits),
            aligned(found.value, digits)
        );
        Writer::new(buffer, area, 0, glyphs).put(&text, theme.accent);
        return;
    }
    let rule = glyphs.pick("-", "─").repeat(usize::from(area.width));
    Writer::new(buffer, area, 0, glyphs).put(&rule, theme.border);
    let by_one = state.graph.node.slicing == Slicing::Neighbour;
    let itself = if dropped { "self term (dropped)" } else { "self term" };
    let all = if by_one && explanation.table.others > 0 {
        let count = explanation.table.lines.len();
        format!("Σ of the {count} listed and {} more", explanation.table.others)
    } else {
        "Σ of all others".to_owned()
    };
    let mut lines = vec![(all, others, theme.text)];
    lines.extend(features.map(|own| ("own features".to_owned(), own, theme.text)));
    lines.extend([
        (itself.to_owned(), own, theme.text),
        ("baseline (z = 0)".to_owned(), baseline, theme.text),
        (format!("= {aim}"), round(found.value), theme.accent),
    ]);
    let number = area.width.min(56).saturating_sub(12);
    for (at, (text, value, style)) in lines.iter().enumerate() {
        let mut writer = Writer::new(buffer, area, at as u16 + 1, glyphs);
        writer.put(text, *style).go(area.x + number.max(20));
        writer.put(&format!("{:>10}", glyphs.text(&aligned(*value, digits))), *style);
    }
    let error = format!("rounding error {:.0e}", found.completeness_error().abs());
    let z = explanation.sum_error.map(|error| format!(" · |Σc − z| / |z| = {}", short(error)));
    let exact = format!("{error}{}", z.unwrap_or_default());
    let afar = format!("{} from non-adjacent nodes", percent(explanation.afar));
    let below = lines.len() as u16 + 1;
    Writer::new(buffer, area, below, glyphs).put(&exact, theme.faint);
    Writer::new(buffer, area, below + 1, glyphs).put(&afar, theme.faint);
}
