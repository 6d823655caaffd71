//! `gesf-tui evaluate`: the paper's protocol on any graph. Trains a model for each
//! training share and seed, and scores it on the test labels.

mod filters;
pub(super) mod paper;
pub(super) mod table;

mod tasks;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::graph_args::graph_path;
use super::output;
use super::prepared_graph::cancelled_by_ctrl_c;
use super::progress::Display;
use super::shards::document::{self, Merged};
use super::shards::journal;
use super::trials_args::{TrialsArgs, check_shares, labels_to_judge_by, shares_of, split_name};
use crate::graph::{Graph, LabelKind};
use crate::model::settings::Settings;
use crate::train::Scalars;

/// The name of the command.
pub(super) const COMMAND: &str = "evaluate";

/// Evaluate a model.
#[derive(Debug, Args)]
pub(super) struct EvaluateArgs {
    /// Graphs: files or folders
    #[arg(required = true, value_parser = graph_path())]
    paths: Vec<PathBuf>,
    /// Shares of the labelled nodes used for training
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9")]
    labelled: Vec<f64>,
    /// Score on this share of the training labels, held out as validation,
    /// and ignore the test labels: for choosing settings
    #[arg(long, value_name = "PART")]
    validate: Option<f64>,
    /// Compare filters on the same splits instead, and print the regret of the
    /// learned one: names of filters, and `learned`
    #[arg(long, value_delimiter = ',', value_name = "FILTERS")]
    filters: Vec<String>,
    /// Save results in this folder, and resume from those already there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    trials: TrialsArgs,
}

/// What the output needs besides the metrics of the runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Plan {
    shares: Vec<f64>,
    seeds: Vec<u64>,
    /// The compared filters; none for the usual evaluation.
    filters: Vec<String>,
    validated: bool,
    graphs: Vec<GraphPlan>,
}

/// The same for one graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct GraphPlan {
    name: String,
    /// The graph's name in the paper's tables.
    in_tables: Option<String>,
    title: String,
    kind: LabelKind,
    /// The name of the stored split, if one is used; the shares have no effect then.
    split: Option<String>,
    /// Fingerprint of the graph and all settings: what else the metrics depend on.
    basis: String,
}

/// The runs at one training share, by seed.
struct Cell {
    share: f64,
    runs: Vec<Scalars>,
}

/// All runs on a graph.
struct Results<'a> {
    graph: &'a GraphPlan,
    validated: bool,
    cells: Vec<Cell>,
}

impl Plan {
    /// Runs on each graph: filters by shares by seeds. Seeds change fastest.
    fn tasks_each(&self) -> usize {
        self.filters.len().max(1) * self.shares.len() * self.seeds.len()
    }

    /// The results of the runs on a graph, given in the order of the tasks.
    fn results<'a>(&self, graph: &'a GraphPlan, runs: &[Scalars]) -> Results<'a> {
        let mut runs = runs.chunks(self.seeds.len().max(1));
        let mut cell =
            |&share: &f64| Cell { share, runs: runs.next().unwrap_or_default().to_vec() };
        let cells = self.shares.iter().map(&mut cell).collect();
        Results { graph, validated: self.validated, cells }
    }

    /// The output for a graph as text.
    fn lines(&self, graph: &GraphPlan, runs: &[Scalars]) -> anyhow::Result<Vec<String>> {
        if self.filters.is_empty() {
            return Ok(table::lines(&self.results(graph, runs)));
        }
        Ok(filters::Comparison::of(self, graph, runs)?.lines())
    }

    /// The same as JSON.
    fn json(&self, graph: &GraphPlan, runs: &[Scalars]) -> anyhow::Result<serde_json::Value> {
        if self.filters.is_empty() {
            return Ok(self.results(graph, runs).json());
        }
        Ok(filters::Comparison::of(self, graph, runs)?.json())
    }
}

pub(super) fn run(args: &EvaluateArgs) -> anyhow::Result<()> {
    if args.validate.is_some_and(|part| !(0.0..1.0).contains(&part)) {
        bail!("--validate: expected a share between 0 and 1, for example --validate 0.2");
    }
    filters::check(&args.filters)?;
    let load = |path: &Path| {
        let (graph, _) = args.trials.graph.load(path)?;
        let settings = args.trials.settings.resolve(&graph)?;
        check_shares(&settings, &args.labelled)?;
        anyhow::Ok((graph, settings))
    };
    let mut first_graph = args.paths.first().map(|path| load(path)).transpose()?;
    let shares = first_graph.as_ref().map(|(_, settings)| shares_of(settings, &args.labelled));
    let mut plan = Plan {
        shares: shares.unwrap_or_default(),
        seeds: args.trials.seed_list(),
        filters: args.filters.clone(),
        validated: args.validate.is_some(),
        graphs: Vec::new(),
    };
    let each = plan.tasks_each();
    if args.trials.shards.list_commands(each * args.paths.len())? {
        return Ok(());
    }
    let shard = args.trials.shards.shard()?;
    let mut journal = journal(COMMAND, args.out.as_deref(), shard)?;
    let cancel = cancelled_by_ctrl_c()?;
    let mut display = Display::new(args.trials.json || shard.is_some());
    let mut out = output::stdout();
    let (mut all, mut found) = (Vec::new(), Vec::new());
    for (at, path) in args.paths.iter().enumerate() {
        let (graph, settings) = match first_graph.take() {
            Some(own) => own,
            None => load(path)?,
        };
        let own = graph_plan(path, &graph, &settings)?;
        let (graph, cache) = (Arc::new(graph), args.trials.spectra.cache());
        let first = at * each;
        let tasks = match shard {
            Some(shard) => shard.of(first..first + each),
            None => (first..first + each).collect(),
        };
        let work = tasks::Work {
            plan: &plan,
            own: &own,
            graph: &graph,
            settings: &settings,
            validate: args.validate,
            cache: cache.as_ref(),
            cancel: &cancel,
        };
        let runs = work.run(&tasks, first, &mut journal, &mut display)?;
        match shard {
            Some(_) => found.extend(tasks.into_iter().zip(runs)),
            None if args.trials.json => all.push(plan.json(&own, &runs)?),
            None => {
                plan.lines(&own, &runs)?.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                writeln!(out)?;
            }
        }
        plan.graphs.push(own);
    }
    display.finish();
    if shard.is_some() {
        drop(out);
        return document::print(COMMAND, &plan, each * args.paths.len(), found.into_iter());
    }
    if args.trials.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

/// Prints what all shards together found.
pub(super) fn print_merged(merged: Merged, json: bool) -> anyhow::Result<()> {
    let (plan, runs): (Plan, Vec<Scalars>) = merged.parts()?;
    let each = runs.chunks(plan.tasks_each().max(1));
    let mut out = output::stdout();
    let mut all = Vec::new();
    for (graph, runs) in plan.graphs.iter().zip(each) {
        if json {
            all.push(plan.json(graph, runs)?);
        } else {
            plan.lines(graph, runs)?.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out)?;
        }
    }
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

fn graph_plan(path: &Path, graph: &Graph, settings: &Settings) -> anyhow::Result<GraphPlan> {
    let name = name_of(path);
    let split = split_name(graph, settings);
    // The paper drew its splits at random.
    let in_tables = paper::name_in_tables(graph).filter(|_| split.is_none());
    Ok(GraphPlan {
        in_tables: in_tables.map(str::to_owned),
        title: graph.manifest().title.clone().unwrap_or_else(|| name.clone()),
        kind: labels_to_judge_by(graph, path)?,
        split,
        basis: super::shards::basis(graph, settings),
        name,
    })
}

pub(super) fn name_of(path: &Path) -> String {
    let last = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    last.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

impl Results<'_> {
    fn json(&self) -> serde_json::Value {
        let cells: Vec<_> = self
            .cells
            .iter()
            .map(|cell| {
                let percent = (cell.share * 100.0).round() as u32;
                let figures: serde_json::Map<String, serde_json::Value> = self
                    .with_ranking(table::all_metrics(self.graph.kind))
                    .iter()
                    .map(|metric| {
                        let part =
                            |from_x| cell.of(metric, from_x).map(|values| table::json_of(&values));
                        let best = paper::best(self.graph.in_tables.as_deref(), metric, percent);
                        let best =
                            best.map(|f| json!({"method": f.method, "mean": f.mean, "std": f.std}));
                        let both = json!({"x": part(true), "R": part(false), "paper_best": best});
                        ((*metric).to_owned(), both)
                    })
                    .collect();
                json!({"labelled": cell.share, "metrics": figures, "runs": cell.runs})
            })
            .collect();
        json!({"graph": self.graph.name, "split": self.graph.split,
            "validated": self.validated, "cells": cells})
    }
}
