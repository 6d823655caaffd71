//! How well outputs rank the nodes of two classes, over all thresholds.

use serde::{Deserialize, Serialize};

/// The area under the ROC curve, and the average precision of the second class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Probability that a node of the second class is ranked above one of the first;
    /// a tie counts half.
    pub roc_auc: f32,
    /// Precision at every threshold, weighted by the recall that it adds. Nodes with
    /// the same output pass a threshold together.
    pub average_precision: f32,
}

impl Ranking {
    /// Ranks nodes by output; each comes with whether it is of the second class.
    /// `None` unless there are nodes of both classes.
    ///
    /// ```
    /// use gesf_core::train::Ranking;
    ///
    /// let found = Ranking::of(vec![(0.1, false), (0.4, false), (0.35, true), (0.8, true)]);
    /// assert_eq!(found.map(|own| own.roc_auc), Some(0.75));
    /// assert_eq!(Ranking::of(vec![(0.5, true)]), None);
    /// ```
    pub fn of(mut nodes: Vec<(f32, bool)>) -> Option<Self> {
        let positive = nodes.iter().filter(|(_, is_positive)| *is_positive).count();
        let negative = nodes.len() - positive;
        if positive == 0 || negative == 0 {
            return None;
        }
        // A negative zero ties with zero.
        for (output, _) in &mut nodes {
            *output += 0.0;
        }
        nodes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let (mut hits, mut false_alarms) = (0.0, 0.0);
        let (mut area, mut precision) = (0.0, 0.0);
        for tied in nodes.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            let new_hits = tied.iter().filter(|(_, is_positive)| *is_positive).count() as f64;
            let new_alarms = tied.len() as f64 - new_hits;
            area += new_alarms * (hits + new_hits / 2.0);
            hits += new_hits;
            false_alarms += new_alarms;
            precision += new_hits * hits / (hits + false_alarms);
        }
        Some(Self {
            roc_auc: (area / (positive as f64 * negative as f64)) as f32,
            average_precision: (precision / positive as f64) as f32,
        })
    }
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
            let (mut won, mut pairs) = (0.0, 0.0);
            for (a, _) in list.iter().filter(|own| own.1) {
                for (b, _) in list.iter().filter(|own| !own.1) {
                    pairs += 1.0;
                    won += match a.cmp(b) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    };
                }
            }
            let nodes = list.iter().map(|own| (f32::from(own.0), own.1)).collect();
            match Ranking::of(nodes) {
                Some(own) => prop_assert!((f64::from(own.roc_auc) - won / pairs).abs() < 1e-6),
                None => prop_assert!(pairs < 0.5),
            }
        }
    }

    /// Values of scikit-learn 1.9.1, `roc_auc_score` and `average_precision_score`.
    #[test]
    fn rankings_with_and_without_ties_agree_with_scikit_learn() {
        for (scores, classes, auc, precision) in CASES {
            let nodes = scores.iter().zip(classes).map(|(score, class)| (*score, *class == 1));
            let found = Ranking::of(nodes.collect()).unwrap();
            assert!((f64::from(found.roc_auc) - auc).abs() < 1e-6, "{found:?}");
            assert!((f64::from(found.average_precision) - precision).abs() < 1e-6, "{found:?}");
        }
    }

    type Case = (&'static [f32], &'static [u8], f64, f64);
    const CASES: [Case; 4] = [
        (&[0.1, 0.4, 0.35, 0.8], &[0, 0, 1, 1], 0.75, 0.833_333_333_333),
        (&[0.5, 0.5, 0.5, 0.2, 0.9, 0.5], &[1, 0, 1, 0, 0, 1], 0.5, 0.6),
        (
            &[2.0, -1.0, 2.0, 0.0, 0.0, -1.0, 3.0, -4.0],
            &[1, 0, 0, 1, 0, 1, 1, 0],
            0.718_75,
            0.709_523_809_524,
        ),
        (
            &[2.0, -2.6, 0.4, -0.6, -0.5, -0.2, -2.0, -0.2, -0.9, 3.3, 0.2, -0.4],
            &[1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0],
            0.962_962_962_963,
            0.916_666_666_667,
        ),
    ];

    #[test]
    fn one_class_alone_has_no_ranking() {
        assert_eq!(Ranking::of(vec![(1.0, false), (2.0, false)]), None);
        assert_eq!(Ranking::of(Vec::new()), None);
    }
}
