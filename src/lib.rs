//! gesf-tui: train, explore and explain graph embeddings via set functions (GESF).
//!
//! The crates, each depending only on those before it:
//!
//! ```text
//! gesf-graph ← gesf-spectral ← gesf-core (model ← train ← baselines, explain,
//!     export, layout) ← gesf-lab ← gesf-tui (tui ← serve ← cli)
//! ```
//!
//! From a file to the explanation of a prediction:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use gesf_tui::explain::{Explanation, ExplainContext, Ranking};
//! use gesf_tui::graph::{LoadOptions, NodeId, load};
//! use gesf_tui::model::{PreparedGraph, settings::Settings};
//! use gesf_tui::spectral::Cancel;
//! use gesf_tui::train::Trainer;
//!
//! let (graph, _) = load("sample_graphs/karate".as_ref(), &LoadOptions::default())?;
//! let settings = Settings { epochs: 20, ..Settings::default() };
//! let prepared =
//!     PreparedGraph::prepare(&Arc::new(graph), &settings, None, &Cancel::default(), &mut |_| {})?;
//! let mut trainer = Trainer::new(prepared, settings)?;
//! let first = trainer.step()?.scalars.total;
//! while !trainer.is_done() {
//!     trainer.step()?;
//! }
//! assert!(trainer.evaluate()?.scalars.total < first);
//!
//! // Which nodes contributed to the instructor's prediction, and do they add up?
//! let context = ExplainContext::of_trainer(&trainer)?;
//! let found = Explanation::of(&context, NodeId(0), context.usual_aim(NodeId(0)))?;
//! assert_eq!(found.ranked(Ranking::Size, 3).len(), 3);
//! assert!((found.baseline + found.sum() - found.value).abs() < 1e-9);
//! # Ok(()) }
//! ```
//!
//! In the examples of the modules, `graph` is this karate club of 34 members,
//! `prepared` is the result of
//! [`PreparedGraph::prepare`](model::PreparedGraph::prepare), `trainer` is a run of
//! 20 epochs at its start and `context` one after five of them; the code that creates
//! them is hidden.

pub mod cli;
pub mod escape;
pub mod serve;
pub mod tui;

pub use gesf_core::{baselines, explain, export, layout, memory, model, train};
pub use gesf_graph::{self as graph, files, folders, suggest};
pub use gesf_lab as lab;
pub use gesf_spectral as spectral;
