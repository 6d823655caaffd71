//! Node colours: a few categories, each with a colour and a shape.

use super::colour_by::ColourBy;
use super::mark::{CLASSES, NodeMark};
use crate::explain::{Ring, Rings};
use crate::graph::{Classes, Graph, LabelKind, Labels, NodeId};
use crate::spectral::Spectrum;
use crate::train::{PreparedRun, Snapshot, decided};
use crate::tui::widgets::short;

/// Steps of a colour ramp.
const STEPS: usize = 5;
/// Predictions from this confidence on count as confident.
const SURE: f32 = 0.9;

/// Shares of the largest entry of an eigenvector from which an entry is weak, plain and
/// strong.
const SIGNED: [f32; 3] = [0.1, 0.35, 0.7];
/// Distances with separate colours.
const FARTHEST: u16 = 6;

/// A category of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// What it is called.
    pub name: String,
    /// Number of nodes in it.
    pub count: usize,
    /// Its mark.
    pub mark: NodeMark,
}

/// The category of every node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paint {
    /// For each node, the index of its category in the entries.
    pub of: Vec<u8>,
    /// The categories.
    pub entries: Vec<LegendEntry>,
}

impl Paint {
    /// The categories of all nodes. Predictions are unknown without a snapshot.
    pub fn of(by: ColourBy, ready: &PreparedRun, snapshot: Option<&Snapshot>) -> Self {
        let graph = &ready.prepared.graph;
        let view = View { ready, graph, snapshot };
        match by {
            ColourBy::Type => {
                let names = graph.types().names();
                let marks = graph.nodes().map(|node| graph.types().of(node).index());
                let mut paint = Self::default();
                let slots: Vec<u8> = (0..names.len())
                    .map(|at| paint.slot(&names[at], NodeMark::Class(at)))
                    .collect();
                paint.of = marks.map(|at| slots.get(at).copied().unwrap_or(0)).collect();
                paint.counted()
            }
            // The last two are painted by their own functions, once they have a subject.
            ColourBy::Degree | ColourBy::Eigenvector | ColourBy::Distance => view.degrees(),
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

    /// The sign and size of every node's entry of an eigenvector.
    pub fn by_eigenvector(spectrum: &Spectrum, column: usize) -> Self {
        let entries = || {
            let rows = spectrum.vectors().chunks(spectrum.count().max(1));
            rows.map(move |row| row.get(column).copied().unwrap_or(0.0))
        };
        let most = entries().fold(0.0_f32, |most, entry| most.max(entry.abs()));
        let mut paint = Self::default();
        let names = [
            "strongly negative",
            "negative",
            "weakly negative",
            "about 0",
            "weakly positive",
            "positive",
            "strongly positive",
        ];
        for (name, step) in names.into_iter().zip(-3..) {
            paint.slot(name, NodeMark::Signed(step));
        }
        let step = |entry: f32| {
            let share = if most > 0.0 { entry.abs() / most } else { 0.0 };
            let size = SIGNED.iter().filter(|edge| share >= **edge).count() as u8;
            if entry < 0.0 { 3 - size } else { 3 + size }
        };
        paint.of = entries().map(step).collect();
        paint.counted()
    }

    /// The distance of every node from one.
    pub fn by_distance(graph: &Graph, from: NodeId) -> Self {
        let rings = Rings::around(graph, from);
        let mut paint = Self::default();
        let last = FARTHEST + 1;
        for hops in 0..=last {
            let name = match hops {
                0 => "itself".to_owned(),
                1 => "1 hop".to_owned(),
                own if own == last => format!("more than {FARTHEST} hops"),
                own => format!("{own} hops"),
            };
            paint.slot(&name, NodeMark::Ramp(usize::from(last - hops), usize::from(last) + 1));
        }
        let unreached = paint.slot("no path", NodeMark::Unknown);
        let step = |node: NodeId| match rings.of(node) {
            Ring::Own => 0,
            Ring::Hops(hops) => hops.min(last) as u8,
            Ring::Beyond(_) => last as u8,
            Ring::Apart => unreached,
        };
        paint.of = graph.nodes().map(step).collect();
        paint.counted()
    }

    /// The category of a node.
    pub fn entry(&self, node: NodeId) -> Option<&LegendEntry> {
        self.entries.get(usize::from(*self.of.get(node.index())?))
    }

    fn slot(&mut self, name: &str, mark: NodeMark) -> u8 {
        // Categories beyond a byte's range share the last index; see CLASSES.
        let at = self.entries.len().min(usize::from(u8::MAX));
        self.entries.push(LegendEntry { name: name.to_owned(), count: 0, mark });
        at as u8
    }

    /// Counts the nodes of each category and removes empty ones.
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

/// The classes of a node, as drawn.
enum Given {
    Nothing,
    One(usize),
    Several,
}

/// The data that categories are derived from.
struct View<'a> {
    ready: &'a PreparedRun,
    graph: &'a Graph,
    snapshot: Option<&'a Snapshot>,
}

impl View<'_> {
    fn outputs(&self, node: NodeId) -> Option<&[f32]> {
        let outputs = &self.snapshot?.predictions.from_x;
        outputs.row(&self.ready.groups, node).filter(|row| !row.is_empty())
    }

    /// The predicted classes of a node.
    fn given(&self, node: NodeId) -> Given {
        let Some(row) = self.outputs(node) else { return Given::Nothing };
        let over_even = row.iter().filter(|output| **output > 0.0).count();
        let several = self.graph.labels().kind() == LabelKind::Several && over_even > 1;
        let largest = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        if several { Given::Several } else { largest.map_or(Given::Nothing, Given::One) }
    }

    /// By classes; nodes with several form a separate category.
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
                let mark = NodeMark::Class(paint.entries.len());
                slots[class] = Some(paint.slot(&names[class], mark));
            }
        }
        let other = paint.slot("smaller classes", NodeMark::Other);
        let several = paint.slot("several", NodeMark::Several);
        let unknown = paint.slot("none", NodeMark::Unknown);
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
        let right = paint.slot("right", NodeMark::Right);
        let partly = paint.slot("partly right", NodeMark::Partly);
        let wrong = paint.slot("wrong", NodeMark::Wrong);
        let surely = paint.slot("confident, wrong (90 %)", NodeMark::SurelyWrong);
        let unknown = paint.slot("no label", NodeMark::Unknown);
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

    /// Numbers by their rank among all labels: a fifth in each step.
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
        // Predictions use the steps of the labels, so that both can be compared.
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
            paint.slot(name, NodeMark::Ramp(at, count));
        }
        let unknown = paint.slot(without, NodeMark::Unknown);
        paint.of = self.graph.nodes().map(|node| of(node).map_or(unknown, |at| at as u8)).collect();
        paint.counted()
    }
}

/// Confidence of a prediction: the highest probability.
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
