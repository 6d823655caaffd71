//! What stands around the curve of the filter: the energy of the labels behind it, the
//! eigenvalues on it, their density beneath it, and shade where there are none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::train::Snapshot;
use crate::tui::drawing::{Drawings, Ink, Pattern, Shape};
use crate::tui::filter::{BINS, FilterFacts, rho};
use crate::tui::glyphs::{Glyphs, Shape as Sign};
use crate::tui::label_energy::EnergyOf;
use crate::tui::state::State;
use crate::tui::widgets::{Canvas, Plot, Writer, short};

/// The share of the plot's height that the highest column of energy takes.
const ENERGY: f64 = 0.7;

/// Shades the columns without eigenvalues.
pub(super) fn shade(state: &State, plot: &Plot, measured: &[bool], buffer: &mut Buffer) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    // Where there is no colour, a pattern says the same.
    let sign = if theme.shade.bg.is_some() { None } else { Some(glyphs.pick("/", "░")) };
    for (x, _) in (plot.area.x..).zip(measured).filter(|(_, measured)| !**measured) {
        for y in plot.area.y..plot.area.bottom() {
            let cell = &mut buffer[(x, y)];
            cell.set_style(theme.shade);
            if let Some(sign) = sign.filter(|_| glyphs != Glyphs::Ascii || (x + 2 * y) % 4 == 0) {
                cell.set_symbol(sign);
            }
        }
    }
}

/// The energy of the labels as columns behind the curve.
pub(super) fn energy(state: &State, plot: &Plot, s_at: &dyn Fn(u16) -> f64, canvas: &mut Canvas) {
    let Some(found) = &state.graph.label_energy.found else { return };
    let bins = found.bins(state.graph.filter.energy);
    if bins.is_empty() {
        return;
    }
    let theme = &state.look.theme;
    let test = state.graph.filter.energy == EnergyOf::Test;
    let style = if test { theme.selection.patch(theme.warn) } else { theme.ghost };
    for x in 0..plot.area.width {
        let place = f64::midpoint(s_at(plot.area.x + x), 1.0) * BINS as f64;
        let bin = bins[(place.max(0.0) as usize).min(bins.len() - 1)];
        canvas.column(x, bin * ENERGY, style);
    }
}

/// Says once what the shade means, in the widest shaded stretch, where no curve is.
pub(super) fn say_unmeasured(state: &State, plot: &Plot, measured: &[bool], buffer: &mut Buffer) {
    let mut widest = (0, 0);
    let mut start = 0;
    for (at, seen) in measured.iter().chain([&true]).enumerate() {
        if *seen {
            if at - start > widest.1 - widest.0 {
                widest = (start, at);
            }
            start = at + 1;
        }
    }
    let text = " no eigenvalues here ";
    let width = widest.1 - widest.0;
    if width >= text.len() + 2 {
        let x = plot.area.x + (widest.0 + (width - text.len()) / 2) as u16;
        let room = Rect { x, width: text.len() as u16, ..plot.area };
        let curve = |symbol: &str| {
            symbol.chars().any(|c| ('\u{2800}'..='\u{28ff}').contains(&c))
                || !matches!(symbol, " " | "." | "·" | "░")
        };
        let free = |row: &u16| {
            let y = plot.area.y + row;
            (room.x..room.right()).all(|x| !curve(buffer[(x, y)].symbol()))
        };
        if let Some(row) = (0..plot.area.height).rev().skip(1).find(free) {
            Writer::new(buffer, room, row, state.look.glyphs).put(text, state.look.theme.faint);
        }
    }
}

/// A dot on the curve at each real eigenvalue; larger where there are more.
pub(super) fn dots(
    state: &State,
    facts: &FilterFacts,
    snapshot: &Snapshot,
    plot: &Plot,
    shown_at: &dyn Fn(f64) -> f64,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let glyphs = state.look.glyphs;
    let mut counts = std::collections::BTreeMap::new();
    for value in &facts.values {
        let (across, up) = (shown_at(value.s), rho(&snapshot.curve, value.s));
        if let (Some(x), Some(y)) = (plot.column(across), plot.row(up)) {
            let known = counts.entry((x, y)).or_insert((0_usize, plot.point(across, up)));
            known.0 += value.count;
        }
    }
    for ((x, y), (count, at)) in counts {
        if glyphs == Glyphs::Pixel {
            let radius = match count {
                1 => 0.2,
                2..=4 => 0.3,
                _ => 0.42,
            };
            let ink = Ink { style: state.look.theme.curves[3], behind: false };
            let mark = Shape::Mark { at, sign: Sign::Dot, radius, ink };
            drawings.over(plot.area, mark, glyphs, buffer);
            continue;
        }
        let sign = match count {
            1 => glyphs.pick('.', '∙'),
            2..=4 => glyphs.pick('o', '•'),
            _ => glyphs.pick('O', '●'),
        };
        buffer[(x, y)].set_char(sign).set_style(state.look.theme.curves[3]);
    }
}

/// The cursor: a line, and a ring on the curve.
pub(super) fn cursor(
    state: &State,
    plot: &Plot,
    (across, up): (f64, f64),
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let (style, glyphs) = (state.look.theme.accent, state.look.glyphs);
    let Some(column) = plot.column(across) else { return };
    plot.upright_line(across, (Pattern::Solid, style), glyphs, buffer, drawings);
    let Some(row) = plot.row(up) else { return };
    if glyphs == Glyphs::Pixel {
        let ring = (plot.point(across, up), Sign::Ring);
        drawings.sign(plot.area, ring, style, glyphs, buffer);
    } else {
        buffer[(column, row)].set_char(glyphs.pick('@', '◉')).set_style(style);
    }
}

/// How many eigenvalues there are, in columns beneath the plot.
pub(super) fn density(
    state: &State,
    facts: &FilterFacts,
    plot: &Plot,
    s_at: &dyn Fn(u16) -> f64,
    rows: u16,
    buffer: &mut Buffer,
) {
    if rows == 0 || !facts.counted {
        return;
    }
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let width = plot.area.width;
    let half = (plot.across.high() - plot.across.low()).abs() / f64::from(width.max(1)) / 2.0;
    let height = |column: u16| {
        let s = s_at(column);
        let bin = |s: f64| (f64::midpoint(s, 1.0) * BINS as f64).clamp(0.0, BINS as f64 - 1.0);
        let (low, high) = (bin(s - half) as usize, bin(s + half) as usize);
        let parts = &facts.counts[low..=high];
        (parts.iter().sum::<f64>() / parts.len() as f64).sqrt()
    };
    let heights: Vec<f64> = (plot.area.x..plot.area.right()).map(height).collect();
    let most = heights.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    for (x, height) in (plot.area.x..).zip(&heights) {
        let eighths = (height / most * f64::from(rows) * 8.0).round() as usize;
        for row in 0..rows {
            let below = usize::from(rows - 1 - row) * 8;
            let part = eighths.saturating_sub(below).min(8);
            if part > 0 {
                let y = plot.area.bottom() + row;
                buffer[(x, y)].set_char(glyphs.column(part)).set_style(theme.curves[4]);
            }
        }
    }
    let label = if facts.estimated { "≈ √n" } else { "√n" };
    let place = Rect {
        x: plot.area.x.saturating_sub(7),
        y: plot.area.bottom() + rows - 1,
        width: 6,
        height: 1,
    };
    Writer::new(buffer, place, 0, glyphs).put(label, theme.faint);
}

pub(super) fn numbers(state: &State, plot: &Plot, y: u16, buffer: &mut Buffer) {
    let mut free = 0;
    for tick in plot.across.ticks(usize::from(plot.area.width / 10).clamp(2, 12)) {
        let Some(x) = plot.column(tick) else { continue };
        let text = short(tick);
        let width = text.len() as u16;
        let start = x.saturating_sub(width / 2).min(plot.area.right().saturating_sub(width));
        if start >= free {
            buffer.set_string(start, y, &text, state.look.theme.faint);
            free = start + width + 2;
        }
    }
}
