//! gesf-tui: see, train and understand graph embeddings by set functions.
//!
//! The rooms, each importing only from those before it:
//!
//! ```text
//! files ← graph ← spectral
//! ```

pub mod files;
pub mod graph;
pub mod spectral;
