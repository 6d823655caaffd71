//! Contributions added up: by hop ring, by node type, by label. Every sum over
//! slices is the sum over nodes.

use std::collections::BTreeMap;

use super::rings::{Ring, Rings};
use super::{ExplainError, Explanation, Moment};
use crate::graph::{ClassId, Classes, Graph, Labels, NodeId, TypeId};
use crate::spectral::SelfTerm;

/// What the nodes of a slice have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The node itself: always a slice of its own.
    Own,
    /// Walks of so many steps: α_n Mⁿ.
    Walk(usize),
    /// A hop ring.
    Ring(Ring),
    /// A node type.
    Type(TypeId),
    /// A true label, seen by the model or not.
    Class(ClassId),
    /// Numeric targets well below the mean of those seen.
    Low,
    /// Numeric targets around the mean.
    Middle,
    /// Numeric targets well above it.
    High,
    /// No label.
    Unlabelled,
}

impl Group {
    /// The words for it.
    pub fn name(self, graph: &Graph) -> String {
        let classes = graph.labels().classes().map(Classes::names).unwrap_or_default();
        let text = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        match self {
            Self::Own => "itself".to_owned(),
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

/// What some nodes add together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// What they have in common.
    pub group: Group,
    /// How many they are.
    pub nodes: usize,
    /// What they add up to.
    pub score: f64,
    /// What they say at all, for and against.
    pub size: f64,
}

/// Rings up to `most` hops, one for all beyond, one for what no path leads to.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_tui::explain::{Explanation, Rings, by_ring};
/// use gesf_tui::graph::NodeId;
/// # let karate = "sample_graphs/karate".as_ref();
/// # let (graph, _) = gesf_tui::graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_tui::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let ground = gesf_tui::model::Ground::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_tui::train::Trainer::new(ground, settings)?;
/// # for _ in 0..5 { trainer.step()?; }
/// # let moment = gesf_tui::explain::Moment::of_trainer(&trainer)?;
/// let node = NodeId(0);
/// let found = Explanation::of(&moment, node, moment.usual_aim(node))?;
/// let slices = by_ring(&found, &Rings::around(moment.graph(), node), 2);
/// // Every node is in one slice, and nothing is lost.
/// assert_eq!(slices.iter().map(|slice| slice.nodes).sum::<usize>(), 34);
/// let whole: f64 = slices.iter().map(|slice| slice.score).sum();
/// assert!((whole - found.sum()).abs() < 1e-9);
/// # Ok(()) }
/// ```
pub fn by_ring(found: &Explanation, rings: &Rings, most: u16) -> Vec<Slice> {
    collect(found, |node, add| add(Group::Ring(rings.within(node, most)), 1.0))
}

/// A slice for each length of walks that the filter weighs, α_n Mⁿ by itself:
/// exact. Empty for a filter without hop weights.
pub fn by_walk(moment: &Moment, found: &Explanation) -> Result<Vec<Slice>, ExplainError> {
    let (ground, node) = (moment.ground(), found.node);
    let weights = &moment.snapshot().scalars.hop_weights;
    let gradient = moment.reading(node, found.aim, &found.gathered)?;
    let gradient = gradient.mean_gradient(&gradient.image(0, &found.gathered));
    let (matrix, scale) = (ground.matrix.entries(), ground.operator.scale());
    let mut power = vec![0.0; matrix.size()];
    power[node.index()] = 1.0;
    let mut slices = Vec::with_capacity(weights.len());
    for (at, &weight) in weights.iter().enumerate() {
        let entry = |row: usize| -> f64 {
            let (columns, values) = matrix.row(row);
            let entries = columns.iter().zip(values);
            entries.map(|(&column, value)| value * power[column as usize]).sum::<f64>() / scale
        };
        power = (0..matrix.size()).map(entry).collect();
        let mut row: Vec<f32> = power.iter().map(|own| (f64::from(weight) * own) as f32).collect();
        if moment.settings().self_term == SelfTerm::Drop {
            row[node.index()] = 0.0;
        }
        let scores = moment.scores(&row, &gradient);
        slices.push(Slice {
            group: Group::Walk(at + 1),
            nodes: row.iter().filter(|weight| weight.abs() > 0.0).count(),
            score: scores.iter().sum(),
            size: scores.iter().map(|score| score.abs()).sum(),
        });
    }
    Ok(slices)
}

/// A slice for each node type that occurs.
pub fn by_type(moment: &Moment, found: &Explanation) -> Vec<Slice> {
    let types = moment.graph().types();
    collect(found, |node, add| add(Group::Type(types.of(node)), 1.0))
}

/// A slice for each label that occurs. A node of several labels is shared out
/// evenly among them.
pub fn by_label(moment: &Moment, found: &Explanation) -> Vec<Slice> {
    let units = moment.units();
    let labels = moment.graph().labels();
    collect(found, |node, add| match labels {
        Labels::None => add(Group::Unlabelled, 1.0),
        Labels::Classes(classes) => {
            let own = classes.of(node);
            for class in own {
                add(Group::Class(*class), 1.0 / own.len() as f64);
            }
            if own.is_empty() {
                add(Group::Unlabelled, 1.0);
            }
        }
        Labels::Numeric(values) => {
            let value = values.get(node.index()).copied().flatten();
            let off = value.map(|value| (value - units.mean) / units.deviation);
            let group = match off {
                None => Group::Unlabelled,
                Some(off) if off < -0.5 => Group::Low,
                Some(off) if off > 0.5 => Group::High,
                Some(_) => Group::Middle,
            };
            add(group, 1.0);
        }
    })
}

/// Share of everything said by other nodes that comes from nodes which are no
/// neighbours: P reaches as far as its filter does.
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

/// Adds every node to the slices it belongs to, by the share it has in each.
fn collect(
    found: &Explanation,
    mut place: impl FnMut(NodeId, &mut dyn FnMut(Group, f64)),
) -> Vec<Slice> {
    let mut slices: BTreeMap<Group, Slice> = BTreeMap::new();
    for (at, &score) in found.scores.iter().enumerate() {
        let mut add = |group: Group, share: f64| {
            let empty = Slice { group, nodes: 0, score: 0.0, size: 0.0 };
            let slice = slices.entry(group).or_insert(empty);
            slice.nodes += 1;
            slice.score += share * score;
            slice.size += share * score.abs();
        };
        if at == found.node.index() {
            add(Group::Own, 1.0);
        } else {
            place(at.into(), &mut add);
        }
    }
    slices.into_values().collect()
}
