//! The results as a table, next to the paper's where it has any.

use serde_json::json;

use super::paper;
use super::{Cell, Results};
use crate::cli::paint::{ABOVE, BELOW, FAINT, HEADING, TITLE, WARNING, styled};
use crate::graph::LabelKind;
use crate::train::{Difference, Score, mean_and_deviation, mean_and_interval};

const COLUMN: usize = 14;

/// The metrics of two classes.
pub(in crate::cli) const RANKING: [&str; 2] = [ROC_AUC, PRECISION];
const ROC_AUC: &str = "roc_auc";
const PRECISION: &str = "average_precision";

/// A score by the metric's name in the tables.
pub(in crate::cli) fn figure(score: Score, metric: &str) -> Option<f64> {
    let value = match (score, metric) {
        (Score::Classes { accuracy, .. }, "accuracy") => accuracy * 100.0,
        (Score::Classes { macro_f1, .. }, "macro_f1") => macro_f1 * 100.0,
        (Score::Classes { micro_f1, .. }, "micro_f1") => micro_f1 * 100.0,
        (Score::Classes { ranking, .. }, ROC_AUC) => ranking?.roc_auc * 100.0,
        (Score::Classes { ranking, .. }, PRECISION) => ranking?.average_precision * 100.0,
        (Score::Numeric { rmse, .. }, "rmse") => rmse,
        (Score::Numeric { r2, .. }, "r2") => r2,
        _ => return None,
    };
    Some(f64::from(value))
}

/// Every metric for a kind of label.
pub(super) fn all_metrics(kind: LabelKind) -> &'static [&'static str] {
    match kind {
        LabelKind::One => &["accuracy", "macro_f1", "micro_f1"],
        other => metrics(other),
    }
}

/// The informative metrics for a kind of label: with one label per node, micro-F1
/// equals accuracy.
pub(in crate::cli) fn metrics(kind: LabelKind) -> &'static [&'static str] {
    match kind {
        LabelKind::None => &[],
        LabelKind::One => &["accuracy", "macro_f1"],
        LabelKind::Several => &["macro_f1", "micro_f1", "accuracy"],
        LabelKind::Numeric => &["rmse", "r2"],
    }
}

impl Cell {
    /// A metric from x or R on the scored nodes, for every seed.
    pub(super) fn of(&self, metric: &str, from_x: bool) -> Option<Vec<f64>> {
        let pick = |run: &crate::train::Scalars| if from_x { run.test_x } else { run.test_r };
        let values: Option<Vec<f64>> =
            self.runs.iter().map(|run| figure(pick(run), metric)).collect();
        values.filter(|values| !values.is_empty())
    }

    fn percent(&self) -> u32 {
        (self.share * 100.0).round() as u32
    }
}

/// The table of one graph.
pub(super) fn lines(results: &Results<'_>) -> Vec<String> {
    let mut lines = vec![styled(TITLE, &results.graph.title)];
    let seeds = results.cells.first().map_or(0, |cell| cell.runs.len());
    let labels = if results.validated { "validation" } else { "test" };
    let judged = match seeds {
        1 => format!("{labels} labels, 1 seed"),
        _ => format!("{labels} labels, {seeds} seeds, ± 95 % interval of the mean"),
    };
    for metric in results.with_ranking(metrics(results.graph.kind)) {
        lines.push(format!("{} {}", styled(HEADING, metric), styled(FAINT, &judged)));
        let cells = results.cells.iter();
        lines.push(match &results.graph.split {
            Some(name) => row("split", std::iter::once(short(name, COLUMN - 1))),
            None => row("labelled", cells.clone().map(|cell| format!("{} %", cell.percent()))),
        });
        let ours = |from_x: bool| {
            results.cells.iter().map(move |cell| {
                let found = cell.of(metric, from_x).map(|values| mean_and_interval(&values));
                found.map_or_else(String::new, |(mean, half)| told(mean, half, metric))
            })
        };
        lines.push(row("x", ours(true)));
        lines.push(row("R", ours(false)));
        let by = |cell: &Cell| {
            let (x, r) = (cell.of(metric, true)?, cell.of(metric, false)?);
            Some(told_difference(&Difference::between(&x, &r, 1), metric))
        };
        lines.push(row("x minus R", cells.clone().map(|cell| by(cell).unwrap_or_default())));
        let name = results.graph.in_tables.as_deref();
        if cells.clone().all(|cell| paper::best(name, metric, cell.percent()).is_none()) {
            continue;
        }
        let told = |figure: Option<paper::Figure>| {
            figure.map_or_else(String::new, |f| format!("{:.1} ± {:.1}", f.mean, f.std))
        };
        let own = |cell: &Cell| told(paper::own(name, metric, cell.percent()));
        let best = |cell: &Cell| told(paper::best(name, metric, cell.percent()));
        lines.push(styled(FAINT, "  paper, ± standard deviation over its splits"));
        lines.push(row("GESF", cells.clone().map(own)));
        lines.push(row("best", cells.clone().map(best)));
        let differences = cells.map(|cell| difference(name, metric, cell)).collect::<String>();
        lines.push(format!("  {:<14}{differences}", "x minus best"));
    }
    lines
}

impl Results<'_> {
    /// These metrics, and those of two classes if there are two.
    pub(super) fn with_ranking(&self, metrics: &[&'static str]) -> Vec<&'static str> {
        let has = |metric: &&str| self.cells.iter().any(|cell| cell.of(metric, true).is_some());
        metrics.iter().copied().chain(RANKING.into_iter().filter(has)).collect()
    }
}

/// A name that fits a column.
pub(in crate::cli) fn short(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

/// A mean and the half-width of its interval, if any.
pub(in crate::cli) fn told(mean: f64, half: Option<f64>, metric: &str) -> String {
    let places = places(metric);
    format!("{mean:.places$}{}", spread(half, places))
}

/// A signed difference and the half-width of its interval.
pub(in crate::cli) fn told_difference(found: &Difference, metric: &str) -> String {
    let places = places(metric);
    format!("{:+.places$}{}", found.mean, spread(found.half, places))
}

/// Decimals to print: one for percentages.
fn places(metric: &str) -> usize {
    if matches!(metric, "rmse" | "r2") { 3 } else { 1 }
}

fn spread(half: Option<f64>, places: usize) -> String {
    half.map_or_else(String::new, |half| format!(" ± {half:.places$}"))
}

/// Summary of a metric over the seeds, for JSON.
pub(in crate::cli) fn json_of(values: &[f64]) -> serde_json::Value {
    let (mean, std) = mean_and_deviation(values);
    json!({"mean": mean, "std": std, "half_interval": mean_and_interval(values).1})
}

fn row(name: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.map(|part| format!("{part:>COLUMN$}")).collect();
    format!("  {name:<14}{}", parts.concat())
}

/// Our result minus the paper's best: signed, and coloured by whether it is above,
/// within one standard deviation, or below.
fn difference(name: Option<&str>, metric: &str, cell: &Cell) -> String {
    let (Some(values), Some(best)) =
        (cell.of(metric, true), paper::best(name, metric, cell.percent()))
    else {
        return " ".repeat(COLUMN);
    };
    let (by, style) = match mean_and_deviation(&values).0 - best.mean {
        by if by >= 0.0 => (by, ABOVE),
        by if by >= -best.std => (by, WARNING),
        by => (by, BELOW),
    };
    styled(style, format!("{by:>+COLUMN$.1}"))
}
