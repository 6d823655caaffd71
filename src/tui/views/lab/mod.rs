//! The Lab screen: a strip of experiments, and the one that is open.
//!
//! ```text
//! [1 Shuffle] 2 Types  3 Sum, mean, max  4 The theorem  5 Filters
//! what one acts on: cards, numbers, a curve          | what it is,
//! what each way of reading it makes of it            | in words
//! ```

mod aggregators;
mod aside;
mod bars;
mod cards;
mod filters;
mod polynomial;
mod shuffle;
mod study;
mod theorem;
mod types;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{HitTarget, Hits};
use crate::lab::{Experiment, Lab};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, split_columns, split_rows, wrapped};

/// From this width on there is room for words at the side.
const WIDE: u16 = 150;
/// Columns of the words.
const WORDS: u16 = 46;
/// The commands that open the experiments, in their order.
const OPEN: [&str; 5] =
    ["lab-shuffle", "lab-types", "lab-aggregators", "lab-theorem", "lab-filters"];

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(lab) = &state.lab else {
        let why = state.lab_view.trouble.as_deref().unwrap_or("loading the lab");
        for (at, line) in wrapped(why, usize::from(area.width)).iter().enumerate() {
            let style = state.look.theme.text;
            Writer::new(buffer, area, at as u16, state.look.glyphs).put(line, style);
        }
        return;
    };
    let (top, rest) = split_rows(area, 1);
    strip(state, lab, buffer, top, hits);
    let words = if rest.width >= WIDE { WORDS } else { 0 };
    let (main, side) = split_columns(rest, rest.width - words);
    if words > 0 {
        aside::draw(state, buffer, side);
    }
    match lab.open {
        Experiment::Shuffle => shuffle::draw(state, lab, buffer, main, hits),
        Experiment::Types => types::draw(state, lab, buffer, main, hits),
        Experiment::Aggregators => aggregators::draw(state, lab, buffer, main, hits),
        Experiment::Theorem => theorem::draw(state, lab, buffer, main, hits),
        Experiment::Filters => filters::draw(state, lab, buffer, main, hits),
    }
}

fn strip(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let theme = &state.look.theme;
    let narrow = area.width < 66;
    let mut writer = Writer::new(buffer, area, 0, state.look.glyphs);
    writer.put(" ", theme.text);
    for (at, experiment) in Experiment::ALL.into_iter().enumerate() {
        let start = writer.place();
        let own = experiment == lab.open;
        let name = if narrow && !own {
            (at + 1).to_string()
        } else {
            format!("{} {}", at + 1, experiment.title())
        };
        let (text, style) = if own {
            (format!("[{name}]"), theme.accent)
        } else {
            (format!(" {name} "), theme.faint)
        };
        writer.put(&text, style);
        let width = writer.place() - start;
        hits.add(Rect { x: start, width, ..area }, HitTarget::Command(OPEN[at]));
    }
}

/// How far apart two answers are, in words.
fn apart(difference: f64) -> String {
    if difference == 0.0 { "0".to_owned() } else { crate::tui::widgets::short(difference) }
}
