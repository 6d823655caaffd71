//! gesf-tui: see, train and understand graph embeddings by set functions.
//!
//! The rooms, each importing only from those before it:
//!
//! ```text
//! files, folders, memory, npy, words ← graph ← spectral ← model ← train
//!     ← baselines, explain, export, lab, layout ← tui ← cli
//! ```

pub mod baselines;
pub mod cli;
pub mod explain;
pub mod export;
pub mod files;
pub mod folders;
pub mod graph;
pub mod lab;
pub mod layout;
pub mod memory;
pub mod model;
pub mod npy;
pub mod spectral;
pub mod train;
pub mod tui;
pub mod words;
