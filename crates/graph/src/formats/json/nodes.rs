//! The list of nodes, and how links refer to it.

use std::borrow::Cow;

use hashbrown::HashMap;
use serde_json::value::RawValue;

use super::super::super::error::quoted;
use super::super::super::{Columns, GraphError, NodeId, RawGraph};
use super::document::List;
use super::source::{Element, Source};
use super::value::{self, Kind, Properties};

/// How links refer to nodes.
pub(super) struct Nodes {
    /// Whether the nodes are listed; else every id in a link is a node.
    are_listed: bool,
    /// Whether a numeric end may be a position in the list.
    numbered: bool,
    at_position: Vec<Option<NodeId>>,
    /// If nodes have no ids, links may use their names.
    by_name: HashMap<String, NodeId>,
}

impl Nodes {
    /// No list of nodes: they are created by the links.
    pub(super) fn from_links() -> Self {
        Self { are_listed: false, numbered: false, at_position: vec![], by_name: HashMap::new() }
    }

    /// Reads the list.
    pub(super) fn read(
        list: &List,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<Self, GraphError> {
        let mut nodes = Self { are_listed: true, numbered: true, ..Self::from_links() };
        let have_ids = Element::all(list).any(|node| node.is_bare_id() || node.has("id"));
        let mut columns = Columns::default();
        for element in Element::all(list) {
            let properties = if element.is_bare_id() {
                Some(Properties(vec![(Cow::Borrowed("id"), element.slice)]))
            } else {
                source.properties(element)?
            };
            let node = match &properties {
                Some(own) => nodes.add(element, own, have_ids, raw, source)?,
                None => None,
            };
            nodes.at_position.push(node);
            let (Some(node), Some(properties)) = (node, properties) else { continue };
            for (name, value) in properties.0.iter().filter(|(name, _)| name != "id") {
                source.set(&mut columns, node.index(), (name, value), element)?;
            }
            source.check_room(&columns, raw.ids.len(), element)?;
        }
        raw.node_columns = columns.finish(raw.ids.len());
        Ok(nodes)
    }

    fn add(
        &mut self,
        element: Element,
        properties: &Properties,
        have_ids: bool,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<Option<NodeId>, GraphError> {
        let given = properties.get("id").filter(|_| have_ids);
        let id = match given {
            Some(id) => source.id(id, element)?,
            None if !have_ids => Some(Cow::Owned(element.position().to_string())),
            None => {
                let found = format!("{element} without `id`");
                source.bad(element.slice, found, "an id for every node", "give the node an id")?;
                None
            }
        };
        let Some(id) = id else { return Ok(None) };
        let Ok(node) = raw.ids.insert(&id) else {
            let found = format!("{element} with the id {} a second time", quoted(&id));
            let advice = "remove or rename one of the two";
            source.bad(element.slice, found, "each id once", advice)?;
            return Ok(None);
        };
        // Numeric ids rule out positions.
        self.numbered &= given.is_none_or(|id| value::kind(id) != Kind::Number);
        let name = properties.get("name").filter(|_| !have_ids);
        if let Some(Ok(name)) = name.map(value::plain) {
            self.by_name.entry(name.into_owned()).or_insert(node);
        }
        Ok(Some(node))
    }

    /// The length of the list, including skipped nodes.
    pub(super) fn listed(&self) -> usize {
        self.at_position.len()
    }

    /// The node at a position of the list, unless it was skipped.
    pub(super) fn at(&self, position: usize) -> Option<NodeId> {
        self.at_position.get(position).copied().flatten()
    }

    /// The node that a link refers to.
    pub(super) fn find(&self, end: &RawValue, id: &str, raw: &mut RawGraph) -> Option<NodeId> {
        if !self.are_listed {
            return Some(raw.ids.intern(id));
        }
        let by_position = || {
            let may = self.numbered && value::kind(end) == Kind::Number;
            self.at(id.parse().ok().filter(|_| may)?)
        };
        raw.ids.find(id).or_else(by_position).or_else(|| self.by_name.get(id).copied())
    }
}
