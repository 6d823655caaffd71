//! Scores per class, and the confusion matrix.

use serde::Serialize;

use super::score::{ClassCounts, confusion, count};
use super::{Outputs, Predictions, Trainer};
use crate::model::Groups;
use gesf_graph::{LabelKind, Labels, NodeId};

/// The scores of every class on one set of nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByClass {
    /// In the order of the graph's classes.
    pub classes: Vec<ClassScore>,
    /// How often each class (rows) was predicted as each class (columns), if nodes
    /// have one class each.
    pub confusion: Option<Vec<Vec<u32>>>,
}

/// The score of one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassScore {
    /// Its name.
    pub class: String,
    /// How many nodes have it.
    pub nodes: u32,
    /// Share of the positive predictions that are true.
    pub precision: f32,
    /// Share of the true members that are predicted.
    pub recall: f32,
    /// Their harmonic mean.
    pub f1: f32,
    /// Its counts.
    #[serde(flatten)]
    pub counts: ClassCounts,
}

/// The scores of every class on training and test labels, from x and from R.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassScores {
    /// Of x on the training labels.
    #[serde(rename = "seen_x")]
    pub train_x: ByClass,
    /// Of x on the test labels.
    #[serde(rename = "held_x")]
    pub test_x: ByClass,
    /// Of R on the training labels.
    #[serde(rename = "seen_r")]
    pub train_r: ByClass,
    /// Of R on the test labels.
    #[serde(rename = "held_r")]
    pub test_r: ByClass,
}

impl ByClass {
    /// The scores of the head outputs for the given nodes; `None` if the labels are
    /// not classes.
    pub fn of(
        labels: &Labels,
        outputs: &Outputs,
        groups: &Groups,
        nodes: &[NodeId],
    ) -> Option<Self> {
        let Labels::Classes(classes) = labels else { return None };
        let (counts, _) = count(classes, labels.kind(), outputs, groups, nodes);
        let score = |(class, counts): (&String, ClassCounts)| ClassScore {
            class: class.clone(),
            nodes: counts.hits + counts.misses,
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f1(),
            counts,
        };
        let one = labels.kind() == LabelKind::One;
        Some(Self {
            classes: classes.names().iter().zip(counts).map(score).collect(),
            confusion: one.then(|| confusion(classes, outputs, groups, nodes)),
        })
    }
}

impl Trainer {
    /// The scores of every class, given the predictions; `None` if the labels are
    /// not classes.
    pub fn class_scores(&self, predictions: &Predictions) -> Option<ClassScores> {
        let (labels, groups) = (self.prepared().graph.labels(), self.model().groups());
        let of = |outputs, nodes: &[NodeId]| ByClass::of(labels, outputs, groups, nodes);
        let (split, Predictions { from_x, from_r }) = (self.split(), predictions);
        Some(ClassScores {
            train_x: of(from_x, &split.train)?,
            test_x: of(from_x, &split.test)?,
            train_r: of(from_r, &split.train)?,
            test_r: of(from_r, &split.test)?,
        })
    }
}
