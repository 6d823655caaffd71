//! The title and the legend of the filter's plot.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::curves::others;
use crate::train::Snapshot;
use crate::tui::filter::{FilterFacts, REFERENCES, rho};
use crate::tui::label_energy::EnergyOf;
use crate::tui::state::State;
use crate::tui::widgets::Writer;

/// The axis with what its ends mean, where there is room for that.
pub(super) fn title(state: &State, snapshot: &Snapshot, width: u16) -> String {
    let (axis, ends) = if state.graph.filter.frequency {
        ("frequency 1 − s", "smooth … alternating")
    } else {
        ("s = σ / max|σ|", "alternating … smooth")
    };
    let ends = if width >= 70 { format!(" · {ends}") } else { String::new() };
    format!("ρ over {axis} · epoch {}{ends}", snapshot.scalars.epoch)
}

/// Draws the legend and, under it, the eigenvalue at the cursor; returns the rows taken.
pub(super) fn draw(
    state: &State,
    (facts, snapshot): (&FilterFacts, &Snapshot),
    has_card: bool,
    buffer: &mut Buffer,
    area: Rect,
) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let filter = &state.graph.filter;
    let mut writer = Writer::new(buffer, area, 0, glyphs);
    writer.put(glyphs.pick("--", "━━"), theme.curves[0]).put(" learned ρ  ", theme.text);
    let energy = state.graph.label_energy.found.as_ref().filter(|_| filter.energy != EnergyOf::Off);
    if energy.is_some() {
        let (name, style) = match filter.energy {
            EnergyOf::Test => ("test labels (not trained on)", theme.warn),
            _ => ("training labels' energy", theme.ghost),
        };
        writer.put(glyphs.pick("##", "▆▆"), style).put(&format!(" {name}  "), theme.text);
    }
    if let Some((name, _)) = filter.reference.checked_sub(1).and_then(|at| REFERENCES.get(at)) {
        writer.put(glyphs.pick("- ", "╍╍"), theme.curves[1]).put(&format!(" {name}  "), theme.text);
    }
    if let Some(other) = filter.other_graphs.shown() {
        writer.put(glyphs.pick("- ", "╍╍"), theme.curves[2]);
        writer.put(&format!(" {}  ", other.describe()), theme.text);
    }
    if filter.ghosts {
        for (other, style) in others(state).filter(|(other, _)| other.response(0.0).is_some()) {
            let name = if other.filters.is_some() { "mean ± deviation" } else { "run" };
            writer.put(glyphs.pick("- ", "╍╍"), style);
            writer.put(&format!(" {} ({name})  ", other.name()), theme.text);
        }
    }
    if !facts.values.is_empty() {
        let (kept, nodes) = facts.kept;
        writer.put(glyphs.pick("o", "●"), theme.curves[3]);
        let all = if kept == nodes { "all".to_owned() } else { format!("{kept} of") };
        writer.put(&format!(" {all} {nodes} eigenvalues  "), theme.text);
    }
    if filter.ghosts && state.graph.session.filter_ghosts.len() > 1 {
        let epochs: Vec<usize> =
            state.graph.session.filter_ghosts.iter().map(|own| own.epoch).collect();
        let (first, last) = (epochs[0], epochs[epochs.len() - 1]);
        writer.put(glyphs.pick("..", "┈┈"), theme.ghost);
        writer.put(&format!(" epochs {first} to {last}"), theme.faint);
    }
    let Some(value) = filter.cursor.and_then(|at| facts.values.get(at)) else {
        return if has_card { 1 } else { 1 + hop_line(state, snapshot, buffer, area) };
    };
    let times = if value.count > 1 { format!(" ×{}", value.count) } else { String::new() };
    let mut writer = Writer::new(buffer, area, 1, glyphs);
    writer.put(&format!("σ {:.4}{times}", value.sigma), theme.accent);
    let response = rho(&snapshot.curve, value.s);
    writer.put(&format!("   1−s {:.4}   ρ {response:.4}", 1.0 - value.s), theme.text);
    2
}

/// The hop weights in a line, where they have no card; returns the rows taken.
fn hop_line(state: &State, snapshot: &Snapshot, buffer: &mut Buffer, area: Rect) -> u16 {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let weights = &snapshot.scalars.hop_weights;
    if weights.is_empty() || area.height < 8 {
        return 0;
    }
    let most = weights.iter().fold(f32::MIN_POSITIVE, |most, own| most.max(own.abs()));
    let mut writer = Writer::new(buffer, area, 1, glyphs);
    for (n, weight) in (1..).zip(weights) {
        let eighths = ((weight.abs() / most * 8.0).round() as usize).max(1);
        writer.put(&format!("α{n}"), theme.accent);
        let style = if *weight < 0.0 { theme.curves[5] } else { theme.curves[3] };
        writer.put(glyphs.column(eighths).encode_utf8(&mut [0; 4]), style);
        writer.put(&format!("{weight:.2}  "), theme.text);
    }
    1
}
