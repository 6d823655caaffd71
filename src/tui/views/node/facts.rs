//! What is known of the open node, and what is predicted of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bars::{bar, percent};
use crate::explain::{Aim, PredictFrom};
use crate::graph::{ClassId, Classes, Label, LabelKind, Labels, NodeId};
use crate::tui::node::{NodeExplanation, NodePane};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short};

/// Rows that everything there is to say takes.
pub(super) fn wanted(explanation: &NodeExplanation) -> u16 {
    let classes = explanation.context.graph().labels().classes();
    match classes {
        Some(classes) => 6 + classes.names().len() as u16,
        None => 9,
    }
}

pub(super) fn draw(state: &State, explanation: &NodeExplanation, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (context, node) = (&explanation.context, explanation.node());
    let graph = context.graph();
    let title = explanation.shown(node);
    let inside = card(buffer, area, &title, state.graph.node.pane == NodePane::Facts, &state.look);
    let kind = &graph.types().names()[graph.types().of(node).index()];
    let degree = graph.degree(node);
    let neighbours = if degree == 1 { "neighbour" } else { "neighbours" };
    let epoch = context.snapshot().scalars.epoch;
    let mut line = 0;
    let mut writer = Writer::new(buffer, inside, line, glyphs);
    writer.put(&format!("{kind} · {degree} {neighbours}"), theme.text);
    if state.graph.node.frozen.is_some() {
        writer.right(&format!("frozen at {epoch}"), theme.warn);
    } else {
        writer.right(&format!("epoch {epoch}"), theme.faint);
    }
    line += 1;
    if graph.labels().kind() != LabelKind::None {
        let truth = context.truth_text(node);
        let within = |nodes: &[NodeId]| nodes.binary_search(&node).is_ok();
        let (train, validates) =
            (within(&context.split().train), within(&context.split().validation));
        let mut writer = Writer::new(buffer, inside, line, glyphs);
        writer.put(glyphs.pick("* ", "◆ "), theme.accent);
        if truth.is_empty() {
            writer.put("no label", theme.faint);
        } else {
            writer.put(&truth, theme.accent);
            let part = match (train, validates) {
                (true, _) => " · train",
                (_, true) => " · validation",
                _ => " · test",
            };
            writer.put(part, theme.faint);
        }
        line += 1;
    }
    let rest = Rect { y: inside.y + line, height: inside.height.saturating_sub(line), ..inside };
    prediction(state, explanation, buffer, rest);
}

/// What is predicted: a distribution, a number, or nothing.
pub(crate) fn prediction(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    rest: Rect,
) {
    let graph = explanation.context.graph();
    let (from_x, from_r) = (explanation.odds(PredictFrom::X), explanation.odds(PredictFrom::R));
    match graph.labels() {
        _ if from_x.is_empty() || from_r.is_empty() => nothing(state, explanation, buffer, rest),
        Labels::Classes(classes) => {
            distribution(state, explanation, classes, (&from_x, &from_r), buffer, rest);
        }
        _ => value(state, explanation, (from_x[0], from_r[0]), buffer, rest),
    }
}

/// Where nothing is predicted: what is told instead.
fn nothing(state: &State, explanation: &NodeExplanation, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let length = format!("‖z‖ = {}", short(explanation.found.value));
    let mut lines = vec![(length, theme.text)];
    let text = "No prediction for this node. Contributions are measured by what they add to the \
                length of z, the sum of all contributions.";
    for line in crate::tui::widgets::wrapped(text, usize::from(area.width)) {
        lines.push((line, theme.faint));
    }
    for (at, (text, style)) in lines.iter().enumerate() {
        Writer::new(buffer, area, at as u16, glyphs).put(text, *style);
    }
}

/// The probability of each class, by the embedding and by the neighbours.
fn distribution(
    state: &State,
    explanation: &NodeExplanation,
    classes: &Classes,
    (from_x, from_r): (&[f64], &[f64]),
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let name_width = classes.names().iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let name_width = (name_width as u16 + 3).min(area.width * 2 / 5).max(8);
    let each = area.width.saturating_sub(name_width) / 2;
    let half = each.saturating_sub(7);
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.go(area.x + name_width).put("from x", theme.faint);
    writer.go(area.x + name_width + each).put("from R", theme.faint);
    if explanation.before.is_some() {
        writer.put(" unedited", theme.faint);
    }
    let rows = usize::from(area.height.saturating_sub(1));
    let count = classes.names().len().min(from_x.len()).min(from_r.len());
    let mut order: Vec<usize> = (0..count).collect();
    let truth = classes.of(explanation.node());
    let is_true = |at: usize| truth.contains(&ClassId(at as u16));
    if count > rows {
        // The likeliest and the true ones are those one looks for.
        let key = |at: usize| from_x[at].max(from_r[at]) + if is_true(at) { 1.0 } else { 0.0 };
        order.sort_by(|&a, &b| key(b).total_cmp(&key(a)).then(a.cmp(&b)));
        order.truncate(rows);
        order.sort_unstable();
    }
    let explained = if let Aim::Class(class) = explanation.found.aim { Some(class) } else { None };
    let best = |odds: &[f64]| (0..count).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
    let (best_x, best_r) = (best(from_x), best(from_r));
    for (line, &at) in order.iter().enumerate() {
        let mut writer = Writer::new(buffer, area, line as u16 + 1, glyphs);
        let chosen = explained.is_some_and(|class| class.index() == at);
        writer.put(if chosen { glyphs.pick(">", "▸") } else { " " }, theme.accent);
        writer.put(if is_true(at) { glyphs.pick("*", "◆") } else { " " }, theme.accent);
        let style = if is_true(at) { theme.accent } else { theme.text };
        writer.put(&clipped(&classes.names()[at], usize::from(name_width) - 3), style);
        for (n, (odds, best)) in [(from_x, best_x), (from_r, best_r)].into_iter().enumerate() {
            let strongest = best == Some(at);
            writer.go(area.x + name_width + n as u16 * each);
            let style = match (strongest, is_true(at)) {
                (true, true) => theme.good,
                (true, false) if !truth.is_empty() => theme.bad,
                (true, false) => theme.accent,
                _ => theme.ghost,
            };
            bar(state, &mut writer, odds[at], half, style);
            let style = if strongest { theme.text } else { theme.faint };
            writer.put(&format!("{:>6}", percent(odds[at])), style);
        }
    }
}

/// A predicted number beside the true one, on the line of all numbers there are.
fn value(
    state: &State,
    explanation: &NodeExplanation,
    (from_x, from_r): (f64, f64),
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let labels = explanation.context.graph().labels();
    let truth = match labels.of(explanation.node()) {
        Label::Number(value) => Some(f64::from(value)),
        _ => None,
    };
    let off = |value: f64| match truth {
        Some(truth) => format!("  off by {}", short((value - truth).abs())),
        None => String::new(),
    };
    let told = [("from x", from_x, 'x'), ("from R", from_r, 'R')];
    for (at, (name, value, _)) in told.iter().enumerate() {
        let mut writer = Writer::new(buffer, area, at as u16, glyphs);
        writer.put(name, theme.faint).put("  ", theme.text).put(&short(*value), theme.text);
        writer.put(&off(*value), theme.faint);
    }
    let known = match labels {
        Labels::Numeric(values) => values.iter().flatten().map(|value| f64::from(*value)).collect(),
        _ => Vec::new(),
    };
    let all = || known.iter().copied().chain([from_x, from_r]).filter(|own| own.is_finite());
    let (low, high) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    if area.height < 5 || area.width < 12 || !(high - low).is_finite() {
        return;
    }
    let last = f64::from(area.width - 1);
    let span = (high - low).max(f64::MIN_POSITIVE);
    let column =
        |value: f64| area.x + ((value - low) / span * last).round().clamp(0.0, last) as u16;
    let rule = glyphs.pick("-", "─").repeat(usize::from(area.width));
    Writer::new(buffer, area, 3, glyphs).put(&rule, theme.border);
    let mut mark = |value: f64, sign: &str, style| {
        if value.is_finite() {
            Writer::new(buffer, area, 3, glyphs).go(column(value)).put(sign, style);
        }
    };
    if let Some(truth) = truth {
        mark(truth, glyphs.pick("*", "◆"), theme.accent);
    }
    mark(from_x, "x", theme.curves[0]);
    mark(from_r, "R", theme.curves[3]);
    let mut writer = Writer::new(buffer, area, 4, glyphs);
    writer.put(&short(low), theme.faint);
    writer.right(&short(high), theme.faint);
}
