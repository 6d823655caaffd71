//! The keys of GraphML: names, types and defaults of node and edge data.

use hashbrown::HashMap;

use super::super::value::Reads;
use super::super::weights::is_weight;
use super::super::xml::Attributes;

/// The column name of data whose key has no name.
const NAMELESS: &str = "data";

/// The content of a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) reads: Reads,
    pub(super) default: Option<String>,
}

/// What a key applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain {
    Nodes,
    Edges,
    Both,
    /// Graphs, ports and others, which are ignored.
    Neither,
}

/// Every key, in file order. An id may have different meanings for nodes and edges:
/// some tools use the names as ids.
#[derive(Debug, Default)]
pub(super) struct Keys {
    all: Vec<Key>,
    of_nodes: HashMap<String, usize>,
    of_edges: HashMap<String, usize>,
    weight: Option<usize>,
}

impl Key {
    /// The key declared by an element, with its id and what it applies to.
    pub(super) fn declared(attributes: &Attributes<'_>) -> (String, Domain, Self) {
        let id = attributes.get("id").unwrap_or_default().to_owned();
        let domain = match attributes.get("for").unwrap_or("all") {
            "node" => Domain::Nodes,
            "edge" => Domain::Edges,
            "all" => Domain::Both,
            _ => Domain::Neither,
        };
        // The only text in the graphics that yEd stores for nodes and edges is
        // their label.
        let drawn = attributes.get("yfiles.type").filter(|kind| kind.ends_with("graphics"));
        let name = attributes.get("attr.name").or(drawn.map(|_| "label"));
        let name = named(name.filter(|name| !name.is_empty()).unwrap_or(&id)).to_owned();
        let reads = match attributes.get("attr.type") {
            Some(kind) => reads(kind),
            None if drawn.is_some() => Reads::Text,
            None => Reads::Literal,
        };
        (id, domain, Self { name, reads, default: None })
    }

    fn default_text(&self) -> Option<&str> {
        self.default.as_deref().filter(|text| !text.is_empty())
    }
}

fn named(name: &str) -> &str {
    if name.is_empty() { NAMELESS } else { name }
}

fn reads(kind: &str) -> Reads {
    match kind.trim().to_ascii_lowercase().as_str() {
        "int" | "integer" | "long" | "short" | "byte" | "biginteger" => Reads::Integer,
        "float" | "double" | "real" | "bigdecimal" => Reads::Real,
        "boolean" | "bool" => Reads::Flag,
        _ => Reads::Text,
    }
}

impl Keys {
    pub(super) fn add(&mut self, id: String, domain: Domain, key: Key) {
        let at = self.all.len();
        self.all.push(key);
        if matches!(domain, Domain::Nodes | Domain::Both) {
            self.of_nodes.insert(id.clone(), at);
        }
        if matches!(domain, Domain::Edges | Domain::Both) {
            self.weight = if is_weight(&self.all[at].name) { Some(at) } else { self.weight };
            self.of_edges.insert(id, at);
        }
    }

    /// The name and type of node data. An undeclared key is its own name.
    pub(super) fn of_node<'k>(&'k self, id: &'k str) -> (&'k str, Reads) {
        self.named(&self.of_nodes, id)
    }

    /// The same for edge data.
    pub(super) fn of_edge<'k>(&'k self, id: &'k str) -> (&'k str, Reads) {
        self.named(&self.of_edges, id)
    }

    fn named<'k>(&'k self, domain: &HashMap<String, usize>, id: &'k str) -> (&'k str, Reads) {
        let key = domain.get(id).map(|&at| &self.all[at]);
        key.map_or((named(id), Reads::Literal), |key| (&key.name, key.reads))
    }

    /// The default edge weight, with its name.
    pub(super) fn weight_default(&self) -> Option<(&str, &str)> {
        let key = &self.all[self.weight?];
        key.default_text().map(|text| (key.name.as_str(), text))
    }

    /// The node keys with a default, in file order.
    pub(super) fn node_defaults(&self) -> Vec<(&Key, &str)> {
        self.defaults(&self.of_nodes)
    }

    /// The edge keys with a default, in file order.
    pub(super) fn edge_defaults(&self) -> Vec<(&Key, &str)> {
        self.defaults(&self.of_edges)
    }

    fn defaults(&self, domain: &HashMap<String, usize>) -> Vec<(&Key, &str)> {
        let mut at: Vec<usize> = domain.values().copied().collect();
        at.sort_unstable();
        let with_default = |at| {
            let key: &Key = &self.all[at];
            key.default_text().map(|text| (key, text))
        };
        at.into_iter().filter_map(with_default).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_without_a_key_gets_a_name() {
        assert_eq!(Keys::default().of_node(""), (NAMELESS, Reads::Literal));
        assert_eq!(Keys::default().of_edge("d7"), ("d7", Reads::Literal));
    }
}
