//! Scores class by class, and which class is taken for which.

use serde::Serialize;

use super::score::{ClassCounts, confusion, count};
use super::{Outputs, Predictions, Trainer};
use crate::graph::{LabelKind, Labels, NodeId};
use crate::model::Groups;

/// The scores of every class on one set of nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByClass {
    /// In the order of the graph's classes.
    pub classes: Vec<ClassScore>,
    /// How often each class (rows) was taken for each (columns), where nodes
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
    /// Share of what was given that is right.
    pub precision: f32,
    /// Share of what is right that was given.
    pub recall: f32,
    /// Their harmonic mean.
    pub f1: f32,
    /// What it got.
    #[serde(flatten)]
    pub counts: ClassCounts,
}

/// The scores of every class, on the labels seen and held back, from x and
/// from R.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassScores {
    /// Of x on the labels that are seen.
    pub seen_x: ByClass,
    /// Of x on the labels held back.
    pub held_x: ByClass,
    /// Of R on the labels that are seen.
    pub seen_r: ByClass,
    /// Of R on the labels held back.
    pub held_r: ByClass,
}

impl ByClass {
    /// The scores of what the heads gave for some nodes; `None` where labels are
    /// no classes.
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
    /// The scores of every class, given what the model gives; `None` where
    /// labels are no classes.
    pub fn class_scores(&self, predictions: &Predictions) -> Option<ClassScores> {
        let (labels, groups) = (self.ground().graph.labels(), self.model().groups());
        let of = |outputs, nodes: &[NodeId]| ByClass::of(labels, outputs, groups, nodes);
        let (split, Predictions { from_x, from_r }) = (self.split(), predictions);
        Some(ClassScores {
            seen_x: of(from_x, &split.seen)?,
            held_x: of(from_x, &split.held)?,
            seen_r: of(from_r, &split.seen)?,
            held_r: of(from_r, &split.held)?,
        })
    }
}
