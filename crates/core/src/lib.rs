//! The GESF model: training, baselines, explanations, exports and layouts.
//!
//! ```text
//! model ← train ← baselines, explain, export, layout
//! ```

pub mod baselines;
pub mod explain;
pub mod export;
pub mod layout;
pub mod memory;
pub mod model;
pub mod npy;
pub mod train;
