//! The room of exports: what was learned, as files for other programs.
//!
//! In: a trainer. Out: CSV and npy files that numpy and pandas read.

mod tables;

pub use tables::{ExportError, write_run};
