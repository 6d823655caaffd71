//! The curves of a run: the loss above, the score below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::curve_points::Points;
use super::{Hits, legend};
use crate::tui::colour::Depth;
use crate::tui::compared_run::ComparedRun;
use crate::tui::drawing::{BROAD, Drawings, Ink, Point, Shape};
use crate::tui::glyphs::Shape as Sign;
use crate::tui::run::{Curve, PlotPane, Run};
use crate::tui::state::{Focus, Plots, State};
use crate::tui::widgets::{AxisScale, Canvas, Pattern, Plot, Scale, Writer, card, split_rows};

/// On a logarithmic axis, the share of the first curve's lowest value below which others
/// run off the plot: one that falls to nothing must not flatten all others.
const FLOOR: f64 = 1e-2;

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
    best_value(state, pane, buffer, area);
    let rows = legend::draw(state, run, pane, buffer, inside, hits);
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
    let canvas = Canvas::new(plot.area, state.look.glyphs).with_pen(state.projector.on);
    let mut canvas = canvas.with_behind(state.look.theme.ghost);
    let others: Vec<_> = others(state).filter(|_| state.graph.curves.ghosts).collect();
    for (other, style) in &others {
        for edge in other.band.iter().flatten().filter_map(|edge| edge.of(pane).next()) {
            let points = Points::of(&plot, (&edge.series, 0), 0);
            points.draw(&mut canvas, *style, Pattern::Dotted);
        }
        if let Some(curve) = other.run.of(pane).next() {
            let smoothing = state.graph.curves.smoothing;
            let points = Points::of(&plot, (&curve.series, other.run.second_stage), smoothing);
            points.draw(&mut canvas, *style, Pattern::Dashed);
        }
    }
    // The first curve matters most: it is drawn last, over the others.
    let curves = state.curves_of(run, pane);
    let smoothing = state.graph.curves.smoothing;
    let mut ends: Vec<(Option<Point>, &Curve)> = Vec::new();
    for curve in curves.into_iter().rev() {
        let style = state.look.theme.curves[curve.colour];
        let series = (&curve.series, run.second_stage);
        if smoothing > 0 {
            let raw = Points::of(&plot, series, 0);
            raw.draw(&mut canvas, state.look.theme.ghost, Pattern::Dotted);
        }
        // Dots and dashes are for terminals without colour.
        let pattern = if state.look.depth == Depth::None { curve.pattern } else { Pattern::Solid };
        let points = Points::of(&plot, series, smoothing);
        points.draw(&mut canvas, style, pattern);
        let epoch = state.read_out().unwrap_or(curve.series.len().saturating_sub(1));
        let is_known = curve.series.at(epoch).is_some();
        ends.push((points.at(&plot, epoch).filter(|_| is_known), curve));
    }
    let (glyphs, drawings) = (state.look.glyphs, &mut hits.drawings);
    canvas.draw(buffer, drawings);
    let mut named = Vec::new();
    for (other, style) in others {
        let place = name_place(other, pane, &plot, &named);
        let Some(place) = place else { continue };
        Writer::new(buffer, place, 0, glyphs).put(&other.name(), style);
        named.push(place);
    }
    marks(state, run, &plot, (&mut *buffer, &mut *drawings), pane == PlotPane::Loss);
    signs(state, pane, &plot, &ends, (buffer, drawings));
}

/// The best value, in the title.
fn best_value(state: &State, pane: PlotPane, buffer: &mut Buffer, area: Rect) {
    let run = &state.graph.session.run;
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
}

/// The epoch one is at, the best value, the ends of the curves, and the cursor.
fn signs(
    state: &State,
    pane: PlotPane,
    plot: &Plot,
    ends: &[(Option<Point>, &Curve)],
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let (run, glyphs) = (&state.graph.session.run, state.look.glyphs);
    if state.graph.session.at < run.epochs
        && let Some(column) = plot.column(state.graph.session.at as f64)
    {
        let ink = Ink { style: state.look.theme.accent, behind: false };
        let middle = plot.point(state.graph.session.at as f64, 0.0)[0];
        let line = Shape::Upright { column: middle, pattern: Pattern::Solid, width: BROAD, ink };
        drawings.over(plot.area, line, glyphs, buffer);
        let sign = glyphs.shape(Sign::DownTriangle);
        buffer[(column, plot.area.y)].set_char(sign).set_style(state.look.theme.accent);
    }
    if let Some(best) = run.best(pane) {
        let (epoch, value) = (best.epoch as f64, f64::from(best.value));
        if plot.column(epoch).is_some() && plot.row(value).is_some() {
            let sign = (plot.point(epoch, value), Sign::Diamond);
            drawings.sign(plot.area, sign, state.look.theme.warn, glyphs, buffer);
        }
    }
    for (place, curve) in ends {
        if let Some(place) = place {
            let style = state.look.theme.curves[curve.colour];
            drawings.sign(plot.area, (*place, curve.shape), style, glyphs, buffer);
        }
    }
    if let Some(epoch) = state.graph.curves.cursor
        && plot.column(epoch as f64).is_some()
    {
        let line = (Pattern::Solid, state.look.theme.accent);
        plot.upright_line(epoch as f64, line, glyphs, buffer, drawings);
    }
}

/// The runs to compare with, each with its colour.
pub(super) fn others(state: &State) -> impl Iterator<Item = (&ComparedRun, Style)> {
    let curves = &state.look.theme.curves;
    let shown = state.graph.session.shown();
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
    let mut floor = 0.0;
    for (at, span) in spans.enumerate() {
        let lowest = f64::from(span.low);
        if at == 0 {
            floor = FLOOR * lowest;
        }
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
        (_, AxisScale::Log) => Scale::new(low.max(floor) * 0.9, high * 1.1, spread),
        (_, AxisScale::Linear) => {
            Scale::new((low - 0.04 * (high - low)).min(0.0), high * 1.04, spread)
        }
    }
}

/// Changes of settings, as upright lines with what changed.
fn marks(
    state: &State,
    run: &Run,
    plot: &Plot,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
    labelled: bool,
) {
    let look = &state.look;
    let mut free = 0;
    for mark in &run.marks {
        let Some(column) = plot.column(mark.epoch as f64) else { continue };
        let line = (Pattern::Dotted, look.theme.warn);
        plot.upright_line(mark.epoch as f64, line, look.glyphs, buffer, drawings);
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
