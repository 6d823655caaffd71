//! Filters that are not learned: known curves to train against and compare with.

use crate::model::settings::FilterShape;

/// How long the heat spreads.
const HEAT_TIME: f64 = 5.0;
/// How often the walker of personalised PageRank returns home.
const RESTART: f64 = 0.15;
/// How sharp the passing bands are.
const SHARPNESS: f64 = 10.0;

/// The curve of a fixed shape over s; the identity for shapes that learn.
/// Frequencies are 1 − s, from 0 (smooth) to 2 (alternating).
pub fn fixed(shape: FilterShape) -> fn(f64) -> f64 {
    let curve: fn(f64) -> f64 = match shape {
        FilterShape::Heat => |s| (HEAT_TIME * (s - 1.0)).exp(),
        FilterShape::Ppr => |s| RESTART / (1.0 - (1.0 - RESTART) * s),
        FilterShape::Low => |s| bump(1.0 - s),
        FilterShape::High => |s| 1.0 - bump(1.0 - s),
        FilterShape::Band => bump,
        FilterShape::Reject => |s| 1.0 - bump(s),
        FilterShape::Comb => |s| (std::f64::consts::PI * (1.0 - s)).sin().abs(),
        _ => |s| s,
    };
    curve
}

/// 1 at 0, falling to nothing on both sides.
fn bump(distance: f64) -> f64 {
    (-SHARPNESS * distance * distance).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_curve_passes_what_its_name_says() {
        let at = |shape: FilterShape, s: f64| fixed(shape)(s);
        assert!(at(FilterShape::Low, 1.0) > 0.99 && at(FilterShape::Low, -1.0) < 0.01);
        assert!(at(FilterShape::High, 1.0) < 0.01 && at(FilterShape::High, -1.0) > 0.99);
        assert!(at(FilterShape::Band, 0.0) > 0.99 && at(FilterShape::Band, 1.0) < 0.01);
        assert!(at(FilterShape::Reject, 0.0) < 0.01 && at(FilterShape::Reject, 1.0) > 0.99);
        assert!(at(FilterShape::Comb, 0.5) > 0.99 && at(FilterShape::Comb, 0.0) < 0.01);
        assert!((at(FilterShape::Heat, 1.0) - 1.0).abs() < 1e-12);
        assert!((at(FilterShape::Ppr, 1.0) - 1.0).abs() < 1e-12);
    }
}
