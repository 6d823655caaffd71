//! How nodes are told apart: a few kinds of nodes, each with a colour and a
//! shape, by label, prediction, error, confidence, type or degree.

use crate::graph::{Classes, Graph, LabelKind, Labels, NodeId};
use crate::train::{Ready, Snapshot, decided};
use crate::tui::widgets::short;

/// So many classes have a colour and shape of their own; the smallest of more
/// share one.
pub(super) const CLASSES: usize = 48;
/// Steps of a ramp.
const STEPS: usize = 5;
/// From here on a prediction is sure of itself.
const SURE: f32 = 0.9;

/// What decides how a node is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// What it is.
    #[default]
    Label,
    /// What it is taken for.
    Prediction,
    /// Whether that is right.
    Error,
    /// How sure that is.
    Confidence,
    /// The type of node.
    Type,
    /// How many neighbours it has.
    Degree,
}

impl ColourBy {
    /// Every way with its name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Label, "label"),
        (Self::Prediction, "prediction"),
        (Self::Error, "error"),
        (Self::Confidence, "confidence"),
        (Self::Type, "type"),
        (Self::Degree, "degree"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(own, _)| *own == self).map_or("", |(_, name)| name)
    }

    /// Whether it means anything on a graph.
    pub fn applies(self, graph: &Graph) -> bool {
        let kind = graph.labels().kind();
        match self {
            Self::Label | Self::Prediction | Self::Error => kind != LabelKind::None,
            Self::Confidence => matches!(kind, LabelKind::One | LabelKind::Several),
            Self::Type => graph.types().count() > 1,
            Self::Degree => true,
        }
    }

    /// Whether it changes as the model learns.
    pub fn learns(self) -> bool {
        matches!(self, Self::Prediction | Self::Error | Self::Confidence)
    }

    /// The next that applies, or the one before.
    #[must_use]
    pub fn turned(self, by: isize, graph: &Graph) -> Self {
        let count = Self::ALL.len() as isize;
        let at = Self::ALL.iter().position(|(own, _)| *own == self).unwrap_or(0) as isize;
        let ways = (1..=count).map(|n| Self::ALL[(at + by * n).rem_euclid(count) as usize].0);
        ways.into_iter().find(|way| way.applies(graph)).unwrap_or(Self::Degree)
    }
}

/// The look of a kind of nodes, whatever the theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// One of many, without an order.
    Class(usize),
    /// A step of an ordered few: which, and how many there are.
    Ramp(usize, usize),
    /// As it should be.
    Right,
    /// Half as it should be.
    Partly,
    /// Not as it should be.
    Wrong,
    /// Not as it should be, and sure of itself.
    SurelyWrong,
    /// Of several classes at once.
    Several,
    /// Of the smallest classes.
    Other,
    /// Nothing is known.
    Unknown,
}

/// A kind of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// How many nodes are of it.
    pub count: usize,
    /// How it looks.
    pub mark: Mark,
}

/// The kind of every node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paint {
    /// For each node, the place of its kind among the entries.
    pub of: Vec<u8>,
    /// The kinds.
    pub entries: Vec<Entry>,
}

impl Paint {
    /// The kinds of all nodes. What has to be predicted is unknown without a
    /// snapshot.
    pub fn of(by: ColourBy, ready: &Ready, snapshot: Option<&Snapshot>) -> Self {
        let graph = &ready.ground.graph;
        let view = View { ready, graph, snapshot };
        match by {
            ColourBy::Type => {
                let names = graph.types().names();
                let marks = graph.nodes().map(|node| graph.types().of(node).index());
                let mut paint = Self::default();
                let slots: Vec<u8> =
                    (0..names.len()).map(|at| paint.slot(&names[at], Mark::Class(at))).collect();
                paint.of = marks.map(|at| slots.get(at).copied().unwrap_or(0)).collect();
                paint.counted()
            }
            ColourBy::Degree => view.degrees(),
            ColourBy::Confidence => view.confidence(),
            _ => match graph.labels() {
                Labels::None => view.degrees(),
                Labels::Classes(classes) => match by {
                    ColourBy::Error => view.errors(classes),
                    ColourBy::Label => view.classes(classes, |node| match classes.of(node) {
                        [] => Given::Nothing,
                        [class] => Given::One(class.index()),
                        _ => Given::Several,
                    }),
                    _ => view.classes(classes, |node| view.given(node)),
                },
                Labels::Numeric(values) => view.numbers(values, by),
            },
        }
    }

    /// The kind of a node.
    pub fn entry(&self, node: NodeId) -> Option<&Entry> {
        self.entries.get(usize::from(*self.of.get(node.index())?))
    }

    fn slot(&mut self, name: &str, mark: Mark) -> u8 {
        // More kinds than a byte holds share the last; see CLASSES.
        let at = self.entries.len().min(usize::from(u8::MAX));
        self.entries.push(Entry { name: name.to_owned(), count: 0, mark });
        at as u8
    }

    /// Counts the nodes of each kind and leaves out kinds without any.
    fn counted(mut self) -> Self {
        for at in &self.of {
            if let Some(entry) = self.entries.get_mut(usize::from(*at)) {
                entry.count += 1;
            }
        }
        let mut places = vec![0; self.entries.len()];
        let mut next = 0_u8;
        for (place, entry) in places.iter_mut().zip(&self.entries) {
            *place = next;
            next = next.saturating_add(u8::from(entry.count > 0));
        }
        self.of.iter_mut().for_each(|at| *at = places.get(usize::from(*at)).copied().unwrap_or(0));
        self.entries.retain(|entry| entry.count > 0);
        self
    }
}

/// The classes of a node, as far as they are drawn.
enum Given {
    Nothing,
    One(usize),
    Several,
}

/// What a paint is made from.
struct View<'a> {
    ready: &'a Ready,
    graph: &'a Graph,
    snapshot: Option<&'a Snapshot>,
}

impl View<'_> {
    fn outputs(&self, node: NodeId) -> Option<&[f32]> {
        let outputs = &self.snapshot?.predictions.from_x;
        outputs.row(&self.ready.groups, node).filter(|row| !row.is_empty())
    }

    /// The classes a node is taken for.
    fn given(&self, node: NodeId) -> Given {
        let Some(row) = self.outputs(node) else { return Given::Nothing };
        let over_even = row.iter().filter(|output| **output > 0.0).count();
        let several = self.graph.labels().kind() == LabelKind::Several && over_even > 1;
        let largest = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        if several { Given::Several } else { largest.map_or(Given::Nothing, Given::One) }
    }

    /// By classes; a node of several is of a kind of its own.
    fn classes(&self, classes: &Classes, of: impl Fn(NodeId) -> Given) -> Paint {
        let mut paint = Paint::default();
        let names = classes.names();
        let sizes = classes.sizes();
        let mut ranks: Vec<usize> = (0..names.len()).collect();
        ranks.sort_by_key(|&class| std::cmp::Reverse(sizes[class]));
        let mut own = vec![false; names.len()];
        let room = if names.len() > CLASSES { CLASSES - 1 } else { CLASSES };
        ranks.iter().take(room).for_each(|&class| own[class] = true);
        let mut slots = vec![None; names.len()];
        for class in 0..names.len() {
            if own[class] {
                let mark = Mark::Class(paint.entries.len());
                slots[class] = Some(paint.slot(&names[class], mark));
            }
        }
        let other = paint.slot("smaller classes", Mark::Other);
        let several = paint.slot("several", Mark::Several);
        let unknown = paint.slot("none", Mark::Unknown);
        let kind = |node: NodeId| match of(node) {
            Given::Nothing => unknown,
            Given::One(class) => slots.get(class).copied().flatten().unwrap_or(other),
            Given::Several => several,
        };
        paint.of = self.graph.nodes().map(kind).collect();
        paint.counted()
    }

    fn errors(&self, classes: &Classes) -> Paint {
        let mut paint = Paint::default();
        let right = paint.slot("right", Mark::Right);
        let partly = paint.slot("partly right", Mark::Partly);
        let wrong = paint.slot("wrong", Mark::Wrong);
        let surely = paint.slot("wrong and sure (90 %)", Mark::SurelyWrong);
        let unknown = paint.slot("no label", Mark::Unknown);
        let kind = self.graph.labels().kind();
        let judge = |node: NodeId| {
            let truth = classes.of(node);
            let (Some(row), false) = (self.outputs(node), truth.is_empty()) else { return unknown };
            let given = decided(row, kind);
            let hits = given.iter().filter(|class| truth.iter().any(|own| own.0 == **class));
            match hits.count() {
                hits if hits == given.len() && hits == truth.len() => right,
                0 if confidence(row, kind) >= SURE => surely,
                0 => wrong,
                _ => partly,
            }
        };
        paint.of = self.graph.nodes().map(judge).collect();
        paint.counted()
    }

    fn confidence(&self) -> Paint {
        let names = ["below 50 %", "50 to 70 %", "70 to 90 %", "90 to 99 %", "99 % and more"];
        let edges = [0.5, 0.7, 0.9, 0.99];
        let kind = self.graph.labels().kind();
        let of = |node: NodeId| {
            let sure = confidence(self.outputs(node)?, kind);
            Some(edges.iter().filter(|edge| sure >= **edge).count())
        };
        self.ramp(&names.map(String::from), of, "no prediction")
    }

    fn degrees(&self) -> Paint {
        let most = self.graph.nodes().map(|node| self.graph.degree(node)).max().unwrap_or(0);
        let step = |degree: usize| (usize::BITS - degree.leading_zeros()) as usize;
        let last = step(most).min(STEPS + 2);
        let names: Vec<String> = (0..=last)
            .map(|at| match (at, 1_usize << at.saturating_sub(1)) {
                (0, _) => "none".to_owned(),
                (1, _) => "1".to_owned(),
                (at, low) if at == last => format!("{low} to {most}"),
                (_, low) => format!("{low} to {}", 2 * low - 1),
            })
            .collect();
        self.ramp(&names, |node| Some(step(self.graph.degree(node)).min(last)), "")
    }

    /// Numbers by how they rank among all labels: a fifth in each step.
    fn numbers(&self, values: &[Option<f32>], by: ColourBy) -> Paint {
        let units = self.ready.units;
        let truth = |node: NodeId| values.get(node.index()).copied().flatten();
        let given = |node: NodeId| Some(self.outputs(node)?[0] * units.deviation + units.mean);
        let error = |node: NodeId| Some((truth(node)? - given(node)?).abs());
        let of = |node: NodeId| match by {
            ColourBy::Error => error(node),
            ColourBy::Prediction => given(node),
            _ => truth(node),
        };
        // Predictions are seen in the steps of the labels, so that they compare.
        let measure: &dyn Fn(NodeId) -> Option<f32> =
            if by == ColourBy::Error { &error } else { &truth };
        let mut sorted: Vec<f32> =
            self.graph.nodes().filter_map(measure).filter(|value| value.is_finite()).collect();
        sorted.sort_by(f32::total_cmp);
        let mut edges: Vec<f32> = (1..STEPS)
            .filter_map(|step| sorted.get(step * sorted.len() / STEPS).copied())
            .collect();
        edges.dedup();
        let ends = sorted.first().zip(sorted.last());
        let (low, high) = ends.map_or((0.0, 0.0), |(low, high)| (*low, *high));
        edges.retain(|edge| *edge > low);
        let bounds: Vec<f32> =
            std::iter::once(low).chain(edges.iter().copied()).chain([high]).collect();
        let text = |value: f32| short(f64::from(value));
        let names: Vec<String> = bounds
            .windows(2)
            .map(|pair| format!("{} to {}", text(pair[0]), text(pair[1])))
            .collect();
        let step = |node: NodeId| {
            let value = of(node).filter(|value| value.is_finite())?;
            Some(edges.iter().filter(|edge| value >= **edge).count())
        };
        self.ramp(&names, step, if by == ColourBy::Label { "no label" } else { "unknown" })
    }

    fn ramp(&self, names: &[String], of: impl Fn(NodeId) -> Option<usize>, without: &str) -> Paint {
        let mut paint = Paint::default();
        let count = names.len();
        for (at, name) in names.iter().enumerate() {
            paint.slot(name, Mark::Ramp(at, count));
        }
        let unknown = paint.slot(without, Mark::Unknown);
        paint.of = self.graph.nodes().map(|node| of(node).map_or(unknown, |at| at as u8)).collect();
        paint.counted()
    }
}

/// How sure a prediction is: the highest probability.
fn confidence(outputs: &[f32], kind: LabelKind) -> f32 {
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match kind {
        LabelKind::Several => 1.0 / (1.0 + (-most).exp()),
        _ => 1.0 / outputs.iter().map(|output| (output - most).exp()).sum::<f32>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::probabilities;

    #[test]
    fn confidence_is_the_highest_probability() {
        for kind in [LabelKind::One, LabelKind::Several] {
            let outputs = [0.3, -2.0, 1.7, 900.0, -900.0];
            for row in [&outputs[..3], &outputs[..], &outputs[1..2]] {
                let most = probabilities(row, kind).into_iter().fold(0.0, f32::max);
                assert!((confidence(row, kind) - most).abs() < 1e-6, "{row:?}");
            }
        }
    }
}
