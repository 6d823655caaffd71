//! GML, as NetworkX, igraph, Gephi and many data collections write it.
//!
//! Keys of nodes and edges become columns; a list within a node, such as
//! `graphics [ x 1 ]`, becomes `graphics.x`; a key that a node has several
//! times becomes one text with `|` between. Where every node has a label and
//! no two the same, the labels are the ids, as NetworkX has it; else the `id`
//! is the id and the label a column.
//!
//! What the format cannot hold: names of columns beyond letters, digits and
//! `_` (others are written as `_`, and one that is taken gets a number), the
//! order of columns where the first node lacks some, an empty id, and true
//! and false (written as 1 and 0). An edge column called `weight`, or one
//! called `value` with numbers in it where there is no weight, comes back as
//! the weights.

mod entities;
mod lexer;
mod read;
mod write;

pub use read::read;
pub use write::write;
