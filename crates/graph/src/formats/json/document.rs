//! The outermost object: its form, and the lists in it.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::super::super::error::quoted;
use super::super::super::{Direction, GraphError, Reading};
use super::value::Lines;

/// A list of elements with its name in messages.
pub(super) struct List<'a> {
    pub(super) name: &'static str,
    pub(super) items: Vec<&'a RawValue>,
    /// Cytoscape stores the properties of an element one level deeper.
    pub(super) in_data: bool,
}

/// Where the edges are.
pub(super) enum EdgeList<'a> {
    None,
    Listed(List<'a>),
    /// The neighbours of each node.
    Adjacent(List<'a>),
}

impl EdgeList<'_> {
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// A JSON graph whose elements are not parsed yet.
pub(super) struct Document<'a> {
    pub(super) direction: Direction,
    pub(super) nodes: Option<List<'a>>,
    pub(super) edges: EdgeList<'a>,
    /// networkx states whether its graph is directed and a multigraph; others
    /// mostly do not. In its files `value` is not a weight.
    pub(super) by_networkx: bool,
}

#[derive(Deserialize)]
struct Outermost<'a> {
    directed: Option<bool>,
    multigraph: Option<IgnoredAny>,
    #[serde(borrow)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow)]
    links: Option<&'a RawValue>,
    #[serde(borrow)]
    edges: Option<&'a RawValue>,
    #[serde(borrow)]
    adjacency: Option<&'a RawValue>,
    #[serde(borrow)]
    elements: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CytoscapeElements<'a> {
    #[serde(borrow)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow)]
    edges: Option<&'a RawValue>,
}

const EXPECTED: &str = "an object with `nodes` and `links` (or `edges`)";

impl<'a> Document<'a> {
    pub(super) fn parse(text: &'a str, reading: &mut Reading) -> Result<Self, GraphError> {
        if !text.trim_start().starts_with('{') {
            let start = text.trim_start();
            let found = if start.is_empty() { "nothing".to_owned() } else { quoted(start) };
            let advice = "put the list of nodes and the list of links into one object";
            return Err(reading.broken(Some(1), found, EXPECTED, advice));
        }
        let whole: Outermost =
            serde_json::from_str(text).map_err(|error| broken(&error, text, 0, reading))?;
        let mut lines = Lines::of(text);
        let mut list = |name, value: Option<&'a RawValue>, in_data| {
            value.map(|value| items(name, value, in_data, &mut lines, reading)).transpose()
        };
        let (nodes, edges) = if let Some(elements) = whole.elements {
            let parts: CytoscapeElements = serde_json::from_str(elements.get()).map_err(|e| {
                let line = Lines::of(text).line(elements);
                broken(&e, elements.get(), line - 1, reading)
            })?;
            let nodes = list("elements.nodes", parts.nodes, true)?;
            (nodes, listed(list("elements.edges", parts.edges, true)?))
        } else {
            let nodes = list("nodes", whole.nodes, false)?;
            let (name, edges) = match (whole.links, whole.edges) {
                (None, edges) => ("edges", edges),
                (given, _) => ("links", given),
            };
            let edges = match (list(name, edges, false)?, whole.adjacency) {
                (None, Some(lists)) if nodes.is_some() => list("adjacency", Some(lists), false)?
                    .map_or(EdgeList::None, EdgeList::Adjacent),
                (edges, _) => listed(edges),
            };
            (nodes, edges)
        };
        if whole.links.is_some() && whole.edges.is_some() {
            reading.note("there are both `links` and `edges`; only `links` was read");
        }
        if nodes.is_none() && edges.is_none() {
            let advice = "check that this is a graph; see docs/FORMATS.md";
            return Err(reading.broken(None, "neither `nodes` nor `links`", EXPECTED, advice));
        }
        let directed = whole.directed == Some(true);
        let direction = if directed { Direction::Directed } else { Direction::Undirected };
        let by_networkx = whole.multigraph.is_some();
        Ok(Self { direction, nodes, edges, by_networkx })
    }
}

fn listed(list: Option<List<'_>>) -> EdgeList<'_> {
    list.map_or(EdgeList::None, EdgeList::Listed)
}

fn items<'a>(
    name: &'static str,
    value: &'a RawValue,
    in_data: bool,
    lines: &mut Lines<'a>,
    reading: &Reading,
) -> Result<List<'a>, GraphError> {
    serde_json::from_str(value.get()).map(|items| List { name, items, in_data }).map_err(|_| {
        let found = format!("`{name}` that is {}", quoted(value.get()));
        reading.broken(Some(lines.line(value)), found, "a list", "write it as [ … ]")
    })
}

/// A JSON syntax error, in our own words and with its line.
fn broken(
    error: &serde_json::Error,
    text: &str,
    lines_before: u64,
    reading: &Reading,
) -> GraphError {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&place).unwrap_or(&full);
    let line = (error.line() > 0).then(|| error.line() as u64 + lines_before);
    let found = format!("{message} (column {})", error.column());
    let here = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let no_number = ["NaN", "Infinity"].iter().any(|word| here.contains(word));
    let advice = if no_number {
        "JSON has no NaN or Infinity: write null, or remove the property"
    } else if error.is_eof() {
        "the file is truncated: download or export it again"
    } else {
        "fix the JSON there"
    };
    reading.broken(line, found, "well-formed JSON", advice)
}
