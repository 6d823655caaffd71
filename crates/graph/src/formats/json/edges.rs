//! The links, as a separate list or as the neighbours of each node.

use hashbrown::HashSet;
use serde_json::value::RawValue;

use super::super::super::error::quoted;
use super::super::super::{Columns, Direction, GraphError, NodeId, RawGraph};
use super::super::weights::checked_weight;
use super::document::{Document, EdgeList, List};
use super::nodes::Nodes;
use super::source::{Element, Source};
use super::value::{self, Kind, Properties};

/// Reads all links of the document.
pub(super) fn read(
    document: &Document,
    nodes: &Nodes,
    raw: &mut RawGraph,
    source: &mut Source,
) -> Result<(), GraphError> {
    let weight_key = weight_key(document);
    let mut edges = Edges { nodes, weight_key, weights: vec![], any_weight: false };
    let mut columns = Columns::default();
    match &document.edges {
        EdgeList::None => {}
        EdgeList::Listed(list) => edges.read_list(list, &mut columns, raw, source)?,
        EdgeList::Adjacent(lists) => edges.read_adjacency(lists, &mut columns, raw, source)?,
    }
    raw.edges.weights = edges.any_weight.then_some(edges.weights);
    raw.edges.columns = columns.finish(raw.edges.len());
    Ok(())
}

/// d3 calls the weight of a link its `value`.
fn weight_key(document: &Document) -> &'static str {
    let d3 = match &document.edges {
        EdgeList::Listed(list) if !document.by_networkx => {
            !Element::all(list).any(|link| link.has("weight"))
        }
        _ => false,
    };
    if d3 { "value" } else { "weight" }
}

struct Edges<'n> {
    nodes: &'n Nodes,
    weight_key: &'static str,
    weights: Vec<f32>,
    any_weight: bool,
}

/// A link whose ends are known, with its weight and columns still to read.
struct Link<'v> {
    element: Element<'v>,
    properties: Properties<'v>,
    ends: (NodeId, NodeId),
    /// The properties that named the ends.
    end_keys: &'static [&'static str],
}

impl Edges<'_> {
    fn read_list(
        &mut self,
        list: &List,
        columns: &mut Columns,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<(), GraphError> {
        for element in Element::all(list) {
            let Some(properties) = source.properties(element)? else { continue };
            let given = ["source", "target"].map(|key| properties.get(key));
            let [Some(from), Some(to)] = given else {
                let missing = if given[0].is_none() { "source" } else { "target" };
                let found = format!("{element} without `{missing}`");
                let expected = "a `source` and a `target` for every link";
                source.bad(element.slice, found, expected, "name both ends of the link")?;
                continue;
            };
            let Some(from) = self.end(from, element, raw, source)? else { continue };
            let Some(to) = self.end(to, element, raw, source)? else { continue };
            let end_keys = &["source", "target"];
            let link = Link { element, properties, ends: (from, to), end_keys };
            self.push(&link, columns, raw, source)?;
        }
        Ok(())
    }

    /// Neighbour lists name each undirected edge from both its ends; the second
    /// occurrence is skipped.
    fn read_adjacency(
        &mut self,
        lists: &List,
        columns: &mut Columns,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<(), GraphError> {
        let mut named: HashSet<(NodeId, NodeId)> = HashSet::new();
        for list in Element::all(lists) {
            if list.position() >= self.nodes.listed() {
                let found = format!("{list} beyond the last node");
                source.bad(list.slice, found, "one list for each node", "list the node")?;
                continue;
            }
            let Some(neighbours) = list.inner() else {
                let found = format!("{list} that is {}", quoted(list.slice.get()));
                source.bad(list.slice, found, "a list of neighbours", "write it as [ … ]")?;
                continue;
            };
            for element in neighbours {
                let Some(properties) = source.properties(element)? else { continue };
                let Some(id) = properties.get("id") else {
                    let found = format!("{element} without `id`");
                    source.bad(element.slice, found, "the id of a neighbour", "name it")?;
                    continue;
                };
                // The edges of a skipped node are skipped too.
                let Some(from) = self.nodes.at(list.position()) else { continue };
                let Some(to) = self.end(id, element, raw, source)? else { continue };
                let undirected = raw.direction == Direction::Undirected;
                if undirected && to < from && named.contains(&(to, from)) {
                    continue;
                }
                named.insert((from, to));
                let link = Link { element, properties, ends: (from, to), end_keys: &["id"] };
                self.push(&link, columns, raw, source)?;
            }
        }
        Ok(())
    }

    fn end(
        &self,
        end: &RawValue,
        element: Element,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<Option<NodeId>, GraphError> {
        let Some(id) = source.id(end, element)? else { return Ok(None) };
        let node = self.nodes.find(end, &id, raw);
        if node.is_none() {
            let line = source.lines.line(end);
            source.reading.unknown_end(&id, Some(line));
        }
        Ok(node)
    }

    fn push(
        &mut self,
        link: &Link,
        columns: &mut Columns,
        raw: &mut RawGraph,
        source: &mut Source,
    ) -> Result<(), GraphError> {
        let given = link.properties.get(self.weight_key).filter(|value| match value::kind(value) {
            Kind::Null => false,
            Kind::Number => true,
            // Only a property called `weight` must be a valid weight.
            _ => self.weight_key == "weight",
        });
        let mut weight = 1.0;
        if let Some(value) = given {
            let Some(number) = self.weight(value, link.element, source)? else { return Ok(()) };
            weight = number;
            self.any_weight = true;
        }
        let row = raw.edges.len();
        raw.edges.push(link.ends.0, link.ends.1);
        self.weights.push(weight);
        for (name, value) in &link.properties.0 {
            let is_weight = given.is_some() && name == self.weight_key;
            if !is_weight && !link.end_keys.contains(&name.as_ref()) {
                source.set(columns, row, (name, value), link.element)?;
            }
        }
        source.check_room(columns, raw.edges.len(), link.element)
    }

    /// The weight in a value; `None` if the link is skipped.
    fn weight(
        &self,
        value: &RawValue,
        element: Element,
        source: &mut Source,
    ) -> Result<Option<f32>, GraphError> {
        let text = value::plain(value).unwrap_or_default();
        let good = text.parse().ok().filter(|weight: &f32| weight.is_finite() && *weight >= 0.0);
        if good.is_some() {
            return Ok(good);
        }
        // Many files are one long line, so the error also names the link.
        let line = source.lines.line(value);
        let file = source.reading.file().to_owned();
        source.reading.enter(format!("{file}, {element}.{}", self.weight_key));
        let weight = checked_weight(&text, line, source.reading);
        source.reading.enter(file);
        weight
    }
}
