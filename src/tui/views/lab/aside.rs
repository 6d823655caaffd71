//! What the parts of an experiment are, in words, where there is room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::lab::HelpTopics;
use crate::tui::help_topics::topics;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, wrapped};

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "explanation", false, &state.look);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let texts = HelpTopics::built_in();
    let mut line = 0;
    let own = topics(state).into_iter().filter(|key| key.starts_with("lab."));
    for found in own.filter_map(|key| texts.of(&key)) {
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
