//! Labels and predictions of every node, for a list that can be sorted and
//! filtered.

use super::ExplainContext;
use crate::train::{Predictions, decided};
use gesf_graph::{ClassId, Classes, Label, LabelKind, Labels, NodeId};

/// How the label of a node is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelUse {
    /// For training.
    Train,
    /// For model selection.
    Validation,
    /// Only for scoring.
    Test,
    /// It has no label.
    Unlabelled,
}

impl LabelUse {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
            Self::Unlabelled => "unlabelled",
        }
    }
}

/// What a prediction is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PredictFrom {
    /// The node's own embedding, as in the paper.
    #[default]
    X,
    /// The reconstruction R(x).
    R,
}

/// The prediction for a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prediction {
    /// None: its type has no labels.
    None,
    /// Classes.
    Class {
        /// The most likely class.
        class: ClassId,
        /// Its confidence; with several labels per node, that of the least
        /// confident decision.
        confidence: f32,
        /// Whether exactly the true classes are predicted, if they are known.
        right: Option<bool>,
    },
    /// A number.
    Value {
        /// In its own unit.
        value: f32,
        /// The error, if the true value is known.
        error: Option<f32>,
        /// Whether the error is within one standard deviation of the training
        /// targets.
        right: Option<bool>,
    },
}

impl Prediction {
    /// Whether it is known to be wrong.
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::Class { right: Some(false), .. } | Self::Value { right: Some(false), .. }
        )
    }

    /// Its confidence, if defined.
    pub fn confidence(self) -> Option<f32> {
        if let Self::Class { confidence, .. } = self { Some(confidence) } else { None }
    }

    /// The most likely class, for classes.
    pub fn class(self) -> Option<ClassId> {
        if let Self::Class { class, .. } = self { Some(class) } else { None }
    }
}

/// A node of the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeFacts {
    /// The node.
    pub node: NodeId,
    /// How its label is used.
    pub part: LabelUse,
    /// How many neighbours it has.
    pub degree: u32,
    /// The prediction from x.
    pub from_x: Prediction,
    /// The prediction from R.
    pub from_r: Prediction,
}

impl NodeFacts {
    /// The prediction from x or R.
    pub fn guess(&self, from: PredictFrom) -> Prediction {
        match from {
            PredictFrom::X => self.from_x,
            PredictFrom::R => self.from_r,
        }
    }
}

/// The facts of every node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roster {
    /// In graph order.
    pub facts: Vec<NodeFacts>,
}

impl Roster {
    /// Collects the facts of every node.
    pub fn of(context: &ExplainContext) -> Self {
        let graph = context.graph();
        let mut parts = vec![LabelUse::Unlabelled; graph.node_count()];
        let split = context.split();
        let named = [
            (&split.train, LabelUse::Train),
            (&split.validation, LabelUse::Validation),
            (&split.test, LabelUse::Test),
        ];
        for (nodes, part) in named {
            for node in nodes {
                if let Some(own) = parts.get_mut(node.index()) {
                    *own = part;
                }
            }
        }
        let Predictions { from_x, from_r } = &context.snapshot().predictions;
        let facts = graph
            .nodes()
            .map(|node| {
                let row = |outputs: &'_ [f32]| guess(context, node, outputs);
                let of = |outputs: Option<&[f32]>| outputs.map_or(Prediction::None, row);
                NodeFacts {
                    node,
                    part: parts[node.index()],
                    degree: graph.degree(node) as u32,
                    from_x: of(from_x.row(context.groups(), node)),
                    from_r: of(from_r.row(context.groups(), node)),
                }
            })
            .collect();
        Self { facts }
    }
}

/// The prediction given by the head outputs of a node.
fn guess(context: &ExplainContext, node: NodeId, outputs: &[f32]) -> Prediction {
    let labels = context.graph().labels();
    let largest = (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]));
    let Some(largest) = largest else { return Prediction::None };
    match labels {
        Labels::None => Prediction::None,
        Labels::Classes(classes) => {
            let truth = classes.of(node);
            let several = labels.kind() == LabelKind::Several;
            let (confidence, right) = if several {
                (least_sure(outputs, largest), exactly(outputs, largest, truth))
            } else {
                let most = outputs[largest];
                let sum: f32 = outputs.iter().map(|z| (z - most).exp()).sum();
                (sum.recip(), truth.first().is_some_and(|own| own.index() == largest))
            };
            let right = (!truth.is_empty()).then_some(right);
            Prediction::Class { class: ClassId(largest as u16), confidence, right }
        }
        Labels::Numeric(values) => {
            let units = context.units();
            let value = outputs[0] * units.deviation + units.mean;
            let truth = values.get(node.index()).copied().flatten();
            let error = truth.map(|truth| (value - truth).abs());
            Prediction::Value { value, error, right: error.map(|error| error <= units.deviation) }
        }
    }
}

/// The probability of the least confident binary decision.
fn least_sure(outputs: &[f32], largest: usize) -> f32 {
    let sure = |(at, z): (usize, &f32)| {
        let yes = 1.0 / (1.0 + (-z).exp());
        if at == largest || yes > 0.5 { yes } else { 1.0 - yes }
    };
    outputs.iter().enumerate().map(sure).fold(1.0, f32::min)
}

/// Whether the predicted classes are exactly the true ones.
fn exactly(outputs: &[f32], largest: usize, truth: &[ClassId]) -> bool {
    let taken = |at: &usize| *at == largest || outputs[*at] > 0.0;
    (0..outputs.len()).filter(taken).eq(truth.iter().map(|class| class.index()))
}

impl ExplainContext {
    /// The prediction of a node as text; empty if there is none.
    pub fn predicted_text(&self, node: NodeId, from: PredictFrom) -> String {
        let Predictions { from_x, from_r } = &self.snapshot().predictions;
        let outputs = match from {
            PredictFrom::X => from_x.row(self.groups(), node),
            PredictFrom::R => from_r.row(self.groups(), node),
        };
        let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) else {
            return String::new();
        };
        match self.graph().labels() {
            Labels::None => String::new(),
            Labels::Numeric(_) => {
                (outputs[0] * self.units().deviation + self.units().mean).to_string()
            }
            Labels::Classes(classes) => {
                let kind = self.graph().labels().kind();
                let own: Vec<ClassId> = decided(outputs, kind).into_iter().map(ClassId).collect();
                class_text(classes, &own)
            }
        }
    }

    /// The label of a node as text; empty if it has none.
    pub fn truth_text(&self, node: NodeId) -> String {
        match (self.graph().labels(), self.graph().labels().of(node)) {
            (Labels::Classes(classes), Label::Classes(own)) => class_text(classes, &own),
            (_, Label::Number(value)) => value.to_string(),
            _ => String::new(),
        }
    }
}

fn class_text(classes: &Classes, own: &[ClassId]) -> String {
    let name = |class: &ClassId| classes.names().get(class.index()).cloned().unwrap_or_default();
    own.iter().map(name).collect::<Vec<_>>().join("|")
}
