//! The list of lessons, and what something is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layers::{centred, opened};
use super::{HitTarget, Hits};
use crate::lab::lessons::{Lesson, find};
use crate::tui::help_topics::What;
use crate::tui::layers::LessonList;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, clipped, wrapped};

/// Draws the lessons with how far they have come.
pub(super) fn shelf(
    state: &State,
    shelf: &LessonList,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let count = shelf.lessons.len();
    // Where there is room each lesson says what it is about.
    let roomy = usize::from(area.height) >= 3 * count + 3;
    let each = if roomy { 3 } else { 1 };
    let notes = if roomy { 0 } else { 3 };
    let place = centred(area, 92, (count * each + notes + 2) as u16);
    let progress = &state.learning.progress;
    let done = shelf.lessons.iter().filter(|own| progress.of(&own.id).finished).count();
    let inside = opened(state, &format!("lessons, {done} of {count} done"), buffer, place, hits);
    let height = usize::from(inside.height).saturating_sub(notes);
    let fits = (height / each).max(1);
    let first = shelf.chosen.saturating_sub(fits / 2).min(count.saturating_sub(fits));
    for (line, (at, lesson)) in shelf.lessons.iter().enumerate().skip(first).take(fits).enumerate()
    {
        let top = inside.y + (line * each) as u16;
        let row = Rect { y: top, height: 1, ..inside };
        hits.add(Rect { height: each as u16, ..row }, HitTarget::Choice(at));
        let chosen = at == shelf.chosen;
        if chosen {
            buffer.set_style(row, theme.selection);
        }
        let (sign, style, standing) = standing(state, lesson);
        let mut writer = Writer::new(buffer, row, 0, glyphs);
        writer.put(if chosen { glyphs.pick("> ", "▸ ") } else { "  " }, theme.accent);
        writer.put(sign, style).put(" ", theme.text);
        let end = format!("{standing} · {} min ", lesson.minutes);
        let room = writer.room().saturating_sub(end.chars().count() + 1);
        writer.put(&clipped(&lesson.title, room), theme.text);
        writer.right(&end, theme.faint);
        if roomy {
            let below = Rect { x: row.x + 4, width: row.width.saturating_sub(4), ..inside };
            let below = Rect { y: row.y + 1, height: 1, ..below };
            Writer::new(buffer, below, 0, glyphs).put(&lesson.about, theme.faint);
        }
    }
    if let Some(lesson) = shelf.lessons.get(shelf.chosen).filter(|_| !roomy) {
        let below = Rect { y: inside.y + height as u16 + 1, height: 2, ..inside };
        let lines = wrapped(&glyphs.text(&lesson.about), usize::from(inside.width));
        for (at, line) in lines.iter().take(2).enumerate() {
            Writer::new(buffer, below, at as u16, glyphs).put(line, theme.faint);
        }
    }
}

fn standing(state: &State, lesson: &Lesson) -> (&'static str, ratatui::style::Style, String) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let own = state.learning.progress.of(&lesson.id);
    let steps = lesson.steps.len();
    match own.steps {
        _ if own.finished => (glyphs.pick("x", "✓"), theme.good, "done".to_owned()),
        0 => (glyphs.pick(".", "·"), theme.faint, format!("{steps} steps")),
        done => {
            let at = (done + 1).min(steps);
            (glyphs.pick("o", "◐"), theme.warn, format!("step {at} of {steps}"))
        }
    }
}

/// Draws what there is to say about something.
pub(super) fn what(state: &State, what: &What, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let Some(topic) = what.shown() else { return };
    let width = area.width.min(74);
    let text = usize::from(width.saturating_sub(4));
    let mut lines: Vec<(String, ratatui::style::Style)> = Vec::new();
    let said = wrapped(&glyphs.text(&topic.text), text);
    lines.extend(said.into_iter().map(|line| (line, theme.text)));
    if !topic.formula.is_empty() {
        lines.push((String::new(), theme.text));
        let formula = wrapped(&glyphs.text(&topic.formula), text.saturating_sub(2));
        lines.extend(formula.into_iter().map(|line| (format!("  {line}"), theme.accent)));
    }
    let lesson = find(&topic.lesson).ok().filter(|_| !topic.lesson.is_empty());
    if let Some(lesson) = lesson {
        lines.push((String::new(), theme.text));
        lines.push((format!("enter opens the lesson `{}`", lesson.id), theme.good));
    }
    let count = what.topics.len();
    if count > 1 {
        let up = glyphs.pick("up/down", "↑ ↓");
        let near = what.topics.get(what.at + 1).map(|own| format!(": {}", own.title));
        let near = near.unwrap_or_default();
        lines.push((format!("{up} {} of {count} here{near}", what.at + 1), theme.faint));
    }
    let place = centred(area, width, lines.len() as u16 + 2);
    let inside = opened(state, &topic.title, buffer, place, hits);
    // Where it is too low for all, what comes last gives way.
    for (at, (line, style)) in lines.iter().take(usize::from(inside.height)).enumerate() {
        Writer::new(buffer, inside, at as u16, glyphs).put(line, *style);
    }
}
