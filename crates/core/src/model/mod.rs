//! The model: what GESF computes, and its settings.
//!
//! In: a graph and [`Settings`](settings::Settings). Out: an immutable
//! [`PreparedGraph`], and a [`Gesf`] over it with embeddings, maps, heads, the
//! learned filter and its losses.
//!
//! ```text
//! Graph ─ seen_graph ─▶ Matrix ─▶ Operator ─┐            x ─ ψ ─▶ H
//!                                  PreparedGraph ──┤                     │ P·H, P = U diag ρ(s) Uᵀ
//!                                           └──▶ Gesf:   R ◀─ φ ─ Z
//! ```

mod calibration;
mod distance;
mod error;
mod features;
mod filter;
mod gesf;
mod groups;
pub mod hops;
mod maps;
mod mean;
mod parameters;
mod prepared_graph;
pub mod product;
pub mod random;
mod rows;
pub mod settings;
pub mod slices;
mod sparse_product;
mod start;
mod tanh;
mod targets;
mod two_layer;

pub(crate) use calibration::{ByShares, Calibration, NEUTRAL, OFFSET, SHRINKAGE};
pub(crate) use distance::squared_distance;
pub use error::ModelError;
pub use features::PreparedFeatures;
pub(crate) use features::{FEATURE_MAP, FEATURE_SHARE, FeatureMap, SparseRows, map_name, shares};
pub use filter::{Basis, Filter, fixed};
pub(crate) use gesf::FILTER_PREFIX;
pub use gesf::Gesf;
pub use groups::Groups;
pub use maps::{Linear, Map};
pub(crate) use mean::{aggregation_of, divide_by_size, phi_inputs};
pub use parameters::Parameters;
pub use prepared_graph::{
    PreparedGraph, check_split, choice, may_use_eigenpairs, request, seen_graph,
};
pub(crate) use sparse_product::sparse_product;
pub(crate) use start::diffused_dimensions;
pub use targets::{Targets, Task, Units, Unseen, class_counts, log_shares};
pub(crate) use targets::{class_log_odds, log_odds};
pub(crate) use two_layer::{Inputs, TwoLayer};
