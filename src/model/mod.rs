//! The room of the model: what GESF computes, and every choice in it.
//!
//! In: a graph and [`Settings`](settings::Settings). Out: a [`Ground`] that
//! stays as it is, and a [`Gesf`] over it that learns: reconstructions, heads,
//! the learned filter, and the losses they are trained by.
//!
//! ```text
//! Graph ─ seen_graph ─▶ Matrix ─▶ Operator ─┐            x ─ ψ ─▶ H
//!                                  Ground ──┤                     │ P·H, P = U diag ρ(s) Uᵀ
//!                                           └──▶ Gesf:   R ◀─ φ ─ Z
//! ```

mod distance;
mod error;
mod filter;
mod gesf;
mod ground;
mod groups;
pub mod hops;
mod maps;
mod parameters;
pub(crate) mod product;
pub(crate) mod random;
mod rows;
pub mod settings;
pub(crate) mod slices;
mod start;
mod tanh;
mod targets;
mod two_layer;

pub(crate) use distance::squared_distance;
pub use error::ModelError;
pub use filter::{Basis, Filter, fixed};
pub use gesf::Gesf;
pub(crate) use gesf::{FILTER_PREFIX, OFFSET};
pub use ground::{Ground, choice, may_use_eigenpairs, request, seen_graph};
pub use groups::Groups;
pub use maps::{Linear, Map};
pub use parameters::Parameters;
pub use targets::{Targets, Task, Units, class_counts, log_shares};
pub(crate) use two_layer::TwoLayer;
