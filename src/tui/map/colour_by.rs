//! What nodes can be coloured by.

use crate::graph::{Graph, LabelKind};

/// What a node is coloured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// Its label.
    #[default]
    Label,
    /// Its predicted label.
    Prediction,
    /// Whether the prediction is right.
    Error,
    /// The confidence of the prediction.
    Confidence,
    /// Its node type.
    Type,
    /// Its number of neighbours.
    Degree,
    /// Its entry of the eigenvector under the cursor of the filter.
    Eigenvector,
    /// Its distance from the open node.
    Distance,
}

impl ColourBy {
    /// Every option with its name.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Label, "label"),
        (Self::Prediction, "prediction"),
        (Self::Error, "error"),
        (Self::Confidence, "confidence"),
        (Self::Type, "type"),
        (Self::Degree, "degree"),
        (Self::Eigenvector, "eigenvector"),
        (Self::Distance, "distance"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(own, _)| *own == self).map_or("", |(_, name)| name)
    }

    /// Whether it applies to a graph.
    pub fn applies(self, graph: &Graph) -> bool {
        let kind = graph.labels().kind();
        match self {
            Self::Label | Self::Prediction | Self::Error => kind != LabelKind::None,
            Self::Confidence => matches!(kind, LabelKind::One | LabelKind::Several),
            Self::Type => graph.types().count() > 1,
            Self::Degree | Self::Eigenvector | Self::Distance => true,
        }
    }

    /// Whether it changes during training.
    pub fn learns(self) -> bool {
        matches!(self, Self::Prediction | Self::Error | Self::Confidence)
    }

    /// The next option that applies, or the previous one.
    #[must_use]
    pub fn rotated(self, by: isize, graph: &Graph) -> Self {
        let count = Self::ALL.len() as isize;
        let at = Self::ALL.iter().position(|(own, _)| *own == self).unwrap_or(0) as isize;
        let ways = (1..=count).map(|n| Self::ALL[(at + by * n).rem_euclid(count) as usize].0);
        ways.into_iter().find(|way| way.applies(graph)).unwrap_or(Self::Degree)
    }
}
