//! Edges, where they are few enough to read; those of the node one looks at
//! always.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::points::Shown;
use crate::graph::{Graph, NodeId};
use crate::layout::Position;
use crate::tui::drawing::{Drawings, Point};
use crate::tui::glyphs::Glyphs;
use crate::tui::map::Frame;
use crate::tui::state::State;
use crate::tui::widgets::{Canvas, Pattern};

/// More edges than these in view are not drawn.
const READABLE: usize = 400;

pub(super) fn draw(
    state: &State,
    places: &[Position],
    frame: &Frame,
    shown: &Shown,
    focus: Option<NodeId>,
    (buffer, drawings): (&mut Buffer, &mut Drawings),
) {
    let Some(ready) = &state.graph.session.ready else { return };
    let graph = &ready.prepared.graph;
    let behind = state.look.theme.border;
    let mut canvas = Canvas::new(frame.area, state.look.glyphs).with_behind(behind);
    let mut line = |ends: (NodeId, NodeId), style: Style| {
        let place = |node: NodeId| places.get(node.index()).map(|own| end(state, frame, *own));
        if let Some((from, to)) = place(ends.0).zip(place(ends.1)) {
            canvas.lift();
            canvas.line(from, to, style, Pattern::Solid);
        }
    };
    if !state.graph.map.bare {
        for ends in in_view(graph, shown) {
            line(ends, behind);
        }
    }
    if let Some(node) = focus {
        for &other in graph.neighbours(node) {
            line((node, NodeId(other)), state.look.theme.curves[0]);
        }
    }
    canvas.draw(buffer, drawings);
}

/// The edges with an end in view; none where they are too many.
fn in_view(graph: &Graph, shown: &Shown) -> Vec<(NodeId, NodeId)> {
    let mut found = Vec::new();
    for &node in &shown.few {
        for &other in graph.neighbours(node) {
            // An edge inside is met at both its ends and taken at the first.
            let inside = shown.few.binary_search(&NodeId(other)).is_ok();
            if !inside || other > node.0 {
                found.push((node, NodeId(other)));
            }
        }
        if found.len() > READABLE {
            return Vec::new();
        }
    }
    found
}

/// The end of an edge at a node: characters stand in the middle of their cells.
fn end(state: &State, frame: &Frame, place: Position) -> Point {
    let (x, y) = frame.cell(place);
    let is_exact = state.look.glyphs == Glyphs::Pixel;
    if is_exact { [x as f32, y as f32] } else { [x.floor() as f32 + 0.5, y.floor() as f32 + 0.5] }
}
