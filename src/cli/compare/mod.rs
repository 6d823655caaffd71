//! `gesf-tui compare`: GESF and other methods on the same splits of a graph, in a
//! table like the paper's.

mod table;

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use serde_json::json;

use super::evaluate::table::{RANKING, json_of, metrics};
use super::evaluate::{name_of, paper};
use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::prepared_graph::{self, SpectraArgs, cancelled_by_ctrl_c};
use super::progress::Display;
use super::settings_args::SettingsArgs;
use super::trials_args::{SeedsArgs, check_shares, labels_to_judge_by, shares_of, split_name};
use crate::baselines::{Contest, GesfMethod, Method, MethodResult, NAMES, News, all, named};
use crate::graph::{Graph, LabelKind};
use crate::model::seen_graph;
use crate::model::settings::Settings;
use crate::spectral::Cancel;

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
    seeds: SeedsArgs,
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

/// All rows for a graph.
struct Results {
    name: String,
    /// The graph's name in the paper's tables.
    in_tables: Option<&'static str>,
    title: String,
    kind: LabelKind,
    /// The name of the stored split, if one is used; the shares have no effect then.
    split: Option<String>,
    shares: Vec<f64>,
    entries: Vec<MethodResult>,
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    let cancel = cancelled_by_ctrl_c()?;
    let (graph, _) = args.graph.load(&args.path)?;
    let settings = args.settings.resolve(&graph)?;
    check_shares(&settings, &args.labelled)?;
    let kind = labels_to_judge_by(&graph, &args.path)?;
    let name = name_of(&args.path);
    let title = graph.manifest().title.clone().unwrap_or_else(|| name.clone());
    let split = split_name(&graph, &settings);
    // The paper drew its splits at random.
    let in_tables = paper::name_in_tables(&graph).filter(|_| split.is_none());
    let shares = shares_of(&settings, &args.labelled);
    let display = Mutex::new(Display::new(args.json));
    let contest = contest(args, &Arc::new(graph), &settings, &cancel, &display)?;
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
    let entries = contest.run(&cancel, &tell, |_| ())?;
    display.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    let results = Results { name, in_tables, title, kind, split, shares, entries };
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&results.json())?)?;
    } else {
        table::lines(&results).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
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
        let cache = args.spectra.cache();
        let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
        let place = ("gesf", &mut *display);
        let prepared = prepared_graph::prepare(graph, settings, cache.as_ref(), cancel, place)?;
        methods.push(Box::new(GesfMethod { prepared, settings: settings.clone() }));
    }
    let seeds = args.seeds.list();
    let shares = shares_of(settings, &args.labelled);
    Ok(Contest { graph: train, settings: settings.clone(), shares, seeds, methods })
}

impl Results {
    /// The informative metrics, and those of two classes if there are two.
    fn metrics(&self) -> Vec<&'static str> {
        let mut cells = self.entries.iter().flat_map(|entry| &entry.cells);
        let ranked = cells.any(|cell| table::values(cell, RANKING[0]).is_some());
        let more = RANKING.into_iter().filter(|_| ranked);
        metrics(self.kind).iter().copied().chain(more).collect()
    }

    fn json(&self) -> serde_json::Value {
        let methods: Vec<_> = self
            .entries
            .iter()
            .map(|entry| {
                let cells: Vec<_> = entry
                    .cells
                    .iter()
                    .map(|cell| {
                        let figures: serde_json::Map<String, serde_json::Value> = self
                            .metrics()
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
        let all_metrics = self.metrics();
        let paper: Vec<_> = all_metrics
            .iter()
            .flat_map(|metric| self.shares.iter().map(move |share| (metric, share)))
            .flat_map(|(metric, share)| {
                let figures = paper::figures(self.in_tables, metric, table::percent(*share));
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
        json!({"graph": self.name, "split": self.split, "methods": methods,
            "differences": differences, "paper": paper})
    }
}
