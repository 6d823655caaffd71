//! Rotates a layout to match the previous one.

/// The rotation or reflection Q (2 × 2, orthogonal) that brings `points` · Q
/// nearest to `goal` in least squares; both relative to their own centres.
pub(super) fn turn(points: &[[f64; 2]], goal: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let (from, to) = (middle(points), middle(goal));
    let mut cross = [[0.0; 2]; 2];
    for (point, goal) in points.iter().zip(goal) {
        for (row, own) in cross.iter_mut().enumerate() {
            for (column, sum) in own.iter_mut().enumerate() {
                *sum += (point[row] - from[row]) * (goal[column] - to[column]);
            }
        }
    }
    // Both the best rotation and the best reflection have a closed form.
    let [[a, b], [c, d]] = cross;
    let rotation = (a + d).hypot(b - c);
    let reflection = (a - d).hypot(b + c);
    if rotation.max(reflection) <= 0.0 {
        return [[1.0, 0.0], [0.0, 1.0]];
    }
    if rotation >= reflection {
        let (cos, sin) = ((a + d) / rotation, (b - c) / rotation);
        [[cos, sin], [-sin, cos]]
    } else {
        let (cos, sin) = ((a - d) / reflection, (b + c) / reflection);
        [[cos, sin], [sin, -cos]]
    }
}

/// The rotated points.
pub(super) fn rotated(points: &[[f64; 2]], by: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let rotated = |[x, y]: &[f64; 2]| [x * by[0][0] + y * by[1][0], x * by[0][1] + y * by[1][1]];
    points.iter().map(rotated).collect()
}

fn middle(points: &[[f64; 2]]) -> [f64; 2] {
    let count = points.len().max(1) as f64;
    [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_or_mirrored_layout_is_restored() {
        let goal = [[0.0, 0.0], [3.0, 1.0], [1.0, 4.0], [-2.0, 2.0]];
        for (cos, sin, mirror) in [(0.6, 0.8, 1.0), (-0.8, 0.6, 1.0), (0.6, 0.8, -1.0)] {
            let away = [[cos, sin], [-sin * mirror, cos * mirror]];
            let moved = rotated(&goal, away);
            let back = rotated(&moved, turn(&moved, &goal));
            for (own, goal) in back.iter().zip(&goal) {
                assert!((own[0] - goal[0]).abs() < 1e-9 && (own[1] - goal[1]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_points_give_the_identity() {
        assert_eq!(turn(&[], &[]), [[1.0, 0.0], [0.0, 1.0]]);
    }
}
