//! The neighbourhood drawn: who is there, and who speaks for or against.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::{HitTarget, Hits, map};
use super::bars::sign_style;
use crate::explain::Spot;
use crate::tui::drawing::{Ink, Shape};
use crate::tui::glyphs::{Glyphs, Shape as Sign};
use crate::tui::map::{ColourBy, NodeMark};
use crate::tui::node::{NodeExplanation, NodePane};
use crate::tui::state::State;
use crate::tui::widgets::{Canvas, Pattern, Writer, card, clipped};

/// Columns kept free at the sides for names.
const NAMES: u16 = 9;
/// Letters of a name at most.
const LETTERS: usize = 16;

pub(super) fn draw(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    area: Rect,
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let (ego, graph) = (&explanation.ego, explanation.context.graph());
    let hops = if state.graph.node.hops == 1 { "1-hop" } else { "2-hop" };
    let title = match ego.missing {
        0 => format!("{hops} neighbourhood and top contributors"),
        _ => "top contributors and neighbours".to_owned(),
    };
    let inside = card(buffer, area, &title, state.graph.node.pane == NodePane::Ego, &state.look);
    hits.add(inside, HitTarget::NodePane(NodePane::Ego));
    let legend = u16::from(inside.height >= 6);
    let room = Rect { height: inside.height.saturating_sub(legend), ..inside };
    if room.width < 8 || room.height < 3 {
        return;
    }
    let side = NAMES.min(room.width / 6);
    let (wide, high) = (room.width - 2 * side - 1, room.height - 1);
    // A cell is about twice as high as wide.
    let across = f64::from(wide).min(f64::from(high) * 3.2);
    let place = |spot: &Spot| {
        let x = f64::from(room.x) + f64::from(room.width - 1) / 2.0 + spot.x * across / 2.0;
        let y = f64::from(room.y) + f64::from(high) / 2.0 - spot.y * f64::from(high) / 2.0;
        (x.round() as u16, y.round() as u16)
    };
    let mut canvas = Canvas::new(room, glyphs).with_behind(theme.border);
    let middle = |spot: &Spot| {
        let (x, y) = place(spot);
        [f32::from(x - room.x) + 0.5, f32::from(y - room.y) + 0.5]
    };
    // Plain edges first, what speaks over them.
    let mut links: Vec<_> = ego.links.iter().collect();
    links.sort_by(|a, b| a.score.abs().total_cmp(&b.score.abs()));
    for link in links {
        let (Some(from), Some(to)) = (ego.spots.get(link.from), ego.spots.get(link.to)) else {
            continue;
        };
        let speaks = link.from == 0 && (to.strong || link.is_edge) && link.score != 0.0;
        let (style, pattern) = match (speaks, link.is_edge) {
            (true, true) if link.score > 0.0 => (sign_style(state, 1.0), Pattern::Solid),
            (true, true) => (sign_style(state, -1.0), Pattern::Dashed),
            (true, false) => (sign_style(state, link.score), Pattern::Dotted),
            _ => (theme.border, Pattern::Dotted),
        };
        canvas.lift();
        canvas.line(middle(from), middle(to), style, pattern);
    }
    canvas.draw(buffer, &mut hits.drawings);
    spots(state, explanation, buffer, room, &place, hits);
    if let (Some(centre), 1..) = (ego.spots.first(), ego.missing) {
        let (x, y) = place(centre);
        let text = format!("+ {} more", ego.missing);
        let start = x.saturating_sub(text.len() as u16 / 2).max(room.x);
        let below = Rect { x: start, y: y + 1, width: text.len() as u16, height: 1 };
        Writer::new(buffer, below.intersection(room), 0, glyphs).put(&text, theme.warn);
    }
    if legend > 0 {
        let mut writer = Writer::new(buffer, inside, inside.height - 1, glyphs);
        for (sign, style, text) in [
            (glyphs.pick("+", "━●"), sign_style(state, 1.0), " for "),
            (glyphs.pick("-", "╍○"), sign_style(state, -1.0), " against "),
            (glyphs.pick(".", "┈"), theme.faint, " non-adjacent, other edges "),
        ] {
            writer.put(sign, style).put(text, theme.faint);
        }
        if ego.spots.iter().any(|spot| by_eigenvector(state, spot).is_some()) {
            let [up, down] = [1, -1].map(|step| map::sign(state, NodeMark::Signed(3 * step)));
            writer.put(&up.0.to_string(), up.1).put(&down.0.to_string(), down.1);
            writer.put(" eigenvector of the map ", theme.faint);
        }
        if graph.labels().classes().is_some() {
            writer.put("A", theme.text).put(" label", theme.faint);
        }
    }
}

/// The nodes, and the names of the strongest where they find room.
fn spots(
    state: &State,
    explanation: &NodeExplanation,
    buffer: &mut Buffer,
    room: Rect,
    place: &dyn Fn(&Spot) -> (u16, u16),
    hits: &mut Hits,
) {
    let (theme, glyphs) = (&state.look.theme, state.look.glyphs);
    let ego = &explanation.ego;
    let mut taken: Vec<Rect> = Vec::new();
    for (at, spot) in ego.spots.iter().enumerate() {
        let (x, y) = place(spot);
        let chosen = Some(spot.node) == state.graph.node.row();
        let against = spot.score < 0.0;
        let (sign, style) = match at {
            0 => (glyphs.pick("@", "◉"), theme.accent),
            _ if spot.strong => {
                let sign =
                    glyphs.pick(if against { "-" } else { "+" }, if against { "○" } else { "●" });
                (sign, sign_style(state, spot.score))
            }
            _ => (glyphs.pick("o", "∙"), theme.faint),
        };
        let vector = by_eigenvector(state, spot).filter(|_| at > 0);
        let style = vector.map_or(style, |mark| map::sign(state, mark).1);
        let style = if chosen { theme.selection.patch(style) } else { style };
        let cell = Rect { x, y, width: 1, height: 1 }.intersection(room);
        if cell.is_empty() {
            continue;
        }
        if glyphs == Glyphs::Pixel {
            let (sign, radius) = match at {
                0 => (Sign::Dot, 0.6),
                _ if spot.strong && against => (Sign::Ring, 0.45),
                _ if spot.strong => (Sign::Dot, 0.45),
                _ => (Sign::Dot, 0.22),
            };
            let (sign, radius) = vector.map_or((sign, radius), |mark| (map::drawn(mark), 0.5));
            let middle = [f32::from(x - room.x) + 0.5, f32::from(y - room.y) + 0.5];
            let ink = Ink { style, behind: false };
            let mark = Shape::Mark { at: middle, sign, radius, ink };
            hits.drawings.over(room, mark, glyphs, buffer);
            if chosen {
                buffer.set_style(cell, theme.selection);
            }
        } else {
            let vector = vector.map(|mark| map::sign(state, mark).0.to_string());
            Writer::new(buffer, cell, 0, glyphs).put(vector.as_deref().unwrap_or(sign), style);
        }
        taken.push(cell);
        if at > 0 {
            let wider = Rect { x: x.saturating_sub(1), width: 3, ..cell }.intersection(room);
            hits.add(wider, HitTarget::Contributor(spot.node));
        }
    }
    let mut named: Vec<&Spot> = ego
        .spots
        .iter()
        .enumerate()
        .filter(|(at, spot)| *at == 0 || spot.strong)
        .map(|(_, s)| s)
        .collect();
    if let Some((_, rest)) = named.split_first_mut() {
        rest.sort_by(|a, b| b.score.abs().total_cmp(&a.score.abs()));
    }
    let centre = ego.spots.first().map_or(0, |spot| place(spot).0);
    for (n, spot) in named.into_iter().enumerate() {
        let (x, y) = place(spot);
        let text = clipped(&name(explanation, spot), LETTERS);
        let mark = NodeMark::of_label(explanation.context.graph(), spot.node);
        let letter = mark.and_then(NodeMark::letter).map(|own| format!(" {own}"));
        let letter = letter.unwrap_or_default();
        let width = (glyphs.text(&text).width() + letter.len()) as u16;
        let right = Rect { x: x + 2, y, width, height: 1 };
        let left = Rect { x: x.saturating_sub(width + 1), ..right };
        let order = if x >= centre { [right, left] } else { [left, right] };
        let fits = |own: &Rect| {
            own.x >= room.x
                && own.right() <= room.right()
                && taken.iter().all(|other| !other.intersects(*own))
        };
        let Some(free) = order.into_iter().find(fits) else { continue };
        let chosen = Some(spot.node) == state.graph.node.row();
        let style: Style = match n {
            0 => theme.accent,
            _ if chosen => theme.selection.patch(theme.text),
            _ => theme.text,
        };
        let mut writer = Writer::new(buffer, free, 0, glyphs);
        writer.put(&text, style);
        if let Some(mark) = mark {
            writer.put(&letter, map::sign(state, mark).1);
        }
        hits.add(free, HitTarget::Contributor(spot.node));
        taken.push(free);
    }
}

/// The entry of the eigenvector that the map is coloured by, if it is.
fn by_eigenvector(state: &State, spot: &Spot) -> Option<NodeMark> {
    let map = &state.graph.map;
    let mark = map.paint.entry(spot.node)?.mark;
    let is_entry = map.colour == ColourBy::Eigenvector && matches!(mark, NodeMark::Signed(_));
    is_entry.then_some(mark)
}

/// The shortest that people call it.
fn name(explanation: &NodeExplanation, spot: &Spot) -> String {
    let graph = explanation.context.graph();
    let name = graph.name(spot.node);
    if name.is_empty() { graph.ids().text(spot.node).to_owned() } else { name.to_owned() }
}
