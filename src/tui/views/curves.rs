//! The curves of a run: the loss above, the score below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::{Hits, legend};
use crate::tui::colour::Depth;
use crate::tui::compared_run::ComparedRun;
use crate::tui::history::Series;
use crate::tui::run::{PlotPane, Run};
use crate::tui::state::{Focus, Plots, State};
use crate::tui::widgets::{AxisScale, Canvas, Pattern, Plot, Scale, Writer, card, split_rows};

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let scored = state.graph.session.run.of(PlotPane::Score).next().is_some();
    let panes: &[PlotPane] = match state.graph.curves.plots {
        _ if !scored => &[PlotPane::Loss],
        // For a room one plot, and the one that matters.
        Plots::Both if state.projector.on => &[PlotPane::Score],
        Plots::Both if area.height >= 17 => &[PlotPane::Loss, PlotPane::Score],
        Plots::Both | Plots::Loss => &[PlotPane::Loss],
        Plots::Score => &[PlotPane::Score],
    };
    let mut rest = area;
    for (at, pane) in panes.iter().enumerate() {
        let last = at + 1 == panes.len();
        let height = if last { rest.height } else { (rest.height * 11).div_ceil(20) };
        let (here, below) = split_rows(rest, height);
        pane_at(state, *pane, state.graph.focus == Focus::Plot, buffer, here, hits);
        rest = below;
    }
}

/// The plot of one pane, with its legend.
pub(super) fn pane_at(
    state: &State,
    pane: PlotPane,
    focused: bool,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let run = &state.graph.session.run;
    let name = match pane {
        PlotPane::Loss => "loss",
        PlotPane::Score => run.score_name(),
    };
    let when = match state.read_out() {
        Some(epoch) => format!(" at epoch {epoch}"),
        None => String::new(),
    };
    let swings =
        if pane == PlotPane::Loss && run.swings { ", oscillates: lower learning_rate" } else { "" };
    let inside = card(buffer, area, &format!("{name}{when}{swings}"), focused, &state.look);
    if let Some(best) = run.best(pane) {
        let text = format!(" best {} at {} ", legend::figure(pane, best.value), best.epoch);
        let room =
            Rect { x: area.x + area.width / 2, width: area.width / 2 - 1, height: 1, ..area };
        if area.width >= 50 {
            let mut writer = Writer::new(buffer, room, 0, state.look.glyphs);
            writer.right(
                &format!("{text}{} ", state.look.glyphs.pick("*", "◆")),
                state.look.theme.warn,
            );
        }
    }
    let rows = legend::draw(state, run, pane, buffer, inside);
    let (_, room) = split_rows(inside, rows);
    if room.height < 3 || room.width < 16 {
        return;
    }
    let spread = if pane == PlotPane::Loss { state.graph.curves.spread } else { AxisScale::Linear };
    let (from, to) = state.in_view();
    let across = Scale::new(from, to, AxisScale::Linear);
    let up = range(state, pane, spread);
    let plot = Plot::with_axes(buffer, room, across, up, true, &state.look);
    hits.add_plot(plot, false);
    let mut canvas = Canvas::new(plot.area, state.look.glyphs).with_pen(state.projector.on);
    let others: Vec<_> = others(state).collect();
    for (other, style) in &others {
        for edge in other.band.iter().flatten().filter_map(|edge| edge.of(pane).next()) {
            line(&mut canvas, &plot, (&edge.series, 0), 0, *style, Pattern::Dotted);
        }
        if let Some(curve) = other.run.of(pane).next() {
            let smoothing = state.graph.curves.smoothing;
            let series = (&curve.series, other.run.second_stage);
            line(&mut canvas, &plot, series, smoothing, *style, Pattern::Dashed);
        }
    }
    // The first curve matters most: it is drawn last, over the others.
    let curves = state.curves_of(run, pane);
    for curve in curves.iter().rev() {
        let style = state.look.theme.curves[curve.colour];
        let series = (&curve.series, run.second_stage);
        if state.graph.curves.smoothing > 0 {
            line(&mut canvas, &plot, series, 0, state.look.theme.ghost, Pattern::Dotted);
        }
        // Dots and dashes are for terminals without colour.
        let pattern = if state.look.depth == Depth::None { curve.pattern } else { Pattern::Solid };
        line(&mut canvas, &plot, series, state.graph.curves.smoothing, style, pattern);
    }
    canvas.draw(buffer);
    let mut named = Vec::new();
    for (other, style) in others {
        let place = name_place(other, pane, &plot, &named);
        let Some(place) = place else { continue };
        Writer::new(buffer, place, 0, state.look.glyphs).put(&other.name(), style);
        named.push(place);
    }
    marks(state, run, &plot, buffer, pane == PlotPane::Loss);
    if state.graph.session.at < run.epochs
        && let Some(column) = plot.column(state.graph.session.at as f64)
    {
        let (line, sign) = (state.look.glyphs.pick("|", "┃"), state.look.glyphs.pick('v', '▼'));
        plot.upright_line(buffer, column, line, state.look.theme.accent);
        buffer[(column, plot.area.y)].set_char(sign).set_style(state.look.theme.accent);
    }
    ends(state, run, pane, &plot, buffer);
    if let Some(epoch) = state.graph.curves.cursor
        && let Some(column) = plot.column(epoch as f64)
    {
        let symbol = state.look.glyphs.pick("|", "│");
        plot.upright_line(buffer, column, symbol, state.look.theme.accent);
    }
}

/// The runs to compare with, each with its colour.
fn others(state: &State) -> impl Iterator<Item = (&ComparedRun, Style)> {
    let curves = &state.look.theme.curves;
    let shown = state.graph.session.shown().filter(|_| state.graph.curves.ghosts);
    shown.enumerate().map(|(at, other)| (other, curves[(at + 4) % curves.len()]))
}

/// Where the name of another run goes: at the end of its curve, or in the nearest
/// row where no other name is.
fn name_place(other: &ComparedRun, pane: PlotPane, plot: &Plot, named: &[Rect]) -> Option<Rect> {
    let curve = other.run.of(pane).next()?;
    let last = (plot.across.high().floor() as usize).min(curve.series.len().saturating_sub(1));
    let value = curve.series.at(last)?;
    let (x, y) = (plot.column(last as f64)?, plot.row(f64::from(value))?);
    let width = (other.name().width() as u16).min(plot.area.width);
    let x = (x + 1).min(plot.area.right().saturating_sub(width)).max(plot.area.x);
    let mut rows: Vec<u16> = (plot.area.y..plot.area.bottom()).collect();
    rows.sort_by_key(|row| row.abs_diff(y));
    let places = rows.into_iter().map(|y| Rect { x, y, width, height: 1 });
    places.into_iter().find(|place| named.iter().all(|own| !own.intersects(*place)))
}

/// The values in view, with a little room around them.
fn range(state: &State, pane: PlotPane, spread: AxisScale) -> Scale {
    let (from, to) = state.in_view();
    let (from, to) = (from.floor().max(0.0) as usize, to.ceil() as usize + 1);
    let shown = state.curves_of(&state.graph.session.run, pane).into_iter();
    let spans = shown.filter_map(|curve| curve.series.between(from, to));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for span in spans {
        let lowest = f64::from(span.low);
        if spread == AxisScale::Linear || lowest > 0.0 {
            low = low.min(lowest);
        }
        high = high.max(f64::from(span.high));
    }
    if !(low.is_finite() && high.is_finite()) {
        return Scale::new(0.1, 1.0, spread);
    }
    match (pane, spread) {
        (PlotPane::Score, _) => {
            let low = (low * 10.0 - 1e-6).floor().max(-10.0) / 10.0;
            let high = (high * 10.0 + 1e-6).ceil() / 10.0;
            Scale::new(low, high.min(1.0).max(low + 0.1), spread)
        }
        // A curve that falls to nothing must not flatten all others.
        (_, AxisScale::Log) => Scale::new(low.max(high * 1e-6) * 0.9, high * 1.1, spread),
        (_, AxisScale::Linear) => {
            Scale::new((low - 0.04 * (high - low)).min(0.0), high * 1.04, spread)
        }
    }
}

/// Draws one figure over the epochs in view.
fn line(
    canvas: &mut Canvas,
    plot: &Plot,
    (series, restart): (&Series, usize),
    smoothing: usize,
    style: Style,
    pattern: Pattern,
) {
    let (width, height) = (canvas.width(), canvas.height());
    let (from, to) = (plot.across.low(), plot.across.high());
    let x_of = |epoch: f64| plot.across.share(epoch) * (width - 1) as f64;
    let y_of = |value: f64| {
        let share = plot.up.share(value).clamp(-4.0, 5.0);
        ((1.0 - share) * (height - 1) as f64).round() as i64
    };
    let every = ((to - from) / (width - 1).max(1) as f64).max(1.0);
    let first = from.floor().max(0.0);
    let steps = ((to - first) / every).ceil() as usize + 1;
    let mut points: Vec<(f64, f64, f64, f64)> = Vec::with_capacity(steps);
    for step in 0..steps {
        let start = (first + step as f64 * every).round() as usize;
        let end = ((first + (step + 1) as f64 * every).round() as usize).max(start + 1);
        if let Some(span) = series.between(start, end) {
            let low_high = (f64::from(span.low), f64::from(span.high));
            points.push((x_of(start as f64), f64::from(span.last), low_high.0, low_high.1));
        }
    }
    if smoothing > 0 {
        smooth(&mut points, [0, 2, 6, 16][smoothing.min(3)]);
    }
    canvas.lift();
    let mut before: Option<(i64, i64)> = None;
    // The second stage starts from scratch: nothing leads from one to the other.
    let break_at = if restart > 0 { x_of(restart as f64) } else { f64::INFINITY };
    let mut joined = false;
    for (x, value, low, high) in points {
        let place = (x.round() as i64, y_of(value));
        let breaks = !joined && x + x_of(every) - x_of(0.0) > break_at;
        if breaks {
            (before, joined) = (None, x >= break_at);
        }
        if smoothing == 0 && high > low && pattern == Pattern::Solid && !breaks {
            canvas.line((place.0, y_of(low)), (place.0, y_of(high)), style, pattern);
        }
        canvas.line(before.unwrap_or(place), place, style, pattern);
        before = Some(place);
    }
}

/// A mean over neighbours on both sides.
fn smooth(points: &mut [(f64, f64, f64, f64)], reach: usize) {
    let values: Vec<f64> = points.iter().map(|point| point.1).collect();
    for (at, point) in points.iter_mut().enumerate() {
        let reach = reach.min(at).min(values.len() - 1 - at);
        let near = &values[at - reach..=at + reach];
        point.1 = near.iter().sum::<f64>() / near.len() as f64;
    }
}

/// Changes of settings, as upright lines with what changed.
fn marks(state: &State, run: &Run, plot: &Plot, buffer: &mut Buffer, labelled: bool) {
    let look = &state.look;
    let mut free = 0;
    for mark in &run.marks {
        let Some(column) = plot.column(mark.epoch as f64) else { continue };
        plot.upright_line(buffer, column, look.glyphs.pick(":", "┊"), look.theme.warn);
        if !labelled {
            continue;
        }
        let row = u16::from(column < free);
        let room = Rect { x: column, width: plot.area.right() - column, ..plot.area };
        let mut writer = Writer::new(buffer, room, row, look.glyphs);
        writer.put(look.glyphs.pick("|", "▏"), look.theme.warn);
        writer.put(&mark.label, look.theme.warn);
        free = writer.place() + 1;
    }
}

/// The sign of each curve at its end, and of its best value.
fn ends(state: &State, run: &Run, pane: PlotPane, plot: &Plot, buffer: &mut Buffer) {
    let look = &state.look;
    let put = |buffer: &mut Buffer, epoch: usize, value: f32, sign: char, style: Style| {
        if let (Some(x), Some(y)) = (plot.column(epoch as f64), plot.row(f64::from(value))) {
            buffer[(x, y)].set_char(sign).set_style(style);
        }
    };
    if let Some(best) = run.best(pane) {
        put(buffer, best.epoch, best.value, look.glyphs.pick('*', '◆'), look.theme.warn);
    }
    for curve in state.curves_of(run, pane).into_iter().rev() {
        let epoch = state.read_out().unwrap_or(curve.series.len().saturating_sub(1));
        if let Some(value) = curve.series.at(epoch) {
            let style = look.theme.curves[curve.colour];
            put(buffer, epoch, value, look.glyphs.shape(curve.shape), style);
        }
    }
}
