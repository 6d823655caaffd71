//! Errors of reading and writing graphs, in a form users can act on: the location,
//! what was found, what was expected, what to do.

use std::fmt;
use std::io;

/// A location in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file (or `standard input`).
    pub file: String,
    /// The line, from 1, if known.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Invalid input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The location.
    pub place: Place,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// What the user can do about it.
    pub advice: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.place, self.found, self.expected)?;
        if self.advice.is_empty() { Ok(()) } else { write!(f, "\n  help: {}", self.advice) }
    }
}

impl std::error::Error for Fault {}

/// Why a graph could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The input is invalid.
    #[error("{0}")]
    Fault(Box<Fault>),
    /// An error of the operating system.
    #[error("{file}: {cause}\n  help: {advice}")]
    Io {
        /// The file or folder.
        file: String,
        /// The error. Not called `source`, since the message already contains it.
        cause: io::Error,
        /// What the user can do about it.
        advice: String,
    },
}

impl From<Fault> for GraphError {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl GraphError {
    /// An error of the operating system, with advice for its kind.
    pub fn io(file: impl Into<String>, cause: io::Error) -> Self {
        let advice = match cause.kind() {
            io::ErrorKind::NotFound => "check the spelling; paths are relative to this folder",
            io::ErrorKind::PermissionDenied => "check the file permissions",
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
                "the file is damaged or truncated: download or export it again"
            }
            io::ErrorKind::StorageFull => "free some space on that disk and try again",
            _ => "check that it is a regular, readable file",
        };
        Self::Io { file: file.into(), cause, advice: advice.to_owned() }
    }
}

/// Text from the input, quoted for a message: shortened, and without control
/// characters that could disturb a terminal.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_location_found_expected_and_advice() {
        let fault = Fault {
            place: Place { file: "edges.tsv".into(), line: Some(7) },
            found: "one column".into(),
            expected: "two".into(),
            advice: "add the target".into(),
        };
        assert_eq!(
            fault.to_string(),
            "edges.tsv, line 7: found one column, expected two\n  help: add the target"
        );
    }

    #[test]
    fn quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("a\u{1b}[31m"), "`a\\u{1b}[31m`");
        assert!(quoted(&"x".repeat(10_000)).chars().count() < 70);
    }
}
