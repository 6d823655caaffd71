//! The lab: experiments on set functions, and the lessons around them.
//!
//! In: neighbours of a node, small sets of numbers, spectra, and the actions of the
//! user. Out: data for the screens, and [`Facts`](lessons::Facts) about actions and
//! results, used to check lessons. Each experiment is a plain state with actions,
//! independent of a terminal.
//!
//! | experiment | what is shown |
//! | --- | --- |
//! | [`Shuffle`] | a set function does not depend on the order of neighbours |
//! | [`Types`] | nor on the order within a type, if types are distinguished |
//! | [`Multisets`] | what sum, mean and max can and cannot distinguish |
//! | [`theorem`] | sums determine a set |
//! | [`filters`] | what can be learned about a filter on a graph |

mod aggregators;
mod cards;
mod descent;
mod error;
mod exact;
mod experiments;
pub mod filters;
mod help_topics;
pub mod lessons;
mod networks;
mod shuffle;
pub mod theorem;
mod types;

pub use aggregators::{
    LARGEST, MOST, MultisetAggregator, Multisets, PAIRS, PairVerdict, SMALLEST, Side,
};
pub use cards::{Card, MADE_UP_WIDTH, around, letters, made_up};
pub use error::LabError;
pub use exact::ExactSum;
pub use experiments::{Experiment, Lab, Near};
pub use help_topics::{HelpTopic, HelpTopics};
pub use shuffle::{Aggregator, Shuffle};
pub use types::{Collapse, Swap, TypeOutputs, Types};
