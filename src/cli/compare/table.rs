//! Result rows of all methods, with the best of each column marked and the paper's
//! rows below where it has any.

use super::Results;
use crate::baselines::{MethodCell, MethodResult};
use crate::cli::evaluate::paper;
use crate::cli::evaluate::table::{figure, short, told, told_difference};
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::train::{Difference, Verdict, mean_and_interval};

const NAME: usize = 26;
/// The method the others are compared with.
const GESF: &str = "gesf";
const COLUMN: usize = 16;

/// A training share in percent, as the paper writes it.
pub(super) fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

/// A mean and the half-width of its confidence interval.
type Figure = (f64, Option<f64>);

/// The values of a metric for every seed.
pub(super) fn values(cell: &MethodCell, metric: &str) -> Option<Vec<f64>> {
    let values: Option<Vec<f64>> = cell.scores.iter().map(|score| figure(*score, metric)).collect();
    values.filter(|values| !values.is_empty())
}

/// Mean of a metric over the seeds, and the half-width of its 95 % interval.
fn of(cell: &MethodCell, metric: &str) -> Option<Figure> {
    values(cell, metric).map(|values| mean_and_interval(&values))
}

/// Paired difference between GESF and each other method, on the same splits; the
/// intervals hold simultaneously.
pub(super) fn differences(
    results: &Results,
    metric: &str,
) -> Vec<(&'static str, Vec<Option<Difference>>)> {
    let Some(gesf) = results.entries.iter().find(|entry| entry.method == GESF) else {
        return Vec::new();
    };
    let others: Vec<_> = results.entries.iter().filter(|entry| entry.method != GESF).collect();
    let of = |ours: &MethodCell, theirs: &MethodCell| {
        let (ours, theirs) = (values(ours, metric)?, values(theirs, metric)?);
        Some(Difference::between(&ours, &theirs, others.len()))
    };
    let row = |entry: &&&MethodResult| {
        let pairs = gesf.cells.iter().zip(&entry.cells);
        (entry.method, pairs.map(|(ours, theirs)| of(ours, theirs)).collect())
    };
    others.iter().map(|entry| row(&entry)).collect()
}

fn difference_rows(results: &Results, metric: &str) -> Vec<String> {
    let all = differences(results, metric);
    if all.is_empty() {
        return Vec::new();
    }
    let marked = |found: &Difference| {
        let text = told_difference(found, metric);
        // For RMSE, smaller is better.
        let verdict = match found.verdict() {
            Verdict::Open => ' ',
            Verdict::Ahead if metric != "rmse" => '>',
            Verdict::Behind if metric == "rmse" => '>',
            _ => '<',
        };
        format!("{text:>COLUMN$}{verdict}")
    };
    let note = "  gesf minus each, same splits (> better, < worse, else not significant)";
    let mut lines = vec![styled(FAINT, note)];
    for (method, cells) in all {
        let parts: Vec<String> = cells
            .iter()
            .map(|found| found.as_ref().map_or_else(|| " ".repeat(COLUMN + 1), marked))
            .collect();
        let open = cells.iter().flatten().filter_map(Difference::seeds_to_settle).max();
        let seeds = open.map_or_else(String::new, |seeds| format!("  {seeds} seeds needed"));
        lines.push(format!("  {method:<NAME$}{}{}", parts.concat(), styled(FAINT, seeds)));
    }
    lines
}

pub(super) fn lines(results: &Results) -> Vec<String> {
    let seeds = results.entries.first().and_then(|entry| entry.cells.first());
    let seeds = seeds.map_or(0, |cell| cell.scores.len());
    let judged = match seeds {
        1 => "on test labels, 1 seed, * best in column".to_owned(),
        _ => {
            format!("on test labels, {seeds} seeds, ± 95 % interval of the mean, * best in column")
        }
    };
    let mut lines =
        vec![format!("{} {}", styled(TITLE, &results.plan.title), styled(FAINT, judged))];
    for metric in results.metrics() {
        let named = |share: &f64| match &results.plan.split {
            Some(name) => short(name, COLUMN - 1),
            None => format!("{} %", percent(*share)),
        };
        let heads = results.plan.shares.iter().map(named);
        let head: Vec<String> = heads.map(|text| format!("{text:>COLUMN$} ")).collect();
        let head = head.concat();
        lines.push(format!("{}{head}", styled(HEADING, format!("{metric:<w$}", w = NAME + 2))));
        lines.extend(rows(results, metric));
        lines.extend(difference_rows(results, metric));
        lines.extend(paper_rows(results, metric));
    }
    lines
}

/// One row per method. Marks have a separate column, so figures line up.
fn rows(results: &Results, metric: &str) -> Vec<String> {
    let figures: Vec<Vec<Option<Figure>>> = results
        .entries
        .iter()
        .map(|entry| entry.cells.iter().map(|cell| of(cell, metric)).collect())
        .collect();
    let less_is_better = metric == "rmse";
    let rank = |mean: f64| if less_is_better { -mean } else { mean };
    let best: Vec<f64> = (0..results.plan.shares.len())
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
                    Some((mean, half)) if rank(*mean) >= *best => {
                        styled(TITLE, format!("{:>COLUMN$}*", told(*mean, *half, metric)))
                    }
                    Some((mean, half)) => {
                        format!("{:>COLUMN$} ", told(*mean, *half, metric))
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

fn paper_rows(results: &Results, metric: &str) -> Vec<String> {
    let columns: Vec<Vec<paper::Figure>> = results
        .plan
        .shares
        .iter()
        .map(|share| paper::figures(results.plan.in_tables.as_deref(), metric, percent(*share)))
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
                    let text = own.map_or_else(String::new, |f| told(f.mean, Some(f.std), metric));
                    format!("{text:>COLUMN$} ")
                })
                .collect();
            let name = format!("paper's {name} ±sd");
            styled(FAINT, format!("  {name:<NAME$}{}", parts.concat()))
        })
        .collect()
}
