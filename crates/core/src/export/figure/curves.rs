//! Losses and scores over the epochs.

use super::canvas::{Drawing, Frame};
use super::scale::Scale;

/// A curve over the epochs.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureCurve {
    /// Its name.
    pub name: String,
    /// Epoch and value, in order.
    pub points: Vec<(f64, f64)>,
    /// Whether it is dashed.
    pub dashed: bool,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
/// Maximum number of points of a curve.
const MOST_POINTS: usize = 400;

/// Losses, on a logarithmic axis if they fall far.
pub fn loss(curves: &[FigureCurve]) -> Drawing {
    let (low, high) = ends(curves, |value| value > 0.0);
    draw(curves, "loss", |place| Scale::log((low, high), place))
}

/// Scores.
pub fn scores(curves: &[FigureCurve], name: &str) -> Drawing {
    let (low, high) = ends(curves, |_| true);
    let ends = (low.min(high - 0.05), high.max(low + 0.05));
    draw(curves, name, |place| Scale::linear(ends, place))
}

fn ends(curves: &[FigureCurve], counts: impl Fn(f64) -> bool) -> (f64, f64) {
    let values = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let usable = values.filter(|value| value.is_finite() && counts(*value));
    usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

fn draw(curves: &[FigureCurve], name: &str, scale: impl Fn((f64, f64)) -> Scale) -> Drawing {
    let frame = Frame { left: 58.0, top: 58.0, right: WIDTH - 16.0, bottom: HEIGHT - 48.0 };
    let epochs = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
    let last = epochs.fold(1.0, f64::max);
    let x = Scale::linear((0.0, last), (frame.left, frame.right));
    let y = scale((frame.bottom, frame.top));
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    drawing.axes(frame, (&x, &y), ("epoch", name));
    let mut left = frame.left;
    for (at, curve) in curves.iter().enumerate() {
        let class = format!("line s{}{}", at % 10, if curve.dashed { " dash" } else { "" });
        let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let count = curve.points.len();
        let kept = curve.points.iter().enumerate();
        let kept = kept.filter(|(n, _)| n % every == 0 || n + 1 == count);
        let points: Vec<(f64, f64)> = kept.map(|(_, (e, v))| (x.at(*e), y.at(*v))).collect();
        drawing.polyline(&points, &class);
        drawing.line((left, 20.0), (left + 22.0, 20.0), &class);
        drawing.text((left + 28.0, 24.0), "strong", &curve.name);
        left += 52.0 + 6.6 * curve.name.chars().count() as f64;
    }
    drawing
}
