//! Node features: one sparse row of numbers per node, such as the words of a document
//! or the measurements of a user. Dense features are rows without gaps.

use super::{Cell, NodeId};

/// One row per node over `width` features, in compressed sparse rows.
///
/// Only non-zero values need to be stored. In the files of this project the features
/// are called attributes (`attributes.tsv`, the column `attributes`).
///
/// ```
/// use gesf_graph::{Features, NodeId};
///
/// let dense = Features::from_dense(3, [0.5, 0.0, 2.0, 0.0, 0.0, 1.0]);
/// assert_eq!((dense.nodes(), dense.width(), dense.filled()), (2, 3, 3));
/// assert_eq!(dense.row(NodeId(0)).collect::<Vec<_>>(), [(0, 0.5), (2, 2.0)]);
/// // The arrays of a sparse matrix, for a product with a weight matrix.
/// assert_eq!(dense.starts(), [0, 2, 3]);
/// assert_eq!((dense.indices(), dense.values()), (&[0, 2, 2][..], &[0.5, 2.0, 1.0][..]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f32>,
    width: usize,
    names: Option<Vec<String>>,
}

/// Why a text is not a list of attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAttribute {
    /// The part that could not be parsed.
    pub found: String,
}

/// Larger feature numbers are treated as an error.
pub(super) const MAX_WIDTH: u32 = 100_000_000;

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

impl Features {
    /// No features, for no nodes.
    pub fn new() -> Self {
        Self { starts: vec![0], indices: Vec::new(), values: Vec::new(), width: 0, names: None }
    }

    /// One row per node; each row is sorted by feature, and of a repeated feature the
    /// last value is kept.
    pub fn from_rows(rows: Vec<Vec<(u32, f32)>>) -> Self {
        let mut all = Self::new();
        for row in rows {
            all.push(row);
        }
        all
    }

    /// The rows of a dense matrix with `width` columns; zeros are not stored.
    pub fn from_dense(width: usize, values: impl IntoIterator<Item = f32>) -> Self {
        let mut all = Self::new().with_width(width);
        let mut column = 0;
        for value in values {
            if value != 0.0 {
                all.indices.push(column as u32);
                all.values.push(value);
            }
            column += 1;
            if column == width {
                all.starts.push(all.indices.len());
                column = 0;
            }
        }
        all
    }

    /// The same rows over at least `width` features: the last ones may be 0 everywhere.
    #[must_use]
    pub fn with_width(mut self, width: usize) -> Self {
        self.width = self.width.max(width);
        self
    }

    /// The same rows with the names of the features, if there is one for each.
    #[must_use]
    pub fn with_names(mut self, names: Vec<String>) -> Self {
        self.names = (names.len() == self.width).then_some(names);
        self
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

    /// The features of a node as (feature, value), in the order of the features.
    pub fn row(&self, node: NodeId) -> impl Iterator<Item = (u32, f32)> + '_ {
        let start = self.starts.get(node.index()).copied().unwrap_or(self.indices.len());
        let end = self.starts.get(node.index() + 1).copied().unwrap_or(start);
        self.indices[start..end].iter().copied().zip(self.values[start..end].iter().copied())
    }

    /// The number of rows.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of stored (node, feature) pairs.
    pub fn filled(&self) -> usize {
        self.indices.len()
    }

    /// Where the row of each node starts in [`Features::indices`], and where the last
    /// one ends: one more entry than there are nodes.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The features of all rows, one after the other.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The values at [`Features::indices`].
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The name of a feature, if the source has one.
    pub fn name(&self, feature: u32) -> Option<&str> {
        self.names.as_ref()?.get(feature as usize).map(String::as_str)
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

    /// Parses the output of [`Features::row_text`].
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

    /// Features from a text column, if every filled cell parses as such.
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
        let all = Features::from_rows(vec![vec![(40, 0.5), (3, 1.0)], vec![]]);
        assert_eq!(all.row_text(NodeId(0)), "3 40:0.5");
        assert_eq!(Features::parse_row("3 40:0.5"), Ok(vec![(3, 1.0), (40, 0.5)]));
        assert_eq!((all.width(), all.filled(), all.nodes()), (41, 2, 2));
        assert_eq!(all.row(NodeId(7)).count(), 0);
    }

    #[test]
    fn dense_rows_are_those_without_zeros_and_keep_their_width() {
        let all = Features::from_dense(3, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
        assert_eq!((all.nodes(), all.width()), (2, 3));
        assert_eq!(all.row(NodeId(0)).collect::<Vec<_>>(), [(0, 1.0), (1, 2.0)]);
        assert_eq!(all.row(NodeId(1)).count(), 0);
    }

    #[test]
    fn names_are_kept_if_there_is_one_for_each_feature() {
        let all = Features::from_rows(vec![vec![(1, 1.0)]]);
        assert_eq!(all.clone().with_names(vec!["only".to_owned()]).name(0), None);
        let named = all.with_names(["age", "height"].map(str::to_owned).to_vec());
        assert_eq!((named.name(1), named.name(2)), (Some("height"), None));
    }

    #[test]
    fn invalid_attributes_are_named() {
        for bad in ["x", "3:", "-1", "4294967296", "1:nan", "999999999"] {
            let error = Features::parse_row(bad).unwrap_err();
            assert_eq!(error.found, bad);
        }
    }
}
