//! Choosing a graph.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{HitTarget, Hits};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, wrapped};

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(picker) = &state.picker else { return };
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let width = area.width.min(100);
    let place = Rect { x: area.x + (area.width - width) / 2, width, ..area };
    let inside = card(buffer, place, "open a graph", true, &state.look);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let (before, after) = picker.path.parts();
    let mut writer = Writer::new(buffer, inside, 0, glyphs);
    writer.put("path ", theme.faint).put(before, theme.text);
    writer.put(glyphs.pick("_", "▏"), theme.accent).put(after, theme.text);
    if picker.path.text().is_empty() {
        writer.put(" type a file or folder; tab completes", theme.faint);
    }
    if let Some(why) = &picker.trouble {
        for (at, line) in wrapped(why, usize::from(inside.width)).iter().take(2).enumerate() {
            Writer::new(buffer, inside, 1 + at as u16, glyphs).put(line, theme.bad);
        }
    }
    let found = picker.found();
    // The list has what it needs, the description of the chosen graph the rest.
    let spare = inside.height.saturating_sub(3 + found.len() as u16);
    let below = if inside.height >= 14 { spare.clamp(4, 8) } else { u16::from(inside.height >= 9) };
    let height = inside.height.saturating_sub(3 + below);
    let rows = Rect { y: inside.y + 3, height, ..inside };
    let each = if rows.height >= 2 * found.len() as u16 { 2 } else { 1 };
    let foot = Rect { y: rows.bottom(), height: below, ..inside };
    let about = found.get(picker.chosen).map_or("", |entry| entry.about.as_str());
    if each == 1 && below > 1 {
        let rule = glyphs.pick("-", "─").repeat(usize::from(foot.width));
        Writer::new(buffer, foot, 0, glyphs).put(&rule, theme.border);
        for (at, line) in wrapped(about, usize::from(foot.width)).iter().enumerate() {
            if at as u16 + 2 >= below {
                break;
            }
            Writer::new(buffer, foot, 1 + at as u16, glyphs).put(line, theme.text);
        }
    }
    lessons(
        state,
        buffer,
        Rect { y: foot.bottom().saturating_sub(1), height: below.min(1), ..foot },
        hits,
    );
    let height = usize::from(rows.height / each).max(1);
    let first = picker.chosen.saturating_sub(height / 2).min(found.len().saturating_sub(height));
    for (line, (at, entry)) in found.iter().enumerate().skip(first).take(height).enumerate() {
        let row = Rect { y: rows.y + line as u16 * each, height: each, ..rows };
        let row = row.intersection(rows);
        hits.add(row, HitTarget::Choice(at));
        if at == picker.chosen {
            buffer.set_style(row, theme.selection);
        }
        let mut writer = Writer::new(buffer, row, 0, glyphs);
        writer.put(if at == picker.chosen { glyphs.pick("> ", "▸ ") } else { "  " }, theme.accent);
        writer.put(&clipped(&entry.title, 26), theme.text).go(row.x + 30);
        writer.put(&entry.place, theme.faint);
        if each > 1 {
            let below = Rect { x: row.x + 4, width: row.width.saturating_sub(4), ..row };
            Writer::new(buffer, below, 1, glyphs).put(&entry.about, theme.faint);
        }
    }
}

/// The line that tells of the lessons; a click lists them.
fn lessons(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put("f8", theme.accent);
    writer.put(" lessons: learn the model step by step, with tasks that are checked", theme.text);
    hits.add(area, HitTarget::Command("lessons"));
}
