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

use super::{Hits, Target};
use crate::lab::{Experiment, Lab};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, wrapped};

/// From this width on there is room for words at the side.
const WIDE: u16 = 150;
/// Columns of the words.
const WORDS: u16 = 46;
/// The commands that open the experiments, in their order.
const OPEN: [&str; 5] =
    ["lab-shuffle", "lab-types", "lab-aggregators", "lab-theorem", "lab-filters"];

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(lab) = &state.lab else {
        let why = state.lab_view.trouble.as_deref().unwrap_or("the lab is being set up");
        for (at, line) in wrapped(why, usize::from(area.width)).iter().enumerate() {
            let style = state.look.theme.text;
            Writer::new(buffer, area, at as u16, state.look.glyphs).put(line, style);
        }
        return;
    };
    strip(state, lab, buffer, Rect { height: 1, ..area }, hits);
    let rest = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let main = if rest.width >= WIDE {
        let main = Rect { width: rest.width - WORDS, ..rest };
        aside::draw(state, buffer, Rect { x: main.right(), width: WORDS, ..rest });
        main
    } else {
        rest
    };
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
        hits.add(Rect { x: start, width, ..area }, Target::Command(OPEN[at]));
    }
}

/// Splits an area into an upper part of so many rows and the rest.
fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let upper = Rect { height: rows.min(area.height), ..area };
    (upper, Rect { y: upper.bottom(), height: area.height - upper.height, ..area })
}

/// Splits an area into a left part of so many columns and the rest.
fn beside(area: Rect, columns: u16) -> (Rect, Rect) {
    let left = Rect { width: columns.min(area.width), ..area };
    (left, Rect { x: left.right(), width: area.width - left.width, ..area })
}

/// How far apart two answers are, in words.
fn apart(difference: f64) -> String {
    if difference == 0.0 { "0".to_owned() } else { crate::tui::widgets::short(difference) }
}
