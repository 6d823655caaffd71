//! Marks for classes: each has a colour and a shape, so that they can be told apart
//! by either.

use std::fmt::Write as _;

/// Number of colours.
const COLOURS: usize = 10;

/// Outlines around (0, 0). Their number has no common factor with the number of
/// colours, so that 70 classes differ.
const SHAPES: [&[(f64, f64)]; 7] = [
    // A disc is drawn by arcs instead.
    &[],
    &[(-0.9, -0.9), (1.8, 0.0), (0.0, 1.8), (-1.8, 0.0)],
    &[(0.0, -1.2), (1.15, 2.1), (-2.3, 0.0)],
    &[(0.0, -1.3), (1.3, 1.3), (-1.3, 1.3), (-1.3, -1.3)],
    &[
        (-0.4, -1.3),
        (0.8, 0.0),
        (0.0, 0.9),
        (0.9, 0.0),
        (0.0, 0.8),
        (-0.9, 0.0),
        (0.0, 0.9),
        (-0.8, 0.0),
        (0.0, -0.9),
        (-0.9, 0.0),
        (0.0, -0.8),
        (0.9, 0.0),
    ],
    &[(0.0, 1.2), (1.15, -2.1), (-2.3, 0.0)],
    &[(-1.3, -0.6), (2.6, 0.0), (0.0, 1.2), (-2.6, 0.0)],
];

/// The CSS class of the colour of a label.
pub(super) fn fill(label: usize) -> String {
    format!("f{}", label % COLOURS)
}

/// Appends the mark of a label at a position to the data of a path.
pub(super) fn mark(data: &mut String, label: usize, (x, y): (f64, f64), radius: f64) {
    let steps = SHAPES[label % SHAPES.len()];
    // Writing to a String cannot fail.
    if steps.is_empty() {
        let (left, wide) = (x - radius, 2.0 * radius);
        let _ = write!(
            data,
            "M{left:.1} {y:.1}a{radius:.1} {radius:.1} 0 1 0 {wide:.1} 0a{radius:.1} {radius:.1} 0 1 0 -{wide:.1} 0z"
        );
        return;
    }
    for (number, (across, down)) in steps.iter().enumerate() {
        let (across, down) = (across * radius, down * radius);
        let _ = if number == 0 {
            write!(data, "M{:.1} {:.1}l", x + across, y + down)
        } else {
            write!(data, " {across:.1} {down:.1}")
        };
    }
    data.push('z');
}
