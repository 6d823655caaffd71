//! How much memory the columns of a text may take.
//!
//! A column has a cell for every row, filled or not. A short text can name
//! many columns and then give many rows, and the cells of such a text would
//! fill the memory; no graph that anybody means comes near that.

use super::super::{Cell, Columns, GraphError, Reading};

/// What a text of any length may take, in bytes.
const AT_LEAST: usize = 64 << 20;
/// What each byte of the text may take on top of it.
const FOR_EACH_BYTE: usize = 64;
const CELL_BYTES: usize = size_of::<Cell>();

/// The memory that a text of that length may take.
pub(super) fn bytes_for(text_length: usize) -> usize {
    AT_LEAST.saturating_add(text_length.saturating_mul(FOR_EACH_BYTE))
}

/// The memory that columns may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    bytes: usize,
}

impl Room {
    /// For the columns of a text.
    pub(super) fn of(text: &str) -> Self {
        Self { bytes: bytes_for(text.len()) }
    }

    /// For the columns of a text that come on top of cells that are there.
    pub(super) fn and_cells(self, cells: usize) -> Self {
        Self { bytes: self.bytes.saturating_add(cells.saturating_mul(CELL_BYTES)) }
    }

    /// Whether columns fit in for that many rows.
    pub(super) fn holds(self, columns: &Columns, rows: usize) -> bool {
        columns.cells_for(rows).saturating_mul(CELL_BYTES) <= self.bytes
    }

    /// Refuses columns that would take more for that many rows.
    pub(super) fn check(
        self,
        columns: &Columns,
        rows: usize,
        line: u64,
        reading: &Reading,
    ) -> Result<(), GraphError> {
        if self.holds(columns, rows) {
            return Ok(());
        }
        let cells = columns.cells_for(rows);
        Err(reading.broken(
            Some(line),
            format!("columns and rows that make {cells} cells"),
            format!("at most {} for a text of this length", self.bytes / CELL_BYTES),
            "drop the columns that few rows fill, or give these as attributes.tsv",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{OnBadRow, RawGraph};
    use super::super::{edge_list, json, table};
    use super::*;

    fn said<T>(read: Result<T, GraphError>) -> String {
        read.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn many_columns_over_many_rows_are_refused_in_every_table() {
        let mut reading = Reading::new("x", OnBadRow::Skip);
        let names: Vec<String> = (0..20_000).map(|n| format!("c{n}")).collect();
        let rows = names.join("\n");
        let nodes = format!("id,{}\nr,{}\n{rows}", names.join(","), names.join(","));
        let mut raw = RawGraph::default();
        let error = table::read_nodes(&nodes, &mut raw, table::Repeats::Refuse, &mut reading);
        assert!(said(error).contains("cells, expected at most"));

        // A longer header would not be taken for one.
        let (some, rows) = (names[..8000].join(","), "a,b\n".repeat(20_000));
        let edges = format!("source,target,{some}\na,b,{some}\n{rows}");
        assert!(said(edge_list::read(&edges, &mut reading)).contains("cells, expected at most"));

        let nodes: Vec<String> =
            names.iter().map(|name| format!("{{\"id\": \"{name}\", \"{name}\": 1}}")).collect();
        let text = format!("{{\"nodes\": [{}]}}", nodes.join(","));
        assert!(said(json::read(&text, &mut reading)).contains("cells, expected at most"));
        let links: Vec<String> = names
            .iter()
            .map(|name| format!("{{\"source\": 1, \"target\": 2, \"{name}\": 1}}"))
            .collect();
        let text = format!("{{\"links\": [{}]}}", links.join(","));
        assert!(said(json::read(&text, &mut reading)).contains("cells, expected at most"));
    }

    #[test]
    fn a_wide_table_that_is_filled_is_read() {
        let mut reading = Reading::new("x", OnBadRow::Fail);
        let header: Vec<String> = (0..2000).map(|n| format!("w{n}")).collect();
        let row = ",1".repeat(2000);
        let rows: Vec<String> = (0..300).map(|n| format!("p{n}{row}")).collect();
        let mut raw = RawGraph::default();
        let text = format!("id,{}\n{}\n", header.join(","), rows.join("\n"));
        table::read_nodes(&text, &mut raw, table::Repeats::Refuse, &mut reading).unwrap();
        assert_eq!(raw.node_columns.len(), 2000);
    }
}
