//! Scales points into the unit square.

use super::Position;

/// Free margin at each side.
const MARGIN: f64 = 0.02;

/// Points scaled by the same factor in both directions and centred in the unit
/// square. Points that are not finite go to the centre.
pub(super) fn fitted(points: &[[f64; 2]]) -> Vec<Position> {
    let (low, high) = extent(points);
    let widest = (high[0] - low[0]).max(high[1] - low[1]);
    let scale = if widest > 0.0 { (1.0 - 2.0 * MARGIN) / widest } else { 0.0 };
    placed(points, |value, axis| 0.5 + (value - f64::midpoint(low[axis], high[axis])) * scale)
}

/// Points scaled in each direction separately, to fill a part of the unit square
/// given by its lower left corner and its size.
pub(super) fn filled(points: &[[f64; 2]], corner: [f64; 2], size: [f64; 2]) -> Vec<Position> {
    let (low, high) = extent(points);
    placed(points, |value, axis| {
        let reach = high[axis] - low[axis];
        let share = if reach > 0.0 { (value - low[axis]) / reach } else { 0.5 };
        corner[axis] + size[axis] * (MARGIN + share * (1.0 - 2.0 * MARGIN))
    })
}

fn placed(points: &[[f64; 2]], at: impl Fn(f64, usize) -> f64) -> Vec<Position> {
    let inside = |value: f64, axis: usize| {
        let value = at(value, axis);
        if value.is_finite() { value.clamp(0.0, 1.0) as f32 } else { 0.5 }
    };
    points.iter().map(|point| [inside(point[0], 0), inside(point[1], 1)]).collect()
}

fn extent(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let mut ends = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in points {
        for (axis, &value) in point.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            ends.0[axis] = ends.0[axis].min(value);
            ends.1[axis] = ends.1[axis].max(value);
        }
    }
    if ends.0.iter().chain(&ends.1).all(|end| end.is_finite()) {
        ends
    } else {
        ([0.0; 2], [0.0; 2])
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Round numbers stay round.
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_shape_and_nan_goes_to_the_centre() {
        let places = fitted(&[[0.0, 0.0], [10.0, 5.0], [f64::NAN, 1.0]]);
        assert_eq!(places[0], [0.02, 0.26]);
        assert_eq!(places[1], [0.98, 0.74]);
        assert_eq!(places[2][0], 0.5);
        assert_eq!(fitted(&[[7.0, -3.0]]), [[0.5, 0.5]]);
        assert!(fitted(&[]).is_empty());
    }

    #[test]
    fn a_part_of_the_square_is_filled() {
        let places = filled(&[[0.0, 0.0], [10.0, 5.0]], [0.5, 0.0], [0.5, 1.0]);
        assert_eq!(places, [[0.51, 0.02], [0.99, 0.98]]);
    }
}
