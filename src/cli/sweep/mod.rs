//! `gesf-tui sweep`: a search over settings, scored on validation labels: a grid,
//! combinations drawn at random, or successive halving of either. A sweep with a folder
//! can be interrupted and resumed.

mod table;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::graph_args::graph_path;
use super::output;
use super::prepared_graph::{self, cancelled_by_ctrl_c};
use super::progress::Display;
use super::shards::document::{self, Merged};
use super::shards::journal;
use super::trials_args::{TrialsArgs, check_shares, labels_to_judge_by};
use crate::graph::LabelKind;
use crate::model::settings::Settings;
use crate::spectral::Cancel;
use crate::train::journal::Journal;
use crate::train::sweep::{Axis, Grid, Halving, Point, Sweep, SweepPlan, SweepResult};

/// The name of the command.
pub(super) const COMMAND: &str = "sweep";

/// Default share of the training labels used for validation.
const VALIDATE: f64 = 0.2;

/// Search options.
#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// Graph: a file or a folder
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Setting and values to try, for example lambda=1,10 (`gesf-tui settings`
    /// lists them; aliases: lambda, lambda_w, lr, rho, k and d); with --random also a
    /// range, for example hidden=16..128 or lr=log:0.001..0.1
    #[arg(long, value_name = "KEY=VALUE,…", required = true)]
    grid: Vec<String>,
    /// Try this many random combinations instead of all
    #[arg(long, value_name = "N")]
    random: Option<usize>,
    /// Seed of the random combinations
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "random")]
    random_seed: u64,
    /// Train all combinations briefly, keep the best of every FACTOR, train those FACTOR
    /// times longer, and so on up to all epochs
    #[arg(long, value_name = "FACTOR", conflicts_with_all = ["shard", "list_commands"])]
    halving: Option<usize>,
    /// Fewest epochs of a round of --halving
    #[arg(long, value_name = "N", default_value_t = 30, requires = "halving")]
    least_epochs: usize,
    /// Shares of the labelled nodes used for training (default: the setting
    /// `labelled`)
    #[arg(long, value_delimiter = ',')]
    labelled: Vec<f64>,
    /// Share of the training labels used for validation (default: the setting
    /// `validation` if above 0, else 0.2)
    #[arg(long, value_name = "SHARE")]
    validate: Option<f64>,
    /// Save results in this folder, and resume from those already there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    trials: TrialsArgs,
}

/// What the output needs besides the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct OutputPlan {
    title: String,
    kind: LabelKind,
    /// The swept settings, in the given order.
    keys: Vec<String>,
    #[serde(flatten)]
    sweep: SweepPlan,
    /// Fingerprint of the graph and all settings: what else the scores depend on.
    basis: String,
}

/// A combination and how long it was trained, if that differs between combinations.
struct Standing {
    result: SweepResult,
    epochs: Option<usize>,
}

pub(super) fn run(args: &SweepArgs) -> anyhow::Result<()> {
    let axes = args.grid.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>()?;
    let grid = Grid::new(axes)?;
    let points = match args.random {
        Some(count) => grid.random_points(count, args.random_seed),
        None => grid.points()?,
    };
    let seeds = args.trials.seed_list();
    if args.trials.shards.list_commands(points.len() * args.labelled.len().max(1) * seeds.len())? {
        return Ok(());
    }
    let shard = args.trials.shards.shard()?;
    let cancel = cancelled_by_ctrl_c()?;
    let (graph, _) = args.trials.graph.load(&args.path)?;
    let kind = labels_to_judge_by(&graph, &args.path)?;
    let settings = args.trials.settings.resolve(&graph)?;
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
    let plan = SweepPlan { points, shares, seeds, validate };
    let output = OutputPlan {
        title: graph.manifest().title.clone().unwrap_or_else(|| "graph".to_owned()),
        kind,
        keys: grid.keys().into_iter().map(str::to_owned).collect(),
        sweep: plan.clone(),
        basis: super::shards::basis(&graph, &settings),
    };
    let runner = Runner {
        sweep: Sweep { graph: Arc::new(graph), settings, plan },
        args,
        cancel,
        display: RefCell::new(Display::new(args.trials.json || shard.is_some())),
    };
    let mut journal = journal(COMMAND, args.out.as_deref(), shard)?;
    if let Some(shard) = shard {
        let tasks = shard.of(0..runner.sweep.plan.tasks());
        let scores = runner.run(&runner.sweep, &tasks, &mut journal)?;
        let results = tasks.into_iter().zip(scores);
        return document::print(COMMAND, &output, runner.sweep.plan.tasks(), results);
    }
    let standings = if let Some(factor) = args.halving {
        let halving = Halving { factor, least_epochs: args.least_epochs };
        runner.halve(halving, &mut journal)?
    } else {
        let tasks: Vec<usize> = (0..runner.sweep.plan.tasks()).collect();
        let scores = runner.run(&runner.sweep, &tasks, &mut journal)?;
        unbounded(runner.sweep.plan.standings(&scores))
    };
    runner.display.into_inner().finish();
    print(&output, &standings, args.trials.json)
}

/// Prints what all shards together found.
pub(super) fn print_merged(merged: Merged, json: bool) -> anyhow::Result<()> {
    let (plan, scores): (OutputPlan, Vec<Option<f64>>) = merged.parts()?;
    print(&plan, &unbounded(plan.sweep.standings(&scores)), json)
}

fn unbounded(results: Vec<SweepResult>) -> Vec<Standing> {
    results.into_iter().map(|result| Standing { result, epochs: None }).collect()
}

fn print(plan: &OutputPlan, standings: &[Standing], json: bool) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if json {
        let all = table::json(plan, standings);
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    } else {
        table::lines(plan, standings).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// A sweep with what its runs need.
struct Runner<'a> {
    sweep: Sweep,
    args: &'a SweepArgs,
    cancel: Cancel,
    display: RefCell<Display>,
}

impl Runner<'_> {
    fn run(
        &self,
        sweep: &Sweep,
        tasks: &[usize],
        journal: &mut Journal,
    ) -> anyhow::Result<Vec<Option<f64>>> {
        let cache = self.args.trials.spectra.cache();
        let prepare = |settings: &Settings| {
            let mut display = self.display.borrow_mut();
            let place = ("", &mut *display);
            prepared_graph::prepare(&sweep.graph, settings, cache.as_ref(), &self.cancel, place)
        };
        let tell = |point: &Point, done: usize| {
            self.display.borrow_mut().show(&table::named(point), done, tasks.len());
        };
        Ok(sweep.run(tasks, journal, &self.cancel, prepare, tell)?)
    }

    /// Round after round; those that got farthest come first.
    fn halve(&self, halving: Halving, journal: &mut Journal) -> anyhow::Result<Vec<Standing>> {
        let Sweep { graph, settings, plan } = &self.sweep;
        halving.check(&plan.points)?;
        let rungs = halving.rungs(plan.points.len(), settings.epochs);
        let mut left = plan.clone();
        let mut rounds: Vec<Vec<Standing>> = Vec::new();
        for (at, rung) in rungs.iter().enumerate() {
            let settings = Settings { epochs: rung.epochs, ..settings.clone() };
            let round = Sweep { graph: graph.clone(), settings, plan: left.clone() };
            let tasks: Vec<usize> = (0..left.tasks()).collect();
            let mut standings = left.standings(&self.run(&round, &tasks, journal)?);
            if let Some(next) = rungs.get(at + 1) {
                left = left.kept(&standings, next.points);
                standings = standings.split_off(next.points);
            }
            let epochs = Some(rung.epochs);
            rounds.push(standings.into_iter().map(|result| Standing { result, epochs }).collect());
        }
        rounds.reverse();
        Ok(rounds.into_iter().flatten().collect())
    }
}
