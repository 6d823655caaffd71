//! The prediction targets of nodes: none, one class, several classes, or a number.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::NodeId;

/// A class, as an index into the class names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u16);

impl ClassId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// More classes than this are treated as an error (such as an id column).
pub const MAX_CLASSES: usize = 10_000;

/// The prediction task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelKind {
    /// No labels: only the unsupervised loss can be trained.
    None,
    /// At most one class per node.
    One,
    /// Any number of classes per node.
    Several,
    /// A number per node.
    Numeric,
}

/// The labels of all nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Labels {
    /// No labels.
    #[default]
    None,
    /// Classes, one or several per node.
    Classes(Classes),
    /// A number per node; `None` if unknown.
    Numeric(Vec<Option<f32>>),
}

/// The label of one node.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Label {
    /// None.
    #[default]
    None,
    /// Its classes.
    Classes(Vec<ClassId>),
    /// Its number.
    Number(f32),
}

/// Class names and the classes of each node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Classes {
    names: Vec<String>,
    starts: Vec<usize>,
    members: Vec<ClassId>,
    several: bool,
}

impl Labels {
    /// The task of these labels.
    pub fn kind(&self) -> LabelKind {
        match self {
            Self::None => LabelKind::None,
            Self::Classes(classes) if classes.several => LabelKind::Several,
            Self::Classes(_) => LabelKind::One,
            Self::Numeric(_) => LabelKind::Numeric,
        }
    }

    /// The classes, if the labels are classes.
    pub fn classes(&self) -> Option<&Classes> {
        if let Self::Classes(classes) = self { Some(classes) } else { None }
    }

    /// The label of one node.
    pub fn of(&self, node: NodeId) -> Label {
        match self {
            Self::Classes(classes) if !classes.of(node).is_empty() => {
                Label::Classes(classes.of(node).to_vec())
            }
            Self::Numeric(values) => {
                values.get(node.index()).copied().flatten().map_or(Label::None, Label::Number)
            }
            Self::None | Self::Classes(_) => Label::None,
        }
    }

    /// The labels with those of some nodes changed. The classes stay the same, even
    /// one without nodes; a label of another kind is removed.
    #[must_use]
    pub fn with(&self, changes: &BTreeMap<NodeId, Label>) -> Self {
        match self {
            Self::None => Self::None,
            Self::Classes(classes) => Self::Classes(classes.with(changes)),
            Self::Numeric(values) => {
                let mut values = values.clone();
                for (node, label) in changes {
                    if let Some(value) = values.get_mut(node.index()) {
                        *value = if let Label::Number(new) = label { Some(*new) } else { None };
                    }
                }
                Self::Numeric(values)
            }
        }
    }

    /// Whether a node has a label.
    pub fn is_labelled(&self, node: NodeId) -> bool {
        match self {
            Self::None => false,
            Self::Classes(classes) => !classes.of(node).is_empty(),
            Self::Numeric(values) => values.get(node.index()).copied().flatten().is_some(),
        }
    }
}

impl Classes {
    /// Collects the class names of every node. Classes are numbered in natural
    /// order (`group_2` before `group_10`), so the numbering does not depend on the
    /// order of the nodes. `None` if there are more than [`MAX_CLASSES`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_graph::{ClassId, Classes, NodeId};
    ///
    /// let nodes = [vec!["group_10"], vec!["group_2"], vec![]];
    /// let classes = Classes::collect(&nodes, false).ok_or("too many classes")?;
    /// assert_eq!(classes.names(), ["group_2", "group_10"]);
    /// assert_eq!(classes.of(NodeId(0)), [ClassId(1)]);
    /// assert_eq!(classes.labelled(), 2);
    /// # Ok(()) }
    /// ```
    pub fn collect<'a>(of_nodes: &[Vec<&'a str>], several: bool) -> Option<Self> {
        let mut names: Vec<&'a str> = of_nodes.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > MAX_CLASSES {
            return None;
        }
        names.sort_by(|a, b| natural_order(a, b));
        let number: hashbrown::HashMap<&str, ClassId> =
            names.iter().enumerate().map(|(n, name)| (*name, ClassId(n as u16))).collect();
        let mut classes = Self { starts: vec![0], several, ..Self::default() };
        for labels in of_nodes {
            let mut own: Vec<ClassId> =
                labels.iter().filter_map(|name| number.get(name).copied()).collect();
            own.sort_unstable();
            own.dedup();
            classes.members.extend(own);
            classes.starts.push(classes.members.len());
        }
        classes.names = names.into_iter().map(str::to_owned).collect();
        Some(classes)
    }

    fn with(&self, changes: &BTreeMap<NodeId, Label>) -> Self {
        let mut other = Self { starts: vec![0], members: Vec::new(), ..self.clone() };
        for node in (0..self.starts.len().saturating_sub(1)).map(NodeId::from) {
            match changes.get(&node) {
                None => other.members.extend(self.of(node)),
                Some(Label::Classes(own)) => {
                    let known = own.iter().filter(|class| class.index() < self.names.len());
                    let mut own: Vec<ClassId> = known.copied().collect();
                    own.sort_unstable();
                    own.dedup();
                    other.members.extend(own);
                }
                Some(Label::None | Label::Number(_)) => {}
            }
            other.starts.push(other.members.len());
        }
        other
    }

    /// The class names, by [`ClassId`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The classes of a node, in ascending order.
    pub fn of(&self, node: NodeId) -> &[ClassId] {
        let start = self.starts.get(node.index()).copied().unwrap_or(0);
        let end = self.starts.get(node.index() + 1).copied().unwrap_or(start);
        &self.members[start..end]
    }

    /// The number of nodes with at least one class.
    pub fn labelled(&self) -> usize {
        self.starts.windows(2).filter(|pair| pair[0] < pair[1]).count()
    }

    /// The number of nodes of each class.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        for class in &self.members {
            sizes[class.index()] += 1;
        }
        sizes
    }
}

/// Natural order: runs of digits by their value.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(l), Some(r)) = (left.first(), right.first()) {
        if l.is_ascii_digit() && r.is_ascii_digit() {
            let (number_l, rest_l) = take_number(left);
            let (number_r, rest_r) = take_number(right);
            let by_value = number_l.len().cmp(&number_r.len()).then_with(|| number_l.cmp(number_r));
            if by_value.is_ne() {
                return by_value;
            }
            (left, right) = (rest_l, rest_r);
        } else if l == r {
            (left, right) = (&left[1..], &right[1..]);
        } else {
            return l.cmp(r);
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The leading digits without leading zeros, and the rest.
fn take_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let zeros = text[..end].iter().take_while(|&&b| b == b'0').count();
    (&text[zeros..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_are_numbered_in_natural_order_whatever_the_node_order() {
        let nodes = [vec!["group_10"], vec!["group_2", "group_10"], vec![]];
        let classes = Classes::collect(&nodes, true).unwrap();
        assert_eq!(classes.names(), ["group_2", "group_10"]);
        assert_eq!(classes.of(NodeId(1)), [ClassId(0), ClassId(1)]);
        assert_eq!(classes.of(NodeId(2)), []);
        assert_eq!(classes.sizes(), [1, 2]);
    }

    #[test]
    fn a_changed_label_leaves_other_labels_and_the_classes_unchanged() {
        let nodes = [vec!["a"], vec!["b"], vec![]];
        let labels = Labels::Classes(Classes::collect(&nodes, false).unwrap());
        let wanted = [
            (NodeId(1), Label::Classes(vec![ClassId(0)])),
            (NodeId(2), Label::Classes(vec![ClassId(9)])),
        ];
        let other = labels.with(&wanted.into_iter().collect());
        assert_eq!(other.of(NodeId(1)), Label::Classes(vec![ClassId(0)]));
        assert_eq!((other.of(NodeId(0)), other.of(NodeId(2))), (labels.of(NodeId(0)), Label::None));
        assert_eq!(other.classes().unwrap().names(), ["a", "b"]);
        let numbers = Labels::Numeric(vec![Some(1.0), None]);
        let other = numbers.with(&[(NodeId(1), Label::Number(2.0))].into_iter().collect());
        assert_eq!(other, Labels::Numeric(vec![Some(1.0), Some(2.0)]));
    }

    #[test]
    fn too_many_classes_are_refused() {
        let names: Vec<String> = (0..=MAX_CLASSES).map(|n| n.to_string()).collect();
        let nodes: Vec<Vec<&str>> = names.iter().map(|name| vec![name.as_str()]).collect();
        assert!(Classes::collect(&nodes, false).is_none());
    }

    proptest! {
        #[test]
        fn natural_order_is_a_total_order(a in "[a0-9]{0,6}", b in "[a0-9]{0,6}", c in "[a0-9]{0,6}") {
            prop_assert_eq!(natural_order(&a, &b), natural_order(&b, &a).reverse());
            prop_assert_eq!(natural_order(&a, &b).is_eq(), a == b);
            if natural_order(&a, &b).is_le() && natural_order(&b, &c).is_le() {
                prop_assert!(natural_order(&a, &c).is_le());
            }
        }
    }
}
