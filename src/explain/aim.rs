//! Which number of a node is explained.

use crate::graph::{ClassId, Classes, Graph};

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The logit of a class.
    Class(ClassId),
    /// By how much one class is ahead of another.
    Margin {
        /// The one.
        class: ClassId,
        /// The other.
        rival: ClassId,
    },
    /// The number that is predicted, in its own unit.
    Value,
    /// The length of z, where nothing is predicted of a node: what a neighbour
    /// brings along z's own direction.
    Length,
}

impl Aim {
    /// The words for it.
    pub fn name(self, graph: &Graph) -> String {
        let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
        let text = |class: ClassId| names.get(class.index()).map_or("?", String::as_str);
        match self {
            Self::Class(class) => format!("logit of {}", text(class)),
            Self::Margin { class, rival } => {
                format!("{} ahead of {}", text(class), text(rival))
            }
            Self::Value => "predicted value".to_owned(),
            Self::Length => "length of z".to_owned(),
        }
    }
}
