//! Graphs derived from a graph: attributes as nodes, merged types, edges weighted
//! by rarity, edited edges, other labels.

use std::collections::BTreeMap;

use super::types::DEFAULT_TYPE;
use super::{Graph, IdTable, Labels, NodeId, NodeTypes, Topology};

/// The default type name of attribute nodes.
const ATTRIBUTE_TYPE: &str = "attribute";

impl Graph {
    /// The graph with a node of an additional type for each attribute, joined to
    /// the nodes that have it by an edge weighted by its value. A graph without
    /// attributes is unchanged.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use gesf_graph::{Features, IdTable, RawGraph, Reading, RoleChoice, build};
    ///
    /// // Two papers that share word 0; the second has word 1 as well.
    /// let words = Features::from_rows(vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)]]);
    /// let ids = IdTable::from_numbers(0..2);
    /// let raw = RawGraph { ids, features: Some(words), ..RawGraph::default() };
    /// let (papers, _) = build(raw, &RoleChoice::default(), &mut Reading::default())?;
    /// let joined = papers.with_attribute_nodes();
    /// assert_eq!((joined.node_count(), joined.edge_count()), (4, 3));
    /// assert_eq!(joined.types().count(), papers.types().count() + 1);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_attribute_nodes(&self) -> Self {
        let Some(attributes) = self.features() else { return self.clone() };
        let (own, all) = (self.node_count(), self.node_count() + attributes.width());
        let kind = self.manifest().attribute_type.as_deref().unwrap_or(ATTRIBUTE_TYPE);
        let mut owners: Vec<Vec<(u32, f32)>> = vec![Vec::new(); attributes.width()];
        let mut edges = Vec::with_capacity(self.topology.edge_count() + 2 * attributes.filled());
        for node in self.nodes() {
            edges.extend(self.list(node));
            for (attribute, value) in attributes.row(node).filter(|(_, value)| *value != 0.0) {
                edges.push((node.0, own as u32 + attribute, value));
                owners[attribute as usize].push((node.0, value));
            }
        }
        for (attribute, owners) in (own as u32..).zip(owners) {
            edges.extend(owners.into_iter().map(|(owner, value)| (attribute, owner, value)));
        }
        let id_of = |attribute: usize| format!("{kind} {attribute}");
        let ids = self.ids.iter().map(str::to_owned);
        let ids = IdTable::from_distinct(ids.chain((0..attributes.width()).map(id_of)));
        let types = self.types.names().iter().map(String::as_str);
        let types: Vec<&str> = types.chain([kind]).collect();
        let of_nodes = self.types.all().iter().map(|kind| types[kind.index()]);
        let of_nodes = of_nodes.chain(std::iter::repeat_n(kind, attributes.width()));
        // One more type than the graph has; a graph at the limit keeps its own.
        let Some(types) = NodeTypes::collect(of_nodes, self.types.names()) else {
            return self.clone();
        };
        let names = self.names.clone().map(|mut names| {
            names.resize(all, Box::default());
            names
        });
        let topology = lists(&edges, all);
        Self { ids, names, types, topology, features: None, ..self.clone() }
    }

    /// The graph without node features.
    #[must_use]
    pub fn without_features(&self) -> Self {
        Self { features: None, ..self.clone() }
    }

    /// The graph with a single node type.
    #[must_use]
    pub fn with_one_type(&self) -> Self {
        Self { types: NodeTypes::single(DEFAULT_TYPE, self.node_count()), ..self.clone() }
    }

    /// The graph with each edge across types weighted by the rarity of its end of
    /// the later type: ln((1 + N) / (1 + n)), if n of the N nodes of the earlier
    /// type are joined to it. Words of every paper get weight 0.
    #[must_use]
    pub fn weighed_by_rarity(&self) -> Self {
        let kinds = self.types.count();
        let sizes = self.types.sizes();
        let kind = |node: NodeId| self.types.of(node).index();
        let mut joined = vec![0_u32; self.node_count() * kinds];
        for node in self.nodes() {
            for &other in self.neighbours(node) {
                joined[node.index() * kinds + kind(NodeId(other))] += 1;
            }
        }
        let rarity = |end: NodeId, towards: usize| {
            let joined = f64::from(joined[end.index() * kinds + towards]);
            ((1.0 + sizes[towards] as f64) / (1.0 + joined)).ln() as f32
        };
        let edges: Vec<(u32, u32, f32)> = self
            .nodes()
            .flat_map(|node| self.list(node))
            .map(|(own, other, weight)| {
                let (one, two) = (kind(NodeId(own)), kind(NodeId(other)));
                let factor = match one.cmp(&two) {
                    std::cmp::Ordering::Equal => 1.0,
                    std::cmp::Ordering::Less => rarity(NodeId(other), one),
                    std::cmp::Ordering::Greater => rarity(NodeId(own), two),
                };
                (own, other, weight * factor)
            })
            .collect();
        Self { topology: lists(&edges, self.node_count()), weighted: true, ..self.clone() }
    }

    /// The graph with some edges changed to another weight or removed. Pairs of a
    /// node with itself, or with one that does not exist, change nothing.
    #[must_use]
    pub fn with_edges(&self, changes: &BTreeMap<(NodeId, NodeId), Option<f32>>) -> Self {
        let nodes = self.node_count();
        let mut of_nodes: BTreeMap<u32, BTreeMap<u32, Option<f32>>> = BTreeMap::new();
        for (&(one, other), &weight) in changes {
            if one != other && one.index().max(other.index()) < nodes {
                of_nodes.entry(one.0).or_default().insert(other.0, weight);
                of_nodes.entry(other.0).or_default().insert(one.0, weight);
            }
        }
        let mut edges = Vec::with_capacity(self.topology.edge_count() + 2 * changes.len());
        for node in self.nodes() {
            let Some(own) = of_nodes.get(&node.0) else {
                edges.extend(self.list(node));
                continue;
            };
            let kept = self.list(node).filter(|edge| !own.contains_key(&edge.1));
            let new = own.iter().filter_map(|(&other, weight)| Some((node.0, other, (*weight)?)));
            let mut row: Vec<(u32, u32, f32)> = kept.chain(new).collect();
            row.sort_unstable_by_key(|edge| edge.1);
            edges.extend(row);
        }
        Self { topology: lists(&edges, nodes), ..self.clone() }
    }

    /// The graph with other labels.
    #[must_use]
    pub fn with_labels(&self, labels: Labels) -> Self {
        Self { labels, ..self.clone() }
    }

    fn list(&self, node: NodeId) -> impl Iterator<Item = (u32, u32, f32)> + '_ {
        let row = self.neighbours(node).iter().zip(self.neighbour_weights(node));
        row.map(move |(&other, &weight)| (node.0, other, weight))
    }
}

/// Neighbour lists from ordered edges, in both directions.
fn lists(edges: &[(u32, u32, f32)], nodes: usize) -> Topology {
    // Callers pass them sorted and distinct.
    let mut topology = Topology::from_sorted_edges(edges).unwrap_or_default();
    while topology.node_count() < nodes {
        topology.add_node(());
    }
    topology
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Features, OnBadRow, RawGraph, Reading, RoleChoice, build};

    fn papers() -> Graph {
        let mut raw = RawGraph { ids: IdTable::from_numbers(0..3), ..RawGraph::default() };
        raw.edges.push(NodeId(0), NodeId(1));
        let rows = vec![vec![(0, 1.0), (1, 2.0)], vec![(0, 1.0)], vec![(0, 1.0)]];
        raw.features = Some(Features::from_rows(rows));
        let mut reading = Reading::new("test", OnBadRow::Fail);
        build(raw, &RoleChoice::default(), &mut reading).unwrap().0
    }

    #[test]
    fn attributes_become_nodes_of_another_type() {
        let graph = papers().with_attribute_nodes();
        assert_eq!((graph.node_count(), graph.edge_count()), (5, 5));
        assert_eq!(graph.types().names(), ["node", "attribute"]);
        assert_eq!(graph.neighbours(NodeId(0)), [1, 3, 4]);
        assert_eq!(graph.neighbour_weights(NodeId(4)), [2.0]);
        assert_eq!(graph.ids().text(NodeId(4)), "attribute 1");
    }

    #[test]
    fn edges_are_removed_and_added_at_both_ends_and_nothing_else_changes() {
        let graph = papers().with_attribute_nodes();
        let pair = |a: u32, b: u32| (NodeId(a), NodeId(b));
        let wanted = [(pair(1, 0), None), (pair(2, 1), Some(0.5)), (pair(2, 2), Some(1.0))];
        let other = graph.with_edges(&wanted.into_iter().collect());
        assert_eq!(other.neighbours(NodeId(0)), [3, 4]);
        assert_eq!(other.neighbours(NodeId(1)), [2, 3]);
        assert_eq!(other.neighbour_weights(NodeId(2)), [0.5, 1.0]);
        assert_eq!((other.node_count(), other.edge_count()), (5, 5));
        let back = [(pair(0, 1), Some(1.0)), (pair(1, 2), None)].into_iter().collect();
        assert_eq!(other.with_edges(&back).fingerprint(), graph.fingerprint());
    }

    #[test]
    fn common_attributes_weigh_nothing_and_rare_ones_weigh_more() {
        let graph = papers().with_attribute_nodes().weighed_by_rarity();
        let weights = graph.neighbour_weights(NodeId(0));
        assert!((weights[0] - 1.0).abs() < 1e-6, "within a type nothing changes");
        assert!(weights[1].abs() < 1e-6, "{weights:?}");
        assert!((weights[2] - 2.0 * 2.0_f32.ln()).abs() < 1e-6, "{weights:?}");
        assert_eq!(graph.neighbour_weights(NodeId(4)), [weights[2]]);
    }
}
