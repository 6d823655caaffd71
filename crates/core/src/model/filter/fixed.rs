//! Filters that are not learned: fixed curves to compare with.

use crate::model::settings::FilterShape;

/// The diffusion time of the heat kernel.
const HEAT_TIME: f64 = 5.0;
/// The restart probability of personalised PageRank.
const RESTART: f64 = 0.15;
/// The sharpness of the bands.
const SHARPNESS: f64 = 10.0;

/// The curve of a fixed form over s; the identity for learned forms. Frequencies
/// are 1 − s, from 0 (smooth) to 2 (alternating).
pub fn fixed(shape: FilterShape) -> fn(f64) -> f64 {
    let curve: fn(f64) -> f64 = match shape {
        FilterShape::Heat => |s| (HEAT_TIME * (s - 1.0)).exp(),
        FilterShape::Ppr => |s| RESTART / (1.0 - (1.0 - RESTART) * s),
        FilterShape::Low => |s| bump(1.0 - s),
        FilterShape::High => |s| 1.0 - bump(1.0 - s),
        FilterShape::Band => bump,
        FilterShape::Reject => |s| 1.0 - bump(s),
        FilterShape::Comb => |s| (std::f64::consts::PI * (1.0 - s)).sin().abs(),
        FilterShape::TwoHops => |s| s * s,
        FilterShape::ThreeHops => |s| s * s * s,
        _ => |s| s,
    };
    curve
}

/// 1 at 0, falling to 0 on both sides.
fn bump(distance: f64) -> f64 {
    (-SHARPNESS * distance * distance).exp()
}

/// Points at which a curve is sampled to measure how fast its series converges.
const SAMPLES: usize = 256;
/// Maximum size of the truncated terms relative to all: rounding of f32.
const TAIL: f64 = 1e-7;
/// Maximum degree.
const MOST: usize = 64;

/// The smallest degree at which a curve is a polynomial up to rounding, if any.
pub(super) fn exact_degree(curve: fn(f64) -> f64) -> Option<usize> {
    let angle = |at: usize| std::f64::consts::PI * (at as f64 + 0.5) / SAMPLES as f64;
    let values: Vec<f64> = (0..SAMPLES).map(|at| curve(angle(at).cos())).collect();
    let coefficient = |n: usize| -> f64 {
        let terms = values.iter().enumerate();
        let sum: f64 = terms.map(|(at, value)| value * (n as f64 * angle(at)).cos()).sum();
        (sum / SAMPLES as f64).abs()
    };
    let sizes: Vec<f64> = (0..SAMPLES / 2).map(coefficient).collect();
    let all: f64 = sizes.iter().sum();
    let mut tail = 0.0;
    for (degree, size) in sizes.iter().enumerate().rev() {
        tail += size;
        if tail > TAIL * all {
            return (degree <= MOST).then_some(degree);
        }
    }
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_curves_are_polynomials_up_to_rounding_and_kinks_are_not() {
        let degree = |shape| exact_degree(fixed(shape));
        assert_eq!(degree(FilterShape::OneHop), Some(1));
        assert_eq!(degree(FilterShape::ThreeHops), Some(3));
        for smooth in [FilterShape::Heat, FilterShape::Ppr, FilterShape::Low, FilterShape::Band] {
            assert!(degree(smooth).is_some_and(|own| (8..=48).contains(&own)), "{smooth}");
        }
        assert_eq!(degree(FilterShape::Comb), None);
    }

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
