//! GraphML, as NetworkX, igraph, Gephi and yEd write it.
//!
//! Data of nodes and edges become columns with the name (`attr.name`) and type of
//! their key. Nodes of nested graphs are added to the others; hyperedges and ports
//! are skipped, with a note.
//!
//! What the format cannot represent: control characters other than tab and line
//! breaks (written as `�`), a column without a name (it is read back under its
//! key), empty columns, and attributes that are all empty. An edge column called
//! `weight`, or a numeric one called `value` if there is no weight, is read back as
//! the weights.

mod keys;
mod read;
mod write;

pub use read::read;
pub use write::write;
