//! The results of a sweep, best first.

use serde_json::{Map, Value, json};

use super::{OutputPlan, Standing};
use crate::cli::paint::{FAINT, HEADING, TITLE, styled};
use crate::graph::LabelKind;
use crate::train::mean_and_deviation;
use crate::train::sweep::Point;

/// A combination as typed on the command line.
pub(super) fn named(point: &Point) -> String {
    let parts: Vec<String> = point.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
    parts.join(" ")
}

fn score_name(kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Several => "micro_f1",
        LabelKind::Numeric => "r2",
        LabelKind::One | LabelKind::None => "accuracy",
    }
}

pub(super) fn json(plan: &OutputPlan, standings: &[Standing]) -> Value {
    let sweep = &plan.sweep;
    let rows: Vec<_> = standings.iter().map(|standing| row(&sweep.shares, standing)).collect();
    json!({"validate": sweep.validate, "labelled": sweep.shares, "seeds": sweep.seeds,
        "score": score_name(plan.kind), "standings": rows})
}

fn row(shares: &[f64], Standing { result, epochs }: &Standing) -> Value {
    let settings: Map<String, Value> =
        result.point.0.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let cells: Vec<_> = shares
        .iter()
        .zip(&result.scores)
        .map(|(share, scores)| json!({"labelled": share, "scores": scores}))
        .collect();
    let mut row = json!({"settings": settings, "mean": result.mean(), "cells": cells});
    if let (Some(epochs), Some(row)) = (epochs, row.as_object_mut()) {
        row.insert("epochs".to_owned(), json!(epochs));
    }
    row
}

/// The table.
pub(super) fn lines(plan: &OutputPlan, standings: &[Standing]) -> Vec<String> {
    let OutputPlan { keys, sweep, .. } = plan;
    let width = |key: &str| {
        let values = standings.iter().filter_map(|standing| standing.result.point.value(key));
        values.map(str::len).chain([key.len()]).max().unwrap_or(0) + 2
    };
    let several = sweep.shares.len() > 1;
    let is_halved = standings.iter().any(|standing| standing.epochs.is_some());
    let how = format!(
        "{} on {:.0} % of the training labels, {} seeds; test labels not used",
        score_name(plan.kind),
        sweep.validate * 100.0,
        sweep.seeds.len()
    );
    let mut lines = vec![format!("{} {}", styled(TITLE, &plan.title), styled(FAINT, how))];
    let mut head: Vec<String> =
        keys.iter().map(|key| format!("{key:<w$}", w = width(key))).collect();
    let shares = sweep.shares.iter().map(|share| format!("{:.0} %", share * 100.0));
    head.extend(shares.map(|share| format!("{share:>14}")));
    if several {
        head.push(format!("{:>10}", "mean"));
    }
    if is_halved {
        head.push(format!("{:>10}", "epochs"));
    }
    lines.push(format!("  {}", styled(HEADING, head.concat())));
    for (place, Standing { result, epochs }) in standings.iter().enumerate() {
        let value = |key: &String| result.point.value(key).unwrap_or("").to_owned();
        let mut row: Vec<String> =
            keys.iter().map(|key| format!("{:<w$}", value(key), w = width(key))).collect();
        row.extend(result.scores.iter().map(|scores| format!("{:>14}", told(scores))));
        if several {
            let mean =
                result.mean().map_or_else(String::new, |mean| format!("{:.1}", mean * 100.0));
            row.push(format!("{mean:>10}"));
        }
        row.extend(epochs.map(|epochs| format!("{epochs:>10}")));
        let row = row.concat();
        let row = if place == 0 { styled(TITLE, row) } else { row };
        lines.push(format!("  {row}"));
    }
    lines
}

/// Mean and standard deviation of the scores of all seeds.
fn told(scores: &[Option<f64>]) -> String {
    let all: Option<Vec<f64>> =
        scores.iter().map(|score| score.map(|score| score * 100.0)).collect();
    all.map_or_else(
        || "failed".to_owned(),
        |all| {
            let (mean, std) = mean_and_deviation(&all);
            format!("{mean:.1} ± {std:.1}")
        },
    )
}
