//! DOT, the language of Graphviz.
//!
//! Attributes of nodes and edges become columns, defaults included. A bare
//! number is a number, a bare `true` or `false` is one, and anything in quotes
//! is text; but in a column of numbers quoted numbers are numbers too, since
//! pydot quotes the negative ones. Nodes are there once they are mentioned. Ports, and what is said
//! of graphs and subgraphs themselves, say nothing of nodes and are left out.
//!
//! In quoted texts `\"`, `\\` and `\n` stand for a quote, a backslash and a line
//! break, as igraph writes them, and a backslash at the end of a line joins it
//! to the next. Any other backslash is just that.
//!
//! What the format cannot hold: the order of columns where the first node
//! lacks some, a column without any filled cell, numbers as text among other
//! numbers, and an empty id. An edge
//! column called `weight`, or one called `value` with numbers in it where
//! there is no weight, comes back as the weights.

mod lexer;
mod read;
mod scope;
mod write;

pub use read::read;
pub use write::write;
