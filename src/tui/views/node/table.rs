//! Who made the number, each with its sign, and sums that add up.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::{HitTarget, Hits};
use super::bars::{aligned, decimals, sign_style, signed_bar};
use super::sums;
use crate::explain::{Aim, FeatureContribution, Ring, Slice};
use crate::tui::node::{NodeExplanation, NodePane, Row, Slicing};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped};

/// Where each column begins, and which there is room for.
struct Columns {
    name: u16,
    kind: u16,
    hop: u16,
    weight: u16,
    share: u16,
    half: u16,
    without: u16,
}

const SCORE: u16 = 9;

impl Columns {
    fn of(width: u16, types: usize) -> Self {
        let kind = if types > 1 && width >= 62 { 10 } else { 0 };
        let weight = if width >= 58 { 9 } else { 0 };
        let share = if width >= 50 { 7 } else { 0 };
        let without = if width >= 72 { 10 } else { 0 };
        let hop = if width >= 34 { 5 } else { 0 };
        let used = kind + weight + share + without + hop + SCORE + 3;
        let left = width.saturating_sub(used);
        let name = (left * 11 / 20).clamp(8, 30).min(left);
        let half = left.saturating_sub(name + 1) / 2;
        let name = left.saturating_sub(2 * half + 1).min(if width > 100 { 44 } else { left });
        Self { name, kind, hop, weight, share, half, without }
    }
}

pub(super) fn draw(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let found = &explanation.found;
    let aim = found.aim.name(explanation.context.graph());
    let from = if found.aim == Aim::Length { "" } else { ", from R" };
    let by = state.graph.node.slicing.name();
    let lead = if area.width >= 60 { "contributions: " } else { "" };
    let title = format!("{lead}{aim}{from} · by {by}");
    let focused = state.graph.node.pane == NodePane::Table;
    let inside = card(buffer, area, &title, focused, &state.look);
    hits.add(inside, HitTarget::NodePane(NodePane::Table));
    let digits = decimals(found.size().max(found.value.abs()));
    let below = sums::rows(explanation, inside.height);
    let list = Rect { height: inside.height.saturating_sub(below), ..inside };
    let foot = Rect { y: list.bottom(), height: below, ..inside };
    match state.graph.node.slicing {
        Slicing::Neighbour => neighbours(state, explanation, digits, buffer, list, hits),
        Slicing::Ring => slices(state, explanation, &explanation.slices[0], digits, buffer, list),
        Slicing::Walk => slices(state, explanation, &explanation.slices[3], digits, buffer, list),
        Slicing::Type => slices(state, explanation, &explanation.slices[1], digits, buffer, list),
        Slicing::Label => slices(state, explanation, &explanation.slices[2], digits, buffer, list),
    }
    sums::draw(state, explanation, digits, buffer, foot);
}

fn neighbours(
    state: &State,
    explanation: &NodeExplanation,
    digits: usize,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let graph = explanation.context.graph();
    let columns = Columns::of(area.width, graph.types().count());
    let heading = area.height >= 4;
    if heading {
        let mut x = area.x + 2;
        let unsaid =
            |width: u16, text: &str| if width > 0 { text.to_owned() } else { String::new() };
        let texts = [
            (columns.name, "neighbour".to_owned(), false),
            (columns.kind, unsaid(columns.kind, "type"), false),
            (columns.hop, unsaid(columns.hop, "hops"), true),
            (columns.weight, unsaid(columns.weight, "P_uv"), true),
            (SCORE, "contrib.".to_owned(), true),
            (columns.share, unsaid(columns.share, "share"), true),
        ];
        for (width, text, right) in texts {
            let width = usize::from(width);
            let text = if right { format!("{text:>width$}") } else { text };
            Writer::new(buffer, area, 0, glyphs).go(x).put(&clipped(&text, width), theme.faint);
            x += width as u16;
        }
        if columns.without > 0 {
            let text = match explanation.found.aim {
                Aim::Class(_) | Aim::Margin { .. } => "logit without it",
                Aim::Value | Aim::Length => "value without it",
            };
            Writer::new(buffer, area, 0, glyphs).right(text, theme.faint);
        }
    }
    let rows = &explanation.rows;
    let scores = rows.iter().map(|row| row.line.score);
    let scores = scores.chain(explanation.table.features.map(|own| own.score));
    let most = scores.map(f64::abs).fold(0.0, f64::max);
    let mut top = u16::from(heading);
    if let Some(own) = &explanation.table.features {
        let mut writer = Writer::new(buffer, area, top, glyphs);
        writer.put("  ", theme.text);
        features(state, own, &columns, (digits, most), &mut writer);
        top += 1;
    }
    let height = usize::from(area.height.saturating_sub(top));
    if rows.is_empty() {
        let text = "no contributors: P connects this node to no other";
        Writer::new(buffer, area, top, glyphs).put(text, theme.faint);
        return;
    }
    let picked = state.graph.node.row();
    let chosen = rows.iter().position(|row| Some(row.line.node) == picked).unwrap_or(0);
    let first = chosen.saturating_sub(height * 2 / 3).min(rows.len().saturating_sub(height));
    for (line, (at, own)) in rows.iter().enumerate().skip(first).take(height).enumerate() {
        let place = Rect { y: area.y + top + line as u16, height: 1, ..area };
        hits.add(place, HitTarget::Contributor(own.line.node));
        let here = at == chosen;
        if here && state.graph.node.pane == NodePane::Table {
            buffer.set_style(place, theme.selection);
        }
        let mut writer = Writer::new(buffer, place, 0, glyphs);
        let mark = match (own.muted, here) {
            (true, _) => glyphs.pick("x ", "⊘ "),
            (false, true) => glyphs.pick("> ", "▸ "),
            _ => "  ",
        };
        writer.put(mark, theme.accent);
        contributor(state, explanation, own, &columns, (digits, most), &mut writer);
    }
}

/// The node's own features, in the columns of the neighbours.
fn features(
    state: &State,
    own: &FeatureContribution,
    columns: &Columns,
    (digits, most): (usize, f64),
    writer: &mut Writer<'_>,
) {
    let theme = &state.look.theme;
    let start = writer.place();
    let name = clipped("own features", usize::from(columns.name).saturating_sub(1));
    writer.put(&name, theme.text);
    let before = columns.name + columns.kind + columns.hop + columns.weight;
    let score = state.look.glyphs.text(&aligned(own.score, digits));
    let score = format!("{score:>width$}", width = usize::from(SCORE));
    writer.go(start + before).put(&score, sign_style(state, own.score));
    if columns.share > 0 {
        let width = usize::from(columns.share);
        let share = format!("{:.1} %", 100.0 * own.share.abs());
        writer.put(&format!("{share:>width$}"), theme.faint);
    }
    writer.go(start + before + SCORE + columns.share + 1);
    signed_bar(state, writer, if most > 0.0 { own.score / most } else { 0.0 }, columns.half);
    if columns.without > 0 {
        writer.right(&aligned(own.left_out, digits), theme.faint);
    }
}

fn contributor(
    state: &State,
    explanation: &NodeExplanation,
    row: &Row,
    columns: &Columns,
    (digits, most): (usize, f64),
    writer: &mut Writer<'_>,
) {
    let theme = &state.look.theme;
    let graph = explanation.context.graph();
    let line = &row.line;
    let style = if row.muted { theme.ghost } else { theme.text };
    let mut x = writer.place();
    let name = explanation.shown(line.node);
    writer.put(&clipped(&name, usize::from(columns.name).saturating_sub(1)), style);
    x += columns.name;
    let mut right = |writer: &mut Writer<'_>, width: u16, text: &str, style| {
        if width > 0 {
            let text =
                format!("{:>width$}", state.look.glyphs.text(text), width = usize::from(width));
            writer.go(x).put(&text, style);
            x += width;
        }
    };
    if columns.kind > 0 {
        let kind = &graph.types().names()[graph.types().of(line.node).index()];
        let room = usize::from(columns.kind) - 1;
        right(writer, columns.kind, &format!("{:<room$} ", clipped(kind, room)), theme.faint);
    }
    let hop = match line.ring {
        Ring::Hops(hops) => hops.to_string(),
        Ring::Own => "0".to_owned(),
        Ring::Beyond(_) | Ring::Apart => "-".to_owned(),
    };
    right(writer, columns.hop, &hop, theme.faint);
    right(writer, columns.weight, &aligned(f64::from(line.weight), 4), theme.faint);
    let sign = if row.muted { theme.ghost } else { sign_style(state, line.score) };
    right(writer, SCORE, &aligned(line.score, digits), sign);
    right(writer, columns.share, &format!("{:.1} %", 100.0 * line.share.abs()), theme.faint);
    writer.go(x + 1);
    if row.muted {
        writer.put("excluded", theme.ghost).go(x + 2 + 2 * columns.half);
    } else {
        signed_bar(state, writer, if most > 0.0 { line.score / most } else { 0.0 }, columns.half);
    }
    if columns.without > 0 && !row.muted {
        writer.right(&aligned(line.left_out, digits), theme.faint);
    }
}

fn slices(
    state: &State,
    explanation: &NodeExplanation,
    slices: &[Slice],
    digits: usize,
    buffer: &mut Buffer,
    area: Rect,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let graph = explanation.context.graph();
    let name = (area.width / 3).clamp(10, 28);
    let half = area.width.saturating_sub(name + 8 + SCORE + 4) / 2;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(state.graph.node.slicing.name(), theme.faint);
    writer.go(area.x + name).put(&format!("{:>8}{:>9}", "nodes", "contrib."), theme.faint);
    let most = slices.iter().map(|slice| slice.score.abs()).fold(0.0, f64::max);
    for (at, slice) in slices.iter().enumerate() {
        let mut writer = Writer::new(buffer, area, at as u16 + 1, glyphs);
        let text = slice.group.name(graph);
        writer.put(&clipped(&text, usize::from(name) - 1), theme.text).go(area.x + name);
        writer.put(&format!("{:>8}", slice.nodes), theme.faint);
        let score = format!("{:>9}", glyphs.text(&aligned(slice.score, digits)));
        writer.put(&score, sign_style(state, slice.score)).put(" ", theme.text);
        signed_bar(state, &mut writer, if most > 0.0 { slice.score / most } else { 0.0 }, half);
    }
}
