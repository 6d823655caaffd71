//! What is known and predicted of every node, for a list that a person sorts and
//! filters.

use super::Moment;
use crate::graph::{ClassId, Classes, Label, LabelKind, Labels, NodeId};
use crate::train::{Predictions, decided};

/// Whether training saw a node's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// It did.
    Seen,
    /// It was set aside to choose by.
    Validation,
    /// It was held back to judge by.
    Held,
    /// There is none.
    Unlabelled,
}

impl Part {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Validation => "validation",
            Self::Held => "held",
            Self::Unlabelled => "unlabelled",
        }
    }
}

/// What a prediction is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Voice {
    /// The node's own embedding, as in the paper.
    #[default]
    X,
    /// What its neighbours say.
    R,
}

/// What is predicted of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Guess {
    /// Nothing: its type has no labels.
    None,
    /// Classes, of which this is the likeliest.
    Class {
        /// The likeliest class.
        class: ClassId,
        /// How sure that is: its probability; with several labels a node, that of
        /// the least sure of all decisions.
        confidence: f32,
        /// Whether all classes are right and no other, where that is known.
        right: Option<bool>,
    },
    /// A number.
    Value {
        /// In its own unit.
        value: f32,
        /// How far it is from the truth, where that is known.
        error: Option<f32>,
        /// Whether that is within one deviation of the targets seen.
        right: Option<bool>,
    },
}

impl Guess {
    /// Whether it is known to be wrong.
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::Class { right: Some(false), .. } | Self::Value { right: Some(false), .. }
        )
    }

    /// How sure it is, where that can be said.
    pub fn confidence(self) -> Option<f32> {
        if let Self::Class { confidence, .. } = self { Some(confidence) } else { None }
    }

    /// The likeliest class, if it is of classes.
    pub fn class(self) -> Option<ClassId> {
        if let Self::Class { class, .. } = self { Some(class) } else { None }
    }
}

/// A node of the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// Who.
    pub node: NodeId,
    /// Whether its label was seen.
    pub part: Part,
    /// How many neighbours it has.
    pub degree: u32,
    /// What its embedding says.
    pub from_x: Guess,
    /// What its neighbours say.
    pub from_r: Guess,
}

impl Facts {
    /// One of the two predictions.
    pub fn guess(&self, from: Voice) -> Guess {
        match from {
            Voice::X => self.from_x,
            Voice::R => self.from_r,
        }
    }
}

/// Every node of a moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roster {
    /// In the order of the graph.
    pub facts: Vec<Facts>,
}

impl Roster {
    /// Looks at every node of a moment.
    pub fn of(moment: &Moment) -> Self {
        let graph = moment.graph();
        let mut parts = vec![Part::Unlabelled; graph.node_count()];
        let split = moment.split();
        let named = [
            (&split.seen, Part::Seen),
            (&split.validation, Part::Validation),
            (&split.held, Part::Held),
        ];
        for (nodes, part) in named {
            for node in nodes {
                if let Some(own) = parts.get_mut(node.index()) {
                    *own = part;
                }
            }
        }
        let Predictions { from_x, from_r } = &moment.snapshot().predictions;
        let facts = graph
            .nodes()
            .map(|node| {
                let row = |outputs: &'_ [f32]| guess(moment, node, outputs);
                let of = |outputs: Option<&[f32]>| outputs.map_or(Guess::None, row);
                Facts {
                    node,
                    part: parts[node.index()],
                    degree: graph.degree(node) as u32,
                    from_x: of(from_x.row(moment.groups(), node)),
                    from_r: of(from_r.row(moment.groups(), node)),
                }
            })
            .collect();
        Self { facts }
    }
}

/// What some outputs of a head say of a node.
fn guess(moment: &Moment, node: NodeId, outputs: &[f32]) -> Guess {
    let labels = moment.graph().labels();
    let largest = (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]));
    let Some(largest) = largest else { return Guess::None };
    match labels {
        Labels::None => Guess::None,
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
            Guess::Class { class: ClassId(largest as u16), confidence, right }
        }
        Labels::Numeric(values) => {
            let units = moment.units();
            let value = outputs[0] * units.deviation + units.mean;
            let truth = values.get(node.index()).copied().flatten();
            let error = truth.map(|truth| (value - truth).abs());
            Guess::Value { value, error, right: error.map(|error| error <= units.deviation) }
        }
    }
}

/// The probability of the least sure of all yes-or-no decisions.
fn least_sure(outputs: &[f32], largest: usize) -> f32 {
    let sure = |(at, z): (usize, &f32)| {
        let yes = 1.0 / (1.0 + (-z).exp());
        if at == largest || yes > 0.5 { yes } else { 1.0 - yes }
    };
    outputs.iter().enumerate().map(sure).fold(1.0, f32::min)
}

/// Whether the classes decided for are the true ones and no others.
fn exactly(outputs: &[f32], largest: usize, truth: &[ClassId]) -> bool {
    let taken = |at: &usize| *at == largest || outputs[*at] > 0.0;
    (0..outputs.len()).filter(taken).eq(truth.iter().map(|class| class.index()))
}

impl Moment {
    /// What is predicted of a node, in words; empty where nothing is.
    pub fn predicted_text(&self, node: NodeId, from: Voice) -> String {
        let Predictions { from_x, from_r } = &self.snapshot().predictions;
        let outputs = match from {
            Voice::X => from_x.row(self.groups(), node),
            Voice::R => from_r.row(self.groups(), node),
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

    /// A node's label, in words; empty where it has none.
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
