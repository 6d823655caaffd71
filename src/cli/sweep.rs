//! `gesf-tui sweep`: a grid search over settings, scored on validation labels. A
//! sweep with a folder can be interrupted and resumed.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::paint::{FAINT, HEADING, TITLE, styled};
use super::prepared_graph::{self, SpectraArgs, cancelled_by_ctrl_c};
use super::progress::Display;
use super::settings_args::SettingsArgs;
use super::trials_args::{SeedsArgs, check_shares, labels_to_judge_by};
use crate::graph::LabelKind;
use crate::train::mean_and_deviation;
use crate::train::sweep::{Axis, Grid, Journal, Point, Sweep, SweepResult};

/// Default share of the training labels used for validation.
const VALIDATE: f64 = 0.2;

/// Grid search options.
#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// Graph: a file or a folder
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Setting and values to try, for example lambda=1,10 (`gesf-tui settings`
    /// lists them; aliases: lambda, lambda_w, lr, rho, k and d)
    #[arg(long, value_name = "KEY=VALUE,…", required = true)]
    grid: Vec<String>,
    /// Shares of the labelled nodes used for training (default: the setting
    /// `labelled`)
    #[arg(long, value_delimiter = ',')]
    labelled: Vec<f64>,
    #[command(flatten)]
    seeds: SeedsArgs,
    /// Share of the training labels used for validation (default: the setting
    /// `validation` if above 0, else 0.2)
    #[arg(long, value_name = "SHARE")]
    validate: Option<f64>,
    /// Save results in this folder, and resume from those already there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print stable JSON instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    spectra: SpectraArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

pub(super) fn run(args: &SweepArgs) -> anyhow::Result<()> {
    let axes = args.grid.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>()?;
    let grid = Grid::new(axes)?;
    let cancel = cancelled_by_ctrl_c()?;
    let (graph, _) = args.graph.load(&args.path)?;
    let kind = labels_to_judge_by(&graph, &args.path)?;
    let settings = args.settings.resolve(&graph)?;
    check_shares(&settings, &args.labelled)?;
    let set = Some(settings.validation).filter(|share| *share > 0.0);
    let validate = args.validate.or(set).unwrap_or(VALIDATE);
    if !(validate > 0.0 && validate < 1.0) {
        bail!(
            "--validate: found {validate}, expected a share between 0 and 1, for example \
             --validate 0.2"
        );
    }
    let shares =
        if args.labelled.is_empty() { vec![settings.labelled] } else { args.labelled.clone() };
    let seeds = args.seeds.list();
    let graph = Arc::new(graph);
    let sweep = Sweep { graph: graph.clone(), settings, grid, shares, seeds, validate };
    let mut journal = match &args.out {
        Some(folder) => Journal::open(folder)?,
        None => Journal::default(),
    };
    let display = RefCell::new(Display::new(args.json));
    let cache = args.spectra.cache();
    let whole = sweep.runs();
    let prepare = |settings: &_| {
        let mut display = display.borrow_mut();
        prepared_graph::prepare(&graph, settings, cache.as_ref(), &cancel, ("", &mut *display))
    };
    let tell = |point: &Point, done: usize| display.borrow_mut().show(&named(point), done, whole);
    let standings = sweep.run(&mut journal, &cancel, prepare, tell)?;
    display.into_inner().finish();
    let mut out = output::stdout();
    if args.json {
        let rows: Vec<_> = standings.iter().map(|standing| json_of(&sweep, standing)).collect();
        let all = json!({"validate": sweep.validate, "labelled": sweep.shares,
            "seeds": sweep.seeds, "score": name_of(kind), "standings": rows});
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    } else {
        let lines = lines(&sweep, &standings, kind);
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// A combination as typed on the command line.
fn named(point: &Point) -> String {
    let parts: Vec<String> = point.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
    parts.join(" ")
}

fn name_of(kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Several => "micro_f1",
        LabelKind::Numeric => "r2",
        LabelKind::One | LabelKind::None => "accuracy",
    }
}

fn json_of(sweep: &Sweep, standing: &SweepResult) -> serde_json::Value {
    let settings: serde_json::Map<String, serde_json::Value> =
        standing.point.0.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let cells: Vec<_> = sweep
        .shares
        .iter()
        .zip(&standing.scores)
        .map(|(share, scores)| json!({"labelled": share, "scores": scores}))
        .collect();
    json!({"settings": settings, "mean": standing.mean(), "cells": cells})
}

/// The table, best first.
fn lines(sweep: &Sweep, standings: &[SweepResult], kind: LabelKind) -> Vec<String> {
    let keys = sweep.grid.keys();
    let width = |key: &str| {
        let values = standings.iter().filter_map(|standing| standing.point.value(key));
        values.map(str::len).chain([key.len()]).max().unwrap_or(0) + 2
    };
    let several = sweep.shares.len() > 1;
    let title = sweep.graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned());
    let how = format!(
        "{} on {:.0} % of the training labels, {} seeds; test labels not used",
        name_of(kind),
        sweep.validate * 100.0,
        sweep.seeds.len()
    );
    let mut lines = vec![format!("{} {}", styled(TITLE, title), styled(FAINT, how))];
    let mut head: Vec<String> =
        keys.iter().map(|key| format!("{key:<w$}", w = width(key))).collect();
    let shares = sweep.shares.iter().map(|share| format!("{:.0} %", share * 100.0));
    head.extend(shares.map(|share| format!("{share:>14}")));
    if several {
        head.push(format!("{:>10}", "mean"));
    }
    lines.push(format!("  {}", styled(HEADING, head.concat())));
    for (place, standing) in standings.iter().enumerate() {
        let value = |key: &&str| standing.point.value(key).unwrap_or("").to_owned();
        let mut row: Vec<String> =
            keys.iter().map(|key| format!("{:<w$}", value(key), w = width(key))).collect();
        row.extend(standing.scores.iter().map(|scores| format!("{:>14}", told(scores))));
        if let Some(mean) = standing.mean().filter(|_| several) {
            row.push(format!("{:>10.1}", mean * 100.0));
        }
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
