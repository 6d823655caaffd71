//! The graph for the model: undirected, simple, weighted, typed, on petgraph.

use petgraph::Directed;
use petgraph::csr::Csr;
use xxhash_rust::xxh3::Xxh3;

use super::{Features, IdTable, Labels, Manifest, NodeId, NodeTypes, StoredSplit};

/// Neighbour lists on petgraph: every undirected edge is in the rows of both its
/// ends, each row sorted by neighbour.
pub type Topology = Csr<(), f32, Directed, u32>;

/// Counts of rows that were merged or dropped to make the graph undirected and
/// simple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FoldCounts {
    /// Edge rows in the source.
    pub rows: usize,
    /// Rows that join a node to itself.
    pub self_loops: usize,
    /// Rows that repeat a pair, in either direction.
    pub duplicates: usize,
    /// Of those, rows whose pair had only occurred in the other direction.
    pub reciprocal: usize,
    /// Rows of weight 0, which are not edges.
    pub weightless: usize,
}

/// A loaded graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_graph::{LoadOptions, NodeId, load};
///
/// let (graph, _) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref(), &LoadOptions::default())?;
/// let instructor = NodeId(0);
/// assert_eq!(graph.name(instructor), "Mr. Hi (instructor)");
/// assert!(graph.neighbours(instructor).is_sorted());
/// // Every edge is in the rows of both its ends.
/// let degrees: usize = graph.nodes().map(|node| graph.degree(node)).sum();
/// assert_eq!(degrees, 2 * graph.edge_count());
/// assert_eq!(graph.edges().count(), graph.edge_count());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Graph {
    pub(super) ids: IdTable,
    pub(super) names: Option<Vec<Box<str>>>,
    pub(super) types: NodeTypes,
    pub(super) labels: Labels,
    pub(super) splits: Vec<StoredSplit>,
    pub(super) features: Option<Features>,
    pub(super) topology: Topology,
    pub(super) weighted: bool,
    pub(super) folded: FoldCounts,
    pub(super) manifest: Manifest,
}

impl Graph {
    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.topology.node_count()
    }

    /// The number of undirected edges, without self-loops and duplicates.
    pub fn edge_count(&self) -> usize {
        self.topology.edge_count() / 2
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.node_count() as u32).map(NodeId)
    }

    /// The splits that come with the graph.
    pub fn splits(&self) -> &[StoredSplit] {
        &self.splits
    }

    /// The split of this name, or of this number: `3` is `split_3`.
    pub fn split_named(&self, name: &str) -> Option<&StoredSplit> {
        let numbered = format!("split_{name}");
        let is =
            |wanted: &str| self.splits.iter().find(|split| split.name.eq_ignore_ascii_case(wanted));
        is(name).or_else(|| is(&numbered))
    }

    /// The neighbours of a node, in ascending order.
    pub fn neighbours(&self, node: NodeId) -> &[u32] {
        self.topology.neighbors_slice(node.0)
    }

    /// The edge weights of [`Graph::neighbours`], in the same order.
    pub fn neighbour_weights(&self, node: NodeId) -> &[f32] {
        self.topology.edges_slice(node.0)
    }

    /// The number of neighbours of a node.
    pub fn degree(&self, node: NodeId) -> usize {
        self.neighbours(node).len()
    }

    /// Every undirected edge once, as (smaller end, larger end, weight).
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, f32)> + '_ {
        self.nodes().flat_map(move |node| {
            let row = self.neighbours(node).iter().zip(self.neighbour_weights(node));
            row.filter(move |(other, _)| **other > node.0)
                .map(move |(other, weight)| (node, NodeId(*other), *weight))
        })
    }

    /// The neighbour lists, for petgraph's algorithms.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The ids of the nodes.
    pub fn ids(&self) -> &IdTable {
        &self.ids
    }

    /// The name of a node; its id if it has none.
    pub fn name(&self, node: NodeId) -> &str {
        let name = self.names.as_ref().and_then(|names| names.get(node.index()));
        name.filter(|name| !name.is_empty()).map_or_else(|| self.ids.text(node), AsRef::as_ref)
    }

    /// Whether the nodes have names.
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// The node types.
    pub fn types(&self) -> &NodeTypes {
        &self.types
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The features of the nodes, if any has one: words of documents
    /// (`attributes.tsv`, `.content`), the `node_features` of an `.npz` and the like.
    ///
    /// ```
    /// # fn main() -> Result<(), gesf_graph::GraphError> {
    /// # use gesf_graph::{LoadOptions, NodeId, load};
    /// let (cora, _) = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/cora").as_ref(), &LoadOptions::default())?;
    /// let words = cora.features().map(|all| (all.nodes(), all.width(), all.filled()));
    /// assert_eq!(words, Some((2708, 1433, 49216)));
    /// # Ok(()) }
    /// ```
    pub fn features(&self) -> Option<&Features> {
        self.features.as_ref()
    }

    /// Whether the source has edge weights.
    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// A fingerprint of everything the model uses: ids, types, edges, labels and
    /// attributes, but not the manifest.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::collections::BTreeMap;
    /// use gesf_graph::NodeId;
    /// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
    /// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
    /// let cut = graph.with_edges(&BTreeMap::from([((NodeId(0), NodeId(1)), None)]));
    /// assert_eq!(cut.edge_count(), graph.edge_count() - 1);
    /// assert_ne!(cut.fingerprint(), graph.fingerprint());
    /// assert_eq!(graph.clone().fingerprint(), graph.fingerprint());
    /// # Ok(()) }
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        for node in self.nodes() {
            hash.update(self.ids.text(node).as_bytes());
            hash.update(&self.types.of(node).0.to_le_bytes());
            hash.update(&(self.degree(node) as u64).to_le_bytes());
            hash.update(bytemuck::cast_slice(self.neighbours(node)));
            hash.update(bytemuck::cast_slice(self.neighbour_weights(node)));
            match &self.labels {
                Labels::None => {}
                Labels::Classes(classes) => {
                    let own = classes.of(node);
                    hash.update(&(own.len() as u64).to_le_bytes());
                    for class in own {
                        hash.update(&class.0.to_le_bytes());
                    }
                }
                Labels::Numeric(values) => {
                    let value = values.get(node.index()).copied().flatten();
                    hash.update(&value.unwrap_or(f32::NAN).to_bits().to_le_bytes());
                }
            }
            for (index, value) in self.features.iter().flat_map(|own| own.row(node)) {
                hash.update(&index.to_le_bytes());
                hash.update(&value.to_bits().to_le_bytes());
            }
            for part in self.splits.iter().map(|split| split.part(node)) {
                hash.update(&[part.map_or(0, |part| 1 + part as u8)]);
            }
        }
        hash.digest()
    }

    /// The counts of merged and dropped rows.
    pub fn folded(&self) -> FoldCounts {
        self.folded
    }

    /// The manifest of the graph.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}
