//! Predicted over true numbers.

use super::canvas::{Drawing, Frame};
use super::marks::mark;
use super::scale::Scale;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 480.0;
/// More dots than this are subsampled.
const MOST: usize = 4000;

/// Pairs of (true, predicted), with the line of equality.
pub fn scatter(pairs: &[(f64, f64)]) -> Drawing {
    let frame = Frame { left: 62.0, top: 36.0, right: WIDTH - 16.0, bottom: HEIGHT - 48.0 };
    let usable = pairs.iter().flat_map(|pair| [pair.0, pair.1]).filter(|value| value.is_finite());
    let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let x = Scale::linear((low, high), (frame.left, frame.right));
    let y = Scale::linear((low, high), (frame.bottom, frame.top));
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    drawing.axes(frame, (&x, &y), ("true", "predicted"));
    drawing.line((frame.left, frame.bottom), (frame.right, frame.top), "axis");
    let every = pairs.len().div_ceil(MOST).max(1);
    let mut dots = String::new();
    for (truth, found) in pairs.iter().step_by(every) {
        if truth.is_finite() && found.is_finite() {
            mark(&mut dots, 0, (x.at(*truth), y.at(*found)), 2.6);
        }
    }
    drawing.path(&dots, "mark f0");
    drawing
}
