//! Exports: trained results as files for other programs and for people.
//!
//! In: a trainer. Out: CSV, npy, npz and Parquet files that numpy and pandas read, a model for
//! PyTorch, figures, a report of a run, and the facts for a paper's appendix.

mod appendix;
pub mod figure;
#[cfg(feature = "parquet")]
mod parquet;
pub mod report;
mod tables;
mod torch;

pub use appendix::Appendix;
pub use tables::{ExportError, write_run};
pub use torch::write_torch;
