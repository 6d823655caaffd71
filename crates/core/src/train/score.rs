//! Scores of predictions: accuracy, F1 and, for two classes, the ranking; or error
//! and explained variance.

use serde::{Deserialize, Deserializer, Serialize};

use super::{Outputs, Ranking};
use crate::model::{Groups, Units};
use gesf_graph::{Classes, LabelKind, Labels, NodeId};

/// The score of a set of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Score {
    /// No labels to compare with.
    #[default]
    None,
    /// For classes.
    Classes {
        /// Share of nodes whose predicted classes are exactly the true ones.
        #[serde(deserialize_with = "number")]
        accuracy: f32,
        /// F1 of each class, averaged.
        #[serde(deserialize_with = "number")]
        macro_f1: f32,
        /// F1 over all decisions together.
        #[serde(deserialize_with = "number")]
        micro_f1: f32,
        /// The ranking, if each node has one of two classes.
        #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
        ranking: Option<Ranking>,
    },
    /// For numeric targets.
    Numeric {
        /// Root of the mean square error.
        #[serde(deserialize_with = "number")]
        rmse: f32,
        /// Share of the variance that is explained (R²).
        #[serde(deserialize_with = "number")]
        r2: f32,
    },
}

/// A number; JSON has no NaN and writes null instead.
fn number<'de, D: Deserializer<'de>>(source: D) -> Result<f32, D::Error> {
    Ok(Option::<f32>::deserialize(source)?.unwrap_or(f32::NAN))
}

impl Score {
    /// Whether there were no labels to compare with.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The headline score: accuracy, micro-F1 for several labels per node, or R².
    pub fn headline(self, kind: LabelKind) -> Option<f32> {
        match self {
            Self::None => None,
            Self::Classes { micro_f1, .. } if kind == LabelKind::Several => Some(micro_f1),
            Self::Classes { accuracy, .. } => Some(accuracy),
            Self::Numeric { r2, .. } => Some(r2),
        }
    }
}

/// The counts of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ClassCounts {
    /// True positives.
    pub hits: u32,
    /// False positives.
    pub false_alarms: u32,
    /// False negatives.
    pub misses: u32,
}

impl ClassCounts {
    /// Harmonic mean of precision and recall; 0 without true positives.
    pub fn f1(self) -> f32 {
        let around = 2 * self.hits + self.false_alarms + self.misses;
        if around == 0 { 0.0 } else { 2.0 * self.hits as f32 / around as f32 }
    }

    /// Share of the positive predictions that are true.
    pub fn precision(self) -> f32 {
        self.hits as f32 / (self.hits + self.false_alarms).max(1) as f32
    }

    /// Share of the true members that are predicted.
    pub fn recall(self) -> f32 {
        self.hits as f32 / (self.hits + self.misses).max(1) as f32
    }

    fn occurs(self) -> bool {
        self.hits + self.false_alarms + self.misses > 0
    }
}

/// The predicted classes of a head's outputs. One: the largest. Several: all with a
/// probability above ½, and at least the largest.
pub fn decided(outputs: &[f32], kind: LabelKind) -> Vec<u16> {
    let Some(largest) = largest(outputs) else { return Vec::new() };
    if kind != LabelKind::Several {
        return vec![largest as u16];
    }
    let likely = |at: &usize| *at == largest || outputs[*at] > 0.0;
    (0..outputs.len()).filter(likely).map(|at| at as u16).collect()
}

/// The index of the largest output.
pub(super) fn largest(outputs: &[f32]) -> Option<usize> {
    (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]))
}

/// Scores the head outputs for the given nodes.
pub fn score(
    labels: &Labels,
    outputs: &Outputs,
    groups: &Groups,
    nodes: &[NodeId],
    units: Units,
) -> Score {
    if nodes.is_empty() {
        return Score::None;
    }
    match labels {
        Labels::None => Score::None,
        Labels::Classes(classes) => {
            let (counts, right) = count(classes, labels.kind(), outputs, groups, nodes);
            let mut all = ClassCounts::default();
            for own in &counts {
                all.hits += own.hits;
                all.false_alarms += own.false_alarms;
                all.misses += own.misses;
            }
            let occurring: Vec<f32> =
                counts.iter().filter(|own| own.occurs()).map(|own| own.f1()).collect();
            Score::Classes {
                accuracy: right as f32 / nodes.len() as f32,
                macro_f1: occurring.iter().sum::<f32>() / occurring.len().max(1) as f32,
                micro_f1: all.f1(),
                ranking: ranking(classes, labels.kind(), outputs, groups, nodes),
            }
        }
        Labels::Numeric(values) => {
            let pairs: Vec<(f64, f64)> = nodes
                .iter()
                .filter_map(|&node| {
                    let truth = values.get(node.index()).copied().flatten()?;
                    let found = *outputs.row(groups, node)?.first()?;
                    Some((f64::from(truth), f64::from(found * units.deviation + units.mean)))
                })
                .collect();
            let count = pairs.len().max(1) as f64;
            let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
            let error = pairs.iter().map(|(truth, found)| (truth - found).powi(2)).sum::<f64>();
            let spread = pairs.iter().map(|(truth, _)| (truth - mean).powi(2)).sum::<f64>();
            let r2 = if spread > 0.0 { 1.0 - error / spread } else { 0.0 };
            Score::Numeric { rmse: (error / count).sqrt() as f32, r2: r2 as f32 }
        }
    }
}

/// The ranking of the nodes, if each has one of two classes: by the output of the
/// second over that of the first.
fn ranking(
    classes: &Classes,
    kind: LabelKind,
    outputs: &Outputs,
    groups: &Groups,
    nodes: &[NodeId],
) -> Option<Ranking> {
    if kind != LabelKind::One || classes.names().len() != 2 {
        return None;
    }
    let ranked = nodes.iter().map(|&node| match (outputs.row(groups, node)?, classes.of(node)) {
        ([first, second], [class]) => Some((second - first, class.index() == 1)),
        _ => None,
    });
    ranked.collect::<Option<Vec<_>>>().and_then(Ranking::of)
}

/// The counts of each class, and the number of nodes with all classes right.
pub fn count(
    classes: &Classes,
    kind: LabelKind,
    outputs: &Outputs,
    groups: &Groups,
    nodes: &[NodeId],
) -> (Vec<ClassCounts>, usize) {
    let mut counts = vec![ClassCounts::default(); classes.names().len()];
    let mut right = 0;
    for &node in nodes {
        let row = outputs.row(groups, node).unwrap_or_default();
        if let (LabelKind::One, Some(found), [truth]) = (kind, largest(row), classes.of(node)) {
            // The common case, for every node in every epoch: no allocation.
            if found == truth.index() {
                counts[found].hits += 1;
                right += 1;
            } else {
                counts[found].false_alarms += 1;
                counts[truth.index()].misses += 1;
            }
            continue;
        }
        let found = decided(row, kind);
        let truth = classes.of(node);
        let mut exact = true;
        for &class in &found {
            let hit = truth.iter().any(|own| own.0 == class);
            let own = &mut counts[class as usize];
            if hit {
                own.hits += 1;
            } else {
                own.false_alarms += 1;
            }
            exact &= hit;
        }
        for class in truth.iter().filter(|own| !found.contains(&own.0)) {
            counts[class.index()].misses += 1;
            exact = false;
        }
        right += usize::from(exact);
    }
    (counts, right)
}

/// For each of the nodes, whether the predicted classes are exactly the true ones;
/// empty for numeric targets.
pub fn right(labels: &Labels, outputs: &Outputs, groups: &Groups, nodes: &[NodeId]) -> Vec<bool> {
    let Labels::Classes(classes) = labels else { return Vec::new() };
    let is_right = |node: &NodeId| {
        let found = decided(outputs.row(groups, *node).unwrap_or_default(), labels.kind());
        let truth = classes.of(*node);
        found.len() == truth.len() && truth.iter().all(|class| found.contains(&class.0))
    };
    nodes.iter().map(is_right).collect()
}

/// How often each class (rows) was predicted as each class (columns), for nodes
/// with one class each.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::train::confusion;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// let test = trainer.split().test.clone();
/// let outputs = trainer.evaluate()?.predictions.from_x;
/// let classes = trainer.prepared().graph.labels().classes().ok_or("no classes")?;
/// let table = confusion(classes, &outputs, trainer.model().groups(), &test);
/// // Every node is counted in the row of its true class.
/// assert_eq!(table.len(), 2);
/// assert_eq!(table.iter().flatten().sum::<u32>() as usize, test.len());
/// # Ok(()) }
/// ```
pub fn confusion(
    classes: &Classes,
    outputs: &Outputs,
    groups: &Groups,
    nodes: &[NodeId],
) -> Vec<Vec<u32>> {
    let size = classes.names().len();
    let mut table = vec![vec![0; size]; size];
    for &node in nodes {
        let found = outputs.row(groups, node).map(|row| decided(row, LabelKind::One));
        if let (Some(truth), Some(found)) = (classes.of(node).first(), found) {
            for class in found {
                table[truth.index()][class as usize] += 1;
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_is_the_largest_and_several_are_all_likely_ones() {
        assert_eq!(decided(&[-2.0, 0.5, 1.5], LabelKind::One), [2]);
        assert_eq!(decided(&[-2.0, 0.5, 1.5], LabelKind::Several), [1, 2]);
        assert_eq!(decided(&[-2.0, -0.5], LabelKind::Several), [1]);
        assert!(decided(&[], LabelKind::One).is_empty());
    }

    #[test]
    fn f1_is_the_harmonic_mean_of_precision_and_recall() {
        let counts = ClassCounts { hits: 6, false_alarms: 2, misses: 4 };
        let (p, r) = (counts.precision(), counts.recall());
        assert!((counts.f1() - 2.0 * p * r / (p + r)).abs() < 1e-6);
        assert!(ClassCounts::default().f1().abs() < 1e-9);
    }
}
