//! `gesf-tui compare`: GESF and other methods on the same splits of a graph, in a
//! table like the paper's.

mod table;

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::evaluate::table::{RANKING, json_of, metrics};
use super::evaluate::{name_of, paper};
use super::graph_args::graph_path;
use super::output;
use super::prepared_graph::{self, cancelled_by_ctrl_c};
use super::progress::Display;
use super::shards::Shard;
use super::shards::document::{self, Merged};
use super::trials_args::{TrialsArgs, check_shares, labels_to_judge_by, shares_of, split_name};
use crate::baselines::{
    Contest, GesfMethod, Method, MethodCell, MethodResult, NAMES, News, all, named,
};
use crate::graph::{Graph, LabelKind};
use crate::model::seen_graph;
use crate::model::settings::Settings;
use crate::spectral::Cancel;
use crate::train::Score;

/// The name of the command.
pub(super) const COMMAND: &str = "compare";

/// Compare methods.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Graph: a file or a folder
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Methods: all, or a comma-separated list of names
    #[arg(long, value_delimiter = ',', default_value = "all", value_name = "NAMES")]
    methods: Vec<String>,
    /// Shares of the labelled nodes used for training
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.5,0.9")]
    labelled: Vec<f64>,
    #[command(flatten)]
    trials: TrialsArgs,
}

/// What the output needs besides the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Plan {
    name: String,
    /// The graph's name in the paper's tables.
    in_tables: Option<String>,
    title: String,
    kind: LabelKind,
    /// The name of the stored split, if one is used; the shares have no effect then.
    split: Option<String>,
    shares: Vec<f64>,
    seeds: Vec<u64>,
    methods: Vec<String>,
    /// Fingerprint of the graph and all settings: what else the scores depend on.
    basis: String,
}

/// The result of a task, a method with one seed: its score at each share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TaskScores {
    scores: Vec<Score>,
    seconds: f64,
}

/// All rows for a graph.
struct Results {
    plan: Plan,
    entries: Vec<MethodResult>,
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    let shard = args.trials.shards.shard()?;
    let cancel = cancelled_by_ctrl_c()?;
    let (graph, _) = args.trials.graph.load(&args.path)?;
    let settings = args.trials.settings.resolve(&graph)?;
    check_shares(&settings, &args.labelled)?;
    let name = name_of(&args.path);
    let split = split_name(&graph, &settings);
    // The paper drew its splits at random.
    let in_tables = paper::name_in_tables(&graph).filter(|_| split.is_none());
    let mut plan = Plan {
        title: graph.manifest().title.clone().unwrap_or_else(|| name.clone()),
        name,
        in_tables: in_tables.map(str::to_owned),
        kind: labels_to_judge_by(&graph, &args.path)?,
        split,
        shares: shares_of(&settings, &args.labelled),
        seeds: args.trials.seed_list(),
        methods: Vec::new(),
        basis: super::shards::basis(&graph, &settings),
    };
    let display = Mutex::new(Display::new(args.trials.json || shard.is_some()));
    let contest = contest(args, &Arc::new(graph), &settings, &cancel, &display)?;
    plan.methods = contest.methods.iter().map(|method| method.name().to_owned()).collect();
    if args.trials.shards.list_commands(plan.methods.len() * plan.seeds.len())? {
        return Ok(());
    }
    let tell = |news: News| {
        let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
        // Printed lines are for lasting results; the steps of a method only move the
        // bar.
        let step = match &*display {
            Display::Bar(_) => format!("{}: {}", news.method, news.step),
            _ => news.method.to_owned(),
        };
        display.show(&step, news.done, news.whole);
    };
    if let Some(shard) = shard {
        return print_shard(&plan, &contest, shard, &cancel);
    }
    let entries = contest.run(&cancel, &tell, |_| ())?;
    display.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    Results { plan, entries }.print(args.trials.json)
}

/// Runs and prints a shard. A task is a method with one seed, since the shares of a
/// seed have a preparation in common.
fn print_shard(
    plan: &Plan,
    contest: &Contest,
    shard: Shard,
    cancel: &Cancel,
) -> anyhow::Result<()> {
    let whole = plan.methods.len() * plan.seeds.len();
    let mut found = Vec::new();
    for task in shard.of(0..whole) {
        let method = contest.methods[task / plan.seeds.len()].as_ref();
        let entry =
            contest.run_one(method, plan.seeds[task % plan.seeds.len()], cancel, &|_| ())?;
        let scores = entry.cells.iter().flat_map(|cell| cell.scores.iter().copied()).collect();
        found.push((task, TaskScores { scores, seconds: entry.time.as_secs_f64() }));
    }
    document::print(COMMAND, plan, whole, found.into_iter())
}

/// Prints what all shards together found. The running times are sums over the shards.
pub(super) fn print_merged(merged: Merged, json: bool) -> anyhow::Result<()> {
    let (plan, tasks): (Plan, Vec<TaskScores>) = merged.parts()?;
    let mut entries = Vec::with_capacity(plan.methods.len());
    for (method, columns) in plan.methods.iter().zip(tasks.chunks(plan.seeds.len().max(1))) {
        let known = NAMES.iter().find(|name| **name == method.as_str());
        let known = known.with_context(|| format!("found the unknown method `{method}`"))?;
        let cells = plan.shares.iter().enumerate().map(|(at, &share)| {
            let score = |own: &TaskScores| own.scores.get(at).copied().unwrap_or_default();
            MethodCell { share, scores: columns.iter().map(score).collect(), right: Vec::new() }
        });
        let seconds: f64 = columns.iter().map(|own| own.seconds).sum();
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        entries.push(MethodResult { method: known, cells: cells.collect(), time });
    }
    Results { plan, entries }.print(json)
}

/// The methods to compare: those requested by name, or all that support the graph.
fn contest(
    args: &CompareArgs,
    graph: &Arc<Graph>,
    settings: &Settings,
    cancel: &Cancel,
    display: &Mutex<Display>,
) -> anyhow::Result<Contest> {
    let everyone = args.methods.iter().any(|name| name == "all");
    let mut methods: Vec<Box<dyn Method>> = if everyone { all() } else { named(&args.methods)? };
    let train = seen_graph(graph, settings);
    if everyone {
        methods.retain(|method| method.suits(&train).is_ok());
    }
    if everyone || args.methods.iter().any(|name| name == NAMES[NAMES.len() - 1]) {
        let cache = args.trials.spectra.cache();
        let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
        let place = ("gesf", &mut *display);
        let prepared = prepared_graph::prepare(graph, settings, cache.as_ref(), cancel, place)?;
        methods.push(Box::new(GesfMethod { prepared, settings: settings.clone() }));
    }
    let seeds = args.trials.seed_list();
    let shares = shares_of(settings, &args.labelled);
    Ok(Contest { graph: train, settings: settings.clone(), shares, seeds, methods })
}

impl Results {
    /// The informative metrics, and those of two classes if there are two.
    fn metrics(&self) -> Vec<&'static str> {
        let mut cells = self.entries.iter().flat_map(|entry| &entry.cells);
        let ranked = cells.any(|cell| table::values(cell, RANKING[0]).is_some());
        let more = RANKING.into_iter().filter(|_| ranked);
        metrics(self.plan.kind).iter().copied().chain(more).collect()
    }

    fn print(&self, json: bool) -> anyhow::Result<()> {
        let mut out = output::stdout();
        if json {
            writeln!(out, "{}", serde_json::to_string_pretty(&self.json())?)?;
        } else {
            table::lines(self).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }

    fn json(&self) -> serde_json::Value {
        let all_metrics = self.metrics();
        let methods: Vec<_> = self
            .entries
            .iter()
            .map(|entry| {
                let cells: Vec<_> = entry
                    .cells
                    .iter()
                    .map(|cell| {
                        let figures: serde_json::Map<String, serde_json::Value> = all_metrics
                            .iter()
                            .map(|metric| {
                                let own =
                                    table::values(cell, metric).map(|values| json_of(&values));
                                ((*metric).to_owned(), json!(own))
                            })
                            .collect();
                        json!({"labelled": cell.share, "metrics": figures, "scores": cell.scores})
                    })
                    .collect();
                json!({"method": entry.method, "cells": cells, "seconds": entry.time.as_secs_f64()})
            })
            .collect();
        let paper: Vec<_> = all_metrics
            .iter()
            .flat_map(|metric| self.plan.shares.iter().map(move |share| (metric, share)))
            .flat_map(|(metric, share)| {
                let figures =
                    paper::figures(self.plan.in_tables.as_deref(), metric, table::percent(*share));
                figures.into_iter().map(move |f| {
                    json!({"method": f.method, "metric": metric, "labelled": share,
                        "mean": f.mean, "std": f.std})
                })
            })
            .collect();
        let differences: Vec<_> = all_metrics
            .iter()
            .flat_map(|metric| {
                table::differences(self, metric).into_iter().map(move |row| (metric, row))
            })
            .map(|(metric, (method, cells))| {
                let cells: Vec<_> = self
                    .plan
                    .shares
                    .iter()
                    .zip(cells)
                    .map(|(share, found)| {
                        let found = found.map(|own| {
                            json!({"mean": own.mean, "half_interval": own.half,
                                "seeds_to_settle": own.seeds_to_settle()})
                        });
                        json!({"labelled": share, "gesf_less_it": found})
                    })
                    .collect();
                json!({"method": method, "metric": metric, "cells": cells})
            })
            .collect();
        json!({"graph": self.plan.name, "split": self.plan.split, "methods": methods, "differences": differences, "paper": paper})
    }
}
