//! The panel of a lesson: what is said, the task, and how things stand.
//!
//! ```text
//! wide     screen | text        low      screen            tiny   the panel
//!                 | task                 text | task              over all
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::{HitTarget, Hits};
use crate::lab::lessons::{Lesson, LessonStep, Script};
use crate::tui::commands::Command;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, wrapped};

/// From this width on the panel stands at the right.
const WIDE: u16 = 116;
/// What a screen should keep beside it.
const SCREEN: u16 = 76;
/// From this height on it lies below; in anything less it covers the screen.
const TALL: u16 = 17;
/// Columns from which text and task stand side by side.
const BESIDE: u16 = 66;
/// Below this height text and task scroll together.
const LOW: u16 = 14;
/// Rows that stay for the screen above it.
const LEAST_SCREEN: u16 = 10;
/// Columns of a margin.
const MARGIN: u16 = 1;

/// A line in pieces.
type Line = Vec<(String, Style)>;

/// Divides the room between the screen and the panel, where one is shown.
pub(super) fn divide(state: &State, area: Rect) -> (Rect, Option<Rect>) {
    if state.learning.lesson().is_none() || !state.learning.shown || state.picker.is_some() {
        return (area, None);
    }
    if area.width >= WIDE && !state.projector.on {
        let width = (area.width - SCREEN).clamp(40, 58);
        let left = Rect { width: area.width - width, ..area };
        return (left, Some(Rect { x: left.right(), width, ..area }));
    }
    if area.height >= TALL {
        let usual = (area.height * 2 / 5).clamp(8, 13);
        let height = task_rows(state, area.width).max(usual).min(area.height - LEAST_SCREEN);
        let above = Rect { height: area.height - height, ..area };
        return (above, Some(Rect { y: above.bottom(), height, ..area }));
    }
    (area, Some(area))
}

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let learning = &state.learning;
    let (Some(lesson), Some((at, step))) = (learning.lesson(), learning.step()) else { return };
    for y in area.y..area.bottom() {
        for x in area.x..area.right() {
            buffer[(x, y)].reset();
        }
    }
    buffer.set_style(area, state.look.theme.background);
    hits.add(area, HitTarget::Lesson);
    let title = heading(lesson, at, step, usize::from(area.width.saturating_sub(8)));
    let inside = card(buffer, area, &title, true, &state.look);
    let inside = Rect {
        x: inside.x + MARGIN.min(inside.width),
        width: inside.width.saturating_sub(2 * MARGIN),
        ..inside
    };
    if inside.width < 8 || inside.height < 2 {
        return;
    }
    let (text, lines) = arranged(state, step, buffer, inside);
    let most = lines.len().saturating_sub(usize::from(text.height));
    let scroll = learning.scroll.min(most);
    put(state, &lines, scroll, buffer, text);
    hits.scrolls(most);
    if most > 0 {
        more(state, buffer, area, scroll < most);
    }
}

/// The rows of a low panel in which the task can be read without scrolling.
fn task_rows(state: &State, width: u16) -> u16 {
    let inside = width.saturating_sub(2 + 2 * MARGIN);
    let step = state.learning.step().filter(|_| inside >= BESIDE);
    step.map_or(0, |(_, step)| task(state, step, task_width(inside)).len() as u16 + 2)
}

/// Columns of the task beside the text.
fn task_width(inside: u16) -> u16 {
    (inside * 9 / 20).min(48)
}

/// Puts the task where it stays in sight; gives what scrolls, and where.
fn arranged(
    state: &State,
    step: &LessonStep,
    buffer: &mut Buffer,
    inside: Rect,
) -> (Rect, Vec<Line>) {
    if inside.width >= BESIDE && inside.height < 18 {
        let right = task_width(inside.width);
        let left = Rect { width: inside.width - right - 2, ..inside };
        let right = Rect { x: left.right() + 2, width: right, ..inside };
        put(state, &task(state, step, right.width), 0, buffer, right);
        return (left, said(state, step, left.width));
    }
    let (mut lines, task) = (said(state, step, inside.width), task(state, step, inside.width));
    if inside.height < LOW {
        // Too low for both: the task follows the text.
        lines.push(Vec::new());
        lines.extend(task);
        return (inside, lines);
    }
    let below = (task.len() as u16).min(inside.height * 2 / 3);
    let above = (lines.len() as u16 + 1).min(inside.height - below);
    put(state, &task, 0, buffer, Rect { y: inside.y + above, height: below, ..inside });
    // An empty line lies between what is said and what is to be done.
    (Rect { height: above.saturating_sub(1), ..inside }, lines)
}

/// The lesson and the step, as much of it as fits.
fn heading(lesson: &Lesson, at: usize, step: &LessonStep, room: usize) -> String {
    let count = format!("{} of {}", at + 1, lesson.steps.len());
    let forms = [
        format!("{} · step {count}: {}", lesson.title, step.title),
        format!("step {count}: {}", step.title),
        format!("{count} {}", step.title),
    ];
    let fits = forms.iter().find(|form| form.width() <= room);
    fits.unwrap_or(&forms[2]).clone()
}

/// What is said: before the task its text; after it, what came of it.
fn said(state: &State, step: &LessonStep, width: u16) -> Vec<Line> {
    let theme = &state.look.theme;
    let mut lines = Vec::new();
    if let Some(answered) = state.learning.answered() {
        let style = if answered.is_right { theme.good } else { theme.warn };
        lines.extend(styled(state, &answered.comparison, width, style));
        lines.push(Vec::new());
    }
    if state.learning.is_done() && !step.done.is_empty() {
        let done = &state.learning.done_text;
        let sign = state.look.glyphs.pick("* ", "✓ ");
        lines.extend(styled(state, &format!("{sign}{done}"), width, theme.good));
        lines.push(Vec::new());
    }
    lines.extend(styled(state, &step.text, width, theme.text));
    lines
}

/// The question, or once it is answered the task and how things stand with it.
fn task(state: &State, step: &LessonStep, width: u16) -> Vec<Line> {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let key = |name: &str| {
        let command = Command::named(name)?;
        Some(state.keymap.keys(command).first()?.to_string())
    };
    if let Some(question) = state.learning.question() {
        let mut lines = styled(state, &question.ask, width, theme.accent);
        for (at, choice) in question.choices().iter().enumerate() {
            let room = width.saturating_sub(2);
            for (row, mut line) in styled(state, choice, room, theme.text).into_iter().enumerate() {
                let sign = if row == 0 { format!("{} ", at + 1) } else { "  ".to_owned() };
                line.insert(0, (sign, theme.accent));
                lines.push(line);
            }
        }
        let how = match question.choices().len() {
            0 => "type a number, then ".to_owned(),
            count => format!("type 1 to {count}, then "),
        };
        lines.push(vec![(how, theme.faint), ("enter".to_owned(), theme.accent)]);
        return lines;
    }
    if let Some(script) = &step.script {
        return cues(state, script, width);
    }
    let mut lines = styled(state, &step.task, width, theme.accent);
    if let Some(given) = state.learning.given().filter(|_| !state.learning.is_done()) {
        lines.extend(styled(state, &format!("your answer: {given}"), width, theme.faint));
    }
    let asked = state.learning.asked();
    for line in &asked {
        let (sign, style) = if line.is_met {
            (glyphs.pick("[x] ", "✓ "), theme.good)
        } else {
            (glyphs.pick("[ ] ", "✗ "), theme.warn)
        };
        let mut pieces = vec![(sign.to_owned(), style), (line.words.clone(), theme.text)];
        if !line.present.is_empty() {
            pieces.push((format!("  now {}", line.present), theme.faint));
        }
        lines.push(pieces);
    }
    if let Some(key) = key("continue-lesson").filter(|_| state.learning.is_done()) {
        lines.push(vec![(key, theme.accent), (" continues".to_owned(), theme.good)]);
    }
    lines
}

/// The keys of a demo: those pressed, those to come, and how to go on.
fn cues(state: &State, script: &Script, width: u16) -> Vec<Line> {
    let theme = &state.look.theme;
    let pressed = state.learning.pressed().min(script.keys.len());
    let mut lines = Vec::new();
    for (keys, style) in
        [(&script.keys[..pressed], theme.good), (&script.keys[pressed..], theme.faint)]
    {
        lines.extend(styled(state, &keys.join(" "), width, style));
    }
    for (name, what) in [("continue-lesson", "next"), ("lesson-back", "back")] {
        let command = Command::named(name).filter(|command| command.applies(state));
        let key = command.and_then(|command| state.keymap.keys(command).first());
        if let Some(key) = key {
            lines.push(vec![(key.to_string(), theme.accent), (format!(" {what}"), theme.text)]);
        }
    }
    lines
}

/// A text in lines; words between stars stand out.
fn styled(state: &State, text: &str, width: u16, style: Style) -> Vec<Line> {
    let glyphs = state.look.glyphs;
    let mut strong = false;
    let mut lines = Vec::new();
    for line in wrapped(&glyphs.text(text), usize::from(width)) {
        let mut pieces = Vec::new();
        for (at, piece) in line.split('*').enumerate() {
            strong ^= at > 0;
            if !piece.is_empty() {
                let style = if strong { state.look.theme.accent } else { style };
                pieces.push((piece.to_owned(), style));
            }
        }
        lines.push(pieces);
    }
    lines
}

fn put(state: &State, lines: &[Line], skip: usize, buffer: &mut Buffer, area: Rect) {
    let shown = lines.iter().skip(skip).take(usize::from(area.height));
    for (at, line) in shown.enumerate() {
        let mut writer = Writer::new(buffer, area, at as u16, state.look.glyphs);
        for (text, style) in line {
            writer.put(text, *style);
        }
    }
}

/// Says in the lower border that there is more to read.
fn more(state: &State, buffer: &mut Buffer, area: Rect, below: bool) {
    let name = if below { "lesson-down" } else { "lesson-up" };
    let keys = Command::named(name).map(|command| state.keymap.keys(command));
    let Some(key) = keys.and_then(|keys| keys.first()) else { return };
    let sign =
        if below { state.look.glyphs.pick("v", "▾") } else { state.look.glyphs.pick("^", "▴") };
    let room = Rect { x: area.x + 2, y: area.bottom() - 1, width: area.width - 4, height: 1 };
    let mut writer = Writer::new(buffer, room, 0, state.look.glyphs);
    writer.put(&format!(" {sign} {key} "), state.look.theme.accent);
}
