//! The room of training: what moves the model, measures it and keeps it.
//!
//! In: a [`Ground`](crate::model::Ground) and settings. Out: figures of every
//! epoch, predictions, states to go on from.

mod class_scores;
mod error;
mod loss;
pub(crate) mod optimiser;
mod outputs;
mod past;
mod plan;
mod repeat;
pub mod run;
mod scalars;
mod score;
mod share;
mod split;
mod stage;
mod state;
mod statistics;
pub mod sweep;
mod swing;
mod trainer;
mod worker;

pub use class_scores::{ByClass, ClassScore, ClassScores};
pub use error::TrainError;
pub use optimiser::{OptimizerState, learning_rate};
pub use outputs::{Outputs, probabilities};
pub use past::{Change, Past};
pub use repeat::{Band, repeat};
pub use scalars::Scalars;
pub use score::{ClassCounts, Score, confusion, count, decided, right, score};
pub use share::StateLine;
pub use split::Split;
pub use stage::{FEWEST_LABELS, FilterStage, Kept};
pub use state::{BestEpoch, SavedParameter, State};
pub use statistics::{Difference, Verdict, mean_and_deviation, mean_and_interval};
pub use swing::{SWING_EPOCHS, swings};
pub use trainer::{Epoch, Predictions, Trainer};
pub use worker::{
    Command, Event, Itinerary, Keep, LineId, Phase, Ready, Replacement, Snapshot, Source, Start,
    Worker,
};
