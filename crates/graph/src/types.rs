//! Node types: the K groups of the paper.

use super::NodeId;

/// A node type, as an index into the type names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TypeId(pub u16);

impl TypeId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// More types than this are treated as an error (such as an id column).
pub const MAX_TYPES: usize = 256;

/// The default type name.
pub const DEFAULT_TYPE: &str = "node";

/// Type names and the type of every node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeTypes {
    names: Vec<String>,
    of: Vec<TypeId>,
}

impl NodeTypes {
    /// All nodes with one type.
    pub fn single(name: &str, nodes: usize) -> Self {
        Self { names: vec![name.to_owned()], of: vec![TypeId(0); nodes] }
    }

    /// Types by name for each node. `order` fixes the numbering of the types it
    /// names; others follow in order of appearance. `None` if there are too many.
    pub fn collect<'a>(of_nodes: impl Iterator<Item = &'a str>, order: &[String]) -> Option<Self> {
        let mut names: Vec<String> = order.to_vec();
        let mut number: hashbrown::HashMap<String, TypeId> =
            names.iter().enumerate().map(|(n, name)| (name.clone(), TypeId(n as u16))).collect();
        let mut of = Vec::new();
        for name in of_nodes {
            let id = *number.entry_ref(name).or_insert_with(|| {
                names.push(name.to_owned());
                TypeId(names.len() as u16 - 1)
            });
            if names.len() > MAX_TYPES {
                return None;
            }
            of.push(id);
        }
        Some(Self { names, of })
    }

    /// The number of types: K.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The type names, by [`TypeId`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The type of a node.
    pub fn of(&self, node: NodeId) -> TypeId {
        self.of.get(node.index()).copied().unwrap_or_default()
    }

    /// The type of every node, in node order.
    pub fn all(&self) -> &[TypeId] {
        &self.of
    }

    /// The number of nodes of each type.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        for id in &self.of {
            sizes[id.index()] += 1;
        }
        sizes
    }
}
