//! What a filter does, in words that its numbers imply.

use super::filter::rho;

/// The share of the weight that a range of walk lengths must hold to be named.
const MOST: f32 = 0.8;
/// One end of the spectrum dominates when it passes this many times the other.
const DOMINATES: f64 = 2.0;

/// How far a filter with hop weights looks: the shortest range of walk lengths
/// with most of the weight. `None` where there are no weights.
pub(super) fn reach(weights: &[f32]) -> Option<String> {
    let total: f32 = weights.iter().map(|weight| weight.abs()).sum();
    if total.is_nan() || total <= 0.0 {
        return None;
    }
    let held = |from: usize, to: usize| {
        weights[from..=to].iter().map(|weight| weight.abs()).sum::<f32>() / total
    };
    let count = weights.len();
    let ranges = (1..=count)
        .flat_map(|length| (0..=count - length).map(move |from| (from, from + length - 1)));
    let enough: Vec<_> = ranges.filter(|(from, to)| held(*from, *to) >= MOST).collect();
    let shortest = enough.iter().map(|(from, to)| to - from).min()?;
    let (from, to) = enough
        .into_iter()
        .filter(|(from, to)| to - from == shortest)
        .min_by(|a, b| held(b.0, b.1).total_cmp(&held(a.0, a.1)))?;
    let percent = (100.0 * held(from, to)).round();
    Some(match (from + 1, to + 1) {
        (1, 1) => format!("{percent} % of the weight on direct neighbours"),
        (n, m) if n == m => format!("{percent} % of the weight on walks of {n} steps"),
        (n, m) if m == count && n == 1 => {
            format!("the weight is spread over walks of 1 to {m} steps")
        }
        (n, m) => format!("{percent} % of the weight on walks of {n} to {m} steps"),
    })
}

/// Which part of a spectrum between two eigenvalues a response passes.
pub(super) fn pass(curve: &[f32], (lowest, highest): (f32, f32)) -> &'static str {
    let at = |s: f32| rho(curve, f64::from(s)).abs();
    let middle = at(f32::midpoint(lowest, highest));
    let (smooth, alternating) = (at(highest), at(lowest));
    if smooth > DOMINATES * alternating.max(middle) {
        "low-pass: keeps signals on which neighbours agree"
    } else if alternating > DOMINATES * smooth.max(middle) {
        "high-pass: keeps signals on which neighbours differ"
    } else if middle > DOMINATES * smooth.max(alternating) {
        "band-pass: keeps the middle of the spectrum"
    } else if smooth.min(alternating) > DOMINATES * middle {
        "band-stop: keeps both ends of the spectrum"
    } else {
        "passes a wide part of the spectrum"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Snapshot;

    fn sampled(response: impl Fn(f32) -> f32) -> Vec<f32> {
        Snapshot::grid().iter().map(|s| response(*s)).collect()
    }

    #[test]
    fn the_shortest_range_with_most_of_the_weight_is_named() {
        let said = |weights: &[f32]| reach(weights).unwrap_or_default();
        assert_eq!(said(&[0.98, 0.02]), "98 % of the weight on direct neighbours");
        assert_eq!(said(&[0.03, 0.95, 0.02]), "95 % of the weight on walks of 2 steps");
        let far = said(&[0.0, 0.01, 0.19, 0.52, 0.22, 0.06]);
        assert_eq!(far, "93 % of the weight on walks of 3 to 5 steps");
        let flat = said(&[0.2, 0.2, 0.2, 0.2, 0.2]);
        assert_eq!(flat, "80 % of the weight on walks of 1 to 4 steps");
        assert_eq!(said(&[0.4, 0.2, 0.4]), "the weight is spread over walks of 1 to 3 steps");
        assert_eq!(reach(&[]), None);
        assert_eq!(reach(&[0.0, f32::NAN]), None);
        assert_eq!(said(&[-0.9, 0.1]), "90 % of the weight on direct neighbours");
    }

    #[test]
    fn the_ends_of_the_spectrum_name_the_kind() {
        assert!(pass(&sampled(|s| s.powi(3).max(0.0)), (-1.0, 1.0)).starts_with("low-pass"));
        assert!(pass(&sampled(|s| (-s).max(0.0)), (-1.0, 1.0)).starts_with("high-pass"));
        assert!(pass(&sampled(|s| 1.0 - s * s), (-1.0, 1.0)).starts_with("band-pass"));
        assert!(pass(&sampled(|s| s * s), (-1.0, 1.0)).starts_with("band-stop"));
        assert!(pass(&sampled(|_| 1.0), (-1.0, 1.0)).starts_with("passes a wide"));
        // No graph with loops has an eigenvalue near −1: there, s is low-pass.
        assert!(pass(&sampled(|s| s), (-0.4, 1.0)).starts_with("low-pass"));
        assert!(pass(&[], (-1.0, 1.0)).starts_with("passes a wide"));
    }
}
