//! The results as a table, beside the paper's where it has any.

use anstyle::{AnsiColor, Style};

use super::paper;
use super::{Cell, Results};
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::graph::LabelKind;
use crate::train::{Score, mean_and_deviation};

const ABOVE: Style = AnsiColor::Green.on_default();
const BELOW: Style = AnsiColor::Red.on_default();
const WITHIN: Style = AnsiColor::Yellow.on_default();
const COLUMN: usize = 12;

/// A figure of a score by its name in the tables.
pub(in crate::cli) fn figure(score: Score, metric: &str) -> Option<f64> {
    let value = match (score, metric) {
        (Score::Classes { accuracy, .. }, "accuracy") => accuracy * 100.0,
        (Score::Classes { macro_f1, .. }, "macro_f1") => macro_f1 * 100.0,
        (Score::Classes { micro_f1, .. }, "micro_f1") => micro_f1 * 100.0,
        (Score::Numeric { rmse, .. }, "rmse") => rmse,
        (Score::Numeric { r2, .. }, "r2") => r2,
        _ => return None,
    };
    Some(f64::from(value))
}

/// Every metric that a kind of label has.
pub(super) fn all_metrics(kind: LabelKind) -> &'static [&'static str] {
    match kind {
        LabelKind::One => &["accuracy", "macro_f1", "micro_f1"],
        other => metrics(other),
    }
}

/// The metrics that tell something of a kind of label: of one label a node,
/// micro-F1 is the accuracy.
pub(in crate::cli) fn metrics(kind: LabelKind) -> &'static [&'static str] {
    match kind {
        LabelKind::None => &[],
        LabelKind::One => &["accuracy", "macro_f1"],
        LabelKind::Several => &["macro_f1", "micro_f1", "accuracy"],
        LabelKind::Numeric => &["rmse", "r2"],
    }
}

impl Cell {
    /// Mean and deviation of a metric of x or of R on the nodes judged.
    pub(super) fn of(&self, metric: &str, from_x: bool) -> Option<(f64, f64)> {
        let pick = |run: &crate::train::Scalars| if from_x { run.held_x } else { run.held_r };
        let values: Option<Vec<f64>> =
            self.runs.iter().map(|run| figure(pick(run), metric)).collect();
        values.filter(|values| !values.is_empty()).map(|values| mean_and_deviation(&values))
    }

    fn percent(&self) -> u32 {
        (self.share * 100.0).round() as u32
    }
}

/// The table of one graph.
pub(super) fn lines(results: &Results) -> Vec<String> {
    let mut lines = vec![styled(TITLE, &results.title)];
    let judged = if results.validated { "a validation part" } else { "held back" };
    for metric in metrics(results.kind) {
        lines.push(format!("{} {}", styled(HEADING, metric), styled(FAINT, judged)));
        let cells = results.cells.iter();
        lines.push(row("labelled", cells.clone().map(|cell| format!("{} %", cell.percent()))));
        let ours = |from_x: bool| {
            results.cells.iter().map(move |cell| {
                let found = cell.of(metric, from_x);
                found.map_or_else(String::new, |(mean, std)| format!("{mean:.1} ± {std:.1}"))
            })
        };
        lines.push(row("x", ours(true)));
        lines.push(row("R", ours(false)));
        let name = results.name.as_str();
        if cells.clone().all(|cell| paper::best(name, metric, cell.percent()).is_none()) {
            continue;
        }
        let told = |figure: Option<paper::Figure>| {
            figure.map_or_else(String::new, |f| format!("{:.1} ± {:.1}", f.mean, f.std))
        };
        let own = |cell: &Cell| told(paper::own(name, metric, cell.percent()));
        let best = |cell: &Cell| told(paper::best(name, metric, cell.percent()));
        lines.push(row("paper's GESF", cells.clone().map(own)));
        lines.push(row("paper's best", cells.clone().map(best)));
        let differences = cells.map(|cell| difference(name, metric, cell)).collect::<String>();
        lines.push(format!("  {:<14}{differences}", "difference"));
    }
    lines
}

fn row(name: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.map(|part| format!("{part:>COLUMN$}")).collect();
    format!("  {name:<14}{}", parts.concat())
}

/// Ours less the best of the paper: signed, and coloured by whether it is above,
/// within one deviation, or below.
fn difference(name: &str, metric: &str, cell: &Cell) -> String {
    let (Some((mean, _)), Some(best)) =
        (cell.of(metric, true), paper::best(name, metric, cell.percent()))
    else {
        return " ".repeat(COLUMN);
    };
    let (by, style) = match mean - best.mean {
        by if by >= 0.0 => (by, ABOVE),
        by if by >= -best.std => (by, WITHIN),
        by => (by, BELOW),
    };
    styled(style, format!("{by:>+COLUMN$.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        let (mean, std) = mean_and_deviation(&[1.0, 2.0, 3.0]);
        assert!((mean - 2.0).abs() < 1e-12 && (std - 1.0).abs() < 1e-12);
        assert!(mean_and_deviation(&[5.0]).1.abs() < 1e-12);
    }
}
