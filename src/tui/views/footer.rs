//! The bottom line: what was said, or what can be done now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::{HitTarget, Hits, projector};
use crate::tui::commands::{Chord, Command, TABLE};
use crate::tui::layers::Layer;
use crate::tui::state::{Screen, State};
use crate::tui::widgets::Writer;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if let Some(notice) = state.notices.shown().filter(|notice| !notice.error) {
        Writer::new(buffer, area, 0, glyphs).put(" ", theme.text).put(&notice.text, theme.accent);
        return;
    }
    if let Some(notice) = state.notices.shown() {
        error(state, buffer, area, &notice.text);
        return;
    }
    if state.projector.on && projector::keys(state, buffer, area, hits) {
        return;
    }
    if let Some(keys) = typing_keys(state) {
        let mut writer = Writer::new(buffer, area, 0, glyphs);
        for (key, what) in keys {
            writer.put(&format!(" {key}"), theme.accent).put(&format!(" {what} "), theme.faint);
        }
        return;
    }
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    let (mut shown, ends) = offered(state);
    let width = |command: &&Command| {
        let key = key_of(state, command).map(ToString::to_string).unwrap_or_default();
        key.width() + glyphs.text(hint(command)).width() + 3
    };
    let kept: usize = ends.iter().map(width).sum();
    let mut room = writer.room().saturating_sub(kept);
    shown.retain(|command| {
        let fits = width(command) <= room;
        room -= if fits { width(command) } else { 0 };
        fits
    });
    let mut places = Vec::new();
    for command in shown.into_iter().chain(ends) {
        let Some(key) = key_of(state, command) else { continue };
        let start = writer.place();
        writer
            .put(&format!(" {key}"), theme.accent)
            .put(&format!(" {} ", hint(command)), theme.faint);
        let width = writer.place() - start;
        places.push((Rect { x: start, width, ..area }, HitTarget::Command(command.name)));
    }
    for (place, target) in places {
        hits.add(place, target);
    }
}

/// The commands that apply now, most important first; the way to help and the way out
/// apart.
fn offered(state: &State) -> (Vec<&'static Command>, Vec<&'static Command>) {
    let last = ["help", "quit"];
    let learning = &state.learning;
    let named = |command: &Command| learning.names(command.name);
    let hinted = |command: &&Command| !command.hint.is_empty() || named(command);
    let shown = TABLE.iter().copied().filter(hinted);
    let shown = shown.filter(|command| learning.shows(command) && command.applies(state));
    let (ends, mut shown): (Vec<_>, Vec<_>) =
        shown.partition(|command| last.contains(&command.hint));
    // A key that means something else here would be a false hint.
    shown.retain(|command| key_of(state, command).is_some());
    shown.sort_by_key(|command| (!named(command), command.place.rank(state)));
    (shown, ends)
}

/// The keys that mean something now and what they do, for displays without a keyboard.
pub fn hints(state: &State) -> Vec<(String, &'static str)> {
    if state.notices.has_error() {
        return vec![("esc".to_owned(), "close")];
    }
    if let Some(keys) = typing_keys(state) {
        // `up/down` are two keys.
        let each = |(key, what): &(&'static str, &'static str)| {
            let (key, what) = (*key, *what);
            key.split('/').map(move |key| (key.to_owned(), what)).collect::<Vec<_>>()
        };
        return keys.iter().flat_map(each).collect();
    }
    let (shown, ends) = offered(state);
    let key = |command: &&Command| Some((key_of(state, command)?.to_string(), hint(command)));
    shown.iter().chain(&ends).filter_map(key).collect()
}

/// The first of a command's keys that stands for it now.
fn key_of<'a>(state: &'a State, command: &Command) -> Option<&'a Chord> {
    let stands = |key: &&Chord| {
        state.keymap.find(**key, state).is_some_and(|found| found.name == command.name)
    };
    state.keymap.keys(command).iter().find(stands)
}

/// A word or two; the name where there are none.
fn hint(command: &Command) -> &'static str {
    if command.hint.is_empty() { command.name } else { command.hint }
}

/// The keys of what is being typed or chosen, where letters are not commands.
fn typing_keys(state: &State) -> Option<&'static [(&'static str, &'static str)]> {
    match state.layers.last() {
        Some(Layer::Help(_) | Layer::Palette(_)) => {
            Some(&[("enter", "run"), ("up/down", "choose"), ("esc", "close")])
        }
        Some(Layer::Presets(_)) => {
            Some(&[("enter", "apply"), ("up/down", "choose"), ("esc", "close")])
        }
        Some(Layer::Lessons(_)) => {
            Some(&[("enter", "start"), ("up/down", "choose"), ("esc", "close")])
        }
        Some(Layer::What(_)) => {
            Some(&[("enter", "lesson"), ("up/down", "more topics"), ("esc", "close")])
        }
        Some(Layer::Unsaved(_)) => Some(&[("enter", "quit"), ("esc", "stay")]),
        Some(Layer::Recover(_)) => Some(&[("enter", "resume"), ("esc", "not now")]),
        Some(Layer::Prompt(..)) => Some(&[("enter", "accept"), ("esc", "cancel")]),
        None if state.picker.is_some() => {
            Some(&[("enter", "open"), ("tab", "complete"), ("f8", "lessons"), ("esc", "leave")])
        }
        None if state.screen == Screen::Node && state.graph.node.list.typed.is_some() => {
            Some(&[("enter", "accept"), ("up/down", "choose"), ("esc", "clear")])
        }
        None if state.graph.panel.typed.is_some() => Some(&[("enter", "apply"), ("esc", "cancel")]),
        None => None,
    }
}

fn error(state: &State, buffer: &mut Buffer, area: Rect, text: &str) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let room = usize::from(area.width.saturating_sub(14));
    let mut shown: Vec<String> =
        lines.iter().flat_map(|line| crate::tui::widgets::wrapped(line, room)).collect();
    shown.truncate(6);
    let top = area.y.saturating_sub(shown.len() as u16 - 1);
    for (at, line) in shown.iter().enumerate() {
        let row = Rect { y: top + at as u16, height: 1, ..area };
        for x in row.x..row.right() {
            buffer[(x, row.y)].reset();
            buffer[(x, row.y)].set_style(theme.background);
        }
        let mark = if at == 0 { glyphs.pick(" ! ", " ✕ ") } else { "   " };
        let mut writer = Writer::new(buffer, row, 0, glyphs);
        writer.put(mark, theme.bad).put(line, theme.bad);
        if at + 1 == shown.len() {
            writer.right("esc close ", theme.faint);
        }
    }
}
