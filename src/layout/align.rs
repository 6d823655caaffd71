//! Turning a picture so that it lies on the one before as well as it can.

/// The rotation or reflection Q (2 × 2, orthogonal) that brings `points` · Q
/// nearest to `goal` in the sum of squares; both around their own middles.
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
    // Of all rotations, and of all reflections, the best has a closed form.
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

/// The points turned.
pub(super) fn turned(points: &[[f64; 2]], by: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let turned = |[x, y]: &[f64; 2]| [x * by[0][0] + y * by[1][0], x * by[0][1] + y * by[1][1]];
    points.iter().map(turned).collect()
}

fn middle(points: &[[f64; 2]]) -> [f64; 2] {
    let count = points.len().max(1) as f64;
    [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_or_mirrored_picture_is_brought_back() {
        let goal = [[0.0, 0.0], [3.0, 1.0], [1.0, 4.0], [-2.0, 2.0]];
        for (cos, sin, mirror) in [(0.6, 0.8, 1.0), (-0.8, 0.6, 1.0), (0.6, 0.8, -1.0)] {
            let away = [[cos, sin], [-sin * mirror, cos * mirror]];
            let moved = turned(&goal, away);
            let back = turned(&moved, turn(&moved, &goal));
            for (own, goal) in back.iter().zip(&goal) {
                assert!((own[0] - goal[0]).abs() < 1e-9 && (own[1] - goal[1]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn without_points_nothing_turns() {
        assert_eq!(turn(&[], &[]), [[1.0, 0.0], [0.0, 1.0]]);
    }
}
