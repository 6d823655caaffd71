//! GML, as NetworkX, igraph, Gephi and many data collections write it.
//!
//! Keys of nodes and edges become columns; a list within a node, such as `graphics
//! [ x 1 ]`, becomes `graphics.x`; a repeated key becomes one text separated by
//! `|`. If every node has a distinct label, the labels are the ids, as in NetworkX;
//! else the `id` is the id and the label a column.
//!
//! What the format cannot represent: column names with characters other than
//! letters, digits and `_` (replaced by `_`, with a number if the name is taken),
//! the order of columns if the first node lacks some, an empty id, and true and
//! false (written as 1 and 0). An edge column called `weight`, or a numeric one
//! called `value` if there is no weight, is read back as the weights.

mod entities;
mod lexer;
mod read;
mod write;

pub use read::read;
pub use write::write;
