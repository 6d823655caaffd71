//! The room of layouts: where nodes are put on a map.
//!
//! In: a graph, its eigenvectors, or the embeddings of a moment of training.
//! Out: a [`Place`] in the unit square for every node, in node order. The same
//! input and seed give the same places.
//!
//! ```text
//! Graph ──▶ start ──▶ force ──▶ places that refine while one watches
//! Spectrum ─────────▶ spectral ──▶ places
//! State ────────────▶ principal ──▶ turned towards the places before
//! ```

mod align;
mod error;
mod force;
mod principal;
mod spectral;
mod square;
mod start;

pub use error::LayoutError;
pub use force::{Refined, force};
pub use principal::{Projection, principal};
pub use spectral::spectral;

/// A place in the unit square: to the right, and up.
pub type Place = [f32; 2];
