//! DOT, the language of Graphviz.
//!
//! Attributes of nodes and edges become columns, defaults included. An unquoted
//! number is a number, an unquoted `true` or `false` is a flag, and anything in
//! quotes is text; but in a column of numbers quoted numbers are numbers too, since
//! pydot quotes negative ones. Nodes exist once they are mentioned. Ports and
//! attributes of graphs and subgraphs are ignored.
//!
//! In quoted text `\"`, `\\` and `\n` stand for a quote, a backslash and a line
//! break, as written by igraph, and a backslash at the end of a line joins it to
//! the next. Any other backslash is literal.
//!
//! What the format cannot represent: the order of columns if the first node lacks
//! some, empty columns, numbers as text among other numbers, and an empty id. An
//! edge column called `weight`, or a numeric one called `value` if there is no
//! weight, is read back as the weights.

mod lexer;
mod read;
mod scope;
mod write;

pub use read::read;
pub use write::write;
