//! Experiment 5: plant a filter on a graph and learn it back.
//!
//! Random signals X go through a known filter, Y = P X; learners of several forms
//! with the same number of parameters see only X and Y and minimise ‖P_ρ X − Y‖².
//! They cannot learn values where the graph has no eigenvalue, and eigenvectors
//! that share an eigenvalue get a single value.
//!
//! ```text
//! SyntheticGraph ─ spectrum ─▶ Planted ─ X, Y ─▶ Recovery ─ step ─▶ Learner: ρ, errors
//! ```

mod learner;
mod planted;
mod recovery;
mod stage;
mod target;

pub use learner::{Learner, Misses};
pub use planted::{Gap, Planted};
pub use recovery::{FORMS, Recovery, RecoveryOptions};
pub use stage::SyntheticGraph;
pub use target::{Drawn, PlantedFilter};
