//! Experiment 1: the neighbours as cards, and what four aggregators make of
//! them in the order they lie.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::bars::bar;
use super::cards::{Chosen, Face, figures, rows_wanted, sparks};
use super::{Hits, apart, cards};
use crate::lab::{Aggregator, Lab, Near, Shuffle};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, split_rows};

/// A difference below this is the rounding of an f32.
const ROUNDING: f32 = 1e-5;
/// Rows of an aggregator with a line for each of its numbers, and a gap.
const LONG: u16 = 6;

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let shuffle = &lab.shuffle;
    let count = shuffle.cards().len();
    let small = area.height < 16 || area.width < 56;
    let around = match (lab.near, state.lab_view.around_name()) {
        (Near::Neighbours, Some(name)) => format!("neighbours of {name}"),
        (Near::TwoHops, Some(name)) => format!("within two hops of {name}"),
        _ => "synthetic neighbours".to_owned(),
    };
    let (shuffles, swaps) = (shuffle.shuffles(), shuffle.swaps());
    let title = if small {
        format!("{} · {shuffles} shuffles · {swaps} swaps", clipped(&around, 18))
    } else {
        format!("{around} · shuffled {shuffles} × · swapped {swaps} ×")
    };
    let faces: Vec<Face> = faces(state, shuffle, area.height >= 50);
    let chosen = Chosen { cursor: Some(state.lab_view.cursor(lab)), held: state.lab_view.held };
    if small {
        let (head, rest) = split_rows(area, 1);
        Writer::new(buffer, head, 0, state.look.glyphs).put(&title, state.look.theme.text);
        let (upper, lower) = split_rows(rest, rest.height.saturating_sub(4).min(rest.height));
        cards::draw(&state.look, buffer, upper, (&faces, 0), chosen, hits);
        for (at, own) in Aggregator::ALL.into_iter().enumerate() {
            brief(state, shuffle, own, buffer, lower, at as u16);
        }
        return;
    }
    let lines = faces.first().map_or(0, |face| face.lines.len());
    let wanted = rows_wanted(count, area.width - 2, lines) + 2;
    let (upper, lower) = split_rows(area, wanted.min(area.height - 10));
    let inside = card(buffer, upper, &title, true, &state.look);
    cards::draw(&state.look, buffer, inside, (&faces, 0), chosen, hits);
    let title = "the same neighbours, four aggregators";
    let inside = card(buffer, lower, title, false, &state.look);
    let rows = match inside.height {
        height if height + 1 >= 4 * LONG => LONG,
        // Without the blank rows between them.
        height if height >= 4 * (LONG - 1) => LONG - 1,
        _ => 2,
    };
    let long = rows > 2;
    for (at, own) in Aggregator::ALL.into_iter().enumerate() {
        let (_, place) = split_rows(inside, at as u16 * rows);
        heading(state, shuffle, own, buffer, place);
        let (_, place) = split_rows(place, 1);
        if long {
            by_line(state, shuffle, own, buffer, place);
        } else {
            in_a_line(state, shuffle, own, buffer, place);
        }
    }
}

/// A colour for each card, so that the eye can follow it.
fn faces(state: &State, shuffle: &Shuffle, in_figures: bool) -> Vec<Face> {
    let colours = &state.look.theme.curves;
    let colour = |name: &str| {
        let sum: usize = name.bytes().map(usize::from).sum();
        colours[sum % colours.len()]
    };
    let lines = |vector: &[f32]| {
        if in_figures { figures(vector) } else { vec![sparks(&state.look, vector)] }
    };
    let face = |own: &crate::lab::Card| Face {
        name: own.name.clone(),
        lines: lines(&own.vector),
        style: colour(&own.name),
    };
    shuffle.cards().map(face).collect()
}

/// Whether an answer stood still, and how that is said.
fn verdict(state: &State, shuffle: &Shuffle, own: Aggregator) -> (&'static str, String, Style) {
    let theme = &state.look.theme;
    let off = shuffle.difference(own);
    if shuffle.same_bits(own) {
        ("✓", "same bits".to_owned(), theme.good)
    } else if off < ROUNDING {
        ("≈", format!("off by {}", apart(f64::from(off))), theme.warn)
    } else {
        ("✕", format!("changed by {}", apart(f64::from(off))), theme.bad)
    }
}

fn brief(
    state: &State,
    shuffle: &Shuffle,
    own: Aggregator,
    buffer: &mut Buffer,
    area: Rect,
    line: u16,
) {
    let theme = &state.look.theme;
    let (mark, said, style) = verdict(state, shuffle, own);
    let mut writer = Writer::new(buffer, area, line, state.look.glyphs);
    writer.put(&format!("{mark} "), style).put(&clipped(short_name(own), 14), theme.text);
    writer.go(area.x + 17).put(&said, style);
    writer.right(&format!(" max {}", apart(f64::from(shuffle.largest(own)))), theme.faint);
}

fn short_name(own: Aggregator) -> &'static str {
    match own {
        Aggregator::Set => "set function",
        Aggregator::RoundedSum => "rounded sum",
        Aggregator::Concatenation => "concatenation",
        Aggregator::Recurrent => "recurrent",
    }
}

/// The name, the formula with numbers in it, and the largest difference seen.
fn heading(state: &State, shuffle: &Shuffle, own: Aggregator, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (mark, _, style) = verdict(state, shuffle, own);
    let largest = format!("largest difference {}", apart(f64::from(shuffle.largest(own))));
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(&format!("{mark} "), style).put(short_name(own), theme.accent).put("  ", theme.text);
    let room = writer.room().saturating_sub(glyphs.text(&largest).width() + 2);
    writer.put(&with_numbers(shuffle, own, room), theme.text);
    writer.right(&largest, style);
}

/// The formula with what is in it now, in at most so many columns.
fn with_numbers(shuffle: &Shuffle, own: Aggregator, room: usize) -> String {
    let fill = |before: &str, parts: &mut dyn Iterator<Item = String>, after: &str| {
        let spare = room.saturating_sub(before.width() + after.width() + 2);
        let mut text = String::new();
        for part in parts {
            if text.width() + part.width() > spare {
                text.push_str(" …");
                break;
            }
            text.push_str(&part);
        }
        clipped(&format!("{before}{text}{after}"), room)
    };
    let messages = shuffle.messages();
    let mut firsts = messages.iter().filter_map(|own| own.first()).map(|x| format!("{x:+.1}"));
    let sum = |sum: Vec<f32>| sum.first().copied().unwrap_or(0.0);
    match own {
        Aggregator::Set => {
            fill("φ( Σψ = ", &mut firsts, &format!(" = {:.7} )", sum(shuffle.exact_sum())))
        }
        Aggregator::RoundedSum => {
            fill("φ( ((", &mut firsts, &format!(" = {:.7} )", sum(shuffle.rounded_sum())))
        }
        Aggregator::Concatenation => {
            let each = shuffle.cards().flat_map(|own| own.vector.clone());
            fill("tanh( W [", &mut each.map(|x| format!("{x:+.1}")), "] )")
        }
        Aggregator::Recurrent => {
            let names = shuffle.cards().enumerate().map(|(at, own)| {
                let arrow = if at == 0 { "" } else { " → " };
                format!("{arrow}{}", clipped(&own.name, 9))
            });
            fill("GRU: ", &mut names.into_iter(), "")
        }
    }
}

/// All numbers of an answer in one line, and the bits of the first.
fn in_a_line(state: &State, shuffle: &Shuffle, own: Aggregator, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let (_, said, style) = verdict(state, shuffle, own);
    let (now, first) = (shuffle.output(own), shuffle.first(own));
    let each = 13.min(area.width.saturating_sub(18) / 4);
    for (at, (value, before)) in now.iter().zip(first).enumerate() {
        let x = area.x + 2 + at as u16 * each;
        let pair = (f64::from(*value), f64::from(*before));
        let half = if each >= 13 { 3 } else { 0 };
        if half > 0 && area.height > 0 {
            bar(&state.look, buffer, (x, area.y), half, pair, style);
        }
        let bars = if half > 0 { 2 * half + 1 } else { 0 };
        let mut writer = Writer::new(buffer, area, 0, state.look.glyphs);
        writer.go(x + bars).put(&format!("{value:+.2}"), theme.text);
    }
    let mut writer = Writer::new(buffer, area, 0, state.look.glyphs);
    writer.go(area.x + 2 + 4 * each);
    let bits = now.first().map_or(0, |value| value.to_bits());
    writer.put(&format!("{bits:08x}"), theme.faint);
    writer.right(&format!(" {said}"), style);
}

/// A line for each number of an answer, with its bits.
fn by_line(state: &State, shuffle: &Shuffle, own: Aggregator, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let (_, said, style) = verdict(state, shuffle, own);
    let half = area.width.saturating_sub(56).min(80) / 2;
    for (at, (value, before)) in shuffle.output(own).iter().zip(shuffle.first(own)).enumerate() {
        if at as u16 >= area.height {
            return;
        }
        let y = area.y + at as u16;
        let pair = (f64::from(*value), f64::from(*before));
        bar(&state.look, buffer, (area.x + 2, y), half, pair, style);
        let mut writer = Writer::new(buffer, area, at as u16, state.look.glyphs);
        writer.go(area.x + 4 + 2 * half).put(&format!("{value:+.8}  "), theme.text);
        let same = value.to_bits() == before.to_bits();
        let bits = if same { theme.faint } else { style };
        writer.put(&format!("{:08x}", value.to_bits()), bits);
        let was = if same { String::new() } else { format!("  was {before:+.8}") };
        let told = if at == 0 { said.as_str() } else { "" };
        // What it moved by matters more than what it was.
        if was.width() + told.width() < writer.room() {
            writer.put(&was, theme.faint);
        }
        writer.right(told, style);
    }
}
