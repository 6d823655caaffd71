//! What lies over the screen: help, palette, presets, a line to type.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{HitTarget, Hits, lessons};
use crate::tui::layers::{Cut, Layer, Offer, Prompt, Search, presets};
use crate::tui::session::difference;
use crate::tui::state::State;
use crate::tui::text_input::TextInput;
use crate::tui::widgets::{Writer, card, clipped, wrapped};

pub(super) fn draw(state: &State, layer: &Layer, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    match layer {
        Layer::Help(search) => list(state, search, "help", false, buffer, area, hits),
        Layer::Palette(search) => {
            list(state, search, "commands and settings", true, buffer, area, hits);
        }
        Layer::Presets(chosen) => sets(state, *chosen, buffer, area, hits),
        Layer::Lessons(shelf) => lessons::shelf(state, shelf, buffer, area, hits),
        Layer::What(what) => lessons::what(state, what, buffer, area, hits),
        Layer::Recover(cut) => recover(state, cut, buffer, area, hits),
        Layer::Unsaved(why) => unsaved(state, why, buffer, area, hits),
        Layer::Prompt(Prompt::Answer, line) => answer(state, line, buffer, area, hits),
        Layer::Prompt(prompt, line) => {
            let place = centred(area, 50, 3);
            let inside = opened(state, prompt.question(), buffer, place, hits);
            typed(state, line, buffer, inside);
        }
    }
}

/// The answer being typed, and what it stands for.
fn answer(state: &State, line: &TextInput, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(question) = state.learning.question() else { return };
    let (choices, typed_text) = (question.choices(), line.text().trim());
    let number = typed_text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let below = match number.and_then(|at| choices.get(at)) {
        Some(choice) => choice.clone(),
        None if choices.is_empty() => "a number, such as 0.75 or 75%".to_owned(),
        None => format!("a number from 1 to {}", choices.len()),
    };
    let inside = opened(state, Prompt::Answer.question(), buffer, centred(area, 60, 4), hits);
    typed(state, line, buffer, inside);
    Writer::new(buffer, inside, 1, state.look.glyphs).put(&below, state.look.theme.faint);
}

fn recover(state: &State, cut: &Cut, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let place = centred(area, 56, 6);
    let inside = opened(state, "interrupted run", buffer, place, hits);
    let epochs = format!("Last saved at epoch {}, {}.", cut.epoch, cut.ago);
    let lines = [
        epochs.as_str(),
        "",
        "enter resumes from there, bit for bit;",
        "esc keeps it in the list of runs.",
    ];
    for (at, line) in lines.iter().enumerate() {
        let style = if at == 0 { state.look.theme.text } else { state.look.theme.faint };
        Writer::new(buffer, inside, at as u16, state.look.glyphs).put(line, style);
    }
}

fn unsaved(state: &State, why: &str, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let width = 64.min(area.width);
    let advice = "enter quits and prints the command that reproduces it exactly; esc stays.";
    let room = usize::from(width.saturating_sub(4));
    let why = wrapped(&format!("This run is not saved: {why}"), room);
    let advice = wrapped(advice, room);
    let height = (why.len() + advice.len() + 3) as u16;
    let inside = opened(state, "quit?", buffer, centred(area, width, height), hits);
    let theme = &state.look.theme;
    let why = why.iter().map(|line| (line.as_str(), theme.text));
    let advice = advice.iter().map(|line| (line.as_str(), theme.faint));
    for (at, (line, style)) in why.chain([("", theme.text)]).chain(advice).enumerate() {
        Writer::new(buffer, inside, at as u16, state.look.glyphs).put(line, style);
    }
}

/// A place in the middle, a third from the top.
pub(super) fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 3);
    Rect { x, y, width, height }
}

/// An empty card over what was there.
pub(super) fn opened(
    state: &State,
    title: &str,
    buffer: &mut Buffer,
    place: Rect,
    hits: &mut Hits,
) -> Rect {
    for y in place.y..place.bottom() {
        for x in place.x..place.right() {
            buffer[(x, y)].reset();
        }
    }
    buffer.set_style(place, state.look.theme.background);
    hits.add(place, HitTarget::Nothing);
    let inside = card(buffer, place, title, true, &state.look);
    Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}

fn typed(state: &State, line: &TextInput, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (before, after) = line.parts();
    // The end of a long line is what one types at.
    let room = usize::from(area.width.saturating_sub(2));
    let skipped = before.chars().count().saturating_sub(room);
    let before: String = before.chars().skip(skipped).collect();
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(&before, theme.text).put(glyphs.pick("_", "▏"), theme.accent).put(after, theme.text);
}

fn list(
    state: &State,
    search: &Search,
    title: &str,
    with_settings: bool,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let found = search.found(state, with_settings);
    let most = found.len() as u16 + 4;
    let place = centred(area, 96, most.clamp(6, area.height));
    let inside = opened(state, title, buffer, place, hits);
    typed(state, &search.query, buffer, Rect { height: 1, ..inside });
    if search.query.text().is_empty() {
        let hint = Rect { x: inside.x + 2, width: inside.width.saturating_sub(2), ..inside };
        let hint_text = if with_settings {
            "type to search, or a setting and its value"
        } else {
            "type to search; enter runs the command"
        };
        Writer::new(buffer, hint, 0, glyphs).put(hint_text, theme.faint);
    }
    if let Some((key, value)) = search.assignment().filter(|_| with_settings) {
        let text = format!("enter sets {key} to {value}");
        Writer::new(buffer, inside, 1, glyphs).put(&text, theme.good);
    }
    let rows = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    let height = usize::from(rows.height);
    let chosen = search.chosen.min(found.len().saturating_sub(1));
    let first = chosen.saturating_sub(height / 2).min(found.len().saturating_sub(height));
    if found.is_empty() {
        Writer::new(buffer, rows, 0, glyphs).put("unknown command", theme.faint);
    }
    for (line, (at, offer)) in found.iter().enumerate().skip(first).take(height).enumerate() {
        let row = Rect { y: rows.y + line as u16, height: 1, ..rows };
        hits.add(row, HitTarget::Choice(at));
        if at == chosen {
            buffer.set_style(row, theme.selection);
        }
        let keys = keys(state, *offer);
        let narrow = row.width < 60;
        let mut writer = Writer::new(buffer, row, 0, glyphs);
        writer.put(if at == chosen { glyphs.pick("> ", "▸ ") } else { "  " }, theme.accent);
        writer.put(&clipped(offer.name(), 20), theme.text).go(row.x + 23);
        writer.put(&clipped(&keys, 16), theme.accent);
        if !narrow {
            writer.go(row.x + 40).put(offer.what(), theme.faint);
        }
    }
}

/// The keys of a command, or the value of a setting.
fn keys(state: &State, offer: Offer) -> String {
    match offer {
        Offer::Command(command) => {
            let keys = state.keymap.keys(command).iter().take(2).map(ToString::to_string);
            keys.collect::<Vec<_>>().join("  ")
        }
        Offer::Setting(row) => {
            let setting = &crate::model::settings::TABLE[row];
            format!("= {}", (setting.get)(state.shown_settings()))
        }
    }
}

fn sets(state: &State, chosen: usize, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let all = presets(state);
    let place = centred(area, 80, all.len() as u16 + 6);
    let inside = opened(state, "presets", buffer, place, hits);
    for (at, (name, settings)) in all.iter().enumerate() {
        let row = Rect { y: inside.y + at as u16, height: 1, ..inside };
        if row.y >= inside.bottom() {
            break;
        }
        hits.add(row, HitTarget::Choice(at));
        if at == chosen {
            buffer.set_style(row, theme.selection);
        }
        let mut writer = Writer::new(buffer, row, 0, glyphs);
        writer.put(if at == chosen { glyphs.pick("> ", "▸ ") } else { "  " }, theme.accent);
        writer.put(name, theme.text);
        let same = settings.as_ref() == Some(&state.graph.session.settings);
        if same {
            writer.put("  active", theme.good);
        } else if let Some(settings) = settings {
            let count = difference(&state.graph.session.settings, settings).matches('→').count();
            writer.put(&format!("  changes {count} settings"), theme.faint);
        }
    }
    if let Some((_, Some(settings))) = all.get(chosen) {
        let text = difference(&state.graph.session.settings, settings);
        let below = Rect { y: inside.y + all.len() as u16 + 1, height: 3, ..inside };
        let below = below.intersection(inside);
        for (at, line) in crate::tui::widgets::wrapped(&text, usize::from(inside.width))
            .iter()
            .take(3)
            .enumerate()
        {
            Writer::new(buffer, below, at as u16, glyphs).put(line, theme.faint);
        }
    }
}
