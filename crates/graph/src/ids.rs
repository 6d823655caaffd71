//! Node ids: any string outside, a dense [`NodeId`] inside.
//!
//! All ids are in one arena, so a million of them need two allocations; the lookup
//! index is built at the first lookup by text.

use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::sync::OnceLock;

use bytemuck::Zeroable;
use hashbrown::{DefaultHashBuilder, HashTable};
use serde::{Deserialize, Serialize};

/// The index of a node in its graph: 0, 1, … in the order of the source.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    Zeroable,
)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for NodeId {
    fn from(index: usize) -> Self {
        Self(index as u32)
    }
}

/// Maximum number of nodes: a [`NodeId`] and one flag bit share 32 bits.
pub const MAX_NODES: usize = i32::MAX as usize;

/// Every id of a graph, in node order, with lookup by text.
///
/// ```
/// use gesf_graph::{IdTable, NodeId};
///
/// let mut ids = IdTable::default();
/// let ada = ids.intern("Ada");
/// ids.intern("Grace");
/// assert_eq!(ids.intern("Ada"), ada);
/// assert_eq!(ids.find("Grace"), Some(NodeId(1)));
/// assert_eq!(ids.text(ada), "Ada");
/// ```
#[derive(Debug, Clone, Default)]
pub struct IdTable {
    arena: String,
    ends: Vec<usize>,
    index: OnceLock<HashTable<u32>>,
    hasher: DefaultHashBuilder,
}

impl IdTable {
    /// A table of ids that are known to be distinct; no index is built yet.
    pub fn from_distinct(ids: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut table = Self::default();
        for id in ids {
            table.append(id.as_ref());
        }
        table
    }

    /// Ids that are distinct numbers.
    pub fn from_numbers(numbers: impl Iterator<Item = u32>) -> Self {
        let mut table = Self::default();
        for number in numbers {
            // Writing to a String cannot fail.
            let _ = write!(table.arena, "{number}");
            table.ends.push(table.arena.len());
        }
        table
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a node's id; empty for an unknown node.
    pub fn text(&self, node: NodeId) -> &str {
        slot(&self.arena, &self.ends, node.index())
    }

    /// All ids in node order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|n| slot(&self.arena, &self.ends, n))
    }

    /// The node with this id.
    pub fn find(&self, id: &str) -> Option<NodeId> {
        let hash = self.hasher.hash_one(id);
        let same = |&n: &u32| slot(&self.arena, &self.ends, n as usize) == id;
        self.built_index().find(hash, same).map(|&n| NodeId(n))
    }

    /// The node with this id, added at the end if it is new.
    pub fn intern(&mut self, id: &str) -> NodeId {
        self.insert(id).unwrap_or_else(|known| known)
    }

    /// Adds an id; `Err` contains the node that already has it.
    pub fn insert(&mut self, id: &str) -> Result<NodeId, NodeId> {
        if let Some(node) = self.find(id) {
            return Err(node);
        }
        let node = NodeId::from(self.len());
        self.append(id);
        let (arena, ends, hasher) = (&self.arena, &self.ends, &self.hasher);
        let hash_of = |&n: &u32| hasher.hash_one(slot(arena, ends, n as usize));
        if let Some(index) = self.index.get_mut() {
            index.insert_unique(hasher.hash_one(id), node.0, hash_of);
        }
        Ok(node)
    }

    fn append(&mut self, id: &str) {
        self.arena.push_str(id);
        self.ends.push(self.arena.len());
    }

    fn built_index(&self) -> &HashTable<u32> {
        self.index.get_or_init(|| {
            let hash_of =
                |&n: &u32| self.hasher.hash_one(slot(&self.arena, &self.ends, n as usize));
            let mut index = HashTable::with_capacity(self.len());
            for n in 0..self.len() as u32 {
                index.insert_unique(hash_of(&n), n, hash_of);
            }
            index
        })
    }
}

impl PartialEq for IdTable {
    fn eq(&self, other: &Self) -> bool {
        self.arena == other.arena && self.ends == other.ends
    }
}

fn slot<'a>(arena: &'a str, ends: &[usize], n: usize) -> &'a str {
    let Some(&end) = ends.get(n) else { return "" };
    let start = if n == 0 { 0 } else { ends[n - 1] };
    &arena[start..end]
}
