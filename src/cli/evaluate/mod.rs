//! `gesf-tui evaluate`: the paper's protocol on any graph. Trains a model for each
//! training share and seed, and scores it on the test labels.

mod filters;
pub(super) mod paper;
pub(super) mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::prepared_graph::{self, SpectraArgs, cancelled_by_ctrl_c};
use super::progress::Display;
use super::settings_args::SettingsArgs;
use super::trials_args::{SeedsArgs, check_shares, labels_to_judge_by, shares_of, split_name};
use crate::graph::LabelKind;
use crate::model::PreparedGraph;
use crate::model::settings::{Settings, keys, set};
use crate::spectral::Cancel;
use crate::train::{Scalars, Split, Trainer};

/// Evaluate a model.
#[derive(Debug, Args)]
pub(super) struct EvaluateArgs {
    /// Graphs: files or folders
    #[arg(required = true, value_parser = graph_path())]
    paths: Vec<PathBuf>,
    /// Shares of the labelled nodes used for training
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9")]
    labelled: Vec<f64>,
    #[command(flatten)]
    seeds: SeedsArgs,
    /// Score on this share of the training labels, held out as validation,
    /// and ignore the test labels: for choosing settings
    #[arg(long, value_name = "PART")]
    validate: Option<f64>,
    /// Compare filters on the same splits instead, and print the regret of the
    /// learned one: names of filters, and `learned`
    #[arg(long, value_delimiter = ',', value_name = "FILTERS")]
    filters: Vec<String>,
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

/// The runs at one training share, by seed.
struct Cell {
    share: f64,
    runs: Vec<Scalars>,
}

/// All runs on a graph.
struct Results {
    name: String,
    /// The graph's name in the paper's tables.
    in_tables: Option<&'static str>,
    title: String,
    kind: LabelKind,
    /// The name of the stored split, if one is used; the shares have no effect then.
    split: Option<String>,
    validated: bool,
    cells: Vec<Cell>,
}

pub(super) fn run(args: &EvaluateArgs) -> anyhow::Result<()> {
    if args.validate.is_some_and(|part| !(0.0..1.0).contains(&part)) {
        bail!("--validate: expected a share between 0 and 1, for example --validate 0.2");
    }
    let cancel = cancelled_by_ctrl_c()?;
    let mut out = output::stdout();
    let mut all = Vec::new();
    for path in &args.paths {
        if !args.filters.is_empty() {
            let compared = filters::compare(args, path, &cancel)?;
            if args.json {
                all.push(compared.json());
            } else {
                compared.lines().iter().try_for_each(|line| writeln!(out, "{line}"))?;
                writeln!(out)?;
            }
            continue;
        }
        let results = evaluate(args, path, &cancel)?;
        if args.json {
            all.push(results.json());
        } else {
            table::lines(&results).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out)?;
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

fn evaluate(args: &EvaluateArgs, path: &Path, cancel: &Cancel) -> anyhow::Result<Results> {
    let (graph, _) = args.graph.load(path)?;
    let settings = args.settings.resolve(&graph)?;
    let (name, kind) = (name_of(path), labels_to_judge_by(&graph, path)?);
    check_shares(&settings, &args.labelled)?;
    let title = graph.manifest().title.clone().unwrap_or_else(|| name.clone());
    let in_tables = paper::name_in_tables(&graph);
    let mut display = Display::new(args.json);
    let cache = args.spectra.cache();
    let graph = Arc::new(graph);
    let place = (name.as_str(), &mut display);
    let prepared = prepared_graph::prepare(&graph, &settings, cache.as_ref(), cancel, place)?;
    let seeds = args.seeds.list();
    let split = split_name(&graph, &settings);
    let shares = shares_of(&settings, &args.labelled);
    let runs = shares.len() * seeds.len();
    let mut cells = Vec::new();
    for (row, &share) in shares.iter().enumerate() {
        let mut cell = Cell { share, runs: Vec::new() };
        for (column, &seed) in seeds.iter().enumerate() {
            let done = row * seeds.len() + column;
            let at = split.clone().unwrap_or_else(|| format!("{:.0} %", share * 100.0));
            display.show(&format!("{name} at {at}"), done, runs);
            let mut settings = Settings { seed, ..settings.clone() };
            set(&mut settings, keys::LABELLED, &share.to_string())?;
            cell.runs.push(train(&prepared, settings, args.validate, cancel)?);
        }
        cells.push(cell);
    }
    display.finish();
    let validated = args.validate.is_some();
    // The paper drew its splits at random.
    let in_tables = in_tables.filter(|_| split.is_none());
    Ok(Results { name, in_tables, title, kind, split, validated, cells })
}

/// Trains a complete run and scores it at the end.
fn train(
    prepared: &PreparedGraph,
    settings: Settings,
    validate: Option<f64>,
    cancel: &Cancel,
) -> anyhow::Result<Scalars> {
    let validation = validate.unwrap_or(settings.validation);
    let settings = Settings { validation, ..settings };
    let mut split = Split::of(&prepared.graph, &settings);
    if validate.is_some() {
        split = split.judged_by_validation();
    }
    let mut trainer = Trainer::with_split(prepared.clone(), settings, split)?;
    while !trainer.is_done() {
        if cancel.is_cancelled() {
            bail!("stopped");
        }
        trainer.step()?;
    }
    Ok(trainer.evaluate()?.scalars)
}

pub(super) fn name_of(path: &Path) -> String {
    let last = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    last.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

impl Results {
    fn json(&self) -> serde_json::Value {
        let cells: Vec<_> = self
            .cells
            .iter()
            .map(|cell| {
                let percent = (cell.share * 100.0).round() as u32;
                let figures: serde_json::Map<String, serde_json::Value> = self
                    .with_ranking(table::all_metrics(self.kind))
                    .iter()
                    .map(|metric| {
                        let part =
                            |from_x| cell.of(metric, from_x).map(|values| table::json_of(&values));
                        let best = paper::best(self.in_tables, metric, percent);
                        let best =
                            best.map(|f| json!({"method": f.method, "mean": f.mean, "std": f.std}));
                        let both = json!({"x": part(true), "R": part(false), "paper_best": best});
                        ((*metric).to_owned(), both)
                    })
                    .collect();
                json!({"labelled": cell.share, "metrics": figures, "runs": cell.runs})
            })
            .collect();
        json!({"graph": self.name, "split": self.split, "validated": self.validated, "cells": cells})
    }
}
