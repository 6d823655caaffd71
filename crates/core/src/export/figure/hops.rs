//! Hop weights as bars.

use super::canvas::{Drawing, Frame};
use super::scale::Scale;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;

/// The weights α_0, α_1, … of P ≈ Σ α_n (M / max|σ|)ⁿ.
pub fn hops(weights: &[f64]) -> Drawing {
    let frame = Frame { left: 58.0, top: 36.0, right: WIDTH - 16.0, bottom: HEIGHT - 48.0 };
    let usable = weights.iter().copied().filter(|weight| weight.is_finite());
    let (low, high) = usable.fold((0.0_f64, 0.0_f64), |(low, high), w| (low.min(w), high.max(w)));
    let room = 0.08 * (high - low);
    let low = if low < 0.0 { low - room } else { low };
    let y = Scale::linear((low, high + room), (frame.bottom, frame.top));
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    for (value, text) in y.ticks(5) {
        drawing.line((frame.left, y.at(value)), (frame.right, y.at(value)), "grid");
        drawing.text((frame.left - 8.0, y.at(value) + 4.0), "end", &text);
    }
    let step = (frame.right - frame.left) / weights.len().max(1) as f64;
    for (hop, &weight) in weights.iter().enumerate().filter(|(_, weight)| weight.is_finite()) {
        let middle = frame.left + (hop as f64 + 0.5) * step;
        let (top, bottom) = (y.at(weight.max(0.0)), y.at(weight.min(0.0)));
        let half = (0.32 * step).min(34.0);
        let bar = Frame { left: middle - half, right: middle + half, top, bottom };
        drawing.rect(bar, if weight < 0.0 { "f1" } else { "f0" }, " rx=\"2\"");
        let over = if weight < 0.0 { bottom + 14.0 } else { top - 6.0 };
        drawing.text((middle, over), "mid strong", &format!("{weight:.2}").replace('-', "−"));
        drawing.text((middle, frame.bottom + 18.0), "mid", &hop.to_string());
    }
    drawing.line((frame.left, y.at(0.0)), (frame.right, y.at(0.0)), "axis");
    let middle = f64::midpoint(frame.left, frame.right);
    drawing.text((middle, frame.bottom + 36.0), "mid", "hops n");
    drawing.text((frame.left, 20.0), "", "hop weight αₙ");
    drawing
}
