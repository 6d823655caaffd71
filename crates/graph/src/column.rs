//! Columns of values attached to nodes or edges by a source.

use std::fmt;

/// One value of one node or edge, as given by the source.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Empty.
    #[default]
    Empty,
    /// Text.
    Text(Box<str>),
    /// A finite number.
    Number(f64),
    /// True or false.
    Flag(bool),
}

/// Integers below this are exact in `f64`; at it, the next one already has the same
/// value.
pub(super) const EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

impl Cell {
    /// Text; the empty string becomes an empty cell.
    pub fn text(value: &str) -> Self {
        if value.is_empty() { Self::Empty } else { Self::Text(value.into()) }
    }

    /// A number if its text round-trips, else text.
    ///
    /// Codes such as `007`, `1e5` or a 20-digit number stay text: as numbers they
    /// would change when written.
    pub fn parse(value: &str) -> Self {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() && is_plain_number(value, number) => {
                Self::Number(number)
            }
            _ => Self::text(value),
        }
    }

    /// Whether the cell is empty.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The number, if it is one or is text that parses as one.
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
    /// Its name in the source.
    pub name: String,
    /// One cell per node or edge row, in order.
    pub cells: Vec<Cell>,
}

/// The common type of all filled cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Every filled cell is an integer.
    Integer,
    /// Every filled cell is a number.
    Real,
    /// Every filled cell is true or false.
    Flag,
    /// Any other content.
    Text,
}

impl Column {
    /// The common type of all filled cells; an empty column is text.
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

/// A growing set of columns over rows that arrive one after the other, each with
/// its own keys, as in XML, GML, DOT and JSON.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    list: Vec<Column>,
    by_name: hashbrown::HashMap<String, usize>,
    started: usize,
}

impl Columns {
    /// Sets one cell, adding the column if its name is new.
    pub fn set(&mut self, name: &str, row: usize, cell: Cell) {
        let at = self.declare(name);
        let cells = &mut self.list[at].cells;
        self.started += usize::from(cells.is_empty());
        if cells.len() <= row {
            cells.resize(row + 1, Cell::Empty);
        }
        cells[row] = cell;
    }

    /// Adds a column before any of its cells is known; returns its index.
    pub fn declare(&mut self, name: &str) -> usize {
        if let Some(&at) = self.by_name.get(name) {
            return at;
        }
        let at = self.list.len();
        self.by_name.insert(name.to_owned(), at);
        self.list.push(Column { name: name.to_owned(), cells: Vec::new() });
        at
    }

    /// How many cells [`Columns::finish`] would create for this many rows: readers
    /// check it so that many keys on many rows do not fill the memory.
    pub fn cells_for(&self, rows: usize) -> usize {
        self.started.saturating_mul(rows)
    }

    /// One cell; empty if not set.
    pub fn get(&self, name: &str, row: usize) -> &Cell {
        let column = self.by_name.get(name).map(|&at| &self.list[at]);
        column.and_then(|column| column.cells.get(row)).unwrap_or(&Cell::Empty)
    }

    /// The finished columns, each padded to `rows` cells; empty ones are dropped.
    pub fn finish(self, rows: usize) -> Vec<Column> {
        let mut columns = self.list;
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
    fn a_number_stays_a_number_only_if_it_round_trips() {
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
    fn a_column_has_the_most_specific_type_of_all_its_cells() {
        let column = |cells| Column { name: "c".into(), cells };
        assert_eq!(column(vec![Cell::Empty, Cell::Number(3.0)]).kind(), ColumnKind::Integer);
        assert_eq!(column(vec![Cell::Number(3.0), Cell::Number(0.5)]).kind(), ColumnKind::Real);
        assert_eq!(column(vec![Cell::Flag(true)]).kind(), ColumnKind::Flag);
        assert_eq!(column(vec![Cell::Number(3.0), Cell::text("x")]).kind(), ColumnKind::Text);
        assert_eq!(column(vec![Cell::Empty]).kind(), ColumnKind::Text);
    }

    #[test]
    fn columns_fill_gaps_and_drop_empty_ones() {
        let mut columns = Columns::default();
        columns.set("a", 2, Cell::Number(1.0));
        columns.set("void", 0, Cell::Empty);
        let done = columns.finish(4);
        assert_eq!(done.len(), 1);
        assert_eq!(done[0].cells, [Cell::Empty, Cell::Empty, Cell::Number(1.0), Cell::Empty]);
    }
}
