//! What a person changes to see what would be: a list that can be taken back,
//! and what it comes to.

use std::collections::{BTreeMap, BTreeSet};

use super::ExplainError;
use crate::graph::{Graph, Label, LabelKind, NodeId};
use crate::train::Split;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// A node no longer speaks for the node in question.
    Mute(NodeId),
    /// It speaks again.
    Unmute(NodeId),
    /// No edge between two nodes.
    Cut(NodeId, NodeId),
    /// An edge of weight 1 between two nodes.
    Join(NodeId, NodeId),
    /// Training would not see a node's label.
    Hide(NodeId),
    /// A node has another label, or none.
    Relabel(NodeId, Label),
}

/// Changes in the order they were made, with undo and redo.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::explain::{Edit, Edits};
/// use gesf_tui::graph::NodeId;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
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
    /// Makes a change; what was undone before can no longer be redone.
    pub fn push(&mut self, edit: Edit) {
        self.done.push(edit);
        self.undone.clear();
    }

    /// Mutes a node, or lets it speak again.
    pub fn toggle(&mut self, node: NodeId) {
        let last = self.done.iter().rev().find(|edit| match edit {
            Edit::Mute(own) | Edit::Unmute(own) => *own == node,
            _ => false,
        });
        let muted = matches!(last, Some(Edit::Mute(_)));
        self.push(if muted { Edit::Unmute(node) } else { Edit::Mute(node) });
    }

    /// Takes the last change back; says which it was.
    pub fn undo(&mut self) -> Option<&Edit> {
        self.undone.push(self.done.pop()?);
        self.undone.last()
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) -> Option<&Edit> {
        self.done.push(self.undone.pop()?);
        self.done.last()
    }

    /// The changes in force, in order.
    pub fn list(&self) -> &[Edit] {
        &self.done
    }

    /// What the changes come to on a graph.
    pub fn changes(&self, graph: &Graph) -> Result<Changes, ExplainError> {
        let mut changes = Changes::default();
        for edit in &self.done {
            changes.make(edit, graph)?;
        }
        Ok(changes)
    }
}

/// What a list of changes comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Nodes that do not speak.
    pub muted: BTreeSet<NodeId>,
    /// Pairs, lower node first, whose edge is another: its weight, or none.
    pub edges: BTreeMap<(NodeId, NodeId), Option<f32>>,
    /// Nodes whose label training would not see.
    pub hidden: BTreeSet<NodeId>,
    /// Nodes of another label.
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
                "a change",
                format!("node number {}", node.0),
                format!("a number below {nodes}"),
                "name a node of this graph",
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
                        "a change of edges",
                        format!("{} twice", graph.ids().text(pair.0)),
                        "two nodes",
                        "name another node as the other end",
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

    /// Whether P itself is another.
    pub fn reach_edges(&self) -> bool {
        !self.edges.is_empty()
    }

    /// Whether training would see other labels. A prediction changes by that
    /// only after training: the filter, the maps and the heads stay until then.
    pub fn reach_labels(&self) -> bool {
        !(self.hidden.is_empty() && self.labels.is_empty())
    }

    /// The graph with these edges and labels, to look at or to train on. Muted
    /// nodes are in it: to mute is to ask about one node, not to change the
    /// graph.
    pub fn graph(&self, graph: &Graph) -> Graph {
        let graph = graph.with_edges(&self.edges);
        if self.labels.is_empty() {
            return graph;
        }
        let labels = graph.labels().with(&self.labels);
        graph.with_labels(labels)
    }

    /// The split to train on from here: hidden labels are held back, new ones
    /// are seen, and those taken away are in neither part.
    pub fn split(&self, split: &Split) -> Split {
        let mut seen: BTreeSet<NodeId> = split.seen.iter().copied().collect();
        let mut held: BTreeSet<NodeId> = split.held.iter().copied().collect();
        for (node, label) in &self.labels {
            if *label == Label::None {
                seen.remove(node);
                held.remove(node);
            } else if !held.contains(node) && split.validation.binary_search(node).is_err() {
                seen.insert(*node);
            }
        }
        for node in &self.hidden {
            if seen.remove(node) {
                held.insert(*node);
            }
        }
        let removed = |node: &&NodeId| self.labels.get(node) == Some(&Label::None);
        let validation = split.validation.iter().filter(|node| !removed(node)).copied().collect();
        Split { seen: seen.into_iter().collect(), validation, held: held.into_iter().collect() }
    }
}

/// An error unless a label is one that the graph's nodes can have.
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
    let advice = "name a class of this graph, or a number where numbers are predicted";
    Err(ExplainError::fault("a changed label", format!("{label:?}"), expected, advice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ClassId, LoadOptions, load};
    use crate::model::settings::Settings;

    fn karate() -> Graph {
        load("sample_graphs/karate".as_ref(), &LoadOptions::default()).unwrap().0
    }

    #[test]
    fn what_is_undone_is_gone_and_can_be_redone_until_the_next_change() {
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
    fn a_cut_edge_joined_again_is_no_change() {
        let graph = karate();
        let mut edits = Edits::default();
        edits.push(Edit::Cut(NodeId(0), NodeId(1)));
        edits.push(Edit::Join(NodeId(1), NodeId(0)));
        assert_eq!(edits.changes(&graph).unwrap(), Changes::default());
    }

    #[test]
    fn hidden_labels_are_held_back_and_changed_ones_are_in_the_graph() {
        let graph = karate();
        let split = Split::of(&graph, &Settings::default());
        let (hidden, other) = (split.seen[0], split.seen[1]);
        let new = u16::from(graph.labels().of(other) == Label::Classes(vec![ClassId(0)]));
        let mut edits = Edits::default();
        edits.push(Edit::Hide(hidden));
        edits.push(Edit::Relabel(other, Label::Classes(vec![ClassId(new)])));
        let changes = edits.changes(&graph).unwrap();
        assert!(changes.reach_labels() && !changes.reach_edges());
        let found = changes.split(&split);
        assert!(!found.seen.contains(&hidden) && found.held.contains(&hidden));
        assert!(found.seen.contains(&other));
        let label = changes.graph(&graph).labels().of(other);
        assert_eq!(label, Label::Classes(vec![ClassId(new)]));
    }

    #[test]
    fn changes_that_name_nothing_in_the_graph_are_refused() {
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
