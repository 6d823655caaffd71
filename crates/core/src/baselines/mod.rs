//! Baselines: other methods on the same splits, with the same scores.
//!
//! In: a graph and the training labels of a [`Split`](crate::train::Split). Out:
//! outputs for every node, in the form of the model's heads, and from a [`Contest`]
//! the table of all methods, shares of labels and seeds.
//!
//! ```text
//! walks ─▶ skip_gram ─┐
//! spectrum ───────────┴▶ vectors ─▶ linear ─▶ answers ─▶ scores
//! matrix, features ─▶ propagation, network ─────▲
//! factors ⇄ margin: mmdw ───────────────────────┤
//! contexts ⇄ softmax: planetoid ────────────────┘
//! ```
//!
//! A method gets [`TrainingLabels`], which contain no test label. Its open choices
//! (a penalty, early stopping) are made on folds of them, or use defaults with
//! fewer than [`ENOUGH_TO_CHOOSE`] labels.

mod adam;
mod alias;
mod contest;
mod contexts;
mod deepwalk;
mod error;
mod factors;
mod gesf;
mod linear;
mod majority;
mod margin;
mod metapath;
mod method;
mod minimise;
mod mmdw;
mod network;
mod network_method;
mod node2vec;
mod noise;
mod planetoid;
mod propagation;
mod skip_gram;
mod softmax;
mod spectral_map;
mod training_labels;
mod vectors;
mod walks;

pub use contest::{Contest, MethodCell, MethodResult, News};
pub use deepwalk::DeepWalk;
pub use error::BaselineError;
pub use gesf::GesfMethod;
pub use majority::Majority;
pub use metapath::Metapath;
pub use method::{Method, NAMES, PreparedMethod, Watch, all, named};
pub use mmdw::Mmdw;
pub use network_method::NetworkMethod;
pub use node2vec::Node2vec;
pub use planetoid::Planetoid;
pub use propagation::Propagation;
pub use skip_gram::SkipGram;
pub use spectral_map::SpectralMap;
pub use training_labels::{ENOUGH_TO_CHOOSE, TrainingLabels, ValidationScore};
pub use walks::Tours;
