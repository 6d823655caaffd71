//! Before the first epoch: what is being made ready, and how far it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::train::Phase;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, wrapped};

const WIDTH: u16 = 56;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let width = WIDTH.min(area.width);
    let height = 9.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    };
    let title = if state.graph.session.failed.is_some() { "stopped" } else { "loading" };
    let inside = card(buffer, place, title, true, &state.look);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if let Some(why) = &state.graph.session.failed {
        let lines = wrapped(why, usize::from(inside.width));
        for (at, line) in lines.iter().enumerate() {
            Writer::new(buffer, inside, at as u16, glyphs).put(line, theme.bad);
        }
        return;
    }
    let turn = (state.now.as_millis() / 120) as usize;
    let frames = glyphs.pick(["|", "/", "-", "\\"], ["◐", "◓", "◑", "◒"]);
    let spin = frames[turn % 4];
    let (done, now) = (glyphs.pick("+", "✓"), spin);
    let spectrum = state.graph.session.progress;
    let mut line = 0;
    let mut say = |sign: &str, text: &str, style| {
        let mut writer = Writer::new(buffer, inside, line, glyphs);
        writer.put(&format!("{sign} "), theme.accent).put(text, style);
        line += 1;
    };
    let read = state.graph.session.phase == Some(Phase::Preparing);
    say(if read { done } else { now }, "reading the graph", theme.text);
    match spectrum {
        None => {}
        Some(progress) => {
            let pass =
                if progress.pass > 1 { format!(", pass {}", progress.pass) } else { String::new() };
            say(now, &format!("spectrum: {}{pass}", progress.stage), theme.text);
            if progress.converged > 0 {
                say(" ", &format!("{} eigenpairs so far", progress.converged), theme.faint);
            }
            let room = usize::from(inside.width.saturating_sub(4));
            let full = (room * progress.done.min(progress.total)).checked_div(progress.total);
            if let Some(full) = full {
                let bar = glyphs.pick("#", "━").repeat(full);
                let rest = glyphs.pick(".", "╌").repeat(room - full);
                let text = format!("{bar}{rest}");
                say(" ", &text, theme.good);
            }
        }
    }
    let (sign, style) = if read { (now, theme.text) } else { (" ", theme.faint) };
    say(if spectrum.is_some() { " " } else { sign }, "preparing the model", style);
}
