//! GEXF, the format of Gephi: nodes and edges with typed attributes. Read only;
//! positions, colours and dynamics are not part of the graph and are skipped.

use hashbrown::HashMap;
use quick_xml::events::{BytesStart, Event};

use super::super::{Direction, GraphError, RawGraph, Reading};
use super::elements::Elements;
use super::value::{Property, Reads, Value};
use super::xml::{Attributes, Document, tag};

/// Which elements a declared attribute belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Node,
    Edge,
}

/// The name and type of a declared attribute.
struct Declared {
    name: String,
    reads: Reads,
}

#[derive(Default)]
struct OpenEdge {
    ends: [Option<String>; 2],
    line: u64,
    properties: Vec<Property<'static>>,
}

struct Gexf<'r> {
    elements: Elements,
    declared: HashMap<(Owner, String), Declared>,
    /// The class of the attributes being declared.
    owner: Owner,
    node: Option<usize>,
    edge: Option<OpenEdge>,
    depth: usize,
    direction: Direction,
    reading: &'r mut Reading,
}

/// Reads GEXF.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut document = Document::new(text.trim_start_matches('\u{feff}'));
    let mut graph = Gexf {
        elements: Elements::new(text.len()),
        declared: HashMap::new(),
        owner: Owner::Node,
        node: None,
        edge: None,
        depth: 0,
        direction: Direction::Undirected,
        reading,
    };
    loop {
        let (line, event) = document.next(graph.reading)?;
        match event {
            Event::Start(element) => graph.start(&element, line)?,
            Event::End(element) => graph.end(element.local_name().as_ref())?,
            Event::Eof if graph.depth == 0 => {
                return graph.elements.finish(graph.direction, graph.reading);
            }
            Event::Eof => {
                let advice = "the file is truncated: download or export it again";
                let found = "the end of the file inside an element";
                return Err(graph.reading.broken(None, found, "an end tag for each", advice));
            }
            _ => {}
        }
    }
}

impl Gexf<'_> {
    fn start(&mut self, element: &BytesStart<'_>, line: u64) -> Result<(), GraphError> {
        let attributes = Attributes::of(element, line, self.reading)?;
        let name = element.local_name();
        if self.depth == 0 && name.as_ref() != "gexf" {
            let advice = "check the file and its format (--format)";
            return Err(self.reading.broken(Some(line), tag(name.as_ref()), "<gexf>", advice));
        }
        self.depth += 1;
        match name.as_ref() {
            "graph" if attributes.get("defaultedgetype") == Some("directed") => {
                self.direction = Direction::Directed;
            }
            "attributes" => {
                let of_edges = attributes.get("class") == Some("edge");
                self.owner = if of_edges { Owner::Edge } else { Owner::Node };
            }
            "attribute" => self.declare(&attributes),
            "node" => {
                self.node = self.elements.list_node(attributes.get("id"), line, self.reading)?;
                if let (Some(row), Some(label)) = (self.node, attributes.get("label")) {
                    let cell = value(label, Reads::Text).cell();
                    self.elements.set_node(row, "label", cell, line, self.reading)?;
                }
            }
            "edge" => {
                let end = |name| attributes.get(name).map(str::to_owned);
                let known = ["weight", "label"].into_iter().filter_map(|name| {
                    let text = attributes.get(name).filter(|text| !text.is_empty())?;
                    let reads = if name == "weight" { Reads::Real } else { Reads::Text };
                    Some(property(name, text, reads))
                });
                let (ends, properties) = ([end("source"), end("target")], known.collect());
                self.edge = Some(OpenEdge { ends, line, properties });
            }
            "attvalue" => self.attribute_value(&attributes, line)?,
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), GraphError> {
        self.depth = self.depth.saturating_sub(1);
        match name {
            "node" => self.node = None,
            "edge" => {
                if let Some(edge) = self.edge.take() {
                    let ends = edge.ends.each_ref().map(Option::as_deref);
                    self.elements.list_edge(ends, &edge.properties, edge.line, self.reading)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, attributes: &Attributes<'_>) {
        let id = attributes.get("id").unwrap_or_default().to_owned();
        let name = attributes.get("title").unwrap_or(&id).to_owned();
        let reads = match attributes.get("type") {
            Some("integer" | "long" | "short" | "byte") => Reads::Integer,
            Some("double" | "float") => Reads::Real,
            Some("boolean") => Reads::Flag,
            _ => Reads::Text,
        };
        match self.owner {
            Owner::Node => self.elements.declare_node_column(&name),
            Owner::Edge => self.elements.declare_edge_column(&name),
        }
        self.declared.insert((self.owner, id), Declared { name, reads });
    }

    fn attribute_value(
        &mut self,
        attributes: &Attributes<'_>,
        line: u64,
    ) -> Result<(), GraphError> {
        // Older files name the attribute by `id`.
        let id = attributes.get("for").or(attributes.get("id")).unwrap_or_default();
        let text = attributes.get("value").unwrap_or_default();
        let known = |owner: Owner| {
            let found = self.declared.get(&(owner, id.to_owned()));
            found.map_or((id, Reads::Literal), |own| (own.name.as_str(), own.reads))
        };
        if let Some(edge) = &mut self.edge {
            let (name, reads) = known(Owner::Edge);
            edge.properties.push(property(name, text, reads));
        } else if let Some(row) = self.node {
            let (name, reads) = known(Owner::Node);
            let cell = value(text, reads).cell();
            self.elements.set_node(row, name, cell, line, self.reading)?;
        }
        Ok(())
    }
}

fn value(text: &str, reads: Reads) -> Value<'static> {
    Value { text: text.to_owned().into(), reads }
}

fn property(name: &str, text: &str, reads: Reads) -> Property<'static> {
    Property { name: name.to_owned().into(), value: value(text, reads) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, OnBadRow};

    #[test]
    fn attributes_have_their_names_and_types() {
        let text = r#"<?xml version="1.0"?><gexf version="1.2"><graph defaultedgetype="directed">
            <attributes class="node"><attribute id="0" title="age" type="integer"/></attributes>
            <attributes class="edge"><attribute id="0" title="since" type="string"/></attributes>
            <nodes><node id="a" label="Ada"><attvalues><attvalue for="0" value="36"/></attvalues>
            </node><node id="b"/></nodes><edges><edge id="1" source="a" target="b" weight="2.5">
            <attvalues><attvalue for="0" value="1840"/></attvalues></edge></edges></graph></gexf>"#;
        let mut reading = Reading::new("x.gexf", OnBadRow::Fail);
        let raw = read(text, &mut reading).unwrap();
        assert_eq!((raw.ids.len(), raw.direction), (2, Direction::Directed));
        assert_eq!(raw.node_column("age").unwrap().cells[0], Cell::Number(36.0));
        assert_eq!(raw.node_column("label").unwrap().cells[0], Cell::text("Ada"));
        assert_eq!(raw.edges.weights, Some(vec![2.5]));
        assert_eq!(raw.edges.columns[0].cells[0], Cell::text("1840"));
    }

    #[test]
    fn other_roots_and_truncated_files_are_named() {
        let mut reading = Reading::new("x.gexf", OnBadRow::Fail);
        let mut said = |text: &str| read(text, &mut reading).unwrap_err().to_string();
        assert!(said("<svg/>").contains("expected <gexf>"));
        assert!(said("<gexf><graph>").contains("truncated"));
    }
}
