//! Which value of a node is explained.

use gesf_graph::{ClassId, Classes, Graph};

/// The explained value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The logit of a class.
    Class(ClassId),
    /// The difference between the logits of two classes.
    Margin {
        /// The first class.
        class: ClassId,
        /// The second class.
        rival: ClassId,
    },
    /// The predicted number, in its own unit.
    Value,
    /// The length of z, if nothing is predicted for the node: the component of each
    /// contribution along z.
    Length,
}

impl Aim {
    /// Its name.
    pub fn name(self, graph: &Graph) -> String {
        let names = graph.labels().classes().map(Classes::names).unwrap_or_default();
        let text = |class: ClassId| names.get(class.index()).map_or("?", String::as_str);
        match self {
            Self::Class(class) => format!("logit of {}", text(class)),
            Self::Margin { class, rival } => {
                format!("margin of {} over {}", text(class), text(rival))
            }
            Self::Value => "predicted value".to_owned(),
            Self::Length => "length of z".to_owned(),
        }
    }
}
