//! Exports: trained results as files for other programs and for people.
//!
//! In: a trainer. Out: CSV and npy files that numpy and pandas read, figures,
//! and a report of a run.

pub mod figure;
pub mod report;
mod tables;

pub use tables::{ExportError, write_run};
