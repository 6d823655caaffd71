//! The polynomial of two groups, with its numbers in it, computed three ways.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Hits;
use super::cards::{Chosen, numbers};
use crate::lab::Lab;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, split_rows};

pub(super) fn draw(state: &State, lab: &Lab, buffer: &mut Buffer, area: Rect, hits: &mut Hits) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let groups = &lab.groups;
    let first = lab.theorem.numbers().len();
    let texts = groups.numbers().map(|x| x.to_string());
    let boxed = area.height >= 9;
    let (top, rest) = split_rows(area, if boxed { 3 } else { 1 });
    let chosen = Chosen { cursor: Some(state.lab_view.cursor(lab)), held: None };
    let mut x = top.x;
    for (name, own, at) in [("x = ", &texts[..2], 0), ("   y = ", &texts[2..], 2)] {
        let line = u16::from(boxed);
        let mut writer = Writer::new(buffer, top, line, glyphs);
        writer.go(x).put(name, theme.accent);
        let place =
            Rect { x: writer.place(), width: top.right().saturating_sub(writer.place()), ..top };
        x = place.x + numbers(&state.look, buffer, place, (own, first + at), chosen, hits);
    }
    let mut writer = Writer::new(buffer, top, u16::from(boxed), glyphs);
    writer.go(x + 3).put("p = Σ over swaps of x₁x₂²y₁y₂² and x₁²x₂³y₁³y₂⁴", theme.faint);
    let terms: Vec<String> = groups.terms().iter().map(i128::to_string).collect();
    let factors = groups.factors();
    let [[p1, p2], [q1, q2]] = groups.sums();
    let narrow = area.width < 60;
    let lines = [
        ("term by term", terms.join("+").replace("+-", "-"), groups.direct()),
        (
            "factors",
            format!("{} · {} + {} · {}", factors[0], factors[1], factors[2], factors[3]),
            groups.factored(),
        ),
        ("sums only", format!("Σx {p1}, Σx² {p2}; Σy {q1}, Σy² {q2}"), groups.from_sums()),
    ];
    for (at, (name, worked, value)) in lines.into_iter().enumerate() {
        let mut writer = Writer::new(buffer, rest, at as u16, glyphs);
        writer.put(&format!("{name:<13}"), theme.faint);
        let tail = format!(" = {value}");
        if !narrow || worked.len() + tail.len() <= writer.room() {
            writer.put(&worked, theme.text);
        }
        writer.put(&tail, theme.accent);
    }
    let (mark, agree, style) = if groups.agrees() {
        ("✓", "the three agree", theme.good)
    } else {
        ("✕", "the three differ", theme.bad)
    };
    let mut writer = Writer::new(buffer, rest, 3, glyphs);
    writer.put(&format!("{mark} {agree}"), style);
    if let Some(before) = state.lab_view.before {
        let (same, now) = (before == groups.direct(), groups.direct());
        let text = if same {
            format!("   · swap within a group: {before} unchanged")
        } else {
            format!("   · swap across groups: {before} → {now}")
        };
        writer.put(&text, if same { theme.good } else { theme.warn });
    }
    let told = "h sees only the sums of each group: Σ g(x) and Σ g(y) with g(x) = (x, x²)";
    Writer::new(buffer, rest, 4, glyphs).put(told, theme.faint);
}
