//! The room of baselines: other methods on the same splits, by the same scores.
//!
//! In: a graph, and the labels that a [`Split`](crate::train::Split) lets be
//! seen. Out: an answer for every node, as the heads of the model give them,
//! and from a [`Contest`] the table of all methods, shares of labels and seeds.
//!
//! ```text
//! walks ─▶ skip_gram ─┐
//! spectrum ───────────┴▶ vectors ─▶ linear ─▶ answers ─▶ scores
//! matrix ─▶ propagation, gcn ───────────────────▲
//! factors ⇄ margin: mmdw ───────────────────────┤
//! contexts ⇄ softmax: planetoid ────────────────┘
//! ```
//!
//! A method sees a [`Lesson`], which holds no label that is held back. What it
//! leaves open (a penalty, a step back) is chosen on folds of that lesson, or is
//! a plain setting where it has fewer than [`ENOUGH_TO_CHOOSE`] labels.

mod adam;
mod alias;
mod contest;
mod contexts;
mod deepwalk;
mod error;
mod factors;
mod gcn;
mod gesf;
mod lesson;
mod linear;
mod majority;
mod margin;
mod metapath;
mod method;
mod minimise;
mod mmdw;
mod node2vec;
mod noise;
mod planetoid;
mod propagation;
mod rows;
mod skip_gram;
mod softmax;
mod spectral_map;
mod vectors;
mod walks;

pub use contest::{Contest, Entry, EntryCell, News};
pub use deepwalk::DeepWalk;
pub use error::BaselineError;
pub use gcn::Gcn;
pub use gesf::GesfMethod;
pub use lesson::{ENOUGH_TO_CHOOSE, Lesson, Quality};
pub use majority::Majority;
pub use metapath::Metapath;
pub use method::{Method, NAMES, Ready, Watch, all, named};
pub use mmdw::Mmdw;
pub use node2vec::Node2vec;
pub use planetoid::Planetoid;
pub use propagation::Propagation;
pub use skip_gram::SkipGram;
pub use spectral_map::SpectralMap;
pub use walks::Tours;
