//! The lab: what a set function is, by experiment, and the lessons around it.
//!
//! In: neighbours of a node, small sets of numbers, spectra, and what a person
//! does with them. Out: figures for a screen to draw, and [`Facts`](lessons::Facts)
//! about what was done and seen, by which lessons are checked. Each experiment
//! is a plain state with actions; nothing here knows a terminal.
//!
//! | experiment | what is shown |
//! | --- | --- |
//! | [`Shuffle`] | a set function does not see the order of neighbours |
//! | [`Types`] | nor the order within a type, while types are told apart |
//! | [`Multisets`] | what sum, mean and max can and cannot tell apart |
//! | [`theorem`] | sums hold all that a set has |
//! | [`filters`] | what of a filter can be learned on a graph |

mod aggregators;
mod cards;
mod descent;
mod error;
mod exact;
mod experiments;
mod explanations;
pub mod filters;
pub mod lessons;
mod networks;
mod shuffle;
pub mod theorem;
mod types;

pub use aggregators::{
    LARGEST, MOST, MultisetAggregator, Multisets, PAIRS, SMALLEST, Side, Verdict,
};
pub use cards::{Card, MADE_UP_WIDTH, around, letters, made_up};
pub use error::LabError;
pub use exact::ExactSum;
pub use experiments::{Experiment, Lab, Near};
pub use explanations::{Explanation, Explanations};
pub use shuffle::{Aggregator, Shuffle};
pub use types::{Collapse, Outputs, Swap, Types};
