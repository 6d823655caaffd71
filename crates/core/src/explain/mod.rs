//! Explanations: the exact, signed contributions of neighbours to a node's
//! embedding and prediction.
//!
//! In: an [`ExplainContext`], built once for each snapshot. Out: contributions that
//! add up, their sums by ring, type and label, predictions without some of them,
//! and facts about every node.
//!
//! ```text
//! Ready, Snapshot ─▶ ExplainContext ─ node, aim ─▶ Explanation ─┬─▶ ContributionTable, Slices, Ego
//!                      │                                ├─▶ Faithfulness, NodeMeasures
//!                      ├─ Edits ─▶ Changes ─▶ WhatIf ◀──┘
//!                      └─▶ Roster ─ Query ─▶ nodes
//! ```
//!
//! c_uv = P_uv ψ(x_u) add up to z_v. Through φ and the head each gets its share of
//! the explained value by integrated gradients along α·z from 0: see
//! [`Explanation`]. Long computations take a [`Cancel`](gesf_spectral::Cancel)
//! flag. The same context gives the same bits.

mod aim;
mod context;
mod contributions;
mod edit_words;
mod edits;
mod ego;
mod error;
mod faithful;
mod measures;
mod network;
mod own_features;
mod query;
mod reading;
mod rings;
mod roster;
mod slices;
mod table;
mod what_if;

pub use aim::Aim;
pub use context::ExplainContext;
pub use contributions::{Explanation, Ranking};
pub use edits::{Changes, Edit, Edits};
pub use ego::{Ego, EgoLimits, Link, Spot};
pub use error::ExplainError;
pub use faithful::{Faithfulness, MeanAndDeviation, Trial};
pub use measures::{
    Agreement, MaskEffect, MeasureOptions, Measures, Motifs, NodeMeasures, characterisation,
};
pub use query::{CONFIDENT, Directory, NodeFilter, Query, Sort};
pub use rings::{Ring, Rings};
pub use roster::{LabelUse, NodeFacts, PredictFrom, Prediction, Roster};
pub use slices::{Slice, SliceGroup, by_label, by_ring, by_type, by_walk, from_afar};
pub use table::{ContributionTable, Contributor, FeatureContribution};
pub use what_if::{Means, WhatIf};

/// Σ a·b in f64, with a fixed number of partial sums.
fn dot(a: &[f32], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += f64::from(a[lane]) * b[lane];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| f64::from(*a) * b).sum();
    sums.iter().sum::<f64>() + rest
}
