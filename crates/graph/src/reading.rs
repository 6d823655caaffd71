//! The state of a reader: its position, the policy for bad rows, and its warnings.

use serde::{Deserialize, Serialize};

use super::{Fault, GraphError, Place};

/// How invalid rows are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnBadRow {
    /// Reading fails with an error that names the row.
    #[default]
    Fail,
    /// The row is skipped and counted.
    Skip,
}

/// How many skipped rows are stored as examples.
const EXAMPLES: usize = 5;

/// The state of one load, passed to the parsers.
#[derive(Debug, Default)]
pub struct Reading {
    file: String,
    policy: OnBadRow,
    /// Number of skipped rows.
    pub skipped: usize,
    /// The first few of them.
    pub examples: Vec<Fault>,
    /// Number of edge rows skipped because they name a node that is not listed.
    pub unknown_ends: usize,
    /// The first such id, with its line.
    pub unknown_example: Option<(String, Option<u64>)>,
    /// Other notes.
    pub notes: Vec<String>,
}

impl Reading {
    /// Starts reading the named input.
    pub fn new(file: impl Into<String>, policy: OnBadRow) -> Self {
        Self { file: file.into(), policy, ..Self::default() }
    }

    /// Continues with another file of the same graph.
    pub fn enter(&mut self, file: impl Into<String>) {
        self.file = file.into();
    }

    /// The current file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// An invalid row: an error, or skipped and counted.
    pub fn bad_row(
        &mut self,
        line: u64,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Result<(), GraphError> {
        let mut fault = self.fault(Some(line), found, expected, advice);
        match self.policy {
            OnBadRow::Fail => {
                if !fault.advice.is_empty() {
                    fault.advice.push_str("; or ");
                }
                fault.advice.push_str("skip such rows with --on-bad-row skip");
                Err(fault.into())
            }
            OnBadRow::Skip => {
                self.skipped += 1;
                if self.examples.len() < EXAMPLES {
                    self.examples.push(fault);
                }
                Ok(())
            }
        }
    }

    /// An error that cannot be skipped.
    pub fn broken(
        &self,
        line: Option<u64>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> GraphError {
        self.fault(line, found, expected, advice).into()
    }

    /// An edge row that names a node missing from the source.
    pub fn unknown_end(&mut self, id: &str, line: Option<u64>) {
        self.unknown_ends += 1;
        self.unknown_example.get_or_insert_with(|| (id.to_owned(), line));
    }

    /// A note that is not an error.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    fn fault(
        &self,
        line: Option<u64>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault {
            place: Place { file: self.file.clone(), line },
            found: found.into(),
            expected: expected.into(),
            advice: advice.into(),
        }
    }
}
