//! The panel of settings, from the model's own table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{HitTarget, Hits};
use crate::lab::HelpTopics;
use crate::model::settings::{AppliesAt, Group, Setting, TABLE};
use crate::tui::commands::Command;
use crate::tui::glyphs::Glyphs;
use crate::tui::state::{Focus, State};
use crate::tui::widgets::{Writer, card, clipped, wrapped};

/// A line of the list: a heading or a setting.
enum Row {
    Heading(&'static str),
    Setting(usize),
}

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let focused = state.graph.focus == Focus::Settings;
    let inside = card(buffer, area, "settings", focused, &state.look);
    let notes = notes(state, usize::from(inside.width), focused, inside.height);
    let list_height = inside.height.saturating_sub(notes.len() as u16);
    let rows = rows(list_height);
    let chosen = rows
        .iter()
        .position(|row| matches!(row, Row::Setting(at) if *at == state.graph.panel.row))
        .unwrap_or(0);
    let height = usize::from(list_height);
    let first = chosen.saturating_sub(height * 2 / 3).min(rows.len().saturating_sub(height));
    for (line, row) in rows.iter().skip(first).take(height).enumerate() {
        let place = Rect { y: inside.y + line as u16, height: 1, ..inside };
        match row {
            Row::Heading(name) => {
                Writer::new(buffer, place, 0, glyphs).put(name, theme.faint);
            }
            Row::Setting(at) => {
                hits.add(place, HitTarget::Setting(*at));
                let here = focused && *at == state.graph.panel.row;
                setting(state, &TABLE[*at], buffer, place, here);
            }
        }
    }
    for (at, (text, style)) in notes.into_iter().enumerate() {
        let line = list_height + at as u16;
        Writer::new(buffer, inside, line, glyphs).put(&text, style);
    }
}

/// The list, with headings where there is room for them.
fn rows(height: u16) -> Vec<Row> {
    let headings = height >= 16;
    let mut rows = Vec::new();
    let mut group = None;
    for (at, setting) in TABLE.iter().enumerate() {
        if headings && group != Some(setting.group) {
            group = Some(setting.group);
            rows.push(Row::Heading(match setting.group {
                Group::Spectrum => "spectrum",
                Group::Model => "model",
                Group::Filter => "filter",
                Group::Loss => "loss",
                Group::Training => "training",
                Group::Split => "labels",
            }));
        }
        rows.push(Row::Setting(at));
    }
    rows
}

fn setting(state: &State, setting: &Setting, buffer: &mut Buffer, place: Rect, chosen: bool) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    if chosen {
        buffer.set_style(place, theme.selection);
    }
    let value = (setting.get)(state.shown_settings());
    let home = (setting.get)(&state.graph.home);
    let waits = value != (setting.get)(&state.graph.session.settings);
    let wide = place.width >= 50;
    let mut writer = Writer::new(buffer, place, 0, glyphs);
    writer.put(if chosen { glyphs.pick(">", "▸") } else { " " }, theme.accent);
    let narrow = place.width < 30;
    if !narrow {
        let symbol = glyphs.text(setting.symbol);
        writer.put(&clipped(&symbol, 4), theme.accent).go(place.x + 6);
    }
    let name_style = if value == home { theme.faint } else { theme.text };
    let name = setting.key.replace('_', " ");
    let (tail, value_room) = match place.width {
        50.. => (12, 22),
        38.. => (2, 14),
        30.. => (2, 10),
        _ => (0, 9),
    };
    let value_at = place.right().saturating_sub(tail + value_room);
    writer.put(
        &clipped(&name, usize::from(value_at - writer.place().min(value_at)).saturating_sub(1)),
        name_style,
    );
    writer.go(value_at);
    let typed = state.graph.panel.typed.as_ref().filter(|_| chosen);
    if let Some(line) = typed {
        let (before, after) = line.parts();
        writer
            .put(before, theme.accent)
            .put(glyphs.pick("_", "▏"), theme.accent)
            .put(after, theme.accent);
    } else {
        let style = if waits || value != home { theme.warn } else { theme.text };
        let mark = if waits { "*" } else { "" };
        let room = usize::from(value_room) - 1;
        writer.put(&clipped(&format!("{mark}{value}"), room), style);
        if wide && value != home {
            writer.put(&format!(" was {home}"), theme.faint);
        }
    }
    if narrow {
        return;
    }
    writer.go(place.right().saturating_sub(tail));
    let (sign, word) = effect(setting.effect, glyphs);
    writer.put(" ", theme.faint).put(sign, theme.faint);
    if wide {
        writer.put(&format!(" {word}"), theme.faint);
    }
}

fn effect(effect: AppliesAt, glyphs: Glyphs) -> (&'static str, &'static str) {
    match effect {
        AppliesAt::Now => (glyphs.pick(".", "•"), "now"),
        AppliesAt::NextEpoch => (glyphs.pick(">", "›"), "epoch"),
        AppliesAt::RestartsModel => (glyphs.pick("@", "↻"), "restarts"),
        AppliesAt::RestartsSpectrum => (glyphs.pick("@", "↺"), "spectrum"),
    }
}

/// The key of a command, as it is bound; none where it is bound to nothing.
fn key_of(state: &State, name: &str) -> String {
    let key = Command::named(name).and_then(|command| state.keymap.keys(command).first());
    key.map_or("-".to_owned(), ToString::to_string)
}

/// What is said under the list.
fn notes(
    state: &State,
    width: usize,
    focused: bool,
    height: u16,
) -> Vec<(String, ratatui::style::Style)> {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut notes = Vec::new();
    let setting = state.graph.panel.setting();
    let rule = glyphs.pick("-", "─").repeat(width);
    if state.graph.panel.draft.is_some() {
        notes.push((rule.clone(), theme.border));
        notes.push(("restart to apply changes".to_owned(), theme.warn));
        let restart = key_of(state, "restart-with-changes");
        let drop = key_of(state, "discard-changes");
        notes.push((format!("{restart} restart   {drop} discard"), theme.accent));
    }
    if !focused || height < 8 {
        return notes;
    }
    notes.push((rule, theme.border));
    let said = |text: &str| wrapped(text, width).into_iter().map(|line| (line, theme.text));
    notes.extend(said(setting.meaning));
    let (sign, _) = effect(setting.effect, glyphs);
    let takes = format!("{sign} {}", setting.effect);
    notes.extend(wrapped(&takes, width).into_iter().map(|line| (line, theme.faint)));
    if state.graph.panel.explained {
        let found = HelpTopics::built_in().of(&format!("setting.{}", setting.key));
        let formula = found.map(|found| found.formula).unwrap_or_default();
        notes.extend(wrapped(&formula, width).into_iter().map(|line| (line, theme.accent)));
        let home = (setting.get)(&state.graph.home);
        let range = format!("{}; initial value {home}", setting.range);
        notes.extend(wrapped(&range, width).into_iter().map(|line| (line, theme.faint)));
    }
    notes
}
