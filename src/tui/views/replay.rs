//! The bottom line of a replay: how far it is, and the keys that steer it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::state::State;
use crate::tui::widgets::Writer;

/// Draws over the hints, whose places stay: recorded clicks are meant for them.
pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) {
    let Some(replay) = state.replay.filter(|_| state.notices.shown().is_none()) else { return };
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    for x in area.x..area.right() {
        buffer[(x, area.y)].reset();
        buffer[(x, area.y)].set_style(theme.background);
    }
    let (sign, word, pause) = if replay.paused {
        (glyphs.pick("=", "‖"), "replay paused", "play")
    } else {
        (glyphs.pick(">", "▶"), "replay", "pause")
    };
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    let place = format!(" {sign} {word} {}/{}", replay.played, replay.count);
    writer.put(&place, theme.warn).put(&format!(" at speed {} ", replay.speed), theme.faint);
    let keys =
        [("f9", pause), ("f10", "step"), ("f7", "slower"), ("f8", "faster"), ("ctrl-c", "quit")];
    for (key, what) in keys {
        writer.put(&format!(" {key}"), theme.accent).put(&format!(" {what} "), theme.faint);
    }
}
