//! The rows of all methods, the best of each column marked, the paper's rows
//! beneath where it has any.

use super::Results;
use crate::baselines::EntryCell;
use crate::cli::evaluate::paper;
use crate::cli::evaluate::table::{figure, metrics};
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::train::mean_and_deviation;

const NAME: usize = 20;
const COLUMN: usize = 14;

/// A share as the paper writes it.
pub(super) fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

/// Mean and deviation of a metric over the seeds.
pub(super) fn of(cell: &EntryCell, metric: &str) -> Option<(f64, f64)> {
    let values: Option<Vec<f64>> = cell.scores.iter().map(|score| figure(*score, metric)).collect();
    values.filter(|values| !values.is_empty()).map(|values| mean_and_deviation(&values))
}

pub(super) fn lines(results: &Results) -> Vec<String> {
    let seeds = results.entries.first().and_then(|entry| entry.cells.first());
    let seeds = seeds.map_or(0, |cell| cell.scores.len());
    let told = format!("on labels held back, {seeds} seeds, * the best of a column");
    let mut lines = vec![format!("{} {}", styled(TITLE, &results.title), styled(FAINT, told))];
    for metric in metrics(results.kind) {
        let shares = results.shares.iter().map(|share| format!("{} %", percent(*share)));
        let head: Vec<String> = shares.map(|text| format!("{text:>COLUMN$} ")).collect();
        let head = head.concat();
        lines.push(format!("{}{head}", styled(HEADING, format!("{metric:<w$}", w = NAME + 2))));
        lines.extend(rows(results, metric));
        lines.extend(paper_rows(results, metric));
    }
    lines
}

/// One row a method. A mark stands in a column of its own, so figures line up.
fn rows(results: &Results, metric: &str) -> Vec<String> {
    let figures: Vec<Vec<Option<(f64, f64)>>> = results
        .entries
        .iter()
        .map(|entry| entry.cells.iter().map(|cell| of(cell, metric)).collect())
        .collect();
    let less_is_better = metric == "rmse";
    let fine = is_fine(metric);
    let rank = |mean: f64| if less_is_better { -mean } else { mean };
    let best: Vec<f64> = (0..results.shares.len())
        .map(|column| {
            let own = figures.iter().filter_map(|row| row.get(column).copied().flatten());
            own.map(|(mean, _)| rank(mean)).fold(f64::NEG_INFINITY, f64::max)
        })
        .collect();
    results
        .entries
        .iter()
        .zip(&figures)
        .map(|(entry, row)| {
            let parts: String = row
                .iter()
                .zip(&best)
                .map(|(found, best)| match found {
                    Some((mean, std)) if rank(*mean) >= *best => {
                        styled(TITLE, format!("{:>COLUMN$}*", told(*mean, *std, fine)))
                    }
                    Some((mean, std)) => {
                        format!("{:>COLUMN$} ", told(*mean, *std, fine))
                    }
                    None => " ".repeat(COLUMN + 1),
                })
                .collect();
            let name = format!("  {:<NAME$}", entry.method);
            let time = styled(FAINT, format!("{:>8.1} s", entry.time.as_secs_f64()));
            format!("{name}{parts}{time}")
        })
        .collect()
}

/// Whether a metric is no percentage.
fn is_fine(metric: &str) -> bool {
    matches!(metric, "rmse" | "r2")
}

fn told(mean: f64, std: f64, fine: bool) -> String {
    if fine { format!("{mean:.3} ± {std:.3}") } else { format!("{mean:.1} ± {std:.1}") }
}

fn paper_rows(results: &Results, metric: &str) -> Vec<String> {
    let columns: Vec<Vec<paper::Figure>> = results
        .shares
        .iter()
        .map(|share| paper::figures(&results.name, metric, percent(*share)))
        .collect();
    let mut names: Vec<String> = Vec::new();
    for figure in columns.iter().flatten() {
        if !names.contains(&figure.method) {
            names.push(figure.method.clone());
        }
    }
    names
        .iter()
        .map(|name| {
            let parts: Vec<String> = columns
                .iter()
                .map(|figures| {
                    let own = figures.iter().find(|figure| figure.method == *name);
                    let text =
                        own.map_or_else(String::new, |f| told(f.mean, f.std, is_fine(metric)));
                    format!("{text:>COLUMN$} ")
                })
                .collect();
            styled(FAINT, format!("  {:<NAME$}{}", format!("paper's {name}"), parts.concat()))
        })
        .collect()
}
