//! Beside the filter: what the frequency under the cursor separates, and how
//! much neighbours at each distance count.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::hops::{MOST, fit};
use crate::train::Snapshot;
use crate::tui::filter::{FilterFacts, rho, separation};
use crate::tui::filter_words::{pass, reach};
use crate::tui::spectrum::{Eigenpairs, eigenpairs};
use crate::tui::state::State;
use crate::tui::widgets::{Writer, card, clipped, short, split_columns, split_rows, wrapped};

/// Rows under the bars: the epochs, and what was learned in words.
const BELOW: u16 = 7;

pub(super) fn draw(
    state: &State,
    facts: &FilterFacts,
    snapshot: &Snapshot,
    buffer: &mut Buffer,
    area: Rect,
) {
    let both = area.height >= 22;
    let beside = !both && area.width >= 70;
    let cursor = state.graph.filter.cursor.is_some();
    if both {
        let (upper, lower) = split_rows(area, area.height / 2);
        hops(state, facts, snapshot, buffer, upper);
        classes(state, facts, buffer, lower);
    } else if beside {
        let (left, right) = split_columns(area, area.width / 2);
        hops(state, facts, snapshot, buffer, left);
        classes(state, facts, buffer, right);
    } else if cursor {
        classes(state, facts, buffer, area);
    } else {
        hops(state, facts, snapshot, buffer, area);
    }
}

fn hops(state: &State, facts: &FilterFacts, snapshot: &Snapshot, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "hop weights", false, &state.look);
    let say = |buffer: &mut Buffer, line: u16, text: &str, style| {
        Writer::new(buffer, inside, line, glyphs).put(text, style);
    };
    let exact = &snapshot.scalars.hop_weights;
    if !exact.is_empty() {
        let features = snapshot.scalars.feature_share;
        let factor = if features.is_some() { "2(1−β) " } else { "" };
        say(buffer, 0, &format!("P = {factor}Σ αₙ Mⁿ, exact"), theme.faint);
        say(buffer, 1, state.graph.session.filter_state(), theme.text);
        let features = features.map(|share| format!("own features: share β = {share:.2}"));
        let learned = [reach(exact), Some(pass(&snapshot.curve, facts.range()).to_owned())];
        let learned = learned.into_iter().chain([features]);
        let room = Rect { y: inside.y + 3, height: inside.height.saturating_sub(3), ..inside };
        let each = rows_each(room.height.saturating_sub(BELOW), exact.len());
        let mut line = 5 + each * exact.len() as u16;
        for text in learned.flatten() {
            for words in wrapped(&text, inside.width.into()) {
                say(buffer, line, &words, theme.accent);
                line += 1;
            }
        }
        let weights: Vec<(usize, f64)> =
            exact.iter().enumerate().map(|(at, weight)| (at + 1, f64::from(*weight))).collect();
        return bars_with_history(state, &weights, room, buffer);
    }
    let (points, response): (Vec<f64>, Vec<f64>) = if facts.values.is_empty() {
        let grid = Snapshot::grid();
        grid.iter().map(|s| (f64::from(*s), rho(&snapshot.curve, f64::from(*s)))).unzip()
    } else {
        let each = facts.values.iter().map(|value| (value.s, rho(&snapshot.curve, value.s)));
        each.unzip()
    };
    let Some(found) = fit(&points, &response) else { return };
    say(buffer, 0, "P ≈ Σ αₙ (M/max|σ|)ⁿ", theme.faint);
    let error = 100.0 * found.error;
    if found.is_good() {
        say(buffer, 1, &format!("fits ρ to {error:.1} %"), theme.good);
    } else {
        say(buffer, 1, &format!("no degree up to {MOST} fits ρ:"), theme.bad);
        say(buffer, 2, &format!("{error:.0} % error: do not rely on these"), theme.bad);
    }
    let weights: Vec<(usize, f64)> = found.weights.iter().copied().enumerate().collect();
    let top = if found.is_good() { 3 } else { 4 };
    bars(state, &weights, split_rows(inside, top).1, 1, buffer);
}

/// A bar for each weight, and beside it the way there over the epochs; both as high as
/// there is room for.
fn bars_with_history(state: &State, weights: &[(usize, f64)], area: Rect, buffer: &mut Buffer) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let each = rows_each(area.height.saturating_sub(BELOW), weights.len());
    let rows = Rect { height: area.height.min(each * weights.len() as u16), ..area };
    let history = if area.width >= 34 { area.width * 2 / 5 } else { 0 };
    let (left, right) = split_columns(rows, area.width - history);
    bars(state, weights, left, each, buffer);
    let run = &state.graph.session.run;
    let most = run
        .hops
        .iter()
        .filter_map(|own| own.between(0, usize::MAX))
        .map(|own| own.high.max(-own.low));
    let most = most.fold(f32::MIN_POSITIVE, f32::max);
    let width = usize::from(right.width.max(1));
    let epoch = |column: u16| usize::from(column) * run.epochs / width;
    for (top, series) in (right.y..right.bottom()).step_by(each.into()).zip(&run.hops) {
        for x in 0..right.width {
            let span = series.between(epoch(x), epoch(x + 1).max(epoch(x) + 1));
            let Some(value) = span.map(|span| span.last) else { continue };
            let style = if value < 0.0 { theme.curves[5] } else { theme.curves[0] };
            let eighths = ((value.abs() / most * f32::from(8 * each)).round() as usize).max(1);
            for row in 0..each.min(right.bottom() - top) {
                let part = eighths.saturating_sub(usize::from(8 * (each - 1 - row))).min(8);
                let cell = &mut buffer[(right.x + x, top + row)];
                cell.set_char(glyphs.column(part)).set_style(style);
            }
        }
    }
    if history > 0 && rows.height < area.height {
        let below = Rect { y: rows.bottom(), height: 1, ..right };
        let mut writer = Writer::new(buffer, below, 0, glyphs);
        writer.put("epoch 0", theme.faint);
        writer.right(&run.epochs.to_string(), theme.faint);
    }
}

/// Rows for each of some bars in a room of that height.
pub(super) fn rows_each(height: u16, bars: usize) -> u16 {
    (height / bars.max(1) as u16).clamp(1, 3)
}

/// A bar for each weight, to the left where it subtracts.
pub(super) fn bars(
    state: &State,
    weights: &[(usize, f64)],
    area: Rect,
    each: u16,
    buffer: &mut Buffer,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let most = weights.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
    let both = weights.iter().any(|(_, weight)| *weight < 0.0);
    let room = area.width.saturating_sub(13);
    let half = if both { room / 2 } else { room };
    let middle = area.x + 3 + if both { half } else { 0 };
    for (top, (n, weight)) in (0..area.height).step_by(each.into()).zip(weights) {
        let length = if most > 0.0 { weight.abs() / most * f64::from(half) } else { 0.0 };
        let length = (length.round() as u16).min(half);
        let style = if *weight < 0.0 { theme.curves[5] } else { theme.curves[3] };
        let bar =
            glyphs.pick(if *weight < 0.0 { "-" } else { "+" }, "█").repeat(usize::from(length));
        // Of several rows, the last stays free between two bars.
        for row in 0..each.saturating_sub(1).max(1) {
            let mut writer = Writer::new(buffer, area, top + row, glyphs);
            writer.go(if *weight < 0.0 { middle - length } else { middle + 1 }).put(&bar, style);
            writer.go(middle).put(glyphs.pick("|", "│"), theme.border);
        }
        let mut writer = Writer::new(buffer, area, top, glyphs);
        writer.put(&format!("α{n}"), theme.accent);
        let sign = if *weight < 0.0 { "−" } else { "" };
        writer.go(area.right().saturating_sub(8));
        writer.put(&format!("{sign}{:<7}", short(weight.abs())), theme.text);
    }
}

fn classes(state: &State, facts: &FilterFacts, buffer: &mut Buffer, area: Rect) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let inside = card(buffer, area, "class separation at this σ", false, &state.look);
    let ready = state.graph.session.ready.as_ref();
    let chosen = state.graph.filter.cursor.and_then(|at| facts.values.get(at));
    let spectrum = eigenpairs(state);
    let Some(((ready, spectrum), value)) = ready.zip(spectrum).zip(chosen) else {
        let text = match &state.graph.eigenpairs {
            _ if !facts.values.is_empty() => "← → choose an eigenvalue".to_owned(),
            Eigenpairs::Refused(why) => format!("no eigenvectors: {why}"),
            _ => "computing eigenvectors …".to_owned(),
        };
        for (line, text) in wrapped(&text, inside.width.into()).iter().enumerate() {
            Writer::new(buffer, inside, line as u16, glyphs).put(text, theme.faint);
        }
        return;
    };
    let Some(found) = separation(&ready.prepared.graph, spectrum, *value) else {
        Writer::new(buffer, inside, 0, glyphs).put("the graph has no classes", theme.faint);
        return;
    };
    let between = if value.count == 1 {
        format!("{:.0} % between-class variance", 100.0 * found.between)
    } else {
        format!("{} eigenvectors share this σ", value.count)
    };
    Writer::new(buffer, inside, 0, glyphs).put(&between, theme.text);
    let mut order: Vec<_> = found.classes.iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let bar_room = inside.width.saturating_sub(22);
    for (at, (name, share, mean)) in order.into_iter().enumerate() {
        let line = 2 + at as u16;
        if line >= inside.height {
            break;
        }
        let mut writer = Writer::new(buffer, inside, line, glyphs);
        writer.put(&clipped(name, 13), theme.faint).go(inside.x + 14);
        let sign = if value.count > 1 {
            " "
        } else if *mean < 0.0 {
            "−"
        } else {
            "+"
        };
        writer.put(sign, theme.text);
        let length = (share * f64::from(bar_room)).round() as usize;
        let style = if *mean < 0.0 { theme.curves[5] } else { theme.curves[3] };
        writer.put(&glyphs.pick("#", "█").repeat(length), style);
        writer.put(&format!(" {:.0} %", 100.0 * share), theme.text);
    }
}
