//! Edits for what-if questions: a list with undo and redo, and its combined effect.

use std::collections::{BTreeMap, BTreeSet};

use super::ExplainError;
use crate::train::Split;
use gesf_graph::{Graph, Label, LabelKind, NodeId};

/// One edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Exclude a node from the prediction.
    Mute(NodeId),
    /// Include it again.
    Unmute(NodeId),
    /// Remove the edge between two nodes.
    Cut(NodeId, NodeId),
    /// Add an edge of weight 1 between two nodes.
    Join(NodeId, NodeId),
    /// Remove the label of a node from the training labels.
    Hide(NodeId),
    /// Change or remove the label of a node.
    Relabel(NodeId, Label),
}

/// Edits in order, with undo and redo.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Edit, Edits};
/// use gesf_graph::NodeId;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// let mut edits = Edits::default();
/// edits.push(Edit::Cut(NodeId(0), NodeId(1)));
/// edits.toggle(NodeId(2));
/// let changes = edits.changes(&graph)?;
/// assert_eq!(changes.graph(&graph).edge_count(), graph.edge_count() - 1);
/// assert!(changes.muted.contains(&NodeId(2)));
/// edits.undo();
/// assert_eq!(edits.list(), [Edit::Cut(NodeId(0), NodeId(1))]);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

impl Edits {
    /// Adds an edit; undone edits can no longer be redone.
    pub fn push(&mut self, edit: Edit) {
        self.done.push(edit);
        self.undone.clear();
    }

    /// Excludes a node, or includes it again.
    pub fn toggle(&mut self, node: NodeId) {
        let last = self.done.iter().rev().find(|edit| match edit {
            Edit::Mute(own) | Edit::Unmute(own) => *own == node,
            _ => false,
        });
        let muted = matches!(last, Some(Edit::Mute(_)));
        self.push(if muted { Edit::Unmute(node) } else { Edit::Mute(node) });
    }

    /// Undoes the last edit and returns it.
    pub fn undo(&mut self) -> Option<&Edit> {
        self.undone.push(self.done.pop()?);
        self.undone.last()
    }

    /// Redoes the last undone edit and returns it.
    pub fn redo(&mut self) -> Option<&Edit> {
        self.done.push(self.undone.pop()?);
        self.done.last()
    }

    /// The active edits, in order.
    pub fn list(&self) -> &[Edit] {
        &self.done
    }

    /// The combined effect on a graph.
    pub fn changes(&self, graph: &Graph) -> Result<Changes, ExplainError> {
        let mut changes = Changes::default();
        for edit in &self.done {
            changes.make(edit, graph)?;
        }
        Ok(changes)
    }
}

/// The combined effect of a list of edits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Excluded nodes.
    pub muted: BTreeSet<NodeId>,
    /// Changed edges, lower node first: the new weight, or none.
    pub edges: BTreeMap<(NodeId, NodeId), Option<f32>>,
    /// Nodes whose labels are not used for training.
    pub hidden: BTreeSet<NodeId>,
    /// Nodes with another label.
    pub labels: BTreeMap<NodeId, Label>,
}

impl Changes {
    fn make(&mut self, edit: &Edit, graph: &Graph) -> Result<(), ExplainError> {
        let known = |node: NodeId| {
            let nodes = graph.node_count();
            if node.index() < nodes {
                return Ok(node);
            }
            Err(ExplainError::fault(
                "edit",
                format!("node number {}", node.0),
                format!("a number below {nodes}"),
                "use a node of this graph",
            ))
        };
        match edit {
            Edit::Mute(node) => {
                self.muted.insert(known(*node)?);
            }
            Edit::Unmute(node) => {
                self.muted.remove(node);
            }
            Edit::Cut(one, other) | Edit::Join(one, other) => {
                let pair = (known(*one.min(other))?, known(*one.max(other))?);
                if pair.0 == pair.1 {
                    return Err(ExplainError::fault(
                        "edge edit",
                        format!("{} twice", graph.ids().text(pair.0)),
                        "two different nodes",
                        "choose a different node as the other end",
                    ));
                }
                let joined = graph.neighbours(pair.0).binary_search(&pair.1.0).is_ok();
                let wanted = matches!(edit, Edit::Join(..));
                if joined == wanted {
                    self.edges.remove(&pair);
                } else {
                    self.edges.insert(pair, wanted.then_some(1.0));
                }
            }
            Edit::Hide(node) => {
                self.hidden.insert(known(*node)?);
            }
            Edit::Relabel(node, label) => {
                fits(graph, label)?;
                if graph.labels().of(known(*node)?) == *label {
                    self.labels.remove(node);
                } else {
                    self.labels.insert(*node, label.clone());
                }
            }
        }
        Ok(())
    }

    /// Whether P changes.
    pub fn reach_edges(&self) -> bool {
        !self.edges.is_empty()
    }

    /// Whether the training labels change. Predictions then change only after
    /// training: filter, maps and heads stay the same until then.
    pub fn reach_labels(&self) -> bool {
        !(self.hidden.is_empty() && self.labels.is_empty())
    }

    /// The graph with these edges and labels, to show or to train on. It contains
    /// excluded nodes: excluding affects one explanation, not the graph.
    pub fn graph(&self, graph: &Graph) -> Graph {
        let graph = graph.with_edges(&self.edges);
        if self.labels.is_empty() {
            return graph;
        }
        let labels = graph.labels().with(&self.labels);
        graph.with_labels(labels)
    }

    /// The split to train on: hidden labels become test labels, new ones training
    /// labels, and removed ones are in neither part.
    pub fn split(&self, split: &Split) -> Split {
        let mut train: BTreeSet<NodeId> = split.train.iter().copied().collect();
        let mut test: BTreeSet<NodeId> = split.test.iter().copied().collect();
        for (node, label) in &self.labels {
            if *label == Label::None {
                train.remove(node);
                test.remove(node);
            } else if !test.contains(node) && split.validation.binary_search(node).is_err() {
                train.insert(*node);
            }
        }
        for node in &self.hidden {
            if train.remove(node) {
                test.insert(*node);
            }
        }
        let removed = |node: &&NodeId| self.labels.get(node) == Some(&Label::None);
        let validation = split.validation.iter().filter(|node| !removed(node)).copied().collect();
        Split { train: train.into_iter().collect(), validation, test: test.into_iter().collect() }
    }
}

/// An error unless the label is valid for the graph.
fn fits(graph: &Graph, label: &Label) -> Result<(), ExplainError> {
    let kind = graph.labels().kind();
    let classes = graph.labels().classes().map_or(0, |classes| classes.names().len());
    let (right, expected) = match label {
        Label::None => (true, String::new()),
        Label::Number(number) => {
            (kind == LabelKind::Numeric && number.is_finite(), "a finite number".to_owned())
        }
        Label::Classes(own) => {
            let known = own.iter().all(|class| class.index() < classes) && !own.is_empty();
            let few = own.len() == 1 || kind == LabelKind::Several;
            (known && few, format!("a label of the kind `{kind:?}` among {classes} classes"))
        }
    };
    if right {
        return Ok(());
    }
    let advice = "use a class of this graph, or a number if the labels are numeric";
    Err(ExplainError::fault("label edit", format!("{label:?}"), expected, advice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::Settings;
    use gesf_graph::{ClassId, LoadOptions, load};

    fn karate() -> Graph {
        load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(),
            &LoadOptions::default(),
        )
        .unwrap()
        .0
    }

    #[test]
    fn undone_edits_can_be_redone_until_the_next_edit() {
        let mut edits = Edits::default();
        edits.toggle(NodeId(3));
        edits.push(Edit::Cut(NodeId(1), NodeId(0)));
        assert_eq!(edits.undo(), Some(&Edit::Cut(NodeId(1), NodeId(0))));
        assert!(!edits.changes(&karate()).unwrap().reach_edges());
        assert_eq!(edits.redo(), Some(&Edit::Cut(NodeId(1), NodeId(0))));
        edits.toggle(NodeId(3));
        assert_eq!(edits.list().last(), Some(&Edit::Unmute(NodeId(3))));
        assert!(edits.redo().is_none());
        let changes = edits.changes(&karate()).unwrap();
        assert!(changes.muted.is_empty());
        assert_eq!(changes.edges.keys().collect::<Vec<_>>(), [&(NodeId(0), NodeId(1))]);
    }

    #[test]
    fn a_cut_edge_joined_again_is_not_a_change() {
        let graph = karate();
        let mut edits = Edits::default();
        edits.push(Edit::Cut(NodeId(0), NodeId(1)));
        edits.push(Edit::Join(NodeId(1), NodeId(0)));
        assert_eq!(edits.changes(&graph).unwrap(), Changes::default());
    }

    #[test]
    fn hidden_labels_become_test_labels_and_changed_ones_are_in_the_graph() {
        let graph = karate();
        let split = Split::of(&graph, &Settings::default());
        let (hidden, other) = (split.train[0], split.train[1]);
        let new = u16::from(graph.labels().of(other) == Label::Classes(vec![ClassId(0)]));
        let mut edits = Edits::default();
        edits.push(Edit::Hide(hidden));
        edits.push(Edit::Relabel(other, Label::Classes(vec![ClassId(new)])));
        let changes = edits.changes(&graph).unwrap();
        assert!(changes.reach_labels() && !changes.reach_edges());
        let found = changes.split(&split);
        assert!(!found.train.contains(&hidden) && found.test.contains(&hidden));
        assert!(found.train.contains(&other));
        let label = changes.graph(&graph).labels().of(other);
        assert_eq!(label, Label::Classes(vec![ClassId(new)]));
    }

    #[test]
    fn edits_of_unknown_nodes_or_labels_are_refused() {
        let graph = karate();
        let far = NodeId(1000);
        for edit in [
            Edit::Mute(far),
            Edit::Cut(far, NodeId(0)),
            Edit::Join(NodeId(2), NodeId(2)),
            Edit::Hide(far),
            Edit::Relabel(NodeId(0), Label::Number(1.0)),
            Edit::Relabel(NodeId(0), Label::Classes(vec![ClassId(77)])),
        ] {
            let mut edits = Edits::default();
            edits.push(edit);
            assert!(edits.changes(&graph).is_err());
        }
    }
}
