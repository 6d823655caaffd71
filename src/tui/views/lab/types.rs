//! Experiment 2: one row of cards a type, and the answer with types and
//! without.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::bars::bar;
use super::cards::{Chosen, Face, sparks};
use super::{Hits, apart, cards};
use crate::graph::TypeId;
use crate::lab::{Collapse, Lab, Types};
use crate::tui::glyphs::Shape;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, split_rows, wrapped};

/// Shapes that say of which type a card is, without colour.
const SHAPES: [Shape; 5] =
    [Shape::Dot, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Cross];
/// Rows of the answers with what they mean.
const ANSWERS: u16 = 8;

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let types = &lab.types;
    let small = area.height < 16 || area.width < 56;
    let rows: Vec<TypeId> = rows(types);
    let each = if small { 2 } else { 5 };
    let answers = if small {
        area.height.saturating_sub(rows.len() as u16 * each).clamp(3, 5)
    } else {
        // Where there is room, each number has a line of its own.
        ANSWERS + u16::from(area.height >= 26) * 6
    };
    let room = area.height.saturating_sub(answers);
    // No more than the cards need; what is left goes to the answers.
    let wanted = if small { room } else { 2 + rows.len() as u16 * each };
    let (upper, lower) = split_rows(area, room.min(wanted));
    let around = state.lab_view.around_name().filter(|_| own_types(state));
    let title = around.map_or("synthetic neighbours of two types".to_owned(), |name| {
        format!("neighbourhood of {name}")
    });
    let inside = if small { upper } else { card(buffer, upper, &title, true, &state.look) };
    let height = (inside.height / rows.len().max(1) as u16).clamp(1, 7);
    let mut first = 0;
    for (at, row) in rows.iter().enumerate() {
        let (_, place) = split_rows(inside, at as u16 * height);
        let (place, _) = split_rows(place, height);
        let faces = faces(state, types, *row);
        let chosen = Chosen { cursor: Some(state.lab_view.cursor(lab)), held: state.lab_view.held };
        row_heading(state, types, *row, at, buffer, place);
        let (_, place) = split_rows(place, 1);
        cards::draw(&state.look, buffer, place, (&faces, first), chosen, hits);
        first += faces.len();
    }
    if small {
        brief(state, types, buffer, lower);
    } else {
        answer(state, types, buffer, lower);
    }
}

/// Whether the types are those of the graph that is open.
fn own_types(state: &State) -> bool {
    let ready = state.graph.session.ready.as_ref();
    ready.is_some_and(|ready| ready.prepared.graph.types().count() > 1)
}

fn rows(types: &Types) -> Vec<TypeId> {
    let mut rows: Vec<TypeId> = types.places().map(|(row, _)| row).collect();
    rows.dedup();
    rows
}

fn name(types: &Types, kind: TypeId) -> &str {
    types.names().get(kind.index()).map_or("", String::as_str)
}

fn row_heading(
    state: &State,
    types: &Types,
    row: TypeId,
    at: usize,
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let shape = glyphs.shape(SHAPES[row.index() % SHAPES.len()]);
    let style = theme.curves[row.index() % theme.curves.len()];
    let reader = if types.are_ignored() { "ψ".to_owned() } else { format!("ψ_{}", at + 1) };
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(&format!("{shape} {}", name(types, row)), style);
    writer.put(&format!("  mapped by {reader}"), theme.faint);
}

fn faces(state: &State, types: &Types, row: TypeId) -> Vec<Face> {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let own = types.places().filter(|(place, _)| *place == row);
    own.map(|(_, card)| {
        let shape = glyphs.shape(SHAPES[card.kind.index() % SHAPES.len()]);
        Face {
            name: format!("{shape} {}", card.name),
            lines: vec![sparks(&state.look, &card.vector)],
            style: theme.curves[card.kind.index() % theme.curves.len()],
        }
    })
    .collect()
}

fn brief(state: &State, types: &Types, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let Collapse { strangers, typed, merged } = types.collapse();
    for (line, (label, off, own)) in
        [("with types", typed, false), ("types ignored", merged, true)].into_iter().enumerate()
    {
        let mut writer = Writer::new(buffer, area, line as u16, state.look.glyphs);
        let here = if types.are_ignored() == own { ">" } else { " " };
        let (mark, style) = if off == 0.0 { ("✓", theme.good) } else { ("✕", theme.bad) };
        writer.put(&format!("{here} {mark} {label:<14}"), style);
        writer.put(&format!("changed by {}", apart(f64::from(off))), theme.text);
    }
    let said = meaning(strangers, typed, merged);
    for (at, line) in wrapped(&said, usize::from(area.width)).iter().enumerate() {
        Writer::new(buffer, area, 2 + at as u16, state.look.glyphs).put(line, theme.faint);
    }
}

fn answer(state: &State, types: &Types, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let inside = card(buffer, area, "output with and without types", false, &state.look);
    let Collapse { strangers, typed, merged } = types.collapse();
    let long = inside.height >= 12;
    let rows = if inside.height >= 14 { 6 } else { 2 + 3 * u16::from(long) };
    let (now, first) = (types.now(), types.first());
    let each = [
        (false, formula(types), &now.typed, &first.typed, typed),
        (true, merged_formula(types), &now.merged, &first.merged, merged),
    ];
    for (at, (ignored, formula, now, first, off)) in each.into_iter().enumerate() {
        let (_, place) = split_rows(inside, at as u16 * rows);
        let own = types.are_ignored() == ignored;
        let style = if off == 0.0 { theme.good } else { theme.bad };
        let label = if ignored { "types ignored" } else { "one ψ per type" };
        let mark = if off == 0.0 { "✓" } else { "✕" };
        let said = if off == 0.0 {
            "unchanged, bit for bit".to_owned()
        } else {
            format!("changed by {}", apart(f64::from(off)))
        };
        let mut writer = Writer::new(buffer, place, 0, state.look.glyphs);
        let here = state.look.glyphs.pick(">", "▸");
        writer.put(if own { here } else { " " }, theme.accent);
        writer.put(&format!("{mark} "), style);
        writer.put(&format!("{label}  "), if own { theme.accent } else { theme.text });
        let room = writer.room().saturating_sub(said.width() + 2);
        writer.put(&clipped(&formula, room), theme.text);
        writer.right(&said, style);
        let (_, place) = split_rows(place, 1);
        values(state, (now, first), long, buffer, place);
    }
    let (_, place) = split_rows(inside, 2 * rows);
    let said = meaning(strangers, typed, merged);
    let style = if strangers > 0 { theme.warn } else { theme.faint };
    for (at, line) in wrapped(&said, usize::from(place.width)).iter().enumerate() {
        Writer::new(buffer, place, at as u16, state.look.glyphs).put(line, style);
    }
}

/// Which card goes through which ψ, by name.
fn formula(types: &Types) -> String {
    let group = |(at, row): (usize, TypeId)| {
        let own = types.places().filter(|(place, _)| *place == row);
        let names: Vec<String> =
            own.map(|(_, card)| clipped(&card.name, 6).trim_end_matches('…').to_owned()).collect();
        format!("Σψ_{}({})", at + 1, names.join(" "))
    };
    let groups: Vec<String> = rows(types).into_iter().enumerate().map(group).collect();
    format!("φ( {} )", groups.join(" ‖ "))
}

fn merged_formula(types: &Types) -> String {
    format!("φ( Σ ψ(x) over all {} )", types.places().len())
}

fn values(
    state: &State,
    (now, first): (&[f32], &[f32]),
    long: bool,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = &state.look.theme;
    for (at, (value, before)) in now.iter().zip(first).enumerate() {
        let same = value.to_bits() == before.to_bits();
        let style = if same { theme.good } else { theme.bad };
        let pair = (f64::from(*value), f64::from(*before));
        let (x, line) =
            if long { (area.x + 2, at as u16) } else { (area.x + 2 + at as u16 * 19, 0) };
        let half = if long { area.width.saturating_sub(50).min(60) / 2 } else { 5 };
        if line >= area.height || x + 2 * half + 7 > area.right() {
            return;
        }
        bar(&state.look, buffer, (x, area.y + line), half, pair, style);
        let mut writer = Writer::new(buffer, area, line, state.look.glyphs);
        writer.go(x + 2 * half + 1);
        if long {
            writer.put(&format!("  {value:+.8}  {:08x}", value.to_bits()), theme.text);
            if !same {
                writer.put(&format!("  initially {before:+.5}"), theme.faint);
            }
        } else {
            writer.put(&format!("{value:+.3}"), theme.text);
        }
    }
}

/// What is to be seen now, in a sentence or two.
fn meaning(strangers: usize, typed: f32, merged: f32) -> String {
    match (strangers, typed == 0.0, merged == 0.0) {
        (0, true, _) => "Order within a type has no effect: swap two of a row, no bit changes. \
                         Then swap two of different rows."
            .to_owned(),
        (0, false, _) => "Every card is in a row of its own type.".to_owned(),
        (_, false, true) => format!(
            "{strangers} cards are in a row of another type: a different neighbourhood, and types \
             show it. Without types both give the same output."
        ),
        _ => format!("{strangers} cards are in a row of another type: a different neighbourhood."),
    }
}
