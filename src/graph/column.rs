//! Columns of values that a source attaches to its nodes or edges.

use std::fmt;

/// One value of one node or edge, as the source gave it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing given.
    #[default]
    Empty,
    /// Text.
    Text(Box<str>),
    /// A finite number.
    Number(f64),
    /// True or false.
    Flag(bool),
}

/// Integers below this survive a trip through `f64` unchanged; at it, the next
/// one up already reads as the same number.
pub(super) const EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

impl Cell {
    /// Text, with the empty string meaning "nothing given".
    pub fn text(value: &str) -> Self {
        if value.is_empty() { Self::Empty } else { Self::Text(value.into()) }
    }

    /// A number where the text is one that can be written back, else text.
    ///
    /// Codes such as `007`, `1e5` or a 20-digit number stay text: as numbers
    /// they would come back changed.
    pub fn parse(value: &str) -> Self {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() && is_plain_number(value, number) => {
                Self::Number(number)
            }
            _ => Self::text(value),
        }
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The number in it, if it is one or is text that reads as one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
            Self::Empty | Self::Flag(_) => None,
        }
    }
}

fn is_plain_number(text: &str, number: f64) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && !digits.ends_with('.');
    plain && !leading_zero && number.abs() < EXACT_INTEGER
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// A named column with a cell for every node (or every edge row).
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name the source gave it.
    pub name: String,
    /// One cell a node or edge row, in order.
    pub cells: Vec<Cell>,
}

/// What all filled cells of a column have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Every filled cell is a whole number.
    Integer,
    /// Every filled cell is a number.
    Real,
    /// Every filled cell is true or false.
    Flag,
    /// Anything else.
    Text,
}

impl Column {
    /// What all filled cells have in common; an empty column is text.
    pub fn kind(&self) -> ColumnKind {
        let mut filled = self.cells.iter().filter(|cell| !cell.is_empty()).peekable();
        if filled.peek().is_none() {
            return ColumnKind::Text;
        }
        let mut all = [true; 3];
        for cell in filled {
            all[0] &= matches!(cell, Cell::Number(n) if n.fract() == 0.0);
            all[1] &= matches!(cell, Cell::Number(_));
            all[2] &= matches!(cell, Cell::Flag(_));
        }
        match all {
            [true, _, _] => ColumnKind::Integer,
            [_, true, _] => ColumnKind::Real,
            [_, _, true] => ColumnKind::Flag,
            _ => ColumnKind::Text,
        }
    }
}

/// A growing set of columns over rows that arrive one after the other, each
/// with its own keys: what XML, GML, DOT and JSON elements need.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    columns: Vec<Column>,
    by_name: hashbrown::HashMap<String, usize>,
    started: usize,
}

impl Columns {
    /// Sets one cell, adding the column when its name is new.
    pub fn set(&mut self, name: &str, row: usize, cell: Cell) {
        let at = self.declare(name);
        let cells = &mut self.columns[at].cells;
        self.started += usize::from(cells.is_empty());
        if cells.len() <= row {
            cells.resize(row + 1, Cell::Empty);
        }
        cells[row] = cell;
    }

    /// Gives a column its place before any of its cells is known; its position
    /// among the columns.
    pub fn declare(&mut self, name: &str) -> usize {
        if let Some(&at) = self.by_name.get(name) {
            return at;
        }
        let at = self.columns.len();
        self.by_name.insert(name.to_owned(), at);
        self.columns.push(Column { name: name.to_owned(), cells: Vec::new() });
        at
    }

    /// How many cells [`Columns::finish`] would make for that many rows: what a
    /// reader checks so that many keys on many rows do not fill the memory.
    pub fn cells_for(&self, rows: usize) -> usize {
        self.started.saturating_mul(rows)
    }

    /// One cell; empty where nothing was set.
    pub fn get(&self, name: &str, row: usize) -> &Cell {
        let column = self.by_name.get(name).map(|&at| &self.columns[at]);
        column.and_then(|column| column.cells.get(row)).unwrap_or(&Cell::Empty)
    }

    /// The finished columns, each padded to `rows` cells; wholly empty ones go.
    pub fn finish(self, rows: usize) -> Vec<Column> {
        let mut columns = self.columns;
        columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
        for column in &mut columns {
            column.cells.resize(rows, Cell::Empty);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_number_only_if_it_can_be_written_back() {
        assert_eq!(Cell::parse("42"), Cell::Number(42.0));
        assert_eq!(Cell::parse("-0.5"), Cell::Number(-0.5));
        for code in [
            "007",
            "1e5",
            "+3",
            "12345678901234567890",
            "9007199254740993",
            "NaN",
            "inf",
            "1.",
            ".5",
        ] {
            assert_eq!(Cell::parse(code), Cell::Text(code.into()), "{code}");
        }
        assert_eq!(Cell::parse(""), Cell::Empty);
    }

    #[test]
    fn a_column_is_as_special_as_all_its_cells_allow() {
        let column = |cells| Column { name: "c".into(), cells };
        assert_eq!(column(vec![Cell::Empty, Cell::Number(3.0)]).kind(), ColumnKind::Integer);
        assert_eq!(column(vec![Cell::Number(3.0), Cell::Number(0.5)]).kind(), ColumnKind::Real);
        assert_eq!(column(vec![Cell::Flag(true)]).kind(), ColumnKind::Flag);
        assert_eq!(column(vec![Cell::Number(3.0), Cell::text("x")]).kind(), ColumnKind::Text);
        assert_eq!(column(vec![Cell::Empty]).kind(), ColumnKind::Text);
    }

    #[test]
    fn columns_fill_gaps_and_forget_what_stayed_empty() {
        let mut columns = Columns::default();
        columns.set("a", 2, Cell::Number(1.0));
        columns.set("void", 0, Cell::Empty);
        let done = columns.finish(4);
        assert_eq!(done.len(), 1);
        assert_eq!(done[0].cells, [Cell::Empty, Cell::Empty, Cell::Number(1.0), Cell::Empty]);
    }
}
