//! GraphML, as NetworkX, igraph, Gephi and yEd write it.
//!
//! Data of nodes and edges become columns under the name (`attr.name`) of
//! their key, read as its type says. Nodes of nested graphs join the others;
//! hyperedges and ports are left out, with a note.
//!
//! What the format cannot hold: control characters other than tab and line
//! breaks (they are written as `�`), a column without a name (it comes back
//! under its key), a column without any filled cell, and attributes that are
//! all empty. An edge column called `weight`, or one called `value` with
//! numbers in it where there is no weight, comes back as the weights.

mod keys;
mod read;
mod write;
mod xml;

pub use read::read;
pub use write::write;
