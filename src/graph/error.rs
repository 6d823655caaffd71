//! What can go wrong while a graph is read or written, said so that a person
//! can act on it: the place, what was found, what was expected, what to do.

use std::fmt;
use std::io;

/// Where in the input something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file (or `standard input`).
    pub file: String,
    /// The line, counted from 1, where it is known.
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

/// Input that does not mean what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where it is.
    pub place: Place,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
    /// What the person can do about it.
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
    /// The input was read, but it is not what it should be.
    #[error("{0}")]
    Fault(Box<Fault>),
    /// The operating system refused.
    #[error("{file}: {cause}\n  help: {advice}")]
    Io {
        /// The file or folder.
        file: String,
        /// What the system said. Not called `source`: the message has it already.
        cause: io::Error,
        /// What the person can do about it.
        advice: String,
    },
}

impl From<Fault> for GraphError {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl GraphError {
    /// An error of the operating system, with advice that fits its kind.
    pub fn io(file: impl Into<String>, cause: io::Error) -> Self {
        let advice = match cause.kind() {
            io::ErrorKind::NotFound => "check the spelling; paths are relative to this folder",
            io::ErrorKind::PermissionDenied => "check that you may read (or write) it",
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
                "the file is damaged or cut short: fetch or write it again"
            }
            io::ErrorKind::StorageFull => "free some space on that disk and try again",
            _ => "check that it is an ordinary, readable file",
        };
        Self::Io { file: file.into(), cause, advice: advice.to_owned() }
    }
}

/// Text from the input, quoted for a message: short, and with no control
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
    fn a_fault_names_place_found_expected_and_what_to_do() {
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
