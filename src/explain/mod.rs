//! The room of explanations: which neighbours made a node's embedding and its
//! prediction, exactly and with their signs.
//!
//! In: a [`Moment`] of a model, made once for each snapshot. Out: contributions
//! that add up, what they come to by ring, type and label, what happens without
//! some of them, and facts of every node.
//!
//! ```text
//! Ready, Snapshot ─▶ Moment ─ node, aim ─▶ Explanation ─┬─▶ Table, Slices, Ego
//!                      │                                ├─▶ Faithfulness
//!                      ├─ Edits ─▶ Changes ─▶ WhatIf ◀──┘
//!                      └─▶ Roster ─ Query ─▶ nodes
//! ```
//!
//! c_uv = P_uv ψ(x_u) add up to z_v. Through φ and the head each gets its share of
//! the number asked about by integrated gradients along α·z from 0: see
//! [`Explanation`]. Questions that take long take a
//! [`Cancel`](crate::spectral::Cancel) flag. The same moment gives the same bits.

mod aim;
mod contributions;
mod edit_words;
mod edits;
mod ego;
mod error;
mod faithful;
mod moment;
mod network;
mod query;
mod reading;
mod rings;
mod roster;
mod slices;
mod table;
mod what_if;

pub use aim::Aim;
pub use contributions::{Explanation, Ranking};
pub use edits::{Changes, Edit, Edits};
pub use ego::{Ego, Frame, Link, Spot};
pub use error::ExplainError;
pub use faithful::{Faithfulness, Spread, Trial};
pub use moment::Moment;
pub use query::{CONFIDENT, Directory, Filter, Query, Sort};
pub use rings::{Ring, Rings};
pub use roster::{Facts, Guess, Part, Roster, Voice};
pub use slices::{Group, Slice, by_label, by_ring, by_type, by_walk, from_afar};
pub use table::{Line, Table};
pub use what_if::{Means, WhatIf};

/// Σ a·b in f64, by a fixed number of partial sums.
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
