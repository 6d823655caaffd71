//! The number of columns of an edge list without a header. If a few rows differ
//! they are bad rows; if many differ there are no columns.

use std::collections::BTreeMap;

use super::super::super::error::quoted;
use super::super::super::{GraphError, Reading};
use super::kinds::LISTS_ADVICE;
use super::layout::{Layout, rows};

/// At most one row in this many may differ from the others.
const ONE_IN: usize = 20;

/// The expected number of columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    usual: usize,
}

impl Widths {
    /// Checks every row; refuses a file without a common number of columns.
    pub(super) fn survey(
        text: &str,
        layout: &Layout,
        reading: &Reading,
    ) -> Result<Self, GraphError> {
        let mut counts: BTreeMap<Width, usize> = BTreeMap::new();
        for (_, row) in rows(text) {
            *counts.entry(Width::of(row, layout)).or_default() += 1;
        }
        let single: usize = counts.iter().filter(|(w, _)| w.all < 2).map(|(_, n)| n).sum();
        let several = || counts.iter().filter(|(width, _)| width.all > 1);
        let total: usize = several().map(|(_, n)| n).sum();
        // Of equally frequent widths the smaller, which comes first.
        let most = several().rev().max_by_key(|(_, n)| **n);
        let Some(usual) = most.map(|(width, _)| width.all) else { return Ok(Self { usual: 2 }) };
        let widths = Self { usual };
        let fitting: usize = several().filter(|(w, _)| widths.fit(**w)).map(|(_, n)| n).sum();
        if single > total || (total - fitting) * ONE_IN > total {
            return Err(Self::refusal(text, layout, reading));
        }
        Ok(widths)
    }

    /// Whether a row has the expected number of columns. Trailing empty ones are
    /// optional.
    fn fit(self, width: Width) -> bool {
        width.all == self.usual || width.filled == self.usual
    }

    /// Reports a row with another number of columns.
    pub(super) fn check(
        self,
        (line, row): (u64, &str),
        layout: &Layout,
        reading: &mut Reading,
    ) -> Result<bool, GraphError> {
        let width = Width::of(row, layout);
        // A single column has its own message.
        if width.all < 2 || self.fit(width) {
            return Ok(true);
        }
        let found = format!("{} columns ({})", width.all, quoted(row));
        reading.bad_row(line, found, format!("{} as in other rows", self.usual), "fix the row")?;
        Ok(false)
    }

    fn refusal(text: &str, layout: &Layout, reading: &Reading) -> GraphError {
        let width = |row| Width::of(row, layout).all;
        let (mut least, mut most, mut at) = (usize::MAX, 0, None);
        let first = rows(text).next().map_or(0, |(_, row)| width(row));
        for (line, row) in rows(text) {
            (least, most) = (least.min(width(row)), most.max(width(row)));
            if at.is_none() && width(row) != first {
                at = Some(line);
            }
        }
        let found = format!("rows of {least} to {most} columns");
        let expected = "two ids per row and optionally a weight, the same in every row";
        let advice = match (least, most) {
            (2, 3) => {
                "give every row a weight, or none; ids with spaces need tabs or quotes".into()
            }
            (_, ..3) => "separate the two ids with a space, a tab or a comma".into(),
            _ => format!(
                "if this is an adjacency list, {LISTS_ADVICE}; ids with spaces need tabs or quotes"
            ),
        };
        reading.broken(at, found, expected, advice)
    }
}

/// The numbers of columns of a row: all of them, and without trailing empty ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Width {
    all: usize,
    filled: usize,
}

impl Width {
    fn of(row: &str, layout: &Layout) -> Self {
        let cells = layout.separator.split(row);
        let filled = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
        Self { all: cells.len(), filled }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::{OnBadRow, Reading};
    use super::super::read;

    #[test]
    fn rows_of_varying_length_are_refused_even_with_skipping() {
        for policy in [OnBadRow::Fail, OnBadRow::Skip] {
            for text in ["a b c d\nb c\nc d e\n", "1 2 5\n2 3\n3 4 1\n", "1 2\n1 2 3 4 5\n3 1 2\n"]
            {
                let error = read(text, &mut Reading::new("x", policy)).expect_err(text);
                let said = error.to_string();
                assert!(said.contains("columns, expected two ids per row"), "{said}");
                assert!(!said.contains("--on-bad-row"), "{said}");
            }
        }
    }

    #[test]
    fn a_text_of_single_words_is_not_a_list_with_a_few_bad_rows() {
        let error = read("one\ntwo\nthree four\n", &mut Reading::default()).unwrap_err();
        assert!(!error.to_string().contains("--on-bad-row"), "{error}");
    }

    #[test]
    fn a_single_different_row_can_be_skipped() {
        let text = format!("{}a b c d\n", "a b\n".repeat(30));
        let said = read(&text, &mut Reading::default()).unwrap_err().to_string();
        assert!(
            said.contains("line 31: found 4 columns") && said.contains("--on-bad-row"),
            "{said}"
        );
        let mut reading = Reading::new("x", OnBadRow::Skip);
        assert_eq!(read(&text, &mut reading).unwrap().edges.len(), 30);
        assert_eq!(reading.skipped, 1);
    }

    #[test]
    fn trailing_empty_cells_change_nothing() {
        let raw = read("a,b\nb,c,\nc,d,,\n", &mut Reading::default()).unwrap();
        assert_eq!(raw.edges.len(), 3);
    }
}
