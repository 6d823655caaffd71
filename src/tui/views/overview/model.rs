//! The model from left to right: graph, ψ, filter, φ, prediction.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::{Hits, hop_bars, map, node as node_views};
use super::{row, say, stage};
use crate::graph::LabelKind;
use crate::train::{PreparedRun, Scalars, Snapshot};
use crate::tui::filter::rho;
use crate::tui::filter_words::reach;
use crate::tui::overview::{OverviewBox, SMALL_GRAPH};
use crate::tui::run::{Curve, PlotPane};
use crate::tui::state::State;
use crate::tui::widgets::{Canvas, Pattern, Writer, split_rows, wrapped};

/// Rows that the curve of ρ needs.
const CURVE: u16 = 5;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(ready) = &state.graph.session.ready else { return };
    let Some(snapshot) = &state.graph.session.snapshot else { return };
    let [graph, message, filter, combine, prediction] =
        row(state, buffer, area, [29, 15, 29, 15, 18]);
    small_map(state, ready, buffer, graph, hits);
    psi(state, ready, snapshot, buffer, message, hits);
    hop_weights(state, ready, snapshot, buffer, filter, hits);
    phi(state, buffer, combine, hits);
    scores(state, ready, snapshot, buffer, prediction, hits);
}

fn small_map(state: &State, ready: &PreparedRun, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let graph = &ready.prepared.graph;
    let title = format!("graph: {} nodes", graph.node_count());
    let what = "every node v has an embedding x: numbers that training adjusts";
    let room = stage(state, buffer, area, (OverviewBox::Graph, &title, what), hits);
    let (room, legend) = split_rows(room, room.height.saturating_sub(1));
    if map::small(state, buffer, room, hits) {
        map::legend_line(state, buffer, legend);
    } else if graph.node_count() > SMALL_GRAPH {
        say(state, buffer, room, "a large graph: m opens the map and computes its layout");
    } else {
        say(state, buffer, room, "computing the layout");
    }
}

fn psi(
    state: &State,
    ready: &PreparedRun,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let what = "ψ turns each x into a message";
    let room = stage(state, buffer, area, (OverviewBox::Message, "ψ message", what), hits);
    let Some(node) = state.graph.chosen_node.filter(|node| node.index() < nodes(ready)) else {
        return;
    };
    let (kind, at) = ready.groups.place(node);
    let width = state.graph.session.settings.dimension.of(kind, nodes(ready));
    let values = snapshot.state.values(&format!("x.{kind}")).unwrap_or_default();
    let x = values.get(at * width..(at + 1) * width).unwrap_or_default();
    let x: Vec<f64> = x.iter().map(|value| f64::from(*value)).collect();
    vector(state, "x of the node", &x, buffer, room);
}

fn phi(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let what = "φ turns z into R(x), which is trained to match x";
    let room = stage(state, buffer, area, (OverviewBox::Combine, "φ combine", what), hits);
    if let Some(explanation) = state.graph.node.known() {
        let found = &explanation.found;
        let name = if found.size.is_some() { "z: mean, size" } else { "z: the sum" };
        vector(state, name, &found.gathered, buffer, room);
    }
}

fn nodes(ready: &PreparedRun) -> usize {
    ready.prepared.graph.node_count()
}

/// The numbers of a vector as shades, a row for as many as fit.
fn vector(state: &State, name: &str, values: &[f64], buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    Writer::new(buffer, area, 0, glyphs).put(name, theme.faint);
    Writer::new(buffer, area, 1, glyphs).put(&format!("{} numbers", values.len()), theme.faint);
    let most = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if most <= 0.0 || area.width < 4 {
        return;
    }
    // Two rows stay free, so that it reads as one thing apart from the text.
    let top = 3;
    let steps = glyphs.pick([" ", ".", ":", "+", "#"], [" ", "░", "▒", "▓", "█"]);
    for (at, value) in values.iter().enumerate() {
        let (line, column) = (at as u16 / area.width, at as u16 % area.width);
        if top + line >= area.height {
            break;
        }
        let step = (value.abs() / most * 4.0).ceil().min(4.0) as usize;
        let style = node_views::sign_style(state, *value);
        buffer[(area.x + column, area.y + top + line)].set_symbol(steps[step]).set_style(style);
    }
}

fn hop_weights(
    state: &State,
    ready: &PreparedRun,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let weights = &snapshot.scalars.hop_weights;
    let what = if weights.is_empty() {
        "ρ weights each frequency of the messages, then sums them"
    } else if snapshot.scalars.takes_mean {
        "averages messages along walks of n steps, weighted by α_n"
    } else {
        "sums messages along walks of n steps, weighted by α_n"
    };
    let title = if weights.is_empty() { "filter ρ" } else { "hop weights α, filter ρ" };
    let room = stage(state, buffer, area, (OverviewBox::Filter, title, what), hits);
    let stages = state.graph.session.filter_state();
    Writer::new(buffer, room, 0, glyphs).put(stages, theme.faint);
    let (_, mut room) = split_rows(room, 1);
    if let Some(said) = compared(&snapshot.scalars) {
        let lines = wrapped(&said, usize::from(room.width));
        for (at, line) in lines.iter().enumerate() {
            Writer::new(buffer, room, at as u16, glyphs).put(line, theme.faint);
        }
        room = split_rows(room, lines.len() as u16).1;
    }
    if !weights.is_empty() {
        let bars: Vec<(usize, f64)> =
            weights.iter().enumerate().map(|(at, own)| (at + 1, f64::from(*own))).collect();
        let each = hop_bars::rows_each(room.height.saturating_sub(CURVE + 4), bars.len());
        let (upper, lower) = split_rows(room, each * bars.len() as u16);
        hop_bars::bars(state, &bars, upper, each, buffer);
        let said = reach(weights).unwrap_or_default();
        let lines = wrapped(&said, usize::from(lower.width));
        for (at, line) in lines.iter().enumerate() {
            Writer::new(buffer, lower, at as u16, glyphs).put(line, theme.accent);
        }
        room = split_rows(lower, lines.len() as u16 + 1).1;
    }
    if room.height >= CURVE && ready.prepared.graph.node_count() > 1 {
        response(state, snapshot, buffer, room, hits);
    }
}

/// The losses of both aggregations at withheld labels, while they are compared.
fn compared(scalars: &Scalars) -> Option<String> {
    let (sum, mean) = (scalars.withheld_loss?, scalars.alternative?);
    let error = mean.standard_error;
    Some(format!("loss there: sum {sum:.3}, mean {:.3} ± {error:.3}", mean.withheld_loss))
}

/// ρ from alternating to smooth.
fn response(state: &State, snapshot: &Snapshot, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (plot, ends) = split_rows(area, area.height - 1);
    let canvas = Canvas::new(plot, glyphs).with_pen(state.projector.on);
    let mut canvas = canvas.with_behind(theme.border);
    let width = canvas.columns();
    let most = snapshot.curve.iter().fold(1e-6_f32, |most, value| most.max(value.abs()));
    let signed = snapshot.curve.iter().any(|value| *value < -0.02 * most);
    let (low, high) = (if signed { -f64::from(most) } else { 0.0 }, f64::from(most));
    let mut line = |style: Style, pattern, value: &dyn Fn(f64) -> f64| {
        canvas.lift();
        let mut before = None;
        for x in 0..width {
            let share = x as f64 / (width - 1).max(1) as f64;
            let here = canvas.point(share, (value(2.0 * share - 1.0) - low) / (high - low));
            canvas.line(before.unwrap_or(here), here, style, pattern);
            before = Some(here);
        }
    };
    line(theme.border, Pattern::Dotted, &|_| 0.0);
    line(theme.curves[0], Pattern::Solid, &|s| rho(&snapshot.curve, s));
    canvas.draw(buffer, &mut hits.drawings);
    let mut writer = Writer::new(buffer, ends, 0, glyphs);
    writer.put("alternating", theme.faint);
    writer.right("smooth", theme.faint);
}

fn scores(
    state: &State,
    ready: &PreparedRun,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let kind = ready.prepared.graph.labels().kind();
    let what = match kind {
        _ if snapshot.state.falls_back(kind) => {
            "withheld labels were hard to predict: falls back to class priors"
        }
        LabelKind::None => "no labels: x only has to be predictable from its neighbours",
        LabelKind::One => "a linear layer reads the class from x, or from R(x)",
        LabelKind::Several => "a linear layer reads the classes from x, or from R(x)",
        LabelKind::Numeric => "a linear layer reads the number from x, or from R(x)",
    };
    let room = stage(state, buffer, area, (OverviewBox::Prediction, "prediction", what), hits);
    let run = &state.graph.session.run;
    let value = |curve: &Curve| match state.read_out() {
        Some(epoch) => curve.series.at(epoch),
        None => curve.series.last(),
    };
    let known = run.of(PlotPane::Score).filter_map(|curve| Some((curve, value(curve)?)));
    let known: Vec<(&Curve, f32)> = known.collect();
    if known.is_empty() {
        return;
    }
    Writer::new(buffer, room, 0, glyphs).put(run.score_name(), theme.faint);
    let (_, room) = split_rows(room, 1);
    let each = (room.height / known.len() as u16).clamp(1, 3);
    for (at, (curve, value)) in (0..).zip(known) {
        let style = theme.curves[curve.colour];
        let mut writer = Writer::new(buffer, room, at * each, glyphs);
        writer.put(&curve.name, theme.text);
        writer.right(&format!("{:.0} %", 100.0 * value), style);
        if each > 1 {
            let mut writer = Writer::new(buffer, room, at * each + 1, glyphs);
            node_views::bar(state, &mut writer, f64::from(value), room.width, style);
        }
    }
}
