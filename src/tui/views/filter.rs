//! The learned filter: ρ over σ with the real eigenvalues on it, their density
//! beneath, and shade where nothing was measured.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::curves::others;
use super::{Hits, filter_legend, filter_marks, hop_bars, settings};
use crate::model::fixed;
use crate::train::Snapshot;
use crate::tui::drawing::Point;
use crate::tui::filter::{FilterFacts, REFERENCES, rho};
use crate::tui::panes::Pane;
use crate::tui::state::State;
use crate::tui::widgets::{
    AxisScale, Canvas, Pattern, Plot, Scale, card, split_columns, split_rows,
};

/// Columns of the cards at the side.
const SIDE: u16 = 38;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (Some(facts), Some(snapshot)) = (&state.graph.facts, &state.graph.session.snapshot) else {
        return;
    };
    if state.in_settings() && area.width < 76 && !state.projector.on {
        return settings::draw(state, buffer, area, hits);
    }
    let hops = state.graph.filter.hops && !state.projector.on;
    if state.in_settings() {
        let (main, side) = if state.projector.on {
            split_rows(area, area.height - 5.min(area.height / 2))
        } else {
            let usual = SIDE.min(area.width / 2);
            let width = state.panes.width(Pane::FilterCards, usual, area.width);
            split_columns(area, area.width - width)
        };
        response(state, (facts, snapshot), !hops, buffer, main, hits);
        settings::draw(state, buffer, side, hits);
        if !state.projector.on {
            hits.add_edge(Pane::FilterCards, area, side.x, side.width);
        }
        return;
    }
    let beside = area.width >= 96 && hops;
    let below = !beside && area.height >= 26 && hops;
    let (main, side) = if beside {
        let width = state.panes.width(Pane::FilterCards, SIDE, area.width);
        let (main, side) = split_columns(area, area.width - width);
        (main, Some(side))
    } else if below {
        let (main, side) = split_rows(area, area.height - 11);
        (main, Some(side))
    } else {
        (area, None)
    };
    response(state, (facts, snapshot), side.is_some() || !hops, buffer, main, hits);
    if let Some(side) = side {
        hop_bars::draw(state, facts, snapshot, buffer, side);
        if beside {
            hits.add_edge(Pane::FilterCards, area, side.x, side.width);
        }
    }
}

/// The plot of ρ; without a card for the hop weights, they stand in a line above it.
fn response(
    state: &State,
    (facts, snapshot): (&FilterFacts, &Snapshot),
    has_card: bool,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let title = filter_legend::title(state, snapshot, area.width);
    let inside = card(buffer, area, &title, !state.in_settings(), &state.look);
    let legend = filter_legend::draw(state, (facts, snapshot), has_card, buffer, inside);
    let dense = if inside.height >= 14 { 3 } else { u16::from(inside.height >= 9) };
    let room = Rect {
        y: inside.y + legend,
        height: inside.height.saturating_sub(legend + dense + 1),
        ..inside
    };
    if room.height < 3 || room.width < 16 {
        return;
    }
    let view = state.filter_window();
    let up = range(state, facts, snapshot);
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
    let s_at = |column: u16| {
        let value = plot.value_at(column);
        if mirrored { 1.0 - value } else { value }
    };
    let half = (view.1 - view.0) / f64::from(plot.area.width.max(1)) / 2.0;
    let measured: Vec<bool> = (plot.area.x..plot.area.right())
        .map(|column| facts.is_measured(s_at(column), half))
        .collect();
    filter_marks::shade(state, &plot, &measured, buffer);
    let canvas = Canvas::new(plot.area, glyphs).with_pen(state.projector.on);
    let mut canvas = canvas.with_behind(theme.ghost);
    if plot.row(0.0).is_some() {
        canvas.level(plot.up.share(0.0), theme.border);
    }
    filter_marks::energy(state, &plot, &s_at, &mut canvas);
    curves(state, snapshot, &plot, (mirrored, &measured), &mut canvas);
    let drawings = &mut hits.drawings;
    canvas.draw(buffer, drawings);
    let shown_at = |s: f64| if mirrored { 1.0 - s } else { s };
    filter_marks::dots(state, facts, snapshot, &plot, &shown_at, (&mut *buffer, &mut *drawings));
    filter_marks::say_unmeasured(state, &plot, &measured, buffer);
    if let Some(value) = state.graph.filter.cursor.and_then(|at| facts.values.get(at)) {
        let place = (shown_at(value.s), rho(&snapshot.curve, value.s));
        filter_marks::cursor(state, &plot, place, (&mut *buffer, drawings));
    }
    filter_marks::density(state, facts, &plot, &s_at, dense, buffer);
    filter_marks::numbers(state, &plot, plot.area.bottom() + dense, buffer);
}

/// ρ and what it is compared with; dotted where nothing was measured.
fn curves(
    state: &State,
    snapshot: &Snapshot,
    plot: &Plot,
    (mirrored, measured): (bool, &[bool]),
    canvas: &mut Canvas,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let line = |canvas: &mut Canvas,
                at: &dyn Fn(f64) -> f64,
                style: Style,
                pattern: Pattern,
                only: bool| {
        let width = canvas.columns();
        canvas.lift();
        let mut before: Option<Point> = None;
        for x in 0..width {
            let share = x as f64 / (width - 1).max(1) as f64;
            let value = plot.across.value(share);
            let s = if mirrored { 1.0 - value } else { value };
            let cell = (x / glyphs.dots().0).min(measured.len() - 1);
            if only && !measured[cell] {
                before = None;
                continue;
            }
            let here = canvas.point(share, plot.up.share(at(s)));
            canvas.line(before.unwrap_or(here), here, style, pattern);
            before = Some(here);
        }
    };
    if state.graph.filter.ghosts {
        for ghost in &state.graph.session.filter_ghosts {
            line(canvas, &|s| rho(&ghost.curve, s), theme.ghost, Pattern::Dotted, false);
        }
    }
    if let Some((_, shape)) =
        state.graph.filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at))
    {
        let curve = fixed(*shape);
        line(canvas, &|s| curve(s), theme.curves[1], Pattern::Dashed, false);
    }
    if let Some(other) = state.graph.filter.other_graphs.shown() {
        line(canvas, &|s| other.response(s), theme.curves[2], Pattern::Dashed, false);
    }
    for (other, style) in others(state).filter(|_| state.graph.filter.ghosts) {
        if other.response(0.0).is_some() {
            let at = |s: f64| other.response(s).unwrap_or_default();
            line(canvas, &at, style, Pattern::Dashed, false);
        }
        for edge in other.filters.iter().flat_map(|[_, low, high]| [low, high]) {
            line(canvas, &|s| rho(edge, s), style, Pattern::Dotted, false);
        }
    }
    let own = theme.curves[0];
    line(canvas, &|s| rho(&snapshot.curve, s), own, Pattern::Dotted, false);
    line(canvas, &|s| rho(&snapshot.curve, s), own, Pattern::Solid, true);
}

/// The values that the filter can take at the real eigenvalues, and those it takes: the
/// same during a run with hop weights, so that one sees the curve move.
fn range(state: &State, facts: &FilterFacts, snapshot: &Snapshot) -> Scale {
    let (from, to) = facts.fitted();
    let samples = (0..=100).map(|n| from + (to - from) * f64::from(n) / 100.0);
    let reference = state.graph.filter.reference.checked_sub(1);
    let reference = reference.and_then(|at| REFERENCES.get(at)).map(|(_, shape)| fixed(*shape));
    let (mut low, mut high) = (from.min(0.0), 1.0_f64);
    for s in samples {
        let ghosts = state.graph.session.filter_ghosts.iter().map(|own| rho(&own.curve, s));
        let other = state.graph.filter.other_graphs.shown().map(|own| own.response(s));
        let shown = [Some(rho(&snapshot.curve, s)), reference.as_ref().map(|own| own(s)), other];
        for value in ghosts.chain(shown.into_iter().flatten()).filter(|own| own.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
    }
    let room = 0.04 * (high - low);
    Scale::new(low - room, high + room, AxisScale::Linear)
}
