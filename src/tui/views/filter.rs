//! The learned filter: ρ over σ with the real eigenvalues on it, their density
//! beneath, and shade where nothing was measured.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hits, hop_bars};
use crate::model::fixed;
use crate::train::Snapshot;
use crate::tui::filter::{BINS, FilterFacts, REFERENCES, rho};
use crate::tui::glyphs::Glyphs;
use crate::tui::state::State;
use crate::tui::widgets::{
    AxisScale, Canvas, Pattern, Plot, Scale, Writer, card, short, split_columns, split_rows,
};

/// Columns of the cards at the side.
const SIDE: u16 = 38;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (Some(facts), Some(snapshot)) = (&state.graph.facts, &state.graph.session.snapshot) else {
        return;
    };
    let hops = state.graph.filter.hops && !state.projector.on;
    let beside = area.width >= 96 && hops;
    let below = !beside && area.height >= 26 && hops;
    let (main, side) = if beside {
        let (main, side) = split_columns(area, area.width - SIDE);
        (main, Some(side))
    } else if below {
        let (main, side) = split_rows(area, area.height - 11);
        (main, Some(side))
    } else {
        (area, None)
    };
    response(state, facts, snapshot, buffer, main, hits);
    if let Some(side) = side {
        hop_bars::draw(state, facts, snapshot, buffer, side);
    }
}

/// The axis with what its ends mean, where there is room for that.
fn title(state: &State, snapshot: &Snapshot, width: u16) -> String {
    let (axis, ends) = if state.graph.filter.frequency {
        ("frequency 1 − s", "smooth … alternating")
    } else {
        ("s = σ / max|σ|", "alternating … smooth")
    };
    let ends = if width >= 70 { format!(" · {ends}") } else { String::new() };
    format!("ρ over {axis} · epoch {}{ends}", snapshot.scalars.epoch)
}

fn response(
    state: &State,
    facts: &FilterFacts,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let title = title(state, snapshot, area.width);
    let inside = card(buffer, area, &title, true, &state.look);
    let legend = keys(state, facts, snapshot, buffer, inside);
    let dense = if inside.height >= 14 { 3 } else { u16::from(inside.height >= 9) };
    let room = Rect {
        y: inside.y + legend,
        height: inside.height.saturating_sub(legend + dense + 1),
        ..inside
    };
    if room.height < 3 || room.width < 16 {
        return;
    }
    let view = state.graph.filter.window;
    let up = range(state, snapshot, view);
    let mirrored = state.graph.filter.frequency;
    let across = if mirrored {
        Scale::new(1.0 - view.1, 1.0 - view.0, AxisScale::Linear)
    } else {
        Scale::new(view.0, view.1, AxisScale::Linear)
    };
    let plot = Plot::with_axes(buffer, room, across, up, false, &state.look);
    // The mouse asks for s, whatever the axis shows.
    let in_s = Plot { across: Scale::new(view.0, view.1, AxisScale::Linear), ..plot };
    hits.add_plot(in_s, mirrored);
    let place = |s: f64| plot.column(if mirrored { 1.0 - s } else { s });
    let s_at = |column: u16| {
        let value = plot.value_at(column);
        if mirrored { 1.0 - value } else { value }
    };
    let half = (view.1 - view.0) / f64::from(plot.area.width.max(1)) / 2.0;
    let measured: Vec<bool> = (plot.area.x..plot.area.right())
        .map(|column| facts.is_measured(s_at(column), half))
        .collect();
    zero_line(state, &plot, buffer);
    // Where there is no colour, a pattern says the same.
    let sign = if theme.shade.bg.is_some() { None } else { Some(glyphs.pick("/", "░")) };
    for (x, _) in (plot.area.x..).zip(&measured).filter(|(_, measured)| !**measured) {
        for y in plot.area.y..plot.area.bottom() {
            let cell = &mut buffer[(x, y)];
            cell.set_style(theme.shade);
            if let Some(sign) = sign.filter(|_| glyphs != Glyphs::Ascii || (x + 2 * y) % 4 == 0) {
                cell.set_symbol(sign);
            }
        }
    }
    let mut canvas = Canvas::new(plot.area, glyphs).with_pen(state.projector.on);
    let line = |canvas: &mut Canvas,
                at: &dyn Fn(f64) -> f64,
                style: Style,
                pattern: Pattern,
                only: bool| {
        let (width, height) = (canvas.width(), canvas.height());
        canvas.lift();
        let mut before: Option<(i64, i64)> = None;
        for x in 0..width {
            let share = x as f64 / (width - 1).max(1) as f64;
            let value = plot.across.value(share);
            let s = if mirrored { 1.0 - value } else { value };
            let cell = (x / glyphs.dots().0).min(measured.len() - 1);
            if only && !measured[cell] {
                before = None;
                continue;
            }
            let up = plot.up.share(at(s)).clamp(-1.0, 2.0);
            let here = (x as i64, ((1.0 - up) * (height - 1) as f64).round() as i64);
            canvas.line(before.unwrap_or(here), here, style, pattern);
            before = Some(here);
        }
    };
    if state.graph.filter.ghosts {
        for ghost in &state.graph.session.filter_ghosts {
            line(&mut canvas, &|s| rho(&ghost.curve, s), theme.ghost, Pattern::Dotted, false);
        }
    }
    if let Some((_, shape)) =
        state.graph.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at))
    {
        let curve = fixed(*shape);
        line(&mut canvas, &|s| curve(s), theme.curves[1], Pattern::Dashed, false);
    }
    let own = theme.curves[0];
    line(&mut canvas, &|s| rho(&snapshot.curve, s), own, Pattern::Dotted, false);
    line(&mut canvas, &|s| rho(&snapshot.curve, s), own, Pattern::Solid, true);
    canvas.draw(buffer);
    dots(state, facts, snapshot, &plot, &place, buffer);
    say_unmeasured(state, &plot, &measured, buffer);
    if let Some(value) = state.graph.filter.cursor.and_then(|at| facts.values.get(at))
        && let Some(column) = place(value.s)
    {
        plot.upright_line(buffer, column, glyphs.pick("|", "│"), theme.accent);
        if let Some(row) = plot.row(rho(&snapshot.curve, value.s)) {
            buffer[(column, row)].set_char(glyphs.pick('@', '◉')).set_style(theme.accent);
        }
    }
    density(state, facts, &plot, &s_at, dense, buffer);
    numbers(state, &plot, plot.area.bottom() + dense, buffer);
}

fn zero_line(state: &State, plot: &Plot, buffer: &mut Buffer) {
    let Some(zero) = plot.row(0.0) else { return };
    let sign = state.look.glyphs.pick("-", "╌");
    for x in plot.area.x..plot.area.right() {
        buffer[(x, zero)].set_symbol(sign).set_style(state.look.theme.border);
    }
}

/// The values in view, with zero among them.
fn range(state: &State, snapshot: &Snapshot, view: (f64, f64)) -> Scale {
    let samples = (0..=100).map(|n| view.0 + (view.1 - view.0) * f64::from(n) / 100.0);
    let mut values: Vec<f64> = samples.clone().map(|s| rho(&snapshot.curve, s)).collect();
    if let Some((_, shape)) =
        state.graph.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at))
    {
        let curve = fixed(*shape);
        values.extend(samples.map(curve));
    }
    let low = values.iter().copied().fold(0.0, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    let room = 0.06 * (high - low).max(1e-6);
    Scale::new(low - room, high + room, AxisScale::Linear)
}

fn keys(
    state: &State,
    facts: &FilterFacts,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    if let Some(value) = state.graph.filter.cursor.and_then(|at| facts.values.get(at)) {
        let times = if value.count > 1 { format!(" ×{}", value.count) } else { String::new() };
        writer.put(&format!("σ {:.4}{times}", value.sigma), theme.accent);
        let rho = rho(&snapshot.curve, value.s);
        writer.put(&format!("   1−s {:.4}   ρ {rho:.4}", 1.0 - value.s), theme.text);
        return 1;
    }
    writer.put(glyphs.pick("--", "━━"), theme.curves[0]).put(" learned ρ  ", theme.text);
    if !facts.values.is_empty() {
        let (kept, nodes) = facts.kept;
        writer.put(glyphs.pick("o", "●"), theme.curves[3]);
        let all = if kept == nodes { "all".to_owned() } else { format!("{kept} of") };
        writer.put(&format!(" {all} {nodes} eigenvalues  "), theme.text);
    }
    if let Some((name, _)) =
        state.graph.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at))
    {
        writer.put("╍╍", theme.curves[1]).put(&format!(" {name}  "), theme.text);
    }
    if state.graph.filter.ghosts && state.graph.session.filter_ghosts.len() > 1 {
        let epochs: Vec<usize> =
            state.graph.session.filter_ghosts.iter().map(|g| g.epoch).collect();
        let (first, last) = (epochs[0], epochs[epochs.len() - 1]);
        writer.put(glyphs.pick("..", "┈┈"), theme.ghost);
        writer.put(&format!(" epochs {first} to {last}"), theme.faint);
    }
    1
}

/// Says once what the shade means, in the widest shaded stretch, where no curve is.
fn say_unmeasured(state: &State, plot: &Plot, measured: &[bool], buffer: &mut Buffer) {
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
fn dots(
    state: &State,
    facts: &FilterFacts,
    snapshot: &Snapshot,
    plot: &Plot,
    place: &dyn Fn(f64) -> Option<u16>,
    buffer: &mut Buffer,
) {
    let glyphs = state.look.glyphs;
    let mut counts = std::collections::BTreeMap::new();
    for value in &facts.values {
        let row = plot.row(rho(&snapshot.curve, value.s));
        if let (Some(x), Some(y)) = (place(value.s), row) {
            *counts.entry((x, y)).or_insert(0_usize) += value.count;
        }
    }
    for ((x, y), count) in counts {
        let sign = match count {
            1 => glyphs.pick('.', '∙'),
            2..=4 => glyphs.pick('o', '•'),
            _ => glyphs.pick('O', '●'),
        };
        buffer[(x, y)].set_char(sign).set_style(state.look.theme.curves[3]);
    }
}

/// How many eigenvalues there are, in columns beneath the plot.
fn density(
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

fn numbers(state: &State, plot: &Plot, y: u16, buffer: &mut Buffer) {
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
