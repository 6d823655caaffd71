//! What a reader carries along: where it is, what to do with a bad row, and
//! what it has to say about what it saw.

use serde::{Deserialize, Serialize};

use super::{Fault, GraphError, Place};

/// What happens to a row that cannot be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnBadRow {
    /// Reading ends with an error that names the row.
    #[default]
    Fail,
    /// The row is left out and counted.
    Skip,
}

/// How many skipped rows are kept as examples.
const EXAMPLES: usize = 5;

/// The state of one reading, passed down to the parsers.
#[derive(Debug, Default)]
pub struct Reading {
    file: String,
    policy: OnBadRow,
    /// How many rows were left out.
    pub skipped: usize,
    /// The first few of them.
    pub examples: Vec<Fault>,
    /// How many edge rows named a node that is not listed, and were left out.
    pub unknown_ends: usize,
    /// The first such id, with its line.
    pub unknown_example: Option<(String, Option<u64>)>,
    /// Anything else worth telling.
    pub notes: Vec<String>,
}

impl Reading {
    /// Starts reading the named input.
    pub fn new(file: impl Into<String>, policy: OnBadRow) -> Self {
        Self { file: file.into(), policy, ..Self::default() }
    }

    /// Goes on with another file of the same graph.
    pub fn enter(&mut self, file: impl Into<String>) {
        self.file = file.into();
    }

    /// The file being read now.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// A row that cannot be understood: an error, or left out and counted.
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
                fault.advice.push_str("leave such rows out with --on-bad-row skip");
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

    /// A fault that no skipping can get around.
    pub fn broken(
        &self,
        line: Option<u64>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> GraphError {
        self.fault(line, found, expected, advice).into()
    }

    /// An edge row that names a node the source does not list.
    pub fn unknown_end(&mut self, id: &str, line: Option<u64>) {
        self.unknown_ends += 1;
        self.unknown_example.get_or_insert_with(|| (id.to_owned(), line));
    }

    /// Something worth telling that is no fault.
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
