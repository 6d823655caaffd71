//! gesf-tui: see, train and understand graph embeddings by set functions.
//!
//! The rooms, each importing only from those before it:
//!
//! ```text
//! escape, files, folders, memory, npy, words ← graph ← spectral ← model ← train
//!     ← baselines, explain, export, lab, layout ← tui ← cli
//! ```
//!
//! From a file to the reasons for a prediction:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use gesf_tui::explain::{Explanation, Moment, Ranking};
//! use gesf_tui::graph::{LoadOptions, NodeId, load};
//! use gesf_tui::model::{Ground, settings::Settings};
//! use gesf_tui::spectral::Cancel;
//! use gesf_tui::train::Trainer;
//!
//! let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
//! let settings = Settings { epochs: 20, ..Settings::default() };
//! let ground =
//!     Ground::prepare(&Arc::new(graph), &settings, None, &Cancel::default(), &mut |_| {})?;
//! let mut trainer = Trainer::new(ground, settings)?;
//! let first = trainer.step()?.scalars.total;
//! while !trainer.is_done() {
//!     trainer.step()?;
//! }
//! assert!(trainer.evaluate()?.scalars.total < first);
//!
//! // Who made the prediction of the instructor, and is nothing left unexplained?
//! let moment = Moment::of_trainer(&trainer)?;
//! let found = Explanation::of(&moment, NodeId(0), moment.usual_aim(NodeId(0)))?;
//! assert_eq!(found.ranked(Ranking::Size, 3).len(), 3);
//! assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
//! # Ok(()) }
//! ```
//!
//! In the examples of the rooms, `graph` is this karate club of 34 members,
//! `ground` what [`Ground::prepare`](model::Ground::prepare) makes of it,
//! `trainer` a run of 20 epochs at its start and `moment` one after five of them;
//! the lines that make them are left out.

pub mod baselines;
pub mod cli;
pub mod escape;
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
