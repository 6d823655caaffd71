//! Whether logits say anything about withheld labels.
//!
//! In: the logits z of nodes whose labels they were not fitted to, these labels, and the
//! log shares log π of the classes. Out: whether the slope a with which
//! softmax(a z + log π) makes the labels most likely is too small.

/// With fewer labels a slope says little: after the first stage, which is short, it is
/// small on graphs too whose few labels are learned later.
pub(super) const FEWEST: usize = 200;
/// A smaller slope says that the logits know nothing beyond the shares: by chance alone
/// it reaches a few hundredths, on graphs with some information one tenth and more.
pub(super) const LEAST: f64 = 0.1;

/// How much the log-likelihood of a class grows with the slope, at the least slope. It
/// is concave, so where the sum over labels is not positive, the most likely slope is
/// smaller.
pub(super) fn growth(logits: &[f32], log_shares: &[f32], class: usize) -> f64 {
    let sloped = |(z, share): (&f32, &f32)| LEAST * f64::from(*z) + f64::from(*share);
    let scores: Vec<f64> = logits.iter().zip(log_shares).map(sloped).collect();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut all, mut expected) = (0.0, 0.0);
    for (score, z) in scores.iter().zip(logits) {
        let power = (score - most).exp();
        all += power;
        expected += power * f64::from(*z);
    }
    logits.get(class).map_or(0.0, |z| f64::from(*z) - expected / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::stream;
    use rand::RngExt;

    /// The growth for labels drawn with this slope from logits of two classes, of which
    /// one is four times as frequent.
    fn growth_at(slope: f64) -> f64 {
        let shares = [0.8_f32.ln(), 0.2_f32.ln()];
        let mut random = stream(7, "slope");
        let labels = (0..5000).map(|_| {
            let logits: [f32; 2] = std::array::from_fn(|_| random.random_range(-3.0..3.0));
            let odds = slope * f64::from(logits[0] - logits[1]) + 4.0_f64.ln();
            let is_second = random.random_range(0.0..1.0) > 1.0 / (1.0 + (-odds).exp());
            growth(&logits, &shares, usize::from(is_second))
        });
        labels.sum()
    }

    #[test]
    fn the_log_likelihood_grows_where_labels_are_drawn_with_a_slope_above_a_tenth() {
        for slope in [0.16, 0.4, 1.0, 3.0] {
            assert!(growth_at(slope) > 0.0, "{slope}");
        }
        for slope in [0.04, 0.0, -1.0] {
            assert!(growth_at(slope) < 0.0, "{slope}");
        }
    }
}
