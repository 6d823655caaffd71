//! One node followed through the model: its top contributors, what each distance
//! brings, what comes out.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::{Hits, map, node as node_views};
use super::{row, say, stage};
use crate::explain::SliceGroup;
use crate::graph::LabelKind;
use crate::tui::map::NodeMark;
use crate::tui::node::NodeExplanation;
use crate::tui::overview::OverviewBox;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped};

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let Some(explanation) = state.graph.node.known() else {
        let inside = card(buffer, area, "one node", false, &state.look);
        let text = match &state.graph.node.explanation {
            Some(Err(why)) => why.as_str(),
            _ => "computing the explanation",
        };
        return say(state, buffer, inside, text);
    };
    let [left, middle, right] = row(state, buffer, area, [38, 30, 38]);
    neighbours(state, explanation, buffer, left, hits);
    distances(state, explanation, buffer, middle, hits);
    outcome(state, explanation, buffer, right, hits);
}

fn neighbours(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (context, node) = (&explanation.context, explanation.node());
    let graph = context.graph();
    let title = format!("node {}", explanation.shown(node));
    let what = "its top contributors: who brings most, for or against";
    let room = stage(state, buffer, area, (OverviewBox::Neighbours, &title, what), hits);
    let degree = graph.degree(node);
    let plural = if degree == 1 { "" } else { "s" };
    let mut writer = Writer::new(buffer, room, 0, glyphs);
    writer.put(&format!("{degree} neighbour{plural}"), theme.text);
    writer.right("contribution", theme.faint);
    let most = explanation.rows.iter().map(|own| own.line.score.abs()).fold(0.0, f64::max);
    let digits = node_views::decimals(most);
    let half = (room.width / 8).min(10);
    let name = usize::from(room.width).saturating_sub(usize::from(2 * half) + 15);
    for (at, own) in (1..room.height).zip(&explanation.rows) {
        let mut writer = Writer::new(buffer, room, at, glyphs);
        let mark = state.graph.map.paint.entry(own.line.node).map(|entry| entry.mark);
        let (sign, style) = map::sign(state, mark.unwrap_or(NodeMark::Unknown));
        writer.put(sign.encode_utf8(&mut [0; 4]), style).put(" ", theme.text);
        writer.put(&clipped(&explanation.shown(own.line.node), name), theme.text);
        writer.go(room.x + name as u16 + 3);
        let share = if most > 0.0 { own.line.score / most } else { 0.0 };
        node_views::signed_bar(state, &mut writer, share, half);
        let number = node_views::aligned(own.line.score, digits);
        writer.right(&number, node_views::sign_style(state, own.line.score));
    }
}

fn distances(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let graph = explanation.context.graph();
    let what = "contributions summed by distance: exact, they add up to the output";
    let title = "what each distance brings";
    let room = stage(state, buffer, area, (OverviewBox::Hops, title, what), hits);
    let found = &explanation.found;
    let slices = &explanation.slices[0];
    let most = slices.iter().map(|own| own.score.abs()).fold(found.value.abs(), f64::max);
    let digits = node_views::decimals(most);
    let is_seen = |score: f64| score.abs() >= 0.5 * 0.1_f64.powi(digits as i32);
    let shown = slices.iter().filter(|slice| is_seen(slice.score));
    let shown = shown.map(|slice| (slice.group.name(graph), slice.score, slice.nodes));
    let lines: Vec<(String, f64, usize)> = shown.collect();
    let half = (room.width / 6).min(12);
    let mut at = 0;
    for (name, score, nodes) in &lines {
        let mut writer = Writer::new(buffer, room, at, glyphs);
        let own = [SliceGroup::Own, SliceGroup::Features].map(|group| group.name(graph));
        let count = if own.contains(name) { String::new() } else { format!(" ×{nodes}") };
        writer.put(&format!("{name}{count}"), theme.text);
        writer.go(room.x + room.width.saturating_sub(2 * half + 10));
        node_views::signed_bar(state, &mut writer, score / most.max(f64::MIN_POSITIVE), half);
        writer.right(&node_views::aligned(*score, digits), node_views::sign_style(state, *score));
        at += 1;
    }
    let mut writer = Writer::new(buffer, room, at, glyphs);
    writer.put("no neighbours (z = 0)", theme.faint);
    writer.right(&node_views::aligned(found.baseline, digits), theme.faint);
    let mut writer = Writer::new(buffer, room, at + 1, glyphs);
    writer.put(&format!("= {}", found.aim.name(graph)), theme.accent);
    writer.right(&node_views::aligned(found.value, digits), theme.accent);
}

fn outcome(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let facts = map::node_facts(state, explanation.node());
    let mark = glyphs.pick("*", "◆");
    let what = match explanation.context.graph().labels().kind() {
        _ if facts.as_ref().is_none_or(|own| own.label.is_none()) => String::new(),
        LabelKind::Numeric => format!("{mark} true value; x and R: predicted"),
        _ => format!("{mark} true label; green: right, red: wrong"),
    };
    let title = "what comes out";
    let room = stage(state, buffer, area, (OverviewBox::Outcome, title, &what), hits);
    let mut writer = Writer::new(buffer, room, 0, glyphs);
    match facts.as_ref().and_then(|own| Some((own.prediction.as_ref()?, own.right))) {
        Some((prediction, Some(true))) => {
            let sign = glyphs.pick("ok", "✓");
            writer.put(&format!("predicted {prediction}: right {sign}"), theme.good);
        }
        Some((prediction, Some(false))) => {
            let sign = glyphs.pick("x", "✕");
            writer.put(&format!("predicted {prediction}: wrong {sign}"), theme.bad);
        }
        Some((prediction, None)) => {
            writer.put(&format!("predicted {prediction}"), theme.accent);
        }
        None => {}
    }
    let below = Rect { y: room.y + 1, height: room.height.saturating_sub(1), ..room };
    node_views::prediction(state, explanation, buffer, below);
}
