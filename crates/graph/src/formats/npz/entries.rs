//! Matrices as entries: from dense arrays and from compressed sparse rows.

use super::super::super::{Features, GraphError, MAX_NODES, Reading};
use super::array::Array;

/// The entries of a matrix: row, column, value.
pub(crate) struct Entries {
    pub(crate) values: Vec<(u32, u32, f32)>,
    /// How many rows it has, if that is known.
    pub(crate) rows: usize,
    /// How many columns it has at the least.
    pub(crate) columns: usize,
}

/// The number of a node or column, if it is one.
pub(crate) fn index(value: f64) -> Option<u32> {
    let fits = value >= 0.0 && value < MAX_NODES as f64 && value.fract() == 0.0;
    fits.then_some(value as u32)
}

impl Entries {
    /// The non-zero entries of a dense array.
    pub(crate) fn dense(array: &Array) -> Self {
        let entry = |row: usize, column: usize| {
            let value = array.at(row, column)?;
            (value != 0.0).then_some((row as u32, column as u32, value as f32))
        };
        let row = |row: usize| (0..array.columns()).filter_map(move |column| entry(row, column));
        let entries = (0..array.rows()).flat_map(row).collect();
        Self { values: entries, rows: array.rows(), columns: array.columns() }
    }

    /// Compressed sparse rows; the error is the first row that does not fit.
    pub(crate) fn sparse(
        starts: &Array,
        columns: &Array,
        values: Option<&Array>,
    ) -> Result<Self, usize> {
        let (mut entries, rows) = (Vec::new(), starts.rows().saturating_sub(1));
        for row in 0..rows {
            let bounds = [row, row + 1].map(|at| starts.at(at, 0).map(|own| own as usize));
            let [Some(from), Some(to)] = bounds else { return Err(row) };
            // Rows that overlap could make a small file large.
            if from > to || to > columns.rows() || entries.len() + (to - from) > columns.rows() {
                return Err(row);
            }
            for at in from..to {
                let column = columns.at(at, 0).and_then(index).ok_or(row)?;
                let value = values.map_or(Some(1.0), |own| own.at(at, 0)).ok_or(row)?;
                entries.push((row as u32, column, value as f32));
            }
        }
        Ok(Self { values: entries, rows, columns: 0 })
    }

    /// The rows as features of `nodes` nodes.
    pub(crate) fn features(self, nodes: usize, reading: &Reading) -> Result<Features, GraphError> {
        let mut rows = vec![Vec::new(); nodes];
        for (row, column, value) in self.values {
            if !value.is_finite() {
                let found = format!("the value {value} in row {row} of the features");
                return Err(reading.broken(None, found, "finite numbers", "replace the value"));
            }
            if let Some(own) = rows.get_mut(row as usize) {
                own.push((column, value));
            }
        }
        Ok(Features::from_rows(rows).with_width(self.columns))
    }
}
