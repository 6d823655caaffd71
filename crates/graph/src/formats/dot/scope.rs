//! The scope of a pair of braces: defaults and members.

use hashbrown::{HashMap, HashSet};

use super::super::elements::Mention;
use super::super::value::Property;

/// Default attributes of nodes or edges. A later default of the same name replaces
/// the earlier one.
#[derive(Debug, Default)]
pub(super) struct Defaults<'t> {
    properties: Vec<Property<'t>>,
    places: HashMap<String, usize>,
}

impl<'t> Defaults<'t> {
    pub(super) fn set(&mut self, properties: Vec<Property<'t>>) {
        for property in properties {
            if let Some(&at) = self.places.get(property.name.as_ref()) {
                self.properties[at] = property;
            } else {
                self.places.insert(property.name.clone().into_owned(), self.properties.len());
                self.properties.push(property);
            }
        }
    }

    pub(super) fn all(&self) -> &[Property<'t>] {
        &self.properties
    }
}

/// Nodes, each once, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Members {
    listed: Vec<Mention>,
    known: HashSet<Mention>,
}

impl Members {
    pub(super) fn add(&mut self, nodes: &[Mention]) {
        for &node in nodes {
            if self.known.insert(node) {
                self.listed.push(node);
            }
        }
    }

    pub(super) fn all(&self) -> &[Mention] {
        &self.listed
    }
}

/// One end of an edge statement.
#[derive(Debug)]
pub(super) enum End {
    /// A node.
    Node(Mention),
    /// Every node of a subgraph.
    Group(Vec<Mention>),
}

impl End {
    pub(super) fn nodes(&self) -> &[Mention] {
        match self {
            Self::Node(node) => std::slice::from_ref(node),
            Self::Group(nodes) => nodes,
        }
    }
}

/// An open pair of braces.
#[derive(Debug, Default)]
pub(super) struct Scope<'t> {
    pub(super) name: Option<String>,
    pub(super) node_defaults: Defaults<'t>,
    pub(super) edge_defaults: Defaults<'t>,
    pub(super) members: Members,
    /// The enclosing statement, as far as it was read.
    pub(super) outer_chain: Vec<End>,
    pub(super) line: u64,
}
