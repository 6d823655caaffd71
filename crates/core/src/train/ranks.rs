//! Rank correlation.

/// The rank of every value, from 1 on; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for equal in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let mean = start as f64 + f64::midpoint(1.0, equal.len() as f64);
        for &at in equal {
            ranks[at] = mean;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
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
