//! Training: optimizes the model, measures it and saves it.
//!
//! In: a [`PreparedGraph`](crate::model::PreparedGraph) and settings. Out: the
//! metrics of every epoch, predictions, and states to resume from.

mod checkpoint_history;
mod class_offsets;
mod class_scores;
mod error;
pub mod journal;
mod loss;
pub mod optimiser;
mod outputs;
mod plan;
mod ranking;
mod ranks;
mod repeat;
pub mod run;
mod scalars;
mod score;
mod share;
mod slope;
mod split;
mod stage;
mod state;
mod statistics;
pub mod sweep;
mod swing;
mod trainer;
mod worker;

pub use checkpoint_history::{Change, CheckpointHistory};
pub use class_scores::{ByClass, ClassScore, ClassScores};
pub use error::TrainError;
pub use optimiser::{OptimizerState, learning_rate};
pub use outputs::{Outputs, probabilities};
pub use ranking::Ranking;
pub use ranks::rank_correlation;
pub use repeat::{Band, repeat};
pub use scalars::{Alternative, Scalars};
pub use score::{ClassCounts, Score, confusion, count, decided, right, score};
pub use share::StateLine;
pub use split::Split;
pub use stage::{FEWEST_LABELS, FilterNotLearned, FilterStage};
pub use state::{BestEpoch, SavedParameter, TrainerState};
pub use statistics::{Difference, Verdict, mean_and_deviation, mean_and_interval};
pub use swing::{SWING_EPOCHS, swings};
pub use trainer::{Epoch, Predictions, Trainer};
pub use worker::{
    BranchId, CHECKPOINT_MEMORY, Event, GraphLoader, Phase, PreparedRun, Replacement, ReplayPlan,
    SaveTarget, Snapshot, Start, TrainingCommand, Worker,
};
