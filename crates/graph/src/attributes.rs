//! Sparse attribute vectors: the attributes of each node and their values.

use super::{Cell, NodeId};

/// One sparse row per node, over `width` attributes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attributes {
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f32>,
    width: usize,
}

/// Why a text is not a list of attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAttribute {
    /// The part that could not be parsed.
    pub found: String,
}

/// Larger attribute numbers are treated as an error.
const MAX_WIDTH: u32 = 100_000_000;

impl Attributes {
    /// No attributes, for no nodes.
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// One row per node; each row is sorted by attribute, and of a repeated
    /// attribute the last value is kept.
    pub fn from_rows(rows: Vec<Vec<(u32, f32)>>) -> Self {
        let mut all = Self::new();
        for row in rows {
            all.push(row);
        }
        all
    }

    /// Adds the row of the next node.
    pub fn push(&mut self, mut row: Vec<(u32, f32)>) {
        row.sort_by_key(|&(index, _)| index);
        for (at, &(index, value)) in row.iter().enumerate() {
            let repeated = row.get(at + 1).is_some_and(|&(next, _)| next == index);
            if !repeated {
                self.indices.push(index);
                self.values.push(value);
                self.width = self.width.max(index as usize + 1);
            }
        }
        self.starts.push(self.indices.len());
    }

    /// The attributes of a node as (attribute, value).
    pub fn row(&self, node: NodeId) -> impl Iterator<Item = (u32, f32)> + '_ {
        let start = self.starts.get(node.index()).copied().unwrap_or(0);
        let end = self.starts.get(node.index() + 1).copied().unwrap_or(start);
        self.indices[start..end].iter().copied().zip(self.values[start..end].iter().copied())
    }

    /// The number of rows.
    pub fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of attributes (the highest number plus one).
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of stored (node, attribute) pairs.
    pub fn filled(&self) -> usize {
        self.indices.len()
    }

    /// A row as text: `3 17 40:0.5`; a value of 1 is omitted.
    pub fn row_text(&self, node: NodeId) -> String {
        let parts: Vec<String> = self
            .row(node)
            .map(|(index, value)| {
                // By bits: a value close to 1 must round-trip too.
                if value.to_bits() == 1.0_f32.to_bits() {
                    index.to_string()
                } else {
                    format!("{index}:{value}")
                }
            })
            .collect();
        parts.join(" ")
    }

    /// Parses the output of [`Attributes::row_text`].
    pub fn parse_row(text: &str) -> Result<Vec<(u32, f32)>, BadAttribute> {
        text.split([' ', ',', ';'])
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (index, value) = part.split_once(':').unwrap_or((part, "1"));
                let index = index.parse::<u32>().ok().filter(|&index| index < MAX_WIDTH);
                let value = value.parse::<f32>().ok().filter(|value| value.is_finite());
                index.zip(value).ok_or_else(|| BadAttribute { found: part.to_owned() })
            })
            .collect()
    }

    /// Attributes from a text column, if every filled cell parses as such.
    pub fn from_cells(cells: &[Cell]) -> Option<Self> {
        let row = |cell: &Cell| Self::parse_row(&cell.to_string()).ok();
        cells.iter().map(row).collect::<Option<Vec<_>>>().map(Self::from_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_round_trips() {
        let all = Attributes::from_rows(vec![vec![(40, 0.5), (3, 1.0)], vec![]]);
        assert_eq!(all.row_text(NodeId(0)), "3 40:0.5");
        assert_eq!(Attributes::parse_row("3 40:0.5"), Ok(vec![(3, 1.0), (40, 0.5)]));
        assert_eq!((all.width(), all.filled(), all.nodes()), (41, 2, 2));
        assert_eq!(all.row(NodeId(7)).count(), 0);
    }

    #[test]
    fn invalid_attributes_are_named() {
        for bad in ["x", "3:", "-1", "4294967296", "1:nan", "999999999"] {
            let error = Attributes::parse_row(bad).unwrap_err();
            assert_eq!(error.found, bad);
        }
    }
}
