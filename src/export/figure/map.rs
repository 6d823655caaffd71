//! The embedding on a plane: its two widest directions, nodes coloured and
//! shaped by their label.

use faer::{Mat, Side};

use super::canvas::{Drawing, Frame};
use super::confusion::shortened;
use super::marks::{fill, mark};
use super::scale::Scale;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 520.0;
/// More nodes than this are thinned out.
const MOST: usize = 6000;
/// More edges than this would only be grey.
const MOST_EDGES: usize = 1500;
/// The share of nodes at either side that the page is not made wide for.
const FAR: f64 = 0.002;
/// Rows of the legend.
const LEGEND: usize = 22;
/// Nodes are drawn in turns, so that no class lies over all others.
const TURNS: usize = 8;

/// Nodes on a plane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Places {
    /// Where each node is.
    pub points: Vec<(f64, f64)>,
    /// The label of each, if it has one.
    pub labels: Vec<Option<usize>>,
    /// Pairs of nodes that are joined.
    pub edges: Vec<(usize, usize)>,
    /// The names of the labels.
    pub names: Vec<String>,
    /// The share of the spread that the two directions hold.
    pub shares: (f64, f64),
}

/// The two widest directions of rows of numbers: each row on them, and the share
/// of the spread that each holds.
pub fn principal(rows: &[f32], width: usize) -> (Vec<(f64, f64)>, (f64, f64)) {
    let width = width.max(1);
    let count = (rows.len() / width).max(1) as f64;
    let mut mean = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x) / count);
    }
    let mut spread = Mat::<f64>::zeros(width, width);
    for row in rows.chunks_exact(width) {
        for a in 0..width {
            let by = f64::from(row[a]) - mean[a];
            for b in 0..=a {
                spread[(a, b)] += by * (f64::from(row[b]) - mean[b]) / count;
            }
        }
    }
    let whole: f64 = (0..width).map(|at| spread[(at, at)]).sum();
    let Ok(found) = spread.self_adjoint_eigen(Side::Lower) else {
        return (vec![(0.0, 0.0); rows.len() / width], (0.0, 0.0));
    };
    // Eigenvalues ascend; a direction's sign is fixed by its largest number.
    let direction = |from_end: usize| -> (Vec<f64>, f64) {
        let Some(column) = width.checked_sub(from_end) else { return (vec![0.0; width], 0.0) };
        let own: Vec<f64> = (0..width).map(|row| found.U()[(row, column)]).collect();
        let most = own.iter().copied().fold(0.0, |m: f64, x| if x.abs() > m.abs() { x } else { m });
        let sign = if most < 0.0 { -1.0 } else { 1.0 };
        let share = if whole > 0.0 { found.S()[column] / whole } else { 0.0 };
        (own.into_iter().map(|x| x * sign).collect(), share)
    };
    let ((first, one), (second, two)) = (direction(1), direction(2));
    let along = |row: &[f32], way: &[f64]| -> f64 {
        row.iter().zip(&mean).zip(way).map(|((x, mean), by)| (f64::from(*x) - mean) * by).sum()
    };
    let points =
        rows.chunks_exact(width).map(|row| (along(row, &first), along(row, &second))).collect();
    (points, (one, two))
}

/// Draws the nodes.
pub fn map(places: &Places) -> Drawing {
    let shown = places.names.len().min(LEGEND);
    let letters = places.names.iter().map(|name| name.chars().count().min(24)).max().unwrap_or(0);
    let legend = if shown > 0 { 40.0 + 6.8 * letters as f64 } else { 0.0 };
    let frame =
        Frame { left: 20.0, top: 16.0, right: WIDTH - 20.0 - legend, bottom: HEIGHT - 40.0 };
    let every = places.points.len().div_ceil(MOST).max(1);
    let kept: Vec<usize> = (0..places.points.len()).step_by(every).collect();
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let values = kept.iter().map(|&at| of(&places.points[at]));
        most_of(values.filter(|value| value.is_finite()).collect())
    };
    let x = Scale::linear(ends(|point| point.0), (frame.left + 8.0, frame.right - 8.0));
    let y = Scale::linear(ends(|point| point.1), (frame.bottom - 8.0, frame.top + 8.0));
    let at = |node: usize| {
        let (a, b) = places.points[node];
        // The few far out stand at the border; a number that is none stays so.
        (clamped(x.at(a), frame.left, frame.right), clamped(y.at(b), frame.top, frame.bottom))
    };
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    drawing.rect(frame, "grid", " rx=\"4\"");
    if places.edges.len() <= MOST_EDGES && every == 1 {
        let lines: Vec<(f64, f64)> =
            places.edges.iter().flat_map(|&(a, b)| [at(a), at(b), (f64::NAN, f64::NAN)]).collect();
        drawing.polyline(&lines, "edge");
    }
    let size = (90.0 / (kept.len().max(1) as f64).sqrt()).clamp(2.4, 6.5);
    let mut unlabelled = String::new();
    for &node in kept.iter().filter(|&&node| places.labels[node].is_none()) {
        mark(&mut unlabelled, 0, at(node), 0.6 * size);
    }
    drawing.path(&unlabelled, "faint");
    for turn in 0..TURNS {
        let mut paths = vec![String::new(); places.names.len()];
        for &node in kept.iter().skip(turn).step_by(TURNS) {
            let label = places.labels[node].filter(|label| *label < paths.len());
            if let (Some(label), (a, b)) = (label, at(node))
                && a.is_finite()
                && b.is_finite()
            {
                mark(&mut paths[label], label, (a, b), size);
            }
        }
        for (label, data) in paths.iter().enumerate() {
            drawing.path(data, &format!("mark {}", fill(label)));
        }
    }
    for (label, name) in places.names.iter().enumerate().take(shown) {
        let (left, top) = (frame.right + 20.0, frame.top + 14.0 + 21.0 * label as f64);
        let mut data = String::new();
        mark(&mut data, label, (left, top), 5.0);
        drawing.path(&data, &format!("mark {}", fill(label)));
        drawing.text((left + 13.0, top + 4.0), "strong", &shortened(name, 24));
    }
    if places.names.len() > shown {
        let more = format!("and {} more", places.names.len() - shown);
        let top = frame.top + 18.0 + 21.0 * shown as f64;
        drawing.text((frame.right + 33.0, top), "", &more);
    }
    let told = format!(
        "two widest directions of x: {:.0} % and {:.0} % of its spread",
        100.0 * places.shares.0,
        100.0 * places.shares.1
    );
    let middle = f64::midpoint(frame.left, frame.right);
    drawing.text((middle, HEIGHT - 16.0), "mid", &told);
    drawing
}

/// The stretch that holds all values but the farthest few.
fn most_of(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let beyond = (values.len() as f64 * FAR) as usize;
    let (low, high) = (values.get(beyond), values.get(values.len().wrapping_sub(1 + beyond)));
    let (low, high) = (low.copied().unwrap_or(0.0), high.copied().unwrap_or(1.0));
    let room = 0.04 * (high - low);
    (low - room, high + room)
}

fn clamped(place: f64, low: f64, high: f64) -> f64 {
    if place.is_nan() { place } else { place.clamp(low + 4.0, high - 4.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_direction_is_found_and_its_share_told() {
        let rows: Vec<f32> = (0..50).flat_map(|n| [n as f32, 0.5 * (n % 2) as f32, 7.0]).collect();
        let (points, (one, two)) = principal(&rows, 3);
        assert!(one > 0.99 && two < 0.01 && one + two <= 1.0 + 1e-9);
        assert!((points[49].0 - points[0].0 - 49.0).abs() < 0.1, "{points:?}");
    }

    #[test]
    fn no_rows_and_one_number_a_row_are_no_panic() {
        assert!(principal(&[], 4).0.is_empty());
        assert_eq!(principal(&[1.0, 2.0], 1).0.len(), 2);
        let _ = map(&Places::default());
    }
}
