//! The mark of a category of nodes.

use crate::graph::{Graph, NodeId};

/// Number of classes with separate colours and shapes; the smallest beyond that share
/// one.
pub(super) const CLASSES: usize = 48;

/// The mark of a category, independent of the theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeMark {
    /// One of many, without an order.
    Class(usize),
    /// A step of an ordered scale: index and number of steps.
    Ramp(usize, usize),
    /// A step from strongly negative (−3) over zero to strongly positive (3).
    Signed(i8),
    /// Right.
    Right,
    /// Partly right.
    Partly,
    /// Wrong.
    Wrong,
    /// Wrong with high confidence.
    SurelyWrong,
    /// Several classes.
    Several,
    /// One of the smallest classes.
    Other,
    /// Unknown.
    Unknown,
}

impl NodeMark {
    /// The mark of a node's label; `None` where labels have none of their own.
    pub fn of_label(graph: &Graph, node: NodeId) -> Option<Self> {
        let classes = graph.labels().classes().filter(|own| own.names().len() <= CLASSES)?;
        match classes.of(node) {
            [] => None,
            [class] => Some(Self::Class(class.index())),
            _ => Some(Self::Several),
        }
    }

    /// The letter of a class: A to Z, then a to z.
    pub fn letter(self) -> Option<char> {
        let Self::Class(at) = self else { return None };
        let at = u8::try_from(at).ok()?;
        match at {
            0..26 => Some(char::from(b'A' + at)),
            26..52 => Some(char::from(b'a' + at - 26)),
            _ => None,
        }
    }
}
