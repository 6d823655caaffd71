//! The layout of an edge list: separator, header and columns. Detected once, from
//! the first rows.

use std::borrow::Cow;

use super::header::Header;

/// The column separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any run of blanks and tabs.
    Blanks,
    /// Exactly this character.
    Char(char),
}

/// The role of each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) separator: Separator,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// Other named columns.
    pub(super) others: Vec<(usize, String)>,
    pub(super) has_header: bool,
    /// Whether it is only recognised because words are above numbers.
    pub(super) header_guessed: bool,
    /// Whether the third column is a Python dictionary, as in networkx.
    pub(super) dictionaries: bool,
}

const WEIGHT_NAMES: [&str; 4] = ["weight", "value", "w", "count"];

/// Number of inspected rows.
pub(super) const PROBE_ROWS: usize = 50;

/// A longer line is not an edge list row, and is not inspected.
const PROBE_LENGTH: usize = 1 << 16;

/// Whether a line is a comment.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') || line.starts_with('%') || line.starts_with("//")
}

/// The trimmed rows with their lines, without comments and blank lines.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let rows = (1..).zip(text.lines().map(str::trim));
    rows.filter(|(_, row)| !row.is_empty() && !is_comment(row))
}

impl Layout {
    /// Inspects the first rows.
    pub(super) fn detect(text: &str) -> Self {
        let probe: Vec<&str> = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty() && !is_comment(line) && line.len() < PROBE_LENGTH)
            .take(PROBE_ROWS)
            .collect();
        let separator = detect_separator(&probe);
        // With a header, rows are tab-separated if there is any tab: an empty cell,
        // even the first, must not shift the columns.
        let header_separator = match separator {
            Separator::Blanks if probe.first().is_some_and(|row| row.contains('\t')) => {
                Separator::Char('\t')
            }
            other => other,
        };
        match Header::of(text, &probe, header_separator) {
            Some(header) => Self::with_header(header, header_separator, &probe),
            None => Self::without_header(separator, &probe),
        }
    }

    fn with_header(header: Header, separator: Separator, probe: &[&str]) -> Self {
        let Header { source, target, guessed } = header;
        let names = probe.first().map(|row| separator.split(row)).unwrap_or_default();
        let is_weight =
            |name: &Cow<'_, str>| WEIGHT_NAMES.contains(&name.to_ascii_lowercase().as_str());
        let weight = names.iter().position(is_weight);
        let taken = [Some(source), Some(target), weight];
        let others = names.iter().enumerate().filter(|(at, _)| !taken.contains(&Some(*at)));
        let others = others.map(|(at, name)| (at, column_name(at, name))).collect();
        Self {
            separator,
            source,
            target,
            weight,
            others,
            has_header: true,
            header_guessed: guessed,
            dictionaries: false,
        }
    }

    fn without_header(separator: Separator, rows: &[&str]) -> Self {
        let thirds: Vec<Option<String>> = rows
            .iter()
            .map(|row| separator.split(row.trim()).get(2).map(ToString::to_string))
            .collect();
        let all = |test: &dyn Fn(&str) -> bool| {
            !thirds.is_empty() && thirds.iter().all(|third| third.as_deref().is_some_and(test))
        };
        let dictionaries = separator == Separator::Blanks && all(&|third| third.starts_with('{'));
        let weight = all(&|third| third.parse::<f64>().is_ok()).then_some(2);
        Self {
            separator,
            source: 0,
            target: 1,
            weight,
            others: Vec::new(),
            has_header: false,
            header_guessed: false,
            dictionaries,
        }
    }
}

/// The name of a column; pandas leaves the name of its index empty.
fn column_name(at: usize, name: &str) -> String {
    if name.is_empty() { format!("column_{}", at + 1) } else { name.to_owned() }
}

fn detect_separator(rows: &[&str]) -> Separator {
    let in_all = |c: char| !rows.is_empty() && rows.iter().all(|row| row.trim().contains(c));
    let inner_blank = |row: &&str| row.trim().split('\t').any(|part| part.trim().contains(' '));
    if in_all('\t') && rows.iter().any(inner_blank) {
        return Separator::Char('\t');
    }
    // A dictionary contains commas that do not separate columns.
    let dictionary = rows.iter().any(|row| row.contains('{'));
    let candidates = if dictionary { [].as_slice() } else { &[',', ';', '|'] };
    let found = candidates.iter().copied().find(|&c| in_all(c));
    found.map_or(Separator::Blanks, Separator::Char)
}

impl Separator {
    /// The columns of a row, trimmed and unquoted.
    pub(super) fn split(self, row: &str) -> Vec<Cow<'_, str>> {
        match self {
            Self::Blanks if !row.contains('"') => {
                row.split_ascii_whitespace().map(Cow::Borrowed).collect()
            }
            Self::Char(c) if !row.contains('"') => {
                row.split(c).map(|part| Cow::Borrowed(part.trim())).collect()
            }
            Self::Blanks => split_quoted(row, |c| c.is_ascii_whitespace(), true),
            Self::Char(own) => split_quoted(row, |c| c == own, false),
        }
    }
}

/// Splits a row with quotes: inside them the separator is text, and a doubled quote
/// is one quote.
fn split_quoted(row: &str, separates: impl Fn(char) -> bool, runs: bool) -> Vec<Cow<'_, str>> {
    let mut parts = Vec::new();
    let (mut part, mut quoted, mut was_quoted) = (String::new(), false, false);
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                part.push('"');
                chars.next();
            }
            '"' if quoted => quoted = false,
            '"' if part.trim().is_empty() => {
                part.clear();
                (quoted, was_quoted) = (true, true);
            }
            c if !quoted && separates(c) => {
                let done = std::mem::take(&mut part);
                if !runs || was_quoted || !done.is_empty() {
                    parts.push(if was_quoted { done } else { done.trim().to_owned() });
                }
                was_quoted = false;
            }
            c if !quoted && was_quoted && c.is_whitespace() => {}
            c => part.push(c),
        }
    }
    if !runs || was_quoted || !part.is_empty() {
        parts.push(if was_quoted { part } else { part.trim().to_owned() });
    }
    parts.into_iter().map(Cow::Owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(row: &str) -> Vec<String> {
        let layout = Layout::detect(row);
        layout.separator.split(row).into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn every_common_separator_is_found() {
        for row in ["a b", "a\tb", "a,b", "a, b", "a;b", "a | b", "a   b", "\"a\",\"b\""] {
            assert_eq!(split(row), ["a", "b"], "{row}");
        }
    }

    #[test]
    fn ids_may_contain_blanks_with_tabs_or_quotes() {
        assert_eq!(split("Jean Valjean\tMiss Scarlet"), ["Jean Valjean", "Miss Scarlet"]);
        assert_eq!(split("\"Hi, \"\"J\"\"\",b"), ["Hi, \"J\"", "b"]);
        assert_eq!(split("\"a b\" c"), ["a b", "c"]);
    }

    #[test]
    fn a_header_determines_the_columns() {
        let layout = Layout::detect("Id,Weight,Target,Source\n1,2.5,b,a\n");
        assert!(layout.has_header);
        assert_eq!((layout.source, layout.target, layout.weight), (3, 2, Some(1)));
        assert_eq!(layout.others, [(0, "Id".to_owned())]);
    }

    #[test]
    fn a_third_column_is_a_weight_only_if_it_is_always_a_number() {
        assert_eq!(Layout::detect("a b 1\nb c 0.5\n").weight, Some(2));
        assert_eq!(Layout::detect("a b 1\nb c friend\n").weight, None);
        assert!(Layout::detect("a b {'weight': 3}\n").dictionaries);
    }
}
