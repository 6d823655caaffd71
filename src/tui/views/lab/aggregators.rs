//! Experiment 3: two neighbourhoods of numbers, and who can tell them apart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::Hits;
use super::cards::{Chosen, numbers};
use crate::lab::{Lab, MultisetAggregator, Multisets, PAIRS, PairVerdict, Side};
use crate::tui::lab::slots;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, split_columns, split_rows, wrapped};

/// Rows of the two neighbourhoods, of the table, and of the known pairs.
const HANDS: u16 = 5;
const TABLE: u16 = 9;
const KNOWN: u16 = 8;

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let sets = &lab.multisets;
    let small = area.height < 16 || area.width < 56;
    if small {
        let (hands, rest) = split_rows(area, 2);
        for (line, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            let (_, place) = split_rows(hands, line as u16);
            let name = if side == Side::Left { "left  " } else { "right " };
            Writer::new(buffer, place, 0, state.look.glyphs).put(name, state.look.theme.faint);
            let place = Rect { height: 1, ..split_columns(place, 6).1 };
            hand(state, lab, side, buffer, place, hits);
        }
        let (table, below) = split_rows(rest, 6);
        rows(state, sets, buffer, table);
        verdict(state, sets, buffer, below);
        return;
    }
    let (hands, rest) = split_rows(area, HANDS);
    let (left, right) = split_columns(hands, hands.width / 2);
    for (side, place, name) in [(Side::Left, left, "left"), (Side::Right, right, "right")] {
        let members = sets.side(side).len();
        let here = slots(sets).get(state.lab_view.cursor(lab)).is_some_and(|own| own.0 == side);
        let inside =
            card(buffer, place, &format!("{name} · {members} neighbours"), here, &state.look);
        hand(state, lab, side, buffer, inside, hits);
    }
    let (table, below) = split_rows(rest, TABLE);
    let inside = card(buffer, table, "what separates left from right?", false, &state.look);
    head(state, inside, buffer);
    rows(state, sets, buffer, split_rows(inside, 1).1);
    let tall = below.height >= KNOWN + 5;
    let (judged, known) = split_rows(below, if tall { below.height - KNOWN } else { below.height });
    let title = "challenge: find two different neighbourhoods with equal sums";
    let (judged, _) = split_rows(judged, 7);
    let inside = card(buffer, judged, title, false, &state.look);
    verdict(state, sets, buffer, inside);
    if tall {
        let known = Rect { y: judged.bottom(), ..known };
        pairs(state, buffer, known);
    }
}

fn hand(state: &State, lab: &Lab, side: Side, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let places = slots(&lab.multisets);
    let first = places.iter().position(|own| own.0 == side).unwrap_or(0);
    let members = lab.multisets.side(side);
    let texts: Vec<String> = if members.is_empty() {
        vec![" ".to_owned()]
    } else {
        members.iter().map(i64::to_string).collect()
    };
    let chosen = Chosen { cursor: Some(state.lab_view.cursor(lab)), held: None };
    numbers(&state.look, buffer, area, (&texts, first), chosen, hits);
}

/// Where the columns of the table begin.
fn columns(area: Rect) -> [u16; 3] {
    let name = if area.width >= 56 { 21 } else { 14 };
    let each = area.width.saturating_sub(name + 11) / 2;
    [area.x + name, area.x + name + each, area.x + name + 2 * each]
}

fn head(state: &State, area: Rect, buffer: &mut Buffer) {
    let [left, right, told] = columns(area);
    let mut writer = Writer::new(buffer, area, 0, state.look.glyphs);
    let style = state.look.theme.faint;
    writer.put("aggregator", style).go(left).put("left", style).go(right).put("right", style);
    writer.go(told).put("separates?", style);
}

fn rows(state: &State, sets: &Multisets, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let [left, right, told] = columns(area);
    let roomy = area.width >= 56;
    for (line, own) in MultisetAggregator::ALL.into_iter().enumerate() {
        let mut writer = Writer::new(buffer, area, line as u16, state.look.glyphs);
        writer.put(if roomy { long_name(own) } else { short_name(own) }, theme.text);
        let room = usize::from(right - left).saturating_sub(1);
        let side = |side| clipped(&worked(own, sets.side(side), room), room);
        writer.go(left).put(&side(Side::Left), theme.text);
        writer.go(right).put(&side(Side::Right), theme.text);
        let (said, style) = told_apart(state, sets, own);
        writer.go(told).put(said, style);
    }
}

fn told_apart(state: &State, sets: &Multisets, own: MultisetAggregator) -> (&'static str, Style) {
    let theme = &state.look.theme;
    if sets.verdict() == PairVerdict::Same {
        ("  same", theme.faint)
    } else if sets.separates(own) {
        ("✓ yes", theme.good)
    } else {
        ("✕ fooled", theme.bad)
    }
}

fn long_name(own: MultisetAggregator) -> &'static str {
    match own {
        MultisetAggregator::Sum => "sum  Σ x",
        MultisetAggregator::Mean => "mean  Σ x / n",
        MultisetAggregator::Max => "max",
        MultisetAggregator::Squares => "Σ ψ(x), ψ = (x, x²)",
        MultisetAggregator::Cubes => "Σ (x, x², x³)",
        MultisetAggregator::OneHot => "Σ one-hot(x)",
    }
}

fn short_name(own: MultisetAggregator) -> &'static str {
    match own {
        MultisetAggregator::Sum => "sum",
        MultisetAggregator::Mean => "mean",
        MultisetAggregator::Max => "max",
        MultisetAggregator::Squares => "Σ (x, x²)",
        MultisetAggregator::Cubes => "Σ to x³",
        MultisetAggregator::OneHot => "Σ one-hot",
    }
}

/// The aggregator with the numbers in it, or what it gives where that is too
/// long.
fn worked(own: MultisetAggregator, members: &[i64], room: usize) -> String {
    let result = match own {
        MultisetAggregator::OneHot => {
            let counts = own.of(members);
            let gap = if counts.iter().any(|count| *count > 9) { "," } else { "" };
            counts.iter().map(i64::to_string).collect::<Vec<_>>().join(gap)
        }
        _ => own.shown(members).replace(", ", ","),
    };
    if members.is_empty() {
        return result;
    }
    let joined = |by: &str| members.iter().map(i64::to_string).collect::<Vec<_>>().join(by);
    let long = match own {
        MultisetAggregator::Sum => format!("{} = {result}", joined("+")),
        MultisetAggregator::Mean => format!("({})/{} = {result}", joined("+"), members.len()),
        MultisetAggregator::Max => format!("max({}) = {result}", joined(",")),
        MultisetAggregator::Squares => {
            let squares: Vec<String> = members.iter().map(|x| (x * x).to_string()).collect();
            format!("({}, {}) = {result}", joined("+"), squares.join("+"))
        }
        MultisetAggregator::Cubes | MultisetAggregator::OneHot => result.clone(),
    };
    if long.width() <= room { long } else { result }
}

fn verdict(state: &State, sets: &Multisets, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let (said, style) = match sets.verdict() {
        PairVerdict::Same => {
            ("Both are the same multiset in a different order. Change one of them.", theme.faint)
        }
        PairVerdict::SumTells => {
            ("They differ, and so do the sums. Change one until both sums are equal.", theme.text)
        }
        PairVerdict::SumFooled => (
            "✓ Done: the sum is fooled. But ψ(x) = (x, x²) separates them, which is why the \
             model learns a ψ before summing. Can you fool that as well?",
            theme.good,
        ),
        PairVerdict::SquaresFooled => (
            "✓✓ Even (x, x²) is fooled. One-hot never is: with a rich ψ the sum loses nothing.",
            theme.good,
        ),
    };
    for (line, text) in wrapped(said, usize::from(area.width)).iter().enumerate() {
        Writer::new(buffer, area, line as u16, state.look.glyphs).put(text, style);
    }
}

/// Neighbourhoods worth knowing, and who tells them apart.
fn pairs(state: &State, buffer: &mut Buffer, area: Rect) {
    let theme = &state.look.theme;
    let inside = card(buffer, area, "example pairs", false, &state.look);
    let marks = inside.right().saturating_sub(44).max(inside.x + 30);
    let mut writer = Writer::new(buffer, inside, 0, state.look.glyphs);
    for (at, own) in MultisetAggregator::ALL.into_iter().enumerate() {
        let name = match own {
            MultisetAggregator::Squares => "x, x²",
            MultisetAggregator::Cubes => "to x³",
            MultisetAggregator::OneHot => "one-hot",
            other => other.name(),
        };
        writer.go(marks + 7 * at as u16).put(name, theme.faint);
    }
    for (line, (name, left, right)) in PAIRS.into_iter().enumerate() {
        let mut writer = Writer::new(buffer, inside, line as u16 + 1, state.look.glyphs);
        let list = |own: &[i64]| own.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let here = state.lab_view.pair == Some(line);
        let style = if here { theme.accent } else { theme.text };
        writer.put(if here { "> " } else { "  " }, style);
        writer.put(&format!("{{{}}} {{{}}}", list(left), list(right)), style);
        if inside.width >= 100 {
            writer.go(inside.x + 26).put(name, theme.faint);
        }
        for (at, own) in MultisetAggregator::ALL.into_iter().enumerate() {
            let (mark, style) =
                if own.separates(left, right) { ("✓", theme.good) } else { ("✕", theme.bad) };
            writer.go(marks + 7 * at as u16).put(mark, style);
        }
    }
}
