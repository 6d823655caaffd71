//! Matrix Market: the adjacency matrix of a graph, as its non-zero entries
//! (`coordinate`) or dense (`array`).
//!
//! A square matrix is a graph over nodes 1, 2, …; a rectangular matrix joins two
//! types of nodes, `r1`, `r2`, … and `c1`, `c2`, …. `general` is directed,
//! `symmetric` is not. The format holds only numbers: written files have no ids,
//! columns or attributes, and nodes are numbered in order.

mod header;

use std::io;

use super::super::{Cell, Direction, GraphError, IdTable, NodeId, RawGraph, Reading};
use super::weights::checked_weight;
use header::{Field, Header, Layout, Symmetry};

/// Reads a Matrix Market file.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut lines = (1..).zip(text.lines());
    let header = Header::read(&mut lines, text.len(), reading)?;
    let rows = lines.filter(|(_, row)| !row.trim_start().starts_with('%'));
    let mut raw = nodes(&header);
    let mut entries = Entries { header, reading, raw: &mut raw, read: 0, signs_lost: 0 };
    match entries.header.layout {
        Layout::Coordinate => entries.read_coordinates(rows)?,
        Layout::Array => entries.read_array(rows)?,
    }
    entries.finish(text)?;
    Ok(raw)
}

fn nodes(header: &Header) -> RawGraph {
    let (rows, columns) = (header.rows, header.columns);
    let mut raw = RawGraph::default();
    if header.is_square() {
        raw.ids = IdTable::from_numbers(1..=rows as u32);
    } else {
        let names =
            (1..=rows).map(|n| format!("r{n}")).chain((1..=columns).map(|n| format!("c{n}")));
        raw.ids = IdTable::from_distinct(names);
        let mut types = vec![Cell::text("row"); rows];
        types.resize(rows + columns, Cell::text("column"));
        raw.set_node_column("type", types);
    }
    if header.symmetry == Symmetry::General {
        raw.direction = Direction::Directed;
    }
    if header.field == Field::Real {
        raw.edges.weights = Some(Vec::new());
    }
    raw
}

struct Entries<'a> {
    header: Header,
    reading: &'a mut Reading,
    raw: &'a mut RawGraph,
    read: usize,
    signs_lost: usize,
}

impl Entries<'_> {
    fn read_coordinates<'t>(
        &mut self,
        rows: impl Iterator<Item = (u64, &'t str)>,
    ) -> Result<(), GraphError> {
        let width = if self.header.field == Field::Real { 3 } else { 2 };
        for (line, row) in rows {
            let mut parts = row.split_ascii_whitespace();
            let Some(first) = parts.next() else { continue };
            if !self.counts_one_more(line, row)? {
                continue;
            }
            let (second, value) = (parts.next(), parts.next());
            let given = 1 + usize::from(second.is_some()) + usize::from(value.is_some());
            if given != width || parts.next().is_some() {
                let expected = if width == 3 { "row, column and value" } else { "row and column" };
                let found = super::super::error::quoted(row);
                self.reading.bad_row(line, found, expected, "fix the entry")?;
                continue;
            }
            let Some(from) = self.index(first, self.header.rows, "row", line)? else { continue };
            let second = second.unwrap_or_default();
            let Some(to) = self.index(second, self.header.columns, "column", line)? else {
                continue;
            };
            self.push(from, to, value, line)?;
        }
        Ok(())
    }

    /// Dense entries, column by column; symmetric matrices list only the part from
    /// the diagonal down.
    fn read_array<'t>(
        &mut self,
        rows: impl Iterator<Item = (u64, &'t str)>,
    ) -> Result<(), GraphError> {
        let below = match self.header.symmetry {
            Symmetry::General => None,
            Symmetry::Symmetric => Some(0),
            Symmetry::Skew => Some(1),
        };
        let (mut row, mut column) = (below.unwrap_or(0), 0);
        for (line, text) in rows {
            for value in text.split_ascii_whitespace() {
                if !self.counts_one_more(line, value)? {
                    continue;
                }
                if value.parse() != Ok(0.0_f64) {
                    self.push(row, column, Some(value), line)?;
                }
                row += 1;
                if row >= self.header.rows {
                    column += 1;
                    row = below.map_or(0, |below| column + below);
                }
            }
        }
        Ok(())
    }

    fn counts_one_more(&mut self, line: u64, row: &str) -> Result<bool, GraphError> {
        self.read += 1;
        let wanted = self.header.entries;
        if self.read > wanted {
            let found = format!("entry {} ({})", self.read, super::super::error::quoted(row));
            let expected = format!("{wanted} entries, as stated in line {}", self.header.size_line);
            self.reading.bad_row(line, found, expected, "fix the size line or remove the entry")?;
        }
        Ok(self.read <= wanted)
    }

    fn index(
        &mut self,
        text: &str,
        count: usize,
        name: &str,
        line: u64,
    ) -> Result<Option<usize>, GraphError> {
        if let Some(index) = text.parse::<usize>().ok().filter(|n| (1..=count).contains(n)) {
            return Ok(Some(index - 1));
        }
        let found = format!("{name} {}", super::super::error::quoted(text));
        let expected = format!("a {name} from 1 to {count}");
        self.reading.bad_row(line, found, expected, "fix the entry or the size line")?;
        Ok(None)
    }

    fn push(
        &mut self,
        row: usize,
        column: usize,
        value: Option<&str>,
        line: u64,
    ) -> Result<(), GraphError> {
        if let (Some(value), Some(weights)) = (value, &mut self.raw.edges.weights) {
            // The two halves of a skew-symmetric matrix differ only in sign.
            let unsigned =
                value.strip_prefix('-').filter(|_| self.header.symmetry == Symmetry::Skew);
            self.signs_lost += usize::from(unsigned.is_some());
            let weight = checked_weight(unsigned.unwrap_or(value), line, self.reading)?;
            let Some(weight) = weight else { return Ok(()) };
            weights.push(weight);
        }
        let offset = if self.header.is_square() { 0 } else { self.header.rows };
        let (row, column) = (NodeId::from(row), NodeId::from(column + offset));
        // Symmetric files list the half below the diagonal, where the row is the
        // later node; the earlier one is written first, as usual in edge lists.
        match self.header.symmetry {
            Symmetry::General => self.raw.edges.push(row, column),
            Symmetry::Symmetric | Symmetry::Skew => self.raw.edges.push(column, row),
        }
        Ok(())
    }

    fn finish(self, text: &str) -> Result<(), GraphError> {
        if self.read < self.header.entries {
            let found = format!("{} entries up to the end", self.read);
            let wanted = self.header.entries;
            let expected = format!("{wanted}, as stated in line {}", self.header.size_line);
            let advice = "the file is truncated: download or export it again, or fix the size line";
            self.reading.bad_row(text.lines().count() as u64, found, expected, advice)?;
        }
        if self.signs_lost > 0 {
            self.reading.note(format!(
                "the matrix is skew-symmetric; {} negative entries were read as absolute values",
                self.signs_lost
            ));
        }
        Ok(())
    }
}

/// Writes a Matrix Market file: only numbers, see the top of this module.
pub fn write(raw: &RawGraph, out: &mut dyn io::Write) -> io::Result<()> {
    let weighted = raw.edges.weights.is_some();
    let directed = raw.direction == Direction::Directed;
    let field = if weighted { "real" } else { "pattern" };
    let symmetry = if directed { "general" } else { "symmetric" };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{} {} {}", raw.ids.len(), raw.ids.len(), raw.edges.len())?;
    for (source, target, weight) in raw.edges.iter() {
        let (row, column) =
            if directed { (source, target) } else { (source.max(target), source.min(target)) };
        write!(out, "{} {}", row.index() + 1, column.index() + 1)?;
        if weighted {
            write!(out, " {weight}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
