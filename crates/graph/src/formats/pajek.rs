//! Pajek `.net`: numbered vertices with labels, then arcs and edges. Read only;
//! coordinates and shapes are skipped, further properties become columns.

use super::super::error::quoted;
use super::super::{Direction, GraphError, RawGraph, Reading};
use super::elements::{Elements, Mention};
use super::value::{Property, Reads, Value};

/// The part of the file that a row belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Vertices,
    /// Pairs with an optional weight.
    Pairs,
    /// A vertex and the vertices it is joined to.
    Lists,
    /// Matrices and partitions.
    Other,
}

/// Words between the coordinates and the properties.
const SHAPES: [&str; 7] = ["ellipse", "box", "diamond", "triangle", "cross", "empty", "man"];

/// Reads a Pajek network. Ids are the labels if every vertex has its own, else the
/// numbers.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let rows = (1..).zip(text.lines().map(str::trim));
    let rows: Vec<(u64, &str)> =
        rows.filter(|(_, row)| !row.is_empty() && !row.starts_with('%')).collect();
    let mut labels: Vec<(u32, String)> = Vec::new();
    let mut section = Section::Other;
    let mut count = 0;
    for &(line, row) in &rows {
        if let Some((own, rest)) = heading(row) {
            section = own;
            if own == Section::Vertices {
                let stated = rest.split_whitespace().next().and_then(|word| word.parse().ok());
                count = stated.filter(|stated| *stated <= text.len() as u32).ok_or_else(|| {
                    let expected = "`*Vertices` and their number, at most one a character";
                    reading.broken(Some(line), quoted(row), expected, "fix the row")
                })?;
            }
        } else if section == Section::Vertices {
            let words = words(row);
            let number = words.first().and_then(|word| word.parse().ok());
            let Some(number) = number.filter(|number| (1..=count).contains(number)) else {
                let expected = format!("a vertex from 1 to {count}");
                reading.bad_row(line, quoted(row), expected, "fix the row")?;
                continue;
            };
            labels.push((number, words.get(1).cloned().unwrap_or_default()));
        }
    }
    let mut names: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
    let mut different: Vec<&str> = labels.iter().map(|(_, label)| label.as_str()).collect();
    different.sort_unstable();
    different.dedup();
    let is_full = labels.len() == names.len() && !different.contains(&"");
    if is_full && different.len() == labels.len() {
        for (number, label) in &labels {
            names[*number as usize - 1].clone_from(label);
        }
    }
    let mut network = Network { elements: Elements::new(text.len()), nodes: Vec::new(), reading };
    for name in &names {
        let mention = network.elements.mention(name);
        network.elements.add_node(mention);
        network.nodes.push(mention);
    }
    network.rows(&rows)
}

struct Network<'r> {
    elements: Elements,
    nodes: Vec<Mention>,
    reading: &'r mut Reading,
}

impl Network<'_> {
    fn rows(mut self, rows: &[(u64, &str)]) -> Result<RawGraph, GraphError> {
        let mut section = Section::Other;
        let (mut arcs, mut is_arc) = (0_usize, false);
        for &(line, row) in rows {
            if let Some((own, _)) = heading(row) {
                section = own;
                is_arc = row.to_ascii_lowercase().starts_with("*arcs");
                continue;
            }
            let words = words(row);
            match section {
                Section::Vertices => self.properties(&words, line)?,
                Section::Pairs => {
                    arcs += usize::from(is_arc);
                    self.edge(&words, line)?;
                }
                Section::Lists => {
                    for other in words.iter().skip(1) {
                        arcs += usize::from(is_arc);
                        self.edge(&[words[0].clone(), other.clone()], line)?;
                    }
                }
                Section::Other => {}
            }
        }
        let direction = if arcs > 0 { Direction::Directed } else { Direction::Undirected };
        self.elements.finish(direction, self.reading)
    }

    /// What follows the label, the coordinates and the shape: names with values.
    fn properties(&mut self, words: &[String], line: u64) -> Result<(), GraphError> {
        let number = words.first().and_then(|word| word.parse::<usize>().ok());
        let Some(row) = number.filter(|own| (1..=self.nodes.len()).contains(own)) else {
            return Ok(());
        };
        let is_place =
            |word: &&String| word.parse::<f64>().is_ok() || SHAPES.contains(&word.as_str());
        let rest: Vec<&String> = words.iter().skip(2).skip_while(is_place).collect();
        for pair in rest.chunks_exact(2) {
            let value = Value { text: pair[1].as_str().into(), reads: Reads::Literal };
            self.elements.set_node(row - 1, pair[0], value.cell(), line, self.reading)?;
        }
        Ok(())
    }

    fn edge(&mut self, words: &[String], line: u64) -> Result<(), GraphError> {
        let end = |at: usize| -> Option<Mention> {
            let number: usize = words.get(at)?.parse().ok()?;
            self.nodes.get(number.checked_sub(1)?).copied()
        };
        let (Some(from), Some(to)) = (end(0), end(1)) else {
            let expected = format!("two vertices from 1 to {}", self.nodes.len());
            return self.reading.bad_row(line, quoted(&words.join(" ")), expected, "fix the row");
        };
        let weight = words.get(2).map(|text| {
            let value = Value { text: text.as_str().into(), reads: Reads::Real };
            [Property { name: "weight".into(), value }]
        });
        let stated = weight.as_ref().map_or(&[][..], |own| &own[..]);
        let weighing = super::weights::weigh(stated, line, self.reading)?;
        if weighing == super::weights::Weighing::Bad {
            return Ok(());
        }
        let row = self.elements.add_edge(from, to, line);
        if let super::weights::Weighing::Stated(weight) = weighing {
            self.elements.set_weight(row, weight);
        }
        Ok(())
    }
}

/// The section that a row starts, with the rest of the row.
fn heading(row: &str) -> Option<(Section, &str)> {
    let head = row.strip_prefix('*')?;
    let (word, rest) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
    let section = match word.to_ascii_lowercase().as_str() {
        "vertices" => Section::Vertices,
        "arcs" | "edges" => Section::Pairs,
        "arcslist" | "edgeslist" => Section::Lists,
        _ => Section::Other,
    };
    Some((section, rest))
}

/// The words of a row; quoted ones may contain spaces.
fn words(row: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = row.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, OnBadRow};

    fn network(text: &str) -> RawGraph {
        read(text, &mut Reading::new("x.net", OnBadRow::Fail)).unwrap()
    }

    #[test]
    fn labels_are_ids_if_they_are_different_and_properties_are_columns() {
        let text = "*Vertices 3\n1 \"Mr. Hi\" 0.1 0.2 ellipse club \"A club\"\n2 Ada\n3 \"C\"\n\
                    *Edges\n1 2 2.5\n2 3\n";
        let raw = network(text);
        assert_eq!(raw.ids.iter().collect::<Vec<_>>(), ["Mr. Hi", "Ada", "C"]);
        assert_eq!(raw.node_column("club").unwrap().cells[0], Cell::text("A club"));
        assert_eq!(raw.edges.weights, Some(vec![2.5, 1.0]));
        let same = network("*vertices 2\n1 \"x\"\n2 \"x\"\n*arcslist\n1 2\n");
        assert_eq!(same.ids.iter().collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!((same.edges.len(), same.direction), (1, Direction::Directed));
    }

    #[test]
    fn mistakes_are_named() {
        let said = |text: &str| {
            read(text, &mut Reading::new("x.net", OnBadRow::Fail)).unwrap_err().to_string()
        };
        assert!(said("*Vertices 2\n1\n2\n*Edges\n1 3\n").contains("from 1 to 2"));
        assert!(said("*Vertices 4000000000\n").contains("at most one a character"));
    }
}
