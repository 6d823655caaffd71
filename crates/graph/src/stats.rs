//! Statistics of a graph.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;
use serde::{Serialize, Serializer};

use super::{ClassId, Classes, Graph, LabelKind, Labels, NodeId};

/// Named counts in a meaningful order; an object in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts(pub Vec<(String, usize)>);

impl Counts {
    /// The count with this name; 0 if there is none.
    pub fn of(&self, name: &str) -> usize {
        self.0.iter().find(|(own, _)| own == name).map_or(0, |(_, count)| *count)
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

/// The statistics of a graph. The field names are the keys of `info --json` and
/// must not change.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::Statistics;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// let found = Statistics::of(&graph);
/// assert_eq!((found.components, found.labelled), (1, 34));
/// // Friends joined the same club far more often than by chance.
/// assert!(found.homophily > Some(0.85));
/// assert!(found.homophily_by_chance.is_some_and(|chance| chance < 0.6));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Nodes.
    pub nodes: usize,
    /// Edge rows in the source.
    pub edges_raw: usize,
    /// Undirected edges without self-loops and duplicates.
    pub edges: usize,
    /// Rows that join a node to itself.
    pub self_loops: usize,
    /// Rows merged into another row's edge.
    pub duplicates: usize,
    /// Connected components.
    pub components: usize,
    /// Nodes of the largest component.
    pub largest_component: usize,
    /// Nodes without a neighbour.
    pub isolated: usize,
    /// Nodes of each type, in type order.
    pub types: Counts,
    /// Edges between each pair of types, as `a–b`.
    pub edge_types: Counts,
    /// Nodes of each class, in class order.
    pub labels: Counts,
    /// The task given by the labels.
    pub label_kind: LabelKind,
    /// Nodes with a label.
    pub labelled: usize,
    /// Mean number of labels per labelled node.
    pub labels_per_node: Option<f64>,
    /// Share of edges, among those with both ends labelled, whose ends share a
    /// label.
    pub homophily: Option<f64>,
    /// The same if edges were drawn at random with the same degrees.
    pub homophily_by_chance: Option<f64>,
    /// Mean number of neighbours.
    pub mean_degree: f64,
    /// Maximum number of neighbours.
    pub max_degree: usize,
    /// Whether edges have weights.
    pub weighted: bool,
    /// Number of attributes.
    pub attributes: usize,
}

impl Statistics {
    /// Computes the statistics.
    pub fn of(graph: &Graph) -> Self {
        let (components, largest_component) = components(graph);
        let degrees = || graph.nodes().map(|node| graph.degree(node));
        let chance = graph.labels().classes().and_then(|classes| homophily(graph, classes));
        let counts = graph.folded();
        let nodes = graph.node_count();
        let types = graph.types();
        Self {
            nodes,
            edges_raw: counts.rows,
            edges: graph.edge_count(),
            self_loops: counts.self_loops,
            duplicates: counts.duplicates,
            components,
            largest_component,
            isolated: degrees().filter(|&degree| degree == 0).count(),
            types: Counts(types.names().iter().cloned().zip(types.sizes()).collect()),
            edge_types: edge_types(graph),
            labels: class_sizes(graph.labels()),
            label_kind: graph.labels().kind(),
            labelled: graph.nodes().filter(|&node| graph.labels().is_labelled(node)).count(),
            labels_per_node: graph.labels().classes().and_then(labels_per_node),
            homophily: chance.map(|(observed, _)| observed),
            homophily_by_chance: chance.map(|(_, expected)| expected),
            mean_degree: 2.0 * graph.edge_count() as f64 / nodes.max(1) as f64,
            max_degree: degrees().max().unwrap_or(0),
            weighted: graph.is_weighted(),
            attributes: graph.features().map_or(0, super::Features::width),
        }
    }
}

fn components(graph: &Graph) -> (usize, usize) {
    let mut sets = UnionFind::<u32>::new(graph.node_count());
    for (a, b, _) in graph.edges() {
        sets.union(a.0, b.0);
    }
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for set in sets.into_labeling() {
        *sizes.entry(set).or_default() += 1;
    }
    (sizes.len(), sizes.values().copied().max().unwrap_or(0))
}

fn edge_types(graph: &Graph) -> Counts {
    let types = graph.types();
    let mut counts: BTreeMap<(u16, u16), usize> = BTreeMap::new();
    for (a, b, _) in graph.edges() {
        let (a, b) = (types.of(a).0, types.of(b).0);
        *counts.entry((a.min(b), a.max(b))).or_default() += 1;
    }
    let name = |id: u16| types.names().get(usize::from(id)).map_or("", String::as_str);
    let named = |((a, b), n): ((u16, u16), usize)| (format!("{}–{}", name(a), name(b)), n);
    Counts(counts.into_iter().map(named).collect())
}

fn class_sizes(labels: &Labels) -> Counts {
    let Some(classes) = labels.classes() else { return Counts::default() };
    Counts(classes.names().iter().cloned().zip(classes.sizes()).collect())
}

fn labels_per_node(classes: &Classes) -> Option<f64> {
    let labelled = classes.labelled();
    let all: usize = classes.sizes().iter().sum();
    (labelled > 0).then(|| all as f64 / labelled as f64)
}

/// Observed homophily and its expected value by chance, over the edges with both
/// ends labelled.
///
/// By chance: both ends of an edge are drawn independently, each node with a
/// probability proportional to its number of such edges. Nodes with the same set of
/// labels are drawn as one group, so this costs groups², not nodes².
fn homophily(graph: &Graph, classes: &Classes) -> Option<(f64, f64)> {
    let share = |a: &[ClassId], b: &[ClassId]| a.iter().any(|class| b.contains(class));
    let (mut edges, mut alike) = (0_usize, 0_usize);
    let mut ends: BTreeMap<&[ClassId], f64> = BTreeMap::new();
    let labelled = |node: NodeId| Some(classes.of(node)).filter(|own| !own.is_empty());
    for (a, b, _) in graph.edges() {
        if let (Some(a), Some(b)) = (labelled(a), labelled(b)) {
            edges += 1;
            alike += usize::from(share(a, b));
            *ends.entry(a).or_default() += 1.0;
            *ends.entry(b).or_default() += 1.0;
        }
    }
    let all = 2.0 * edges as f64;
    let expected = |(own, weight): (&&[ClassId], &f64)| {
        let like: f64 = ends.iter().filter(|(other, _)| share(own, other)).map(|(_, w)| w).sum();
        weight * like / (all * all)
    };
    (edges > 0).then(|| (alike as f64 / edges as f64, ends.iter().map(expected).sum()))
}
