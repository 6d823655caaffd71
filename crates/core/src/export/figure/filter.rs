//! ρ over the eigenvalues, with the spectral density below.

use super::canvas::{Drawing, Frame};
use super::marks::mark;
use super::scale::Scale;

/// The eigenvalues of the graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frequencies {
    /// Each distinct computed eigenvalue, relative to the largest, with its
    /// multiplicity.
    pub kept: Vec<(f64, usize)>,
    /// max|σ|.
    pub scale: f64,
    /// Number of eigenvalues in each of equal parts of [-1, 1].
    pub counts: Vec<f64>,
    /// Whether these counts are estimated.
    pub estimated: bool,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;
/// Dots closer than this are drawn as one.
const NEAR: f64 = 1.5;

/// The learned filter: a curve of (s, ρ(s)), and a dot at each eigenvalue.
pub fn filter(curve: &[(f64, f64)], found: &Frequencies) -> Drawing {
    let upper = Frame { left: 58.0, top: 36.0, right: WIDTH - 16.0, bottom: 232.0 };
    let lower = Frame { top: 248.0, bottom: HEIGHT - 48.0, ..upper };
    let ends = curve.iter().map(|point| point.1).filter(|value| value.is_finite());
    let (low, high) =
        ends.fold((0.0_f64, 0.0_f64), |(low, high), rho| (low.min(rho), high.max(rho)));
    let scale = if found.scale > 0.0 { found.scale } else { 1.0 };
    let x = Scale::linear((-scale, scale), (upper.left, upper.right));
    let room = 0.06 * (high - low);
    let y = Scale::linear((low - room, high + room), (upper.bottom, upper.top));
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    // The model does not use eigenvalues below the lowest computed one.
    let first = found.kept.iter().map(|value| value.0).fold(f64::INFINITY, f64::min);
    if found.estimated && first.is_finite() && first > -0.98 {
        let right = x.at(first * scale);
        drawing.rect(Frame { right, bottom: lower.bottom, ..upper }, "shade", "");
        if right - upper.left > 90.0 {
            let middle = f64::midpoint(upper.left, right);
            drawing.text((middle, upper.top + 16.0), "mid small", "not computed");
        }
    }
    for (value, text) in y.ticks(5) {
        drawing.line((upper.left, y.at(value)), (upper.right, y.at(value)), "grid");
        drawing.text((upper.left - 8.0, y.at(value) + 4.0), "end", &text);
    }
    drawing.line((upper.left, y.at(0.0)), (upper.right, y.at(0.0)), "axis");
    let points: Vec<(f64, f64)> =
        curve.iter().map(|(s, rho)| (x.at(s * scale), y.at(*rho))).collect();
    drawing.polyline(&points, "line s0");
    let mut dots = String::new();
    let mut last = f64::INFINITY;
    for (s, count) in &found.kept {
        let (place, radius) = (x.at(s * scale), 2.0 + 0.9 * (*count as f64).ln());
        // Of overlapping dots only one is drawn.
        if *count == 1 && (last - place).abs() < NEAR {
            continue;
        }
        if let Some(rho) = between(curve, *s) {
            mark(&mut dots, 0, (place, y.at(rho)), radius.min(7.0));
            last = place;
        }
    }
    drawing.path(&dots, "mark f1");
    drawing.text((upper.left, 20.0), "", "ρ");
    density(&mut drawing, lower, found);
    for (value, text) in x.ticks(8) {
        drawing.line((x.at(value), lower.bottom), (x.at(value), lower.bottom + 4.0), "axis");
        drawing.text((x.at(value), lower.bottom + 18.0), "mid", &text);
    }
    drawing.line((lower.left, lower.bottom), (lower.right, lower.bottom), "axis");
    let middle = f64::midpoint(lower.left, lower.right);
    drawing.text((middle, lower.bottom + 36.0), "mid", "eigenvalue σ");
    drawing
}

/// Bars by the square root of the count, so that a few eigenvalues stay visible
/// beside thousands.
fn density(drawing: &mut Drawing, frame: Frame, found: &Frequencies) {
    let roots: Vec<f64> = found.counts.iter().map(|count| count.max(0.0).sqrt()).collect();
    let most = roots.iter().copied().fold(0.0, f64::max);
    let step = (frame.right - frame.left) / roots.len().max(1) as f64;
    if most > 0.0 {
        for (at, root) in roots.iter().enumerate().filter(|(_, root)| **root > 0.01 * most) {
            let left = frame.left + at as f64 * step;
            let top = frame.bottom - (frame.bottom - frame.top) * root / most;
            let bar = Frame { left, top, right: left + (step - 0.6).max(0.8), ..frame };
            drawing.rect(bar, "bars", "");
        }
    }
    drawing.text((frame.left - 8.0, frame.top + 12.0), "end small", "density");
}

/// The curve, interpolated between its points.
fn between(curve: &[(f64, f64)], s: f64) -> Option<f64> {
    let after = curve.partition_point(|point| point.0 < s);
    let (low, high) = (curve.get(after.saturating_sub(1))?, curve.get(after).or(curve.last())?);
    let wide = high.0 - low.0;
    let share = if wide > 0.0 { ((s - low.0) / wide).clamp(0.0, 1.0) } else { 0.0 };
    Some(low.1 + share * (high.1 - low.1))
}
