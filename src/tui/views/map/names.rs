//! Names beside the nodes, where there are few; the name of the node one looks
//! at always.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::points::Shown;
use crate::graph::NodeId;
use crate::layout::Position;
use crate::tui::map::Frame;
use crate::tui::state::State;
use crate::tui::widgets::{Writer, clipped};

/// More nodes than these in view have no names.
const NAMED: usize = 120;
/// A name is cut to so many columns.
const LONGEST: usize = 24;

pub(super) fn draw(
    state: &State,
    places: &[Position],
    frame: &Frame,
    shown: &Shown,
    buffer: &mut Buffer,
) {
    let Some(ready) = &state.graph.session.ready else { return };
    let graph = &ready.prepared.graph;
    if (1..=NAMED).contains(&shown.few.len()) {
        let mut order = shown.few.clone();
        // Where there is no room for all, the busiest have names.
        order.sort_by_key(|node| std::cmp::Reverse(graph.degree(*node)));
        let mut taken = Vec::new();
        for node in order {
            let name = clipped(graph.name(node), LONGEST);
            let Some(room) = places.get(node.index()).and_then(|at| beside(frame, *at, &name))
            else {
                continue;
            };
            let wide = Rect { x: room.x.saturating_sub(1), width: room.width + 2, ..room };
            let free =
                !taken.iter().any(|own: &Rect| own.intersects(wide)) && shown.is_free(frame, room);
            if free {
                taken.push(wide);
                write(state, buffer, room, &name, state.look.theme.faint);
            }
        }
    }
    let node = state.graph.map.shown_node();
    if let Some((node, place)) = node.and_then(|n: NodeId| Some((n, *places.get(n.index())?))) {
        let name = clipped(graph.name(node), LONGEST);
        if let Some(room) = beside(frame, place, &name) {
            write(state, buffer, room, &name, state.look.theme.accent);
        }
    }
}

/// Right of the node, or left of it at the edge.
fn beside(frame: &Frame, place: Position, name: &str) -> Option<Rect> {
    let (x, y) = frame.seen(place)?;
    let (area, width) = (frame.area, name.width() as u16);
    let right = area.x + x + 2;
    let x = if right + width <= area.right() {
        right
    } else {
        (area.x + x).checked_sub(width + 1).filter(|x| *x >= area.x)?
    };
    Some(Rect { x, y: area.y + y, width, height: 1 })
}

fn write(state: &State, buffer: &mut Buffer, room: Rect, name: &str, style: Style) {
    buffer.set_style(room, state.look.theme.background);
    Writer::new(buffer, room, 0, state.look.glyphs).put(name, style);
}
