//! gesf-tui: see, train and understand graph embeddings by set functions.
//!
//! The rooms, each importing only from those before it:
//!
//! ```text
//! files, folders, memory ← graph ← spectral ← model ← train ← cli
//! ```

pub mod cli;
pub mod files;
pub mod folders;
pub mod graph;
pub mod memory;
pub mod model;
pub mod spectral;
pub mod train;
