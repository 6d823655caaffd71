//! Measures of an order: rank correlation, and the area under the ROC curve.

/// The rank of every value, from 1 on; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for equal in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let mean = start as f64 + f64::midpoint(1.0, equal.len() as f64);
        equal.iter().for_each(|&at| ranks[at] = mean);
        start += equal.len();
    }
    ranks
}

/// Spearman's rank correlation of two lists; `None` if one of them is constant.
///
/// ```
/// use gesf_core::train::rank_correlation;
///
/// assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[0.1, 0.4, 0.5]), Some(1.0));
/// assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[3.0, 2.0, -1.0]), Some(-1.0));
/// assert_eq!(rank_correlation(&[1.0, 2.0], &[1.0, 1.0]), None);
/// ```
pub fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = f64::midpoint(1.0, a.len() as f64);
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The area under the ROC curve: how often a positive is ranked above a negative, ties
/// counting half. `None` without both.
///
/// ```
/// use gesf_core::train::roc_auc;
///
/// let (scores, positive) = ([0.1, 0.4, 0.35, 0.8], [false, false, true, true]);
/// assert_eq!(roc_auc(&scores, &positive), Some(0.75));
/// assert_eq!(roc_auc(&scores, &[true; 4]), None);
/// ```
pub fn roc_auc(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let ranks = ranks(scores);
    let count = positive.iter().filter(|own| **own).count();
    let (yes, no) = (count as f64, (scores.len() - count.min(scores.len())) as f64);
    let sum: f64 = ranks.iter().zip(positive).filter(|(_, own)| **own).map(|(rank, _)| rank).sum();
    (yes > 0.0 && no > 0.0).then(|| (sum - yes * (yes + 1.0) / 2.0) / (yes * no))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_area_equals_the_share_of_ordered_pairs(
            list in prop::collection::vec((0..6_u8, any::<bool>()), 2..40),
        ) {
            let scores: Vec<f64> = list.iter().map(|own| f64::from(own.0)).collect();
            let positive: Vec<bool> = list.iter().map(|own| own.1).collect();
            let (mut won, mut pairs) = (0.0, 0.0);
            for (a, _) in list.iter().filter(|own| own.1) {
                for (b, _) in list.iter().filter(|own| !own.1) {
                    pairs += 1.0;
                    won += if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 };
                }
            }
            match roc_auc(&scores, &positive) {
                Some(area) => prop_assert!((area - won / pairs).abs() < 1e-12),
                None => prop_assert!(pairs < 0.5),
            }
        }

        #[test]
        fn rank_correlation_ignores_monotone_changes(list in prop::collection::vec(-5.0..5.0_f64, 3..30)) {
            let changed: Vec<f64> = list.iter().map(|own| own.exp()).collect();
            if let Some(found) = rank_correlation(&list, &changed) {
                prop_assert!((found - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }
}
