//! Reads GraphML: one pass over the events, with a stack of open elements.

use quick_xml::events::{BytesStart, Event};

use super::super::super::{Direction, GraphError, RawGraph, Reading};
use super::super::elements::Elements;
use super::super::value::{Property, Reads, Value};
use super::super::weights::is_weight;
use super::super::xml::{Attributes, Document, resolve, tag};
use super::keys::{Domain, Key, Keys};

/// An open element.
enum Open {
    Document,
    Graph,
    Key {
        id: String,
        domain: Domain,
        key: Key,
    },
    Default,
    /// The row, unless the node is skipped.
    Node(Option<usize>),
    Edge(Box<OpenEdge>),
    /// The id of the key.
    Data(String),
    /// An element without relevance for the graph, or in an invalid place.
    Other,
}

#[derive(Default)]
struct OpenEdge {
    source: Option<String>,
    target: Option<String>,
    line: u64,
    properties: Vec<Property<'static>>,
}

/// Notes, each reported once at the end.
#[derive(Default)]
struct Seen {
    graph: bool,
    nested: bool,
    further_graphs: usize,
    hyperedges: usize,
    ports: bool,
    directed: usize,
    undirected: usize,
}

struct GraphMl<'r> {
    elements: Elements,
    keys: Keys,
    open: Vec<Open>,
    /// The text of the current data, and whether it contains markup.
    text: Option<String>,
    markup: bool,
    default_direction: Direction,
    seen: Seen,
    reading: &'r mut Reading,
}

/// Reads GraphML.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut document = Document::new(text.trim_start_matches('\u{feff}'));
    let mut graph = GraphMl {
        elements: Elements::new(text.len()),
        keys: Keys::default(),
        open: Vec::new(),
        text: None,
        markup: false,
        default_direction: Direction::Undirected,
        seen: Seen::default(),
        reading,
    };
    let mut last_opened = 1;
    loop {
        let (line, event) = document.next(graph.reading)?;
        match event {
            Event::Start(element) => {
                graph.start(&element, line)?;
                last_opened = line;
            }
            Event::End(_) => graph.end(line)?,
            Event::Text(part) => graph.append(&part.xml10_content()),
            Event::CData(part) => graph.append(&part.xml10_content()),
            Event::GeneralRef(part) if graph.text.is_some() => {
                let part = resolve(&part, line, graph.reading)?;
                graph.append(&part);
            }
            Event::Eof if graph.open.is_empty() => return graph.finish(),
            Event::Eof => {
                return Err(graph.reading.broken(
                    None,
                    format!("the end of the file, after an element opened in line {last_opened}"),
                    "an end tag for each element",
                    "the file is truncated: download or export it again",
                ));
            }
            _ => {}
        }
    }
}

impl GraphMl<'_> {
    fn start(&mut self, element: &BytesStart<'_>, line: u64) -> Result<(), GraphError> {
        let attributes = Attributes::of(element, line, self.reading)?;
        self.markup |= self.text.is_some();
        let name = element.local_name();
        let opened = match (self.open.last(), name.as_ref()) {
            (None, "graphml") => Open::Document,
            (None, other) => return Err(self.not_graphml(other, line)),
            (Some(Open::Document | Open::Graph), "key") => {
                let (id, domain, key) = Key::declared(&attributes);
                Open::Key { id, domain, key }
            }
            (Some(Open::Key { .. }), "default") => {
                self.collect();
                Open::Default
            }
            (Some(Open::Document), "graph") if self.seen.graph => {
                self.seen.further_graphs += 1;
                Open::Other
            }
            (Some(Open::Document), "graph") => {
                self.seen.graph = true;
                if attributes.get("edgedefault").is_some_and(|said| said.trim() == "directed") {
                    self.default_direction = Direction::Directed;
                }
                Open::Graph
            }
            (Some(Open::Node(_) | Open::Edge(_)), "graph") => {
                self.seen.nested = true;
                Open::Graph
            }
            (Some(Open::Graph), "node") => {
                let id = attributes.get("id");
                Open::Node(self.elements.list_node(id, line, self.reading)?)
            }
            (Some(Open::Graph), "edge") => self.open_edge(&attributes, line),
            (Some(Open::Graph), "hyperedge") => {
                self.seen.hyperedges += 1;
                Open::Other
            }
            (Some(Open::Node(_) | Open::Edge(_)), "data") => {
                self.collect();
                Open::Data(attributes.get("key").unwrap_or_default().to_owned())
            }
            (Some(_), name) => {
                self.seen.ports |= name == "port";
                Open::Other
            }
        };
        self.open.push(opened);
        Ok(())
    }

    fn not_graphml(&self, root: &str, line: u64) -> GraphError {
        let advice = "check the file and its format (--format)";
        self.reading.broken(Some(line), tag(root), "<graphml>", advice)
    }

    fn open_edge(&mut self, attributes: &Attributes<'_>, line: u64) -> Open {
        // Gephi writes it as `type`.
        let said = attributes.get("directed").or(attributes.get("type"));
        let directed = match said.map(str::trim) {
            Some("true" | "1" | "directed") => true,
            Some("false" | "0" | "undirected") => false,
            _ => self.default_direction == Direction::Directed,
        };
        self.seen.directed += usize::from(directed);
        self.seen.undirected += usize::from(!directed);
        self.seen.ports |= attributes.get("sourceport").or(attributes.get("targetport")).is_some();
        let end = |name| attributes.get(name).map(str::to_owned);
        let id = end("id").filter(|id| !id.is_empty());
        let id = id.map(|id| property("id".to_owned(), id, Reads::Text));
        Open::Edge(Box::new(OpenEdge {
            source: end("source"),
            target: end("target"),
            line,
            properties: id.into_iter().collect(),
        }))
    }

    fn collect(&mut self) {
        self.text = Some(String::new());
        self.markup = false;
    }

    fn append(&mut self, part: &str) {
        if let Some(text) = &mut self.text {
            text.push_str(part);
        }
    }

    fn end(&mut self, line: u64) -> Result<(), GraphError> {
        match self.open.pop() {
            Some(Open::Key { id, domain, key }) => self.add_key(id, domain, key),
            Some(Open::Default) => {
                let text = self.text.take();
                if let Some(Open::Key { key, .. }) = self.open.last_mut() {
                    key.default = text;
                }
            }
            Some(Open::Data(key)) => self.add_data(&key, line)?,
            Some(Open::Edge(edge)) => self.add_edge(*edge)?,
            Some(Open::Document | Open::Graph | Open::Node(_) | Open::Other) | None => {}
        }
        Ok(())
    }

    fn add_key(&mut self, id: String, domain: Domain, key: Key) {
        if matches!(domain, Domain::Nodes | Domain::Both) {
            self.elements.declare_node_column(&key.name);
        }
        if matches!(domain, Domain::Edges | Domain::Both) {
            self.elements.declare_edge_column(&key.name);
        }
        self.keys.add(id, domain, key);
    }

    fn add_data(&mut self, id: &str, line: u64) -> Result<(), GraphError> {
        let mut text = self.text.take().unwrap_or_default();
        if self.markup {
            text = String::from(text.trim());
        }
        match self.open.last_mut() {
            Some(Open::Node(Some(row))) => {
                let (name, reads) = self.keys.of_node(id);
                let cell = Value { text: text.into(), reads }.cell();
                self.elements.set_node(*row, name, cell, line, self.reading)?;
            }
            Some(Open::Edge(edge)) => {
                let (name, reads) = self.keys.of_edge(id);
                edge.properties.push(property(name.to_owned(), text, reads));
            }
            _ => {}
        }
        Ok(())
    }

    fn add_edge(&mut self, mut edge: OpenEdge) -> Result<(), GraphError> {
        if let Some((name, text)) = self.keys.weight_default()
            && !edge.properties.iter().any(|property| is_weight(&property.name))
        {
            edge.properties.push(property(name.to_owned(), text.to_owned(), Reads::Real));
        }
        let ends = [edge.source.as_deref(), edge.target.as_deref()];
        self.elements.list_edge(ends, &edge.properties, edge.line, self.reading)
    }

    fn finish(mut self) -> Result<RawGraph, GraphError> {
        if !self.seen.graph {
            return Err(self.reading.broken(
                None,
                "no <graph> element",
                "<graph> with nodes and edges",
                "check that this is the right file",
            ));
        }
        for (key, text) in self.keys.node_defaults() {
            let value = Value { text: text.into(), reads: key.reads };
            self.elements.default_node(&key.name, &value, self.reading)?;
        }
        for (key, text) in self.keys.edge_defaults() {
            if !is_weight(&key.name) {
                let value = Value { text: text.into(), reads: key.reads };
                self.elements.default_edge(&key.name, &value, self.reading)?;
            }
        }
        let direction = self.direction();
        self.notes();
        self.elements.finish(direction, self.reading)
    }

    /// Each edge may differ from the graph's default, and so may all of them.
    fn direction(&mut self) -> Direction {
        match (self.seen.directed, self.seen.undirected) {
            (0, 0) => self.default_direction,
            (_, 0) => Direction::Directed,
            (0, _) => Direction::Undirected,
            (directed, undirected) => {
                self.reading.note(format!(
                    "{directed} edges are directed and {undirected} are undirected; the graph \
                     was read as {}",
                    match self.default_direction {
                        Direction::Directed => "directed",
                        Direction::Undirected => "undirected",
                    }
                ));
                self.default_direction
            }
        }
    }

    fn notes(&mut self) {
        let seen = &self.seen;
        if seen.nested {
            self.reading.note("nested graphs were merged into the outer graph");
        }
        if seen.further_graphs > 0 {
            let count = seen.further_graphs;
            self.reading
                .note(format!("only the first graph was read; {count} more are in the file"));
        }
        if seen.hyperedges > 0 {
            let count = seen.hyperedges;
            self.reading.note(format!("{count} edges of more than two nodes were skipped"));
        }
        if seen.ports {
            self.reading.note("node ports were ignored");
        }
    }
}

fn property(name: String, text: String, reads: Reads) -> Property<'static> {
    Property { name: name.into(), value: Value { text: text.into(), reads } }
}
