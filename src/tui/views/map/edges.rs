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
        let ends = place(ends.0).zip(place(ends.1));
        if let Some((from, to)) = ends.and_then(|(from, to)| clipped(from, to, size(state, frame)))
        {
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
fn end(state: &State, frame: &Frame, place: Position) -> (f64, f64) {
    let (x, y) = frame.cell(place);
    let is_exact = state.look.glyphs == Glyphs::Pixel;
    if is_exact { (x, y) } else { (x.floor() + 0.5, y.floor() + 0.5) }
}

/// Columns and rows up to the last dot.
fn size(state: &State, frame: &Frame) -> (f64, f64) {
    let (across, down) = state.look.glyphs.dots();
    let (width, height) = (f64::from(frame.area.width), f64::from(frame.area.height));
    (width - 1.0 / across as f64, height - 1.0 / down as f64)
}

/// The part of a line that lies on the canvas (Liang and Barsky's way).
fn clipped(from: (f64, f64), to: (f64, f64), size: (f64, f64)) -> Option<(Point, Point)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for (step, room) in [(-dx, from.0), (dx, size.0 - from.0), (-dy, from.1), (dy, size.1 - from.1)]
    {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            start = start.max(room / step);
        } else {
            end = end.min(room / step);
        }
    }
    let at = |share: f64| [(from.0 + share * dx) as f32, (from.1 + share * dy) as f32];
    (start <= end).then(|| (at(start), at(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_to_the_canvas_and_one_outside_is_none() {
        let size = (10.0, 10.0);
        assert_eq!(clipped((-5.0, 5.0), (15.0, 5.0), size), Some(([0.0, 5.0], [10.0, 5.0])));
        assert_eq!(clipped((2.0, 3.0), (4.0, 5.0), size), Some(([2.0, 3.0], [4.0, 5.0])));
        assert_eq!(clipped((-5.0, -1.0), (15.0, -1.0), size), None);
        assert_eq!(clipped((3.0, 3.0), (3.0, 3.0), size), Some(([3.0, 3.0], [3.0, 3.0])));
    }
}
