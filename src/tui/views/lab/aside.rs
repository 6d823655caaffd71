//! What the parts of an experiment are, in words, where there is room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::lab::{Experiment, Explanations};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, wrapped};

/// What is explained beside an experiment, the most telling first.
fn keys(experiment: Experiment) -> &'static [&'static str] {
    match experiment {
        Experiment::Shuffle => &[
            "lab.set-function",
            "lab.exact-sum",
            "lab.rounded-sum",
            "lab.concatenation",
            "lab.recurrent",
            "lab.largest",
        ],
        Experiment::Types => &["lab.types", "lab.merged", "lab.set-function", "lab.card"],
        Experiment::Aggregators => &["lab.sum", "lab.mean", "lab.max", "lab.psi", "lab.one-hot"],
        Experiment::Theorem => &[
            "lab.power-sums",
            "lab.newton",
            "lab.recovered-error",
            "lab.fit",
            "lab.fit-error",
            "lab.two-groups",
        ],
        Experiment::Filters => {
            &["lab.planted", "lab.learners", "lab.error-at", "lab.error-between", "lab.floor"]
        }
    }
}

pub(super) fn draw(state: &State, experiment: Experiment, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "in words", false, &state.look);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let texts = Explanations::built_in();
    let mut line = 0;
    for found in keys(experiment).iter().filter_map(|key| texts.of(key)) {
        let words = wrapped(&found.text, usize::from(inside.width));
        let formula = u16::from(!found.formula.is_empty());
        let rows = 1 + formula + words.len() as u16;
        if line + rows > inside.height {
            break;
        }
        Writer::new(buffer, inside, line, glyphs).put(&found.title, theme.accent);
        if formula > 0 {
            Writer::new(buffer, inside, line + 1, glyphs).put(&found.formula, theme.curves[0]);
        }
        for (at, words) in words.iter().enumerate() {
            let row = line + 1 + formula + at as u16;
            Writer::new(buffer, inside, row, glyphs).put(words, theme.text);
        }
        line += rows + 1;
    }
}
