//! The offsets of the logits of nodes with several classes.
//!
//! A class is predicted if its logit is positive, and the most likely one in any case.
//! With rare classes hardly any other logit is positive, so nodes would get one class
//! although they have more. In: the outputs for nodes without a training label. Out:
//! offsets with which these nodes get as many classes as the training labels have on
//! average, those with large logits first.

use super::score::largest;
use super::{FEWEST_LABELS, Outputs};
use crate::model::{Groups, Unseen, class_log_odds};
use gesf_graph::{Classes, LabelKind, NodeId};

/// How much of their log odds is taken from the logits: rare classes are underestimated
/// at nodes without a training label.
const RARITY: f32 = 0.5;
/// The outputs of this many nodes are enough.
const MOST_NODES: usize = 20_000;

/// The offset of every class, given outputs to which `added` was added already. Labels
/// are used of training nodes only; `None` if these are too few to tell how many classes
/// nodes have, or if there is nothing else to predict.
pub(super) fn class_offsets(
    outputs: &Outputs,
    added: &[f32],
    groups: &Groups,
    classes: &Classes,
    train: &[NodeId],
) -> Option<Vec<f32>> {
    if train.len() < FEWEST_LABELS {
        return None;
    }
    // A class without training labels must not gain from being rare.
    let odds = class_log_odds(classes, LabelKind::Several, train, Unseen::Frequent);
    let shifts: Vec<f32> = odds.into_iter().map(|odds| -RARITY * odds).collect();
    let mut rows = 0;
    let mut others = Vec::new();
    for node in unlabelled(groups, train) {
        let Some(row) = outputs.row(groups, node) else { continue };
        let logits = row.iter().zip(added).zip(&shifts).map(|((z, added), by)| z - added + by);
        let logits: Vec<f32> = logits.collect();
        let most = largest(&logits);
        rows += 1;
        others.extend(logits.iter().enumerate().filter(|own| Some(own.0) != most).map(|own| own.1));
    }
    let given: usize = train.iter().map(|node| classes.of(*node).len()).sum();
    let wanted = given as f64 / train.len() as f64 - 1.0;
    let wanted = (wanted.max(0.0) * f64::from(rows)).round() as usize;
    let threshold = threshold(others, wanted)?;
    Some(shifts.iter().map(|shift| shift - threshold).collect())
}

/// The threshold that this many of the values exceed, or as many as differ.
fn threshold(mut values: Vec<f32>, wanted: usize) -> Option<f32> {
    let last = values.len().checked_sub(1)?;
    if wanted > last {
        return values.into_iter().reduce(f32::min).map(|least| least - 1.0);
    }
    Some(*values.select_nth_unstable_by(wanted, |a, b| b.total_cmp(a)).1)
}

/// Nodes without a training label, of the types that have such labels; evenly chosen if
/// there are many.
fn unlabelled(groups: &Groups, train: &[NodeId]) -> impl Iterator<Item = NodeId> {
    let has_labels = |kind: &usize| train.iter().any(|node| groups.place(*node).0 == *kind);
    let kinds: Vec<usize> = (0..groups.count()).filter(has_labels).collect();
    let all: usize = kinds.iter().map(|kind| groups.members(*kind).len()).sum();
    let step = all.saturating_sub(train.len()).div_ceil(MOST_NODES).max(1);
    let members = kinds.into_iter().flat_map(|kind| groups.members(kind));
    let nodes = members.map(|node| NodeId(*node));
    nodes.filter(|node| train.binary_search(node).is_err()).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_many_values_exceed_the_threshold_as_wanted_unless_values_are_equal(
            values in prop::collection::vec(-20_i8..20, 1..40),
            wanted in 0_usize..50,
        ) {
            let values: Vec<f32> = values.into_iter().map(f32::from).collect();
            let threshold = threshold(values.clone(), wanted).unwrap();
            let above = values.iter().filter(|value| **value > threshold).count();
            let reached = values.iter().filter(|value| **value >= threshold).count();
            let wanted = wanted.min(values.len());
            prop_assert!(above <= wanted && wanted <= reached, "{above} {reached}");
        }
    }

    #[test]
    fn no_values_have_no_threshold() {
        assert_eq!(threshold(Vec::new(), 0), None);
    }
}
