//! The first two principal components of the embeddings, with nodes coloured and
//! shaped by label.

use super::canvas::{Drawing, Frame};
use super::confusion::shortened;
use super::marks::{fill, mark};
use super::scale::Scale;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 520.0;
/// More nodes than this are subsampled.
const MOST: usize = 6000;
/// More edges than this would only be a grey area.
const MOST_EDGES: usize = 1500;
/// The share of outliers at either side that does not extend the axes.
const FAR: f64 = 0.002;
/// Rows of the legend.
const LEGEND: usize = 22;
/// Nodes are drawn in this many rounds, so that no class covers all others.
const TURNS: usize = 8;

/// Positioned nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Places {
    /// The position of each node.
    pub points: Vec<[f64; 2]>,
    /// The label of each, if it has one.
    pub labels: Vec<Option<usize>>,
    /// Pairs of adjacent nodes.
    pub edges: Vec<(usize, usize)>,
    /// The names of the labels.
    pub names: Vec<String>,
    /// The share of the variance along each axis.
    pub shares: [f64; 2],
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
    let ends = |axis: usize| {
        let values = kept.iter().map(|&at| places.points[at][axis]);
        most_of(values.filter(|value| value.is_finite()).collect())
    };
    let x = Scale::linear(ends(0), (frame.left + 8.0, frame.right - 8.0));
    let y = Scale::linear(ends(1), (frame.bottom - 8.0, frame.top + 8.0));
    let at = |node: usize| {
        let [a, b] = places.points[node];
        // Outliers are moved to the border; NaN stays NaN.
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
        "first two principal components of x: {:.0} % and {:.0} % of the variance",
        100.0 * places.shares[0],
        100.0 * places.shares[1]
    );
    let middle = f64::midpoint(frame.left, frame.right);
    drawing.text((middle, HEIGHT - 16.0), "mid", &told);
    drawing
}

/// The interval of all values except the outliers.
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
    fn no_places_give_an_empty_drawing() {
        assert!(map(&Places::default()).file("nothing").contains("<svg"));
    }
}
