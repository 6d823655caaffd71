//! How far logits overstate what they say about withheld labels.
//!
//! In: the logits z of nodes whose labels they were not fitted to, these labels, and the
//! log shares log π of the classes. Out: the slope a with which softmax(a z + log π)
//! makes the labels most likely: 1 if logits are not too large, near 0 if they say
//! nothing beyond the shares.

/// With fewer labels a slope says little: after the first stage, which is short, it is
/// small on graphs too whose few labels are learned later.
pub(super) const FEWEST: usize = 200;
/// A smaller slope says that the logits know nothing beyond the shares: by chance alone
/// it reaches a few hundredths, on graphs with some information two tenths. It would
/// also silence logits that the second stage improves.
pub(super) const LEAST: f64 = 0.1;
const LARGEST: f64 = 1.0;
const HALVINGS: usize = 30;

/// Logits at withheld labels.
#[derive(Debug, Default)]
pub(super) struct WithheldLogits {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    logits: Vec<f32>,
    log_shares: Vec<f32>,
    class: usize,
}

impl Row {
    /// The derivative of the log-likelihood of the label by the slope.
    fn derivative(&self, slope: f64) -> f64 {
        let calibrated = |(z, share): (&f32, &f32)| slope * f64::from(*z) + f64::from(*share);
        let scores: Vec<f64> = self.logits.iter().zip(&self.log_shares).map(calibrated).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut expected) = (0.0, 0.0);
        for (score, z) in scores.iter().zip(&self.logits) {
            let power = (score - most).exp();
            all += power;
            expected += power * f64::from(*z);
        }
        self.logits.get(self.class).map_or(0.0, |z| f64::from(*z) - expected / all)
    }
}

impl WithheldLogits {
    /// Adds a label and the logits of its node.
    pub(super) fn add(&mut self, logits: &[f32], log_shares: &[f32], class: usize) {
        let (logits, log_shares) = (logits.to_vec(), log_shares.to_vec());
        self.rows.push(Row { logits, log_shares, class });
    }

    /// The slope, at least a tenth and at most 1.
    pub(super) fn slope(&self) -> f64 {
        // The log-likelihood is concave, so its derivative falls.
        let rises = |slope| self.rows.iter().map(|row| row.derivative(slope)).sum::<f64>() > 0.0;
        let (mut low, mut high) = (LEAST, LARGEST);
        if !rises(low) {
            return low;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if rises(middle) { low = middle } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::stream;
    use rand::RngExt;

    /// The slope found for labels drawn with another one from logits of two classes, of
    /// which one is four times as frequent.
    fn found(slope: f64) -> f64 {
        let shares = [0.8_f32.ln(), 0.2_f32.ln()];
        let mut random = stream(7, "slope");
        let mut withheld = WithheldLogits::default();
        for _ in 0..5000 {
            let logits: [f32; 2] = std::array::from_fn(|_| random.random_range(-3.0..3.0));
            let odds = slope * f64::from(logits[0] - logits[1]) + 4.0_f64.ln();
            let is_second = random.random_range(0.0..1.0) > 1.0 / (1.0 + (-odds).exp());
            withheld.add(&logits, &shares, usize::from(is_second));
        }
        withheld.slope()
    }

    #[test]
    fn the_slope_that_labels_were_drawn_with_is_found_between_a_tenth_and_one() {
        for (drawn, expected) in [(0.4, 0.4), (0.7, 0.7), (0.0, LEAST), (-1.0, LEAST), (3.0, 1.0)] {
            let slope = found(drawn);
            assert!((slope - expected).abs() < 0.05, "{slope} of labels drawn with {drawn}");
        }
    }
}
