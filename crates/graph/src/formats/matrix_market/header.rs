//! The banner and the size line: the kind and size of the matrix.

use super::super::super::error::quoted;
use super::super::super::{GraphError, MAX_NODES, Reading};

/// How the entries are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Row, column and value of each non-zero entry.
    Coordinate,
    /// All values.
    Array,
}

/// The content of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// Only its position.
    Pattern,
    /// A number.
    Real,
}

/// How the two halves of the matrix relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// Everything before the entries.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) layout: Layout,
    pub(super) field: Field,
    pub(super) symmetry: Symmetry,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The expected number of entries.
    pub(super) entries: usize,
    pub(super) size_line: u64,
}

/// A matrix may have this many empty rows and columns, plus this many for each
/// entry; more is treated as an error.
const SPARE_NODES: usize = 1_000_000;
const NODES_AN_ENTRY: usize = 64;

const BANNER: &str = "%%MatrixMarket matrix coordinate pattern|real|integer \
                      general|symmetric|skew-symmetric";

impl Header {
    /// Reads the lines up to and including the size line.
    pub(super) fn read<'t>(
        lines: &mut impl Iterator<Item = (u64, &'t str)>,
        text_length: usize,
        reading: &Reading,
    ) -> Result<Self, GraphError> {
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let Some((line, banner)) = lines.next() else {
            return Err(reading.broken(Some(1), "nothing", BANNER, "check the file"));
        };
        let (layout, field, symmetry) = kinds(banner, line, reading)?;
        let Some((size_line, sizes)) = lines.find(|(_, line)| !line.trim_start().starts_with('%'))
        else {
            let expected = "a line with the size of the matrix";
            return Err(reading.broken(Some(line), "only comments", expected, "add the size"));
        };
        let (rows, columns, listed) = sizes_of(sizes, size_line, layout, reading)?;
        let mut header = Self { layout, field, symmetry, rows, columns, entries: 0, size_line };
        if symmetry != Symmetry::General && !header.is_square() {
            let found = format!("a symmetric matrix of {rows} × {columns}");
            let expected = "as many rows as columns";
            return Err(reading.broken(Some(size_line), found, expected, "fix the size line"));
        }
        header.entries = listed.unwrap_or_else(|| header.full_entries());
        header.check_size(text_length, reading)?;
        Ok(header)
    }

    pub(super) fn is_square(&self) -> bool {
        self.rows == self.columns
    }

    /// The number of values of a dense matrix.
    fn full_entries(&self) -> usize {
        let n = self.rows;
        match self.symmetry {
            Symmetry::General => n.saturating_mul(self.columns),
            Symmetry::Symmetric => n.saturating_mul(n.saturating_add(1)) / 2,
            Symmetry::Skew => n.saturating_mul(n.saturating_sub(1)) / 2,
        }
    }

    /// Refuses, before anything is allocated, a size that this text cannot have.
    fn check_size(&self, text_length: usize, reading: &Reading) -> Result<(), GraphError> {
        let nodes =
            if self.is_square() { self.rows } else { self.rows.saturating_add(self.columns) };
        // Each entry takes at least a digit and a line break.
        let possible = self.entries.min(text_length);
        let allowed = possible.saturating_mul(NODES_AN_ENTRY).saturating_add(SPARE_NODES);
        if nodes <= MAX_NODES.min(allowed) {
            return Ok(());
        }
        let found = format!("a matrix of {} × {}", self.rows, self.columns);
        let expected = if nodes > MAX_NODES {
            format!("at most {MAX_NODES} nodes")
        } else {
            format!("at most {allowed} nodes for the {possible} entries there can be")
        };
        let advice = "check the size line; drop empty rows and columns if they are intended";
        Err(reading.broken(Some(self.size_line), found, expected, advice))
    }
}

fn kinds(
    banner: &str,
    line: u64,
    reading: &Reading,
) -> Result<(Layout, Field, Symmetry), GraphError> {
    let words: Vec<String> = banner.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
    let refuse = |advice: &str| Err(reading.broken(Some(line), quoted(banner), BANNER, advice));
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    if (word(0), word(1)) != ("%%matrixmarket", "matrix") {
        return refuse("add the Matrix Market header line");
    }
    let layout = match word(2) {
        "coordinate" => Layout::Coordinate,
        "array" => Layout::Array,
        _ => return refuse("state whether the matrix is `coordinate` or `array`"),
    };
    let field = match word(3) {
        "pattern" if layout == Layout::Array => {
            return refuse("an array matrix has values: use `real` or `integer`");
        }
        "pattern" => Field::Pattern,
        "real" | "integer" | "double" | "unsigned-integer" => Field::Real,
        "complex" => return refuse("edge weights are real: write the absolute values as `real`"),
        _ => return refuse("state what the entries are: `pattern`, `real` or `integer`"),
    };
    let symmetry = match word(4) {
        "general" => Symmetry::General,
        // Without imaginary parts the two are equal.
        "symmetric" | "hermitian" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        _ => return refuse("state whether the matrix is `general` or `symmetric`"),
    };
    Ok((layout, field, symmetry))
}

/// Rows, columns and, for coordinates, the number of entries.
fn sizes_of(
    text: &str,
    line: u64,
    layout: Layout,
    reading: &Reading,
) -> Result<(usize, usize, Option<usize>), GraphError> {
    let numbers: Option<Vec<usize>> =
        text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    match (layout, numbers.as_deref()) {
        (Layout::Coordinate, Some(&[rows, columns, entries])) => Ok((rows, columns, Some(entries))),
        (Layout::Array, Some(&[rows, columns])) => Ok((rows, columns, None)),
        _ => {
            let expected = match layout {
                Layout::Coordinate => "the numbers of rows, columns and entries",
                Layout::Array => "the numbers of rows and columns",
            };
            Err(reading.broken(Some(line), quoted(text), expected, "fix the size line"))
        }
    }
}
