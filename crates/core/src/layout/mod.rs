//! Layouts: the positions of nodes on the map.
//!
//! In: a graph, its eigenvectors, or embeddings in training. Out: a [`Position`] in
//! the unit square for every node, in node order. The same input and seed give the
//! same positions.
//!
//! ```text
//! Graph ──▶ start ──▶ force ──▶ places, refined step by step
//! Spectrum ─────────▶ spectral ──▶ places
//! State ────────────▶ principal ──▶ places, rotated towards the previous ones
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

/// A position in the unit square: to the right, and up.
pub type Position = [f32; 2];
