//! Experiment 4: a set of numbers, its power sums, and what they say.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::cards::{Chosen, numbers};
use super::{Hits, polynomial, study};
use crate::lab::Lab;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short, split_columns, split_rows};

/// An error below this is rounding.
const ROUNDING: f64 = 1e-3;

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let small = area.height < 16 || area.width < 56;
    let in_groups = state.lab_view.cursor(lab) >= lab.theorem.numbers().len();
    if small {
        if in_groups {
            polynomial::draw(state, lab, buffer, area, hits);
        } else {
            let (upper, lower) = split_rows(area, area.height.saturating_sub(2));
            set(state, lab, buffer, upper, hits);
            study::brief(state, lab, buffer, lower);
        }
        return;
    }
    let below = if area.height >= 30 { 11 } else { 8 };
    let (upper, lower) = split_rows(area, area.height - below);
    let (left, right) = split_columns(upper, (upper.width * 9 / 20).clamp(38, 64));
    let title = format!("power sums and the {}", lab.theorem.target().name());
    let inside = card(buffer, left, &title, !in_groups, &state.look);
    set(state, lab, buffer, inside, hits);
    study::draw(state, lab, buffer, right, hits);
    let title = "two groups: the polynomial, three ways";
    let inside = card(buffer, lower, title, in_groups, &state.look);
    polynomial::draw(state, lab, buffer, inside, hits);
}

/// A number in as few letters as it takes.
pub(super) fn plain(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

fn power(k: usize) -> String {
    match k {
        1 => "Σx".to_owned(),
        2 => "Σx²".to_owned(),
        3 => "Σx³".to_owned(),
        _ => format!("Σx^{k}"),
    }
}

fn set(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let theorem = &lab.theorem;
    let texts: Vec<String> = theorem.numbers().iter().map(|x| plain(*x)).collect();
    let chosen = Chosen { cursor: Some(state.lab_view.cursor(lab)), held: None };
    // Boxes only where they leave room for the sums.
    let boxed = area.height >= 6 + theorem.sums().max(4) as u16;
    let (top, rest) = split_rows(area, if boxed { 3 } else { 1 });
    numbers(&state.look, buffer, top, (&texts, 0), chosen, hits);
    let sums = theorem.seen_sums();
    let room = usize::from(rest.height).saturating_sub(3).max(1);
    let shown = sums.len().min(room);
    for (at, sum) in sums.iter().enumerate().skip(sums.len() - shown) {
        let line = (at - (sums.len() - shown)) as u16;
        let mut writer = Writer::new(buffer, rest, line, glyphs);
        writer.put(&format!("{:<4} = ", power(at + 1)), theme.curves[0]);
        let terms: Vec<String> =
            theorem.numbers().iter().map(|x| plain(x.powi(at as i32 + 1))).collect();
        let long = terms.join(" + ").replace("+ -", "- ");
        let value = plain(*sum);
        if !terms.is_empty() && long.width() + value.width() + 4 <= writer.room() {
            writer.put(&format!("{long} = "), theme.faint);
        }
        writer.put(&value, theme.text);
    }
    let (_, rest) = split_rows(rest, shown as u16);
    said(state, lab, buffer, rest);
}

/// What the sums say, beside what is true.
fn said(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let theorem = &lab.theorem;
    let recovered = theorem.recovered();
    let real = recovered.farthest_from_real() < ROUNDING;
    let roots = recovered.numbers.iter().zip(&recovered.imaginary);
    let found: Vec<String> =
        roots.map(|(re, im)| root(*re, if real { 0.0 } else { *im })).collect();
    let (have, need) = (theorem.sums(), theorem.numbers().len());
    let enough = have >= need;
    let line = |buffer: &mut Buffer, at: u16, name: &str, text: &str, style| {
        let mut writer = Writer::new(buffer, area, at, glyphs);
        writer.put(&format!("{name:<10} "), theme.faint).put(text, style);
    };
    let heading = if enough {
        format!("{have} sums for {need} numbers: enough")
    } else {
        format!("{have} sums for {need} numbers: too few")
    };
    Writer::new(buffer, area, 0, glyphs)
        .put(&heading, if enough { theme.good } else { theme.warn });
    let with_roots = area.height >= 5 && !found.is_empty();
    if with_roots {
        let text = equation(&theorem.recovered().elementary);
        line(buffer, 1, "roots of", &text, theme.text);
    }
    let below = if with_roots { 2 } else { 1 };
    let list = clipped(&found.join(", "), usize::from(area.width).saturating_sub(11));
    line(buffer, below, "recovered", &list, theme.text);
    let target = theorem.target().name();
    let answer = match theorem.answer() {
        Some(_) if !real => "no real roots".to_owned(),
        answer => answer.map_or("-".to_owned(), plain),
    };
    let truth = theorem.truth().map_or("-".to_owned(), plain);
    let (mark, style) = match theorem.error() {
        Some(error) if error < ROUNDING => ("✓", theme.good),
        _ => ("✕", theme.bad),
    };
    let error = theorem.error().map_or("-".to_owned(), short);
    let mut writer = Writer::new(buffer, area, below + 1, glyphs);
    writer.put(&format!("{:<10} ", clipped(target, 10)), theme.faint);
    writer.put(&format!("{answer}, true {truth}, "), theme.text);
    writer.put(&format!("error {error} {mark}"), style);
}

/// A root, which may be no real number.
fn root(re: f64, im: f64) -> String {
    match im {
        im if im.abs() < ROUNDING => plain(re),
        im if im < 0.0 => format!("{} - {}i", plain(re), plain(-im)),
        im => format!("{} + {}i", plain(re), plain(im)),
    }
}

/// The polynomial whose roots are the numbers: tⁿ − e_1 tⁿ⁻¹ + e_2 tⁿ⁻² − …
fn equation(elementary: &[f64]) -> String {
    let power = |n: usize| match n {
        0 => String::new(),
        1 => "t".to_owned(),
        2 => "t²".to_owned(),
        3 => "t³".to_owned(),
        _ => format!("t^{n}"),
    };
    let mut text = power(elementary.len());
    for (at, e) in elementary.iter().enumerate() {
        let factor = if at % 2 == 0 { -e } else { *e };
        let shown = plain(factor.abs());
        if shown == "0" {
            continue;
        }
        let sign = if factor < 0.0 { '-' } else { '+' };
        let left = elementary.len() - at - 1;
        let shown = if shown == "1" && left > 0 { String::new() } else { shown };
        text = format!("{text} {sign} {shown}{}", power(left));
    }
    text
}
