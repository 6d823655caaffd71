//! Graphs: loading, converting, generating and measuring them.
//!
//! In: files and folders in any of the [`Format`]s, standard input, or a generator.
//! Out: a [`Graph`] on petgraph, undirected and simple as the model needs it, with
//! a [`LoadReport`] of what was read, merged or unusual.
//!
//! ```text
//! bytes ─ input ─▶ text ─ formats ─▶ RawGraph ─ build, fold ─▶ Graph ─ stats ─▶ Statistics
//!                                       │
//!                                       └─ formats ─▶ files (convert)
//! ```

mod build;
mod column;
mod derived;
mod error;
mod features;
pub mod files;
mod fold;
mod folded;
pub mod folders;
pub mod formats;
pub mod generate;
mod ids;
mod input;
mod labels;
mod load;
mod load_words;
mod manifest;
mod raw;
mod reading;
mod reference;
mod report;
mod roles;
mod samples;
mod splits;
mod stats;
pub mod suggest;
mod types;

pub use build::{ATTRIBUTE_COLUMN, LABEL_SEPARATOR, build};
pub use column::{Cell, Column, ColumnKind, Columns};
pub use error::{Fault, GraphError, Place};
pub use features::{BadAttribute, Features};
pub use folded::{FoldCounts, Graph, Topology};
pub use formats::Format;
pub use ids::{IdTable, MAX_NODES, NodeId};
pub use input::{STANDARD_INPUT, decode};
pub use labels::{ClassId, Classes, Label, LabelKind, Labels, MAX_CLASSES, natural_order};
pub use load::{LoadOptions, load, read};
pub use manifest::Manifest;
pub use raw::{Direction, EdgeRows, RawGraph};
pub use reading::{OnBadRow, Reading};
pub use reference::GraphReference;
pub use report::{LoadReport, ReportLine, Weight};
pub use roles::{NoSuchColumn, RoleChoice, Roles};
pub use samples::{SAMPLES, Sample, locate};
pub use splits::{SplitPart, StoredSplit};
pub use stats::{Counts, Statistics};
pub use types::{DEFAULT_TYPE, MAX_TYPES, NodeTypes, TypeId};
