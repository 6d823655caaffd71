//! Experiment 5: plant a filter on a graph and learn it back.
//!
//! Random signals X go through a known filter, Y = P X; learners of several
//! forms, all with as many parameters, see X and Y alone and follow ‖P_ρ X − Y‖²
//! down. What the graph has no frequency for they cannot know, and where several
//! eigenvectors share an eigenvalue they can give them but one value.
//!
//! ```text
//! Stage ─ spectrum ─▶ Planted ─ X, Y ─▶ Recovery ─ step ─▶ Learner: ρ, errors
//! ```

mod learner;
mod planted;
mod recovery;
mod stage;
mod target;

pub use learner::{Learner, Misses};
pub use planted::{Gap, Planted};
pub use recovery::{FORMS, Recovery, RecoveryOptions};
pub use stage::Stage;
pub use target::{Drawn, Target};
