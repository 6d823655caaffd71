//! What stands beside the map: the kinds of nodes with their counts, the node
//! one looks at, the selection.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::marks::{Weight, shown};
use crate::graph::LabelKind;
use crate::train::Score;
use crate::tui::map::{Facts, LegendEntry, Mix, NodeMark, facts, inside, mix};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short};

/// Rows of the card about a node, with its frame.
const NODE: u16 = 9;
/// Rows of the card about the selection, with its frame.
const SELECTION: u16 = 12;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) {
    let node = node_facts(state);
    let chosen = chosen(state);
    let mut below = area.bottom();
    if let Some(mix) = &chosen {
        let rows = (5 + mix.parts.len() as u16).min(SELECTION).min(area.height / 2);
        below -= rows;
        selection(state, mix, buffer, Rect { y: below, height: rows, ..area });
    }
    if let Some(facts) = &node {
        let rows = NODE.min(below.saturating_sub(area.y) / 2);
        below -= rows;
        about(state, facts, buffer, Rect { y: below, height: rows, ..area });
    }
    legend(state, buffer, Rect { height: below - area.y, ..area });
}

/// The same in a line above and one below the map; gives the room between.
pub(super) fn lines(state: &State, buffer: &mut Buffer, area: Rect) -> Rect {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    legend_line(state, buffer, area);
    let mut room = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let said = match (node_facts(state), chosen(state)) {
        (_, Some(mix)) => Some(in_a_line(&mix, state)),
        (Some(facts), None) => Some(one_line(&facts)),
        (None, None) => None,
    };
    if let Some(said) = said.filter(|_| room.height > 2) {
        room.height -= 1;
        Writer::new(buffer, area, area.height - 1, glyphs).put(&said, theme.text);
    }
    room
}

/// The kinds of nodes in a line, as many as fit.
pub(crate) fn legend_line(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let entries = &state.graph.map.paint.entries;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    for (at, entry) in entries.iter().enumerate() {
        let (sign, style) = shown(entry.mark, Weight::FULL, &state.look);
        let letter = letter_of(entry.mark);
        let text = format!("{letter} {} {}  ", clipped(&entry.name, 14), entry.count);
        let left = entries.len() - at;
        let more = if left > 1 { 8 } else { 0 };
        if text.width() + 1 + more > writer.room() {
            writer.put(&format!("{left} more"), theme.faint);
            break;
        }
        writer.put(sign.encode_utf8(&mut [0; 4]), style).put(&text, theme.faint);
    }
}

fn node_facts(state: &State) -> Option<Facts> {
    let ready = state.graph.session.ready.as_ref()?;
    let node = state.graph.map.shown_node()?;
    Some(facts(ready, state.graph.session.snapshot.as_deref(), node))
}

/// What the selection, or the box that is being spanned, is made of.
fn chosen(state: &State) -> Option<Mix> {
    let (map, ready) = (&state.graph.map, state.graph.session.ready.as_ref()?);
    let spanned = map.span().zip(map.places()).map(|((from, to), places)| inside(places, from, to));
    let nodes = spanned.as_ref().unwrap_or(&map.selected);
    let open = spanned.is_some() || !nodes.is_empty();
    open.then(|| {
        mix(ready, state.graph.session.snapshot.as_deref(), nodes, (map.colour, &map.paint))
    })
}

fn legend(state: &State, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, state.graph.map.colour.name(), false, &state.look);
    let entries = &state.graph.map.paint.entries;
    let rows = usize::from(inside.height);
    let fits = if entries.len() <= rows { rows } else { rows.saturating_sub(1) };
    for (at, entry) in entries.iter().take(fits).enumerate() {
        let (sign, style) = shown(entry.mark, Weight::FULL, &state.look);
        let count = entry.count.to_string();
        let room = usize::from(inside.width).saturating_sub(count.len() + 7);
        let mut writer = Writer::new(buffer, inside, at as u16, glyphs);
        writer.put(" ", theme.text).put(sign.encode_utf8(&mut [0; 4]), style);
        writer.put(&letter_of(entry.mark), style);
        writer.put(&format!(" {}", clipped(&entry.name, room)), theme.text);
        writer.right(&format!("{count} "), theme.faint);
    }
    if entries.len() > fits && rows > 0 {
        let text = format!(" and {} more", entries.len() - fits);
        Writer::new(buffer, inside, rows as u16 - 1, glyphs).put(&text, theme.faint);
    }
}

/// The letter of a class after its sign, where it has one.
fn letter_of(mark: NodeMark) -> String {
    mark.letter().map(|letter| format!(" {letter}")).unwrap_or_default()
}

fn about(state: &State, facts: &Facts, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let title = facts.name.as_ref().unwrap_or(&facts.id);
    let inside = card(buffer, area, title, false, &state.look);
    let mut rows: Vec<(&str, String, ratatui::style::Style)> = Vec::new();
    rows.push(("id", facts.id.clone(), theme.text));
    if let Some(kind) = &facts.kind {
        rows.push(("type", kind.clone(), theme.text));
    }
    let part = match (&facts.label, facts.train, facts.validates) {
        (None, ..) => "",
        (_, true, _) => " (train)",
        (_, _, true) => " (validation)",
        _ => " (test)",
    };
    let label = facts.label.as_deref().unwrap_or("none");
    rows.push(("label", format!("{label}{part}"), theme.text));
    if let Some(prediction) = &facts.prediction {
        let (mark, style) = match facts.right {
            Some(true) => (glyphs.pick(" ok", " ✓"), theme.good),
            Some(false) => (glyphs.pick(" wrong", " ✕"), theme.bad),
            None => ("", theme.text),
        };
        rows.push(("predicted", format!("{prediction}{mark}"), style));
    }
    if let Some(sure) = facts.confidence {
        rows.push(("confidence", format!("{:.1} %", 100.0 * sure), theme.text));
    }
    rows.push(("degree", facts.degree.to_string(), theme.text));
    for (at, (name, value, style)) in rows.iter().enumerate() {
        let mut writer = Writer::new(buffer, inside, at as u16, glyphs);
        writer.put(&format!(" {name:<11}"), theme.faint).put(value, *style);
    }
}

/// A node in one line.
fn one_line(facts: &Facts) -> String {
    let mut parts = vec![facts.name.clone().unwrap_or_else(|| facts.id.clone())];
    if facts.name.is_some() {
        parts.push(format!("id {}", facts.id));
    }
    parts.extend(facts.label.clone());
    if let Some(prediction) = &facts.prediction {
        let sure = facts.confidence.map(|sure| format!(" {:.0} %", 100.0 * sure));
        parts.push(format!("→ {prediction}{}", sure.unwrap_or_default()));
    }
    parts.push(format!("degree {}", facts.degree));
    parts.join(" · ")
}

fn verdict(mix: &Mix, state: &State) -> Option<String> {
    let kind = state.graph.session.ready.as_ref()?.prepared.graph.labels().kind();
    let figure = mix.score?.headline(kind)?;
    Some(match mix.score {
        Some(Score::Numeric { .. }) => format!("R² {}", short(f64::from(figure))),
        _ if kind == LabelKind::Several => format!("micro-F1 {:.1} %", 100.0 * figure),
        _ => format!("accuracy {:.1} %", 100.0 * figure),
    })
}

fn in_a_line(mix: &Mix, state: &State) -> String {
    let mut parts = vec![format!("{} selected", mix.count)];
    parts.extend(verdict(mix, state));
    let name = |own: &LegendEntry| format!("{} {}", clipped(&own.name, 14), own.count);
    let names = mix.parts.iter().take(3).map(name);
    parts.extend(names);
    parts.join(" · ")
}

fn selection(state: &State, mix: &Mix, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, &format!("{} selected", mix.count), false, &state.look);
    let said = match verdict(mix, state) {
        Some(verdict) => format!(" {verdict}, {} test nodes", mix.test),
        None => " no test labels among them".to_owned(),
    };
    Writer::new(buffer, inside, 0, glyphs).put(&said, theme.text);
    let most = mix.parts.first().map_or(1, |own| own.count).max(1);
    let rows = usize::from(inside.height.saturating_sub(2));
    for (row, entry) in mix.parts.iter().take(rows).enumerate() {
        let count = entry.count;
        let (sign, style) = shown(entry.mark, Weight::FULL, &state.look);
        let mut writer = Writer::new(buffer, inside, row as u16 + 2, glyphs);
        writer.put(" ", theme.text).put(sign.encode_utf8(&mut [0; 4]), style);
        writer.put(&format!(" {:<12} ", clipped(&entry.name, 12)), theme.text);
        let length = (8 * count).div_ceil(most);
        writer.put(&glyphs.pick("=", "━").repeat(length), style);
        writer.right(&format!("{count} "), theme.faint);
    }
}
