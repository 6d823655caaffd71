//! Cuts shapes to the area of a drawing, so that distant points take no time and lines
//! that leave the area keep their direction. What is not a number is left out.

use ratatui::layout::Rect;

use super::{Point, Shape};

/// Cells around the area that are drawn as well: the ends of lines and halves of signs
/// reach into it.
const MARGIN: f32 = 2.0;

/// The part of a shape in an area, or near it.
pub(super) fn clip(shape: Shape, area: Rect) -> Option<Shape> {
    let bounds = Bounds {
        low: [-MARGIN; 2],
        high: [f32::from(area.width) + MARGIN, f32::from(area.height) + MARGIN],
    };
    match shape {
        Shape::Line { paths, pattern, width, ink } => {
            let paths: Vec<_> = paths.iter().flat_map(|path| bounds.path(path)).collect();
            (!paths.is_empty()).then_some(Shape::Line { paths, pattern, width, ink })
        }
        Shape::Band { spans, width, ink } => {
            let spans = bounds.band(spans);
            (!spans.is_empty()).then_some(Shape::Band { spans, width, ink })
        }
        Shape::Column { left, top, right, bottom, ink } => {
            let is_number = [left, top, right, bottom].iter().all(|edge| !edge.is_nan());
            let ([left, top], [right, bottom]) =
                (bounds.nearest([left, top]), bounds.nearest([right, bottom]));
            is_number.then_some(Shape::Column { left, top, right, bottom, ink })
        }
        Shape::Level { row, .. } => bounds.holds([0.0, row]).then_some(shape),
        Shape::Upright { column, .. } => bounds.holds([column, 0.0]).then_some(shape),
        Shape::Mark { at, .. } => bounds.holds(at).then_some(shape),
    }
}

/// A rectangle: its upper left and lower right corner.
struct Bounds {
    low: Point,
    high: Point,
}

impl Bounds {
    fn holds(&self, point: Point) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }

    fn nearest(&self, [x, y]: Point) -> Point {
        [x.clamp(self.low[0], self.high[0]), y.clamp(self.low[1], self.high[1])]
    }

    /// The parts of a path inside.
    #[allow(clippy::float_cmp)] // The same point, not a near one.
    fn path(&self, points: &[Point]) -> Vec<Vec<Point>> {
        if let [only] = points {
            return if self.holds(*only) { vec![vec![*only]] } else { Vec::new() };
        }
        let mut parts: Vec<Vec<Point>> = Vec::new();
        for pair in points.windows(2) {
            let Some((from, to)) = self.segment(pair[0], pair[1]) else { continue };
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }

    /// The part of a segment inside, by the algorithm of Liang and Barsky.
    fn segment(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            if !(from[axis].is_finite() && to[axis].is_finite()) {
                return None;
            }
            let [low, high] = self.crossings(axis, from[axis], to[axis])?;
            (start, end) = (start.max(low.min(high)), end.min(low.max(high)));
        }
        let at = |share: f64| self.nearest([0, 1].map(|axis| between(from[axis], to[axis], share)));
        (start <= end).then(|| (at(start), at(end)))
    }

    /// The shares of the way from one value to another at which it crosses the bounds of
    /// an axis; `None` if it stays outside.
    fn crossings(&self, axis: usize, from: f32, to: f32) -> Option<[f64; 2]> {
        let (low, high) = (self.low[axis], self.high[axis]);
        let way = f64::from(to) - f64::from(from);
        if way == 0.0 {
            return (low..=high).contains(&from).then_some([0.0, 1.0]);
        }
        Some([low, high].map(|bound| (f64::from(bound) - f64::from(from)) / way))
    }

    /// A band inside, with further spans where an edge leaves or enters.
    fn band(&self, mut spans: Vec<[f32; 3]>) -> Vec<[f32; 3]> {
        spans.retain(|span| span.iter().all(|value| value.is_finite()));
        let mut inside: Vec<[f32; 3]> = Vec::new();
        // The last one may be the only one.
        let next = spans.iter().skip(1).chain(spans.last());
        for (from, to) in spans.iter().zip(next) {
            let mut shares = vec![0.0, 1.0];
            for (at, axis) in [(0, 0), (1, 1), (2, 1)] {
                shares.extend(self.crossings(axis, from[at], to[at]).into_iter().flatten());
            }
            shares.retain(|share| (0.0..=1.0).contains(share));
            shares.sort_by(f64::total_cmp);
            for share in shares {
                let [x, low, high] = [0, 1, 2].map(|at| between(from[at], to[at], share));
                let ([near, low], [_, high]) = (self.nearest([x, low]), self.nearest([x, high]));
                // A crossing may be rounded to just outside.
                let is_inside = (near - x).abs() < 1e-3;
                if is_inside && inside.last() != Some(&[near, low, high]) {
                    inside.push([near, low, high]);
                }
            }
        }
        inside
    }
}

/// The value at a share of the way, exact at both ends.
fn between(from: f32, to: f32, share: f64) -> f32 {
    (f64::from(from) * (1.0 - share) + f64::from(to) * share) as f32
}
