//! Contributions summed by hop ring, node type or label. The slices add up to the
//! sum over all nodes.

use std::collections::BTreeMap;

use super::context::Row;
use super::rings::{Ring, Rings};
use super::{ExplainContext, ExplainError, Explanation};
use gesf_graph::{ClassId, Classes, Graph, Labels, NodeId, TypeId};
use gesf_spectral::SelfTerm;

/// What the nodes of a slice have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SliceGroup {
    /// The node itself, always a separate slice.
    Own,
    /// The node's own features.
    Features,
    /// Walks of this length: α_n Mⁿ.
    Walk(usize),
    /// A hop ring.
    Ring(Ring),
    /// A node type.
    Type(TypeId),
    /// A true label, used for training or not.
    Class(ClassId),
    /// Numeric targets well below the mean of the training targets.
    Low,
    /// Numeric targets around the mean.
    Middle,
    /// Numeric targets well above it.
    High,
    /// No label.
    Unlabelled,
}

impl SliceGroup {
    /// Its name.
    pub fn name(self, graph: &Graph) -> String {
        let classes = graph.labels().classes().map(Classes::names).unwrap_or_default();
        let text = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        match self {
            Self::Own => "itself".to_owned(),
            Self::Features => "own features".to_owned(),
            Self::Walk(1) => "walks of 1 step".to_owned(),
            Self::Walk(steps) => format!("walks of {steps} steps"),
            Self::Ring(ring) => ring.to_string(),
            Self::Type(kind) => text(graph.types().names(), kind.index()),
            Self::Class(class) => text(classes, class.index()),
            Self::Low => "low".to_owned(),
            Self::Middle => "middle".to_owned(),
            Self::High => "high".to_owned(),
            Self::Unlabelled => "unlabelled".to_owned(),
        }
    }
}

/// The summed contribution of some nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// What they have in common.
    pub group: SliceGroup,
    /// Number of nodes.
    pub nodes: usize,
    /// The sum of their contributions.
    pub score: f64,
    /// The sum of their magnitudes.
    pub size: f64,
}

/// Rings up to `most` hops, one for all beyond, one for unreachable nodes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::explain::{Explanation, Rings, by_ring};
/// use gesf_graph::NodeId;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let context = gesf_core::explain::ExplainContext::of_trainer(&trainer)?;
/// let node = NodeId(0);
/// let found = Explanation::of(&context, node, context.usual_aim(node))?;
/// let slices = by_ring(&found, &Rings::around(context.graph(), node), 2);
/// // Every node is in one slice, and nothing is lost.
/// assert_eq!(slices.iter().map(|slice| slice.nodes).sum::<usize>(), 34);
/// let whole: f64 = slices.iter().map(|slice| slice.score).sum();
/// assert!((whole - found.sum()).abs() < 1e-9);
/// # Ok(()) }
/// ```
pub fn by_ring(found: &Explanation, rings: &Rings, most: u16) -> Vec<Slice> {
    collect(found, |node, add| add(SliceGroup::Ring(rings.within(node, most)), 1.0))
}

/// A slice for each length of walks with a hop weight, α_n Mⁿ separately, and one for
/// the own features: exact.
/// Empty for a filter without hop weights.
pub fn by_walk(context: &ExplainContext, found: &Explanation) -> Result<Vec<Slice>, ExplainError> {
    let (prepared, node) = (context.prepared(), found.node);
    let weights = &context.snapshot().scalars.hop_weights;
    let gradient = context.reading(node, found.aim, &found.gathered)?;
    let gradient = gradient.mean_gradient(&gradient.image(0, &found.gathered));
    let (matrix, scale) = (prepared.matrix.entries(), prepared.operator.scale());
    let mut power = vec![0.0; matrix.size()];
    power[node.index()] = 1.0;
    let divisor = found.size.filter(|size| *size > 0.0).unwrap_or(1.0);
    let mut slices = Vec::with_capacity(weights.len());
    for (at, &weight) in weights.iter().enumerate() {
        let entry = |row: usize| -> f64 {
            let (columns, values) = matrix.row(row);
            let entries = columns.iter().zip(values);
            entries.map(|(&column, value)| value * power[column as usize]).sum::<f64>() / scale
        };
        power = (0..matrix.size()).map(entry).collect();
        let weight = f64::from(weight) * f64::from(context.neighbour_weight()) / divisor;
        let mut weights: Vec<f32> = power.iter().map(|own| (weight * own) as f32).collect();
        if context.settings().self_term == SelfTerm::Drop {
            weights[node.index()] = 0.0;
        }
        let row = Row { weights, size: found.size };
        let scores = context.scores(&row, &gradient);
        slices.push(Slice {
            group: SliceGroup::Walk(at + 1),
            nodes: row.weights.iter().filter(|weight| weight.abs() > 0.0).count(),
            score: scores.iter().sum(),
            size: scores.iter().map(|score| score.abs()).sum(),
        });
    }
    slices.extend(own_features(found).filter(|_| !weights.is_empty()));
    Ok(slices)
}

/// A slice for each node type that occurs.
pub fn by_type(context: &ExplainContext, found: &Explanation) -> Vec<Slice> {
    let types = context.graph().types();
    collect(found, |node, add| add(SliceGroup::Type(types.of(node)), 1.0))
}

/// A slice for each label that occurs. A node with several labels is divided evenly
/// among them.
pub fn by_label(context: &ExplainContext, found: &Explanation) -> Vec<Slice> {
    let units = context.units();
    let labels = context.graph().labels();
    collect(found, |node, add| match labels {
        Labels::None => add(SliceGroup::Unlabelled, 1.0),
        Labels::Classes(classes) => {
            let own = classes.of(node);
            for class in own {
                add(SliceGroup::Class(*class), 1.0 / own.len() as f64);
            }
            if own.is_empty() {
                add(SliceGroup::Unlabelled, 1.0);
            }
        }
        Labels::Numeric(values) => {
            let value = values.get(node.index()).copied().flatten();
            let off = value.map(|value| (value - units.mean) / units.deviation);
            let group = match off {
                None => SliceGroup::Unlabelled,
                Some(off) if off < -0.5 => SliceGroup::Low,
                Some(off) if off > 0.5 => SliceGroup::High,
                Some(_) => SliceGroup::Middle,
            };
            add(group, 1.0);
        }
    })
}

/// Share of all contributions of other nodes that comes from non-adjacent nodes: P
/// reaches as far as its filter.
pub fn from_afar(found: &Explanation, rings: &Rings) -> f64 {
    let (mut far, mut all) = (0.0, 0.0);
    for (at, score) in found.scores.iter().enumerate() {
        match rings.of(at.into()) {
            Ring::Own => continue,
            Ring::Hops(1) => {}
            _ => far += score.abs(),
        }
        all += score.abs();
    }
    if all > 0.0 { far / all } else { 0.0 }
}

/// Adds every node to its slices, weighted by its share in each.
fn collect(
    found: &Explanation,
    mut place: impl FnMut(NodeId, &mut dyn FnMut(SliceGroup, f64)),
) -> Vec<Slice> {
    let mut slices: BTreeMap<SliceGroup, Slice> = BTreeMap::new();
    for (at, &score) in found.scores.iter().enumerate() {
        let mut add = |group: SliceGroup, share: f64| {
            let empty = Slice { group, nodes: 0, score: 0.0, size: 0.0 };
            let slice = slices.entry(group).or_insert(empty);
            slice.nodes += 1;
            slice.score += share * score;
            slice.size += share * score.abs();
        };
        if at == found.node.index() {
            add(SliceGroup::Own, 1.0);
        } else {
            place(at.into(), &mut add);
        }
    }
    slices.extend(own_features(found).map(|slice| (slice.group, slice)));
    slices.into_values().collect()
}

/// The slice of the node's own features, if the model uses features. It is not the
/// contribution of a node, so it counts none.
fn own_features(found: &Explanation) -> Option<Slice> {
    found.features.as_ref()?;
    let score = found.own_features();
    Some(Slice { group: SliceGroup::Features, nodes: 0, score, size: score.abs() })
}
