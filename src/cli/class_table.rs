//! Per-class scores as text: one row per class, and a confusion matrix.

use super::paint::{FAINT, HEADING, fitted, styled};
use crate::train::{ByClass, ClassScores};

/// With more classes than this, the confusion matrix is only in `--json`.
const MOST: usize = 12;
const NAME: usize = 28;
const COLUMN: usize = 6;

/// Scores on the test labels, or on the training labels if there are none.
pub(super) fn lines(scores: &ClassScores) -> Vec<String> {
    let none_held = scores.test_x.classes.iter().all(|class| class.nodes == 0);
    let (which, x, r) = if none_held {
        ("train", &scores.train_x, &scores.train_r)
    } else {
        ("test", &scores.test_x, &scores.test_r)
    };
    let mut lines = vec![format!(
        "  {} {}",
        styled(HEADING, fitted(&format!("class, {which}"), NAME)),
        styled(FAINT, "nodes  precision  recall      F1   F1 of R")
    )];
    for (x, r) in x.classes.iter().zip(&r.classes) {
        lines.push(format!(
            "  {} {:>5}{:>11.4}{:>8.4}{:>8.4}{:>10.4}",
            fitted(&x.class, NAME),
            x.nodes,
            x.precision,
            x.recall,
            x.f1,
            r.f1
        ));
    }
    if let Some(table) = &x.confusion {
        lines.extend(confused(x, table));
    }
    lines
}

fn confused(of: &ByClass, table: &[Vec<u32>]) -> Vec<String> {
    if table.len() > MOST {
        return Vec::new();
    }
    let heads: Vec<String> = (1..=table.len()).map(|n| format!("{n:>COLUMN$}")).collect();
    let title = styled(HEADING, fitted("true (row), predicted (column)", NAME + 3));
    let mut lines = vec![format!("  {title}{}", styled(FAINT, heads.concat()))];
    for (n, (class, row)) in of.classes.iter().zip(table).enumerate() {
        let counts: Vec<String> = row.iter().map(|count| format!("{count:>COLUMN$}")).collect();
        lines.push(format!("  {:>2} {}{}", n + 1, fitted(&class.class, NAME), counts.concat()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{ClassCounts, ClassScore};

    fn scores(nodes: u32) -> ByClass {
        let class = |class: &str| ClassScore {
            class: class.to_owned(),
            nodes,
            precision: 0.75,
            recall: 0.5,
            f1: 0.6,
            counts: ClassCounts::default(),
        };
        let classes = vec![class("cats"), class("a class with a name that goes on and on")];
        ByClass { classes, confusion: Some(vec![vec![3, 1], vec![0, 4]]) }
    }

    #[test]
    fn every_class_has_a_score_row_and_a_confusion_row() {
        let (test_x, test_r) = (scores(4), scores(4));
        let all = ClassScores { train_x: scores(9), train_r: scores(9), test_x, test_r };
        let text = lines(&all).join("\n");
        assert!(text.contains("test") && !text.contains("train"), "{text}");
        assert!(text.contains("0.7500  0.5000  0.6000"), "{text}");
        assert!(text.contains("     3     1") && text.contains('…'), "{text}");
        let nothing_held = ClassScores { test_x: scores(0), ..all };
        assert!(lines(&nothing_held).join("\n").contains("train"));
    }
}
