//! Memory limit for the columns of a text.
//!
//! A column has a cell for every row, filled or not. A short text can name many
//! columns and then many rows, whose cells would fill the memory; no real graph
//! comes near the limit.

use super::super::{Cell, Columns, GraphError, Reading};

/// The limit for a text of any length, in bytes.
const AT_LEAST: usize = 64 << 20;
/// The additional limit for each byte of the text.
const FOR_EACH_BYTE: usize = 64;
const CELL_BYTES: usize = size_of::<Cell>();

/// The memory limit for a text of that length.
pub(super) fn bytes_for(text_length: usize) -> usize {
    AT_LEAST.saturating_add(text_length.saturating_mul(FOR_EACH_BYTE))
}

/// The memory limit of columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    bytes: usize,
}

impl Room {
    /// For the columns of a text.
    pub(super) fn of(text: &str) -> Self {
        Self { bytes: bytes_for(text.len()) }
    }

    /// For the columns of a text in addition to existing cells.
    pub(super) fn and_cells(self, cells: usize) -> Self {
        Self { bytes: self.bytes.saturating_add(cells.saturating_mul(CELL_BYTES)) }
    }

    /// Whether the columns fit for this many rows.
    pub(super) fn holds(self, columns: &Columns, rows: usize) -> bool {
        columns.cells_for(rows).saturating_mul(CELL_BYTES) <= self.bytes
    }

    /// Refuses columns that would exceed the limit for this many rows.
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
            format!("a table of {cells} cells"),
            format!("at most {} for a file of this size", self.bytes / CELL_BYTES),
            "drop sparse columns, or provide them as attributes.tsv",
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

        // A longer header would not be recognised as one.
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
    fn a_wide_filled_table_is_read() {
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
